"""Which rows, columns and corners of a suggested sheet pay when they are complete?

Goals leave out ``bare`` squares: a bomb in a goal would favour whoever comes first, and in an area
of four fields a printed cross would be a gift.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Any, Final

from sheets.rules.level import format_field
from sheets.workshop.suggest.outlines import Place

LEAST_FIELDS: Final = 3
"""A shorter row is no goal."""

EASY: Final = 0.55
"""How far a row may be on average (0: at the start, 1: the last corner) without being hard."""

BLOCKS: Final = (
    ((0, 0), (1, 0), (0, 1), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 2)),
    ((0, 0), (1, 0), (0, 1), (0, 2)),
    ((0, 0), (0, 1), (0, 2)),
)
"""The shapes an area may have."""


def suggest_lines(
    places: Collection[Place],
    far: Mapping[Place, float],
    bare: Collection[Place],
    count: int,
    random: Random,
) -> list[dict[str, Any]]:
    """Arrows at about two rows for each column; fewer where the sheet has none to offer."""
    bombs = set(bare)
    rows = _lanes(places, bombs, 1)
    columns = _lanes(places, bombs, 0)
    wanted_columns = min(len(columns), round(count / 3))
    wanted_rows = min(len(rows), count - wanted_columns)
    wanted_columns = min(len(columns), count - wanted_rows)
    hard = {y: max(0.0, _mean(lane, far) - EASY) * len(lane) for y, lane in rows.items()}
    chosen_rows = sorted(_spread(hard, wanted_rows, random))
    chosen_columns = sorted(_from_the_middle(list(columns), wanted_columns))
    return [
        *({"row": y + 1, "points": _worth(rows[y], far)} for y in chosen_rows),
        *(
            {"column": format_field(x, 0)[0], "points": _worth(columns[x], far)}
            for x in chosen_columns
        ),
    ]


def suggest_areas(
    places: Collection[Place],
    far: Mapping[Place, float],
    bare: Collection[Place],
    count: int,
    random: Random,
    *,
    mirror: Callable[[Place], Place] | None,
) -> list[dict[str, Any]]:
    """Bordered areas of three or four fields, away from the start; in pairs where there is a
    ``mirror``."""
    open_places = set(places) - set(bare)
    blocks = [
        frozenset((x + dx, y + dy) for dx, dy in shape)
        for x, y in sorted(open_places)
        for shape in BLOCKS
    ]
    blocks = [block for block in blocks if block <= open_places]
    blocks.sort(key=lambda block: -_mean(block, far) - random.random() * 0.5)
    chosen: list[frozenset[Place]] = []
    for block in blocks:
        for twin in (block, frozenset(map(mirror, block))) if mirror else (block,):
            is_free = not any(_touch(twin, other) for other in chosen)
            if len(chosen) < count and is_free and twin <= open_places:
                chosen.append(twin)
    return [
        {
            "fields": [format_field(*at) for at in sorted(block, key=lambda at: (at[1], at[0]))],
            "points": 2 + len(block) + round(4 * _mean(block, far)),
        }
        for block in chosen
    ]


def _lanes(places: Iterable[Place], bare: set[Place], axis: int) -> dict[int, list[Place]]:
    """The rows (axis 1) or columns (axis 0) that can pay, by number."""
    lanes: dict[int, list[Place]] = {}
    for place in sorted(places):
        lanes.setdefault(place[axis], []).append(place)
    return {
        number: lane
        for number, lane in sorted(lanes.items())
        if len(lane) >= LEAST_FIELDS and not bare.intersection(lane)
    }


def _spread(hard: Mapping[int, float], count: int, random: Random) -> list[int]:
    """So many of them, not side by side as long as that can be, the hardest ones last."""
    chosen: list[int] = []
    left = list(hard)
    while left and len(chosen) < count:
        apart = {n: min((abs(n - m) for m in chosen), default=3) for n in left}
        best = max(left, key=lambda n: (min(apart[n], 2) - hard[n] + random.random(), n))
        chosen.append(best)
        left.remove(best)
    return chosen


def _from_the_middle(numbers: list[int], count: int) -> list[int]:
    """The middle ones, which come in pairs on a sheet whose sides are alike."""
    if not numbers:
        return []
    middle = (numbers[0] + numbers[-1]) / 2
    return sorted(numbers, key=lambda n: (abs(n - middle), n))[:count]


def _worth(lane: Collection[Place], far: Mapping[Place, float]) -> int:
    return max(4, min(16, round(len(lane) * 0.8 + 8 * _mean(lane, far))))


def _mean(group: Collection[Place], far: Mapping[Place, float]) -> float:
    return sum(far.get(place, 0) for place in group) / len(group)


def _touch(block: frozenset[Place], other: frozenset[Place]) -> bool:
    return any(abs(x - u) + abs(y - v) <= 1 for x, y in block for u, v in other)
