"""Goals of a suggested sheet: the rows, columns and areas that pay when they are complete.

Goals contain no ``bare`` squares: a bomb in a goal would favour the first player to cross it, and
in an area of four fields a printed cross would be a gift.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Any, Final

from sheets.rules.level import format_field
from sheets.workshop.suggest.outlines import Place

LEAST_FIELDS: Final = 3
"""Minimum number of fields of a row or column that is a goal."""

EASY: Final = 0.55
"""Maximum mean distance of an easy row from the start (0: at the start, 1: in the last corner)."""

BLOCKS: Final = (
    ((0, 0), (1, 0), (0, 1), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 2)),
    ((0, 0), (1, 0), (0, 1), (0, 2)),
    ((0, 0), (0, 1), (0, 2)),
)
"""Shapes of areas: offsets in columns and rows."""


def suggest_lines(
    places: Collection[Place],
    far: Mapping[Place, float],
    bare: Collection[Place],
    count: int,
    random: Random,
) -> list[dict[str, Any]]:
    """Return arrows at about two rows for each column; fewer if the sheet lacks good ones."""
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
    """Return bordered areas of three or four fields far from the start, in pairs with a ``mirror``.

    There are fewer than ``count`` if the sheet has no room for more.
    """
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
    """Return the rows (axis 1) or columns (axis 0) that can pay, by index."""
    lanes: dict[int, list[Place]] = {}
    for place in sorted(places):
        lanes.setdefault(place[axis], []).append(place)
    return {
        number: lane
        for number, lane in sorted(lanes.items())
        if len(lane) >= LEAST_FIELDS and not bare.intersection(lane)
    }


def _spread(hard: Mapping[int, float], count: int, random: Random) -> list[int]:
    """Choose ``count`` indices: if possible no neighbours, and the hardest ones last."""
    chosen: list[int] = []
    left = list(hard)
    while left and len(chosen) < count:
        apart = {n: min((abs(n - m) for m in chosen), default=3) for n in left}
        best = max(left, key=lambda n: (min(apart[n], 2) - hard[n] + random.random(), n))
        chosen.append(best)
        left.remove(best)
    return chosen


def _from_the_middle(numbers: list[int], count: int) -> list[int]:
    """Choose the ``count`` middle ones, which are in pairs on a symmetrical sheet."""
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
