"""Two levels such as people invent for themselves, as the editor exports them.

The browser tests make both of them from an empty sheet; others play and print them.
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
"""Rows shifted by half a field, baubles that are rocket and planet in one (some without a number),
candy canes worth 2 or 4, three fields as a set worth 20, extra rounds, and a parcel (f9, g9) that
touches nothing: its printed cross is reached only by beginning there or by a jump."""

PARCEL = ("f9", "g9")

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
"""Up to six players with 16 and 19 dice, regions of which three are races for ranked points, the
last number of flags and races again and again, and 12 rounds for who plays alone."""

FAN_LEVELS = {"fir": TREE, "isles": ISLES}
