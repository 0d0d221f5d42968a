"""Two levels as users invent them, in the form that the editor exports.

The browser tests create both from an empty sheet; other tests play and print them.
"""

from __future__ import annotations

from typing import Any

TREE: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "fir",
    "name": {"de": "Tanne mit Päckchen", "en": "Fir with a parcel"},
    "grid": [
        ".   .   .   5   .   .   .  ",
        ".   .   3   1Gr .   .   .  ",
        ".   .   4O  2   6   .   .  ",
        ".   2   -O  5   3   .   .  ",
        ".   6Gw 1   4   2O  5   .  ",
        "3   5   2Gr 6   1   4Gw .  ",
        "1   4   3   5Gw -O  2   6  ",
        ".   .   .   2x  .   .   .  ",
        ".   6O  4   .   .   3Gr 1x ",
    ],
    "shifts": [0, 0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0],
    "lines": [{"fields": ["d1", "a7", "g7"], "points": 20}],
    "points": {"gem": {"red": 2, "white": 4}},
    "labels": {
        "gem red": {"de": "kleine Zuckerstange", "en": "small candy cane"},
        "gem white": {"de": "große Zuckerstange", "en": "large candy cane"},
        "rocket-planet": {"de": "Christbaumkugel", "en": "bauble"},
    },
    "dice": {"1": 3, "2": 4, "3": 6, "4": 7},
    "rounds": {"1": 12, "2": 7, "3": 5, "4": 4},
}
"""Level with rows shifted by half a field, rocket-planets with and without a number, gems worth 2
or 4, a line of three fields, extra rounds, and a parcel (f9, g9) that touches no other field: dice
reach it only from its own printed cross or by a jump."""

PARCEL = ("f9", "g9")
"""Fields of `TREE` that touch no other field."""

ISLES: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "isles",
    "name": {"de": "Sechs Inseln", "en": "Six isles"},
    "grid": [
        "3   5   2   4   1   6   3   5Fb",
        "1   4Fb 6   3   5x  2   4   1  ",
        "6   2   5   1   4   3   6   2  ",
        "4   3x  1   6B  2   5   1   4Fb",
        "5   6   4   2   3   1x  5   3  ",
        "2   1Fb 3   5   6   4   2   6  ",
        "6   4   2   1   5   3   4   1Fb",
    ],
    "areas": [
        {"fields": ["a1", "b1", "c1", "a2", "b2", "c2"], "race": [12, 8, 5, 3, 2, 1]},
        {"fields": ["f1", "g1", "h1", "g2", "h2"], "race": [9, 6, 3]},
        {"fields": ["g4", "h4", "g5", "h5"], "race": [7, 4]},
        {"fields": ["a6", "b6", "a7", "b7"], "points": 8},
        {"fields": ["d3", "e3", "d4", "e4"], "points": 5},
    ],
    "points": {"flag": {"blue": [10, 7, 5, 3, 2]}, "bomb": -3},
    "repeat_last": True,
    "dice": {"5": 16, "6": 19},
    "rounds": {"1": 12, "5": 3, "6": 3},
}
"""Level for up to six players with 16 and 19 dice, five areas of which three are races, number
tracks whose last number repeats, and 12 rounds in a solo game."""

FAN_LEVELS = {"fir": TREE, "isles": ISLES}
"""The levels by their ids."""
