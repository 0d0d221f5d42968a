"""Levels shipped with this project: one ``dizzle-level/1`` file each in this folder.

To add a level, add a file; its name without the suffix is the level's id. The files have texts in
English; `sheets/levels/texts.py` lists them for translation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.utils.translation import gettext_lazy

from sheets.documents.structure import read_level
from sheets.rules import DocumentError, Level
from sheets.text.languages import in_every_language

FOLDER = Path(__file__).parent
"""Folder of the level files."""


@cache
def shipped_levels() -> Mapping[str, Level]:
    """Return all shipped levels by their id, sorted by id."""
    levels = [_read(path) for path in sorted(FOLDER.glob("*.json"))]
    return {level.id: level for level in levels}


def _read(path: Path) -> Level:
    """Return the level of a file with its name and story in all languages of the site."""
    document = json.loads(path.read_bytes())
    for of in ("name", "about"):
        english = document[of]["en"]
        document[of] = in_every_language(gettext_lazy(english))
    return read_level(json.dumps(document).encode())


def find_level(level_id: str) -> Level:
    """Return the shipped level with this id.

    Raises:
        DocumentError: there is none.
    """
    try:
        return shipped_levels()[level_id]
    except KeyError:
        raise DocumentError("unknown-level", ("level",), level=level_id) from None
