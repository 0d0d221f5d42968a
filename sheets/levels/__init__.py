"""The levels this project ships: one ``dizzle-level/1`` file each, beside this one.

Adding a level is adding a file; its name without the ending is its id.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sheets.documents.structure import read_level
from sheets.rules import DocumentError, Level

FOLDER = Path(__file__).parent


@cache
def shipped_levels() -> Mapping[str, Level]:
    """All shipped levels by their id, in the order of their ids."""
    levels = [read_level(path.read_bytes()) for path in sorted(FOLDER.glob("*.json"))]
    return {level.id: level for level in levels}


def find_level(level_id: str) -> Level:
    """The shipped level with that id.

    Raises:
        DocumentError: when there is none.
    """
    try:
        return shipped_levels()[level_id]
    except KeyError:
        raise DocumentError("unknown-level", ("level",), level=level_id) from None
