"""Small valid documents, in which tests change one thing."""

from __future__ import annotations

import json
from typing import Any

Document = dict[str, Any]

HARBOUR: Document = {
    "format": "dizzle-level/1",
    "id": "harbour",
    "name": {"de": "Hafen", "en": "Harbour"},
    "about": "Ships come and go.",
    "author": "Ana",
    "difficulty": 2,
    "grid": [
        "3  5   1Gy  -x  2   .   1B ",
        "2  4Kr 6    3x  5Lr -P  6R ",
        "1  1Jg 2Fr  -V  4Jg 3H  6Fr",
    ],
    "lines": [
        {"row": 2, "points": 5},
        {"column": "c", "points": 7},
        {"fields": ["a1", "b2"], "points": 3},
    ],
    "areas": [
        {"fields": ["a1", "a2", "b1"], "points": 6},
        {"fields": ["e1", "e2"], "race": [8, 4]},
    ],
    "points": {
        "gem": {"yellow": 1, "purple": 2},
        "puzzle": {"green": 10},
        "flag": {"red": [10, 6, 3, 1]},
        "bomb": -2,
        "heap": -3,
        "stop": 4,
    },
    "repeat_last": False,
    "marks": "crosses",
    "links": [["a1", "c2"]],
    "walls": [["a1", "b1"]],
    "shifts": [0, 0.25, -0.75],
    "labels": {"gem yellow": "lantern", "planet": {"de": "Boje", "en": "buoy"}},
    "dice": {"1": 8, "2": 7, "3": 10, "4": 13, "5": 15},
    "rounds": {"1": 10, "2": 6, "3": 4, "4": 3, "5": 2},
    "ratings": [41, 51, 61, 71, 81, 91],
}
"""A level with nearly all elements."""

RAILS: Document = {
    "format": "dizzle-level/1",
    "id": "rails",
    "name": "Rails",
    "grid": ["1 2 3S", "4 5 6Gy", "1 2Fr 3"],
    "marks": "tracks",
    "tracks": {"b1": "NS"},
    "points": {"gem": {"yellow": 2}, "flag": {"red": [5, 3]}, "stop": 4},
}
"""A small rail level."""

GAME: Document = {
    "format": "dizzle-game/1",
    "level": HARBOUR,
    "dice": "tracked",
    "players": ["Ana", "Ben"],
    "actions": [{"do": "erupt", "die": 2}],
}

PROOF: Document = {
    "commitment": "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
    "seed": "00" * 32,
    "contributions": ["0a" * 16, ""],
    "fixed": [1],
}
"""A proof of the dice of a game for two players."""

SHEETS: Document = {
    "format": "dizzle-sheets/1",
    "level": HARBOUR,
    "sheets": [
        {
            "player": "Ana",
            "crosses": ["c1", "c2", "c3", "e1", "e2"],
            "exploded": ["g1"],
            "lava": ["e3"],
            "tracks": {},
            "flags": {"red": 10},
            "races": {"1": 8},
        },
        {"player": "Ben"},
    ],
}


def encode(document: Any) -> bytes:
    """Return the bytes of a document's file."""
    return json.dumps(document, ensure_ascii=False).encode()
