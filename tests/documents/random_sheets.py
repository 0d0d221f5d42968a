"""Random paper sheets for any level: valid, but not likely.

The `random.Random` that is passed in determines the sheets.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.rules.naive import NaiveLevel
from tests.rules.random_games import SHAPES, random_level

Document = dict[str, Any]


def random_sheets(random: Random, level: Document | None = None) -> Document:
    """Return a valid ``dizzle-sheets/1``; a few circled numbers may be ambiguous."""
    level = level or random_level(random)
    seen = NaiveLevel(level)
    count = random.choice([1, 1, 2, 3, 4, 6])
    sheets = [
        _random_sheet(random, level, seen, player)
        for player in ["Ana", "Ben", "Cem", "Dora", "Emil", "Fay"][:count]
    ]
    document: Document = {"format": "dizzle-sheets/1", "level": level, "sheets": sheets}
    if count > 1:
        document |= random.choice([{}, {"solo": False}])
    elif sheets[0]["exploded"]:
        document["solo"] = False
    return document


def _random_sheet(random: Random, level: Document, seen: NaiveLevel, player: str) -> Document:
    is_rails = level.get("marks") == "tracks"
    density = random.choice([0.2, 0.6, 1.0])
    fields = sorted(seen.fields)
    crosses = [at for at in fields if random.random() < density]
    others = [at for at in fields if at not in {*crosses, *seen.printed_crosses}]
    others = [at for at in others if at not in level.get("tracks", {})]
    shapes = {at: level.get("tracks", {}).get(at) or random.choice(SHAPES) for at in crosses}
    return {
        "player": player,
        "crosses": [] if is_rails else crosses,
        "exploded": [at for at in others if random.random() < random.choice([0, 0.3])],
        "lava": [at for at in others if random.random() < random.choice([0, 0.3])],
        "tracks": shapes if is_rails else {},
        "flags": {
            colour: random.choice(track)
            for colour, track in level["points"].get("flag", {}).items()
            if random.random() < 0.8
        },
        "races": {
            str(index): random.choice(area["race"])
            for index, area in enumerate(level["areas"])
            if "race" in area and random.random() < 0.8
        },
    }
