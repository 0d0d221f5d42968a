"""Settings of a site with an additional, mostly untranslated language (``pytest --ds``).

They follow the recipe of CONTRIBUTING for a new language: a line in the list of languages, and a
catalogue of translations. No other code knows the language. Missing texts are shown in English.
The language is one that the site is unlikely to get.
"""

import tempfile
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from dizzle_site.languages import LANGUAGES

LANGUAGES.append(("eo", "Esperanto"))

from tests.settings import *  # noqa: E402, F403
from tests.settings import LOCALE_PATHS  # noqa: E402

WORDS: Final = {
    "Levels": "Niveloj",
    "Language of the sheets": "Lingvo de la folioj",
    "Rounds": "Rondoj",
    "Key": "Klavo",
    "Not connected. Trying again …": "Neniu konekto …",
    "Name in %(language)s": "Nomo en %(language)s",
    "Copy of %(name)s": "Kopio de %(name)s",
}

_locale = tempfile.TemporaryDirectory(prefix="dizzle-locale-")
_file = Path(_locale.name) / "eo" / "LC_MESSAGES" / "django.mo"
_file.parent.mkdir(parents=True)
_catalog = Catalog("eo")
for _text, _said in WORDS.items():
    _catalog.add(_text, _said)
with _file.open("wb") as _written:
    write_mo(_written, _catalog)
LOCALE_PATHS = [*LOCALE_PATHS, Path(_locale.name)]
