"""What if there were one language more? Settings (``pytest --ds``) with one that has few words yet.

They do what CONTRIBUTING asks of whoever adds a language: a line, and a file of its texts. Nothing
else knows of it, and what it lacks is said in English.
"""

import tempfile
from pathlib import Path
from typing import Final

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
_catalog = Path(_locale.name) / "nl" / "LC_MESSAGES" / "django.po"
_catalog.parent.mkdir(parents=True)
_catalog.write_text(
    "".join(f'msgid "{text}"\nmsgstr "{said}"\n\n' for text, said in WORDS.items()), "utf-8"
)
LOCALE_PATHS = [*LOCALE_PATHS, Path(_locale.name)]
