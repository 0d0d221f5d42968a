"""Levels shipped with this project: one ``dizzle-level/1`` file each in this folder.

To add a level, add a file; its name without the suffix is the level's id.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sheets.documents.structure import read_level
from sheets.rules import DocumentError, Level

FOLDER = Path(__file__).parent
"""Folder of the level files."""


@cache
def shipped_levels() -> Mapping[str, Level]:
    """Return all shipped levels by their id, sorted by id."""
    levels = [read_level(path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))]
    return {level.id: level for level in levels}


def find_level(level_id: str) -> Level:
    """Return the shipped level with this id.

    Raises:
        DocumentError: there is none.
    """
    try:
        return shipped_levels()[level_id]
    except KeyError:
        raise DocumentError("unknown-level", ("level",), level=level_id) from None
