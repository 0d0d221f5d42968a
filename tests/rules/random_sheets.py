"""Generator of random final sheets that need not come from a game, with marks for every category.

The `random.Random` argument is the only source of randomness, as in `random_games`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sheets.rules import Level
from sheets.rules.level import SHAPES, bits, format_field
from sheets.rules.sheet import finished_sheet

Document = dict[str, Any]
"""A document of sheets, or a part of one."""


def random_sheets(random: Random, level: Level, reference: str | Document) -> Document:
    """Return a valid ``dizzle-sheets/1``; at most, circled numbers are missing."""
    count = random.choice((1, 1, 2, 3, 6))
    solo = count == 1 and random.random() < 0.7
    entries = [_marked(random, level, solo) for _ in range(count)]
    for track in level.number_tracks.values():
        takers = [i for i, entry in enumerate(entries) if track.is_reached(_crosses(level, entry))]
        possible = sorted({*track.numbers, *track.possible_numbers(len(takers))})
        for i, entry in enumerate(entries):
            if random.random() < (0.7 if i in takers else 0.05):
                entry[track.entry][track.key] = random.choice(possible)
    document = {"format": "dizzle-sheets/1", "level": reference, "sheets": entries}
    return document | ({"solo": solo} if count == 1 else {})


def _crosses(level: Level, entry: Document) -> int:
    crosses = level.mask(entry["crosses"]) | level.mask(entry["tracks"])
    return finished_sheet(level, crosses=crosses, exploded=0, lava=0, tracks={}).crosses


def _marked(random: Random, level: Level, solo: bool) -> Document:
    """Return a sheet without circled numbers, between nearly empty and full."""
    share = random.choice((0.1, 0.5, 0.9, 0.97, 1))
    crosses, exploded, lava = [], [], []
    for field in bits(level.crossable & ~level.printed):
        name, chance = level.fields[field].name, random.random()
        if chance < share:
            crosses.append(name)
        elif level.fields[field].symbol == "bomb" and not solo:
            exploded.append(name)
        elif level.by_symbol["volcano"] and chance > 0.5:
            lava.append(name)
    if not level.rails:
        tracks: dict[str, str] = {}
    else:
        tracks = {at: random.choice(SHAPES) for at in crosses if random.random() < 0.5}
        for _ in range(random.randint(0, 3)):
            tracks |= _random_loop(random, level)
        crosses, exploded = [], [at for at in exploded if at not in tracks]
        lava = [at for at in lava if at not in tracks]
    return {
        **{"player": "Ana", "crosses": crosses, "exploded": exploded, "lava": lava},
        **{"tracks": tracks, "flags": {}, "races": {}},
    }


def _random_loop(random: Random, level: Level) -> dict[str, str]:
    """Return tracks along the edges of a rectangle, on those of its fields that are free."""
    left, right = sorted(random.sample(range(level.columns), 2))
    top, bottom = sorted(random.sample(range(level.rows), 2))
    loop = {(x, y): "EW" for x in range(left, right) for y in (top, bottom)}
    loop |= {(x, y): "NS" for y in range(top, bottom) for x in (left, right)}
    loop |= {(left, top): "ES", (right, top): "SW", (left, bottom): "NE", (right, bottom): "NW"}
    named = {format_field(*place): shape for place, shape in loop.items()}
    free = set(level.names(level.crossable & ~level.printed))
    return {at: shape for at, shape in named.items() if at in free}
