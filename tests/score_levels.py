"""Small levels for the tests of scoring, so that totals can be worked out by hand."""

from __future__ import annotations

from typing import Any

GARDEN: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "garden",
    "name": {"de": "Garten", "en": "Garden"},
    "grid": [
        "3x  5Gy 1B  2Fr",
        "2Kr 4Lr 6   3H",
        "1Jg .   5Jg 4B",
        "6Gy 2   -P  1R",
    ],
    "lines": [{"row": 2, "points": 5}, {"column": "a", "points": 7}],
    "areas": [
        {"fields": ["c2", "d2"], "points": 6},
        {"fields": ["a4", "b4"], "race": [8, 4]},
    ],
    "points": {
        "gem": {"yellow": 2},
        "puzzle": {"green": 10},
        "flag": {"red": [10, 6, 3, 1]},
        "bomb": -2,
        "heap": -3,
    },
}

VOLCANO: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "volcano",
    "name": "Volcano",
    "grid": ["1x 2 -V", "3 4B 5"],
    "points": {"bomb": -2},
}

RAILS: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "rails",
    "name": "Rails",
    "grid": ["1 2 3", "4S 5 6", "1 2 3"],
    "marks": "tracks",
    "tracks": {"a1": "ES"},
    "points": {"stop": 4},
}


def sheets_document(level: dict[str, Any], *sheets: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A `dizzle-sheets/1` document."""
    return {"format": "dizzle-sheets/1", "level": level, "sheets": list(sheets), **more}
