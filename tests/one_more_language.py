"""What if there were one language more? Settings (``pytest --ds``) with one that has few words yet.

They do what CONTRIBUTING asks of whoever adds a language: a line, and a catalogue of its texts.
Nothing else knows of it, and what it lacks is said in English.
"""

import tempfile
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from dizzle_site.languages import LANGUAGES

LANGUAGES.append(("nl", "Nederlands"))

from tests.settings import *  # noqa: E402, F403
from tests.settings import LOCALE_PATHS  # noqa: E402

WORDS: Final = {
    "Levels": "Bladen",
    "Language of the sheets": "Taal van de bladen",
    "Rounds": "Rondes",
    "Key": "Sleutel",
    "Not connected. Trying again …": "Geen verbinding …",
    "Name in %(language)s": "Naam in het %(language)s",
    "Copy of %(name)s": "Kopie van het blad %(name)s",
}

_locale = tempfile.TemporaryDirectory(prefix="dizzle-locale-")
_file = Path(_locale.name) / "nl" / "LC_MESSAGES" / "django.mo"
_file.parent.mkdir(parents=True)
_catalog = Catalog("nl")
for _text, _said in WORDS.items():
    _catalog.add(_text, _said)
with _file.open("wb") as _written:
    write_mo(_written, _catalog)
LOCALE_PATHS = [*LOCALE_PATHS, Path(_locale.name)]
