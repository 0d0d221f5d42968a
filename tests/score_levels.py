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

CASTLE: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "level-2",
    "name": {"de": "Burg", "en": "Castle"},
    "grid": [
        "2Fr .   6   .   .   1   .   5  ",
        "4Lr 3   5Go .   .   2Go 4   3Gy",
        "5   2Jg 1   .   .   6   5Jb 2  ",
        "3Gy 4Gp 6H  3Gy 4Gy 1H  3Gp 4Gy",
        "2   1Kr 4B  2x  5   3B  6Kb 5  ",
        "1   3   5Jg 1   6   2Jb 4   6  ",
        "4   6   2   3Gy 4Gy 5   1   3  ",
        "5Gy 1   4   6   1x  3   6   2Gy",
        "6   3Jb 1   5Lr 2Lb 6   4Jg 1  ",
        "2Gp 5Gy 6H  4Go 3Go 1   2Gy 5Gp",
        "1Go 4   2Gp .   .   5Gp 3   6Go",
    ],
    "lines": [
        {"row": 3, "points": 10},
        {"row": 4, "points": 10},
        {"row": 6, "points": 10},
        {"row": 8, "points": 10},
        {"column": "d", "points": 10},
        {"column": "e", "points": 10},
    ],
    "points": {
        "gem": {"purple": 1, "yellow": 2, "orange": 3},
        "puzzle": {"green": 10, "blue": 10},
        "flag": {"red": [10, 6, 3, 1]},
        "bomb": -2,
        "heap": -3,
    },
}
"""A level of full size. Never change it: the totals in the tests were worked out by hand."""

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

STREETS: dict[str, Any] = RAILS | {
    "id": "streets",
    "grid": ["1 2 3 4 5", "6 1 2 3 4", ". 6 1 2 3", "4 5 6 1 2", "3 4 5 6 1"],
    "tracks": {"c2": "EW"},
    "walls": [["a4", "b4"]],
    "points": {},
}
"""Rail level with room for tracks, a printed one, a hole and a wall."""


def sheets_document(level: dict[str, Any], *sheets: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a `dizzle-sheets/1` document."""
    return {"format": "dizzle-sheets/1", "level": level, "sheets": list(sheets), **more}
