"""Goals of a suggested sheet: the rows, columns and areas that pay when they are complete.

Goals contain no ``excluded`` squares. These are bombs, which would favour the first player to cross
them, and volcanoes. For areas they are also the starts, because a printed cross in an area of four
fields would make it too easy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Any, Final

from sheets.rules.level import format_field
from sheets.workshop.suggest.outlines import Place

MIN_FIELDS: Final = 3
"""Minimum number of fields in a row or column that can be a goal."""

MAX_EASY_DISTANCE: Final = 0.55
"""Maximum mean distance of an easy row from the starts (0: at a start, 1: the farthest square)."""

BLOCKS: Final = (
    ((0, 0), (1, 0), (0, 1), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 2)),
    ((0, 0), (1, 0), (0, 1), (0, 2)),
    ((0, 0), (0, 1), (0, 2)),
)
"""Shapes of areas: offsets of their fields from one field, in columns and rows."""


def suggest_lines(
    places: Collection[Place],
    distances: Mapping[Place, float],
    excluded: Collection[Place],
    count: int,
    random: Random,
) -> list[dict[str, Any]]:
    """Return ``count`` arrows, about two thirds of them at rows, the others at columns.

    There are fewer if the sheet has too few rows and columns that can be goals.
    """
    bombs = set(excluded)
    rows = _lanes(places, bombs, 1)
    columns = _lanes(places, bombs, 0)
    wanted_columns = min(len(columns), round(count / 3))
    wanted_rows = min(len(rows), count - wanted_columns)
    wanted_columns = min(len(columns), count - wanted_rows)
    difficulties = {
        y: max(0.0, _mean(lane, distances) - MAX_EASY_DISTANCE) * len(lane)
        for y, lane in rows.items()
    }
    chosen_rows = sorted(_choose_lanes(difficulties, wanted_rows, random))
    chosen_columns = sorted(_choose_middle(list(columns), wanted_columns))
    return [
        *({"row": y + 1, "points": _lane_points(rows[y], distances)} for y in chosen_rows),
        *(
            {"column": format_field(x, 0)[0], "points": _lane_points(columns[x], distances)}
            for x in chosen_columns
        ),
    ]


def suggest_areas(
    places: Collection[Place],
    distances: Mapping[Place, float],
    excluded: Collection[Place],
    count: int,
    random: Random,
    *,
    mirror: Callable[[Place], Place] | None,
) -> list[dict[str, Any]]:
    """Return ``count`` bordered areas of three or four fields, preferably far from the starts.

    There are fewer if the sheet has no room for more. ``mirror`` maps a square to its mirror image;
    with it, areas are chosen in mirrored pairs if possible.
    """
    open_places = set(places) - set(excluded)
    blocks = [
        frozenset((x + dx, y + dy) for dx, dy in shape)
        for x, y in sorted(open_places)
        for shape in BLOCKS
    ]
    blocks = [block for block in blocks if block <= open_places]
    blocks.sort(key=lambda block: -_mean(block, distances) - random.random() * 0.5)
    chosen: list[frozenset[Place]] = []
    for block in blocks:
        for twin in (block, frozenset(map(mirror, block))) if mirror else (block,):
            is_free = not any(_touch(twin, other) for other in chosen)
            if len(chosen) < count and is_free and twin <= open_places:
                chosen.append(twin)
    return [
        {
            "fields": [format_field(*at) for at in sorted(block, key=lambda at: (at[1], at[0]))],
            "points": 2 + len(block) + round(4 * _mean(block, distances)),
        }
        for block in chosen
    ]


def _lanes(places: Iterable[Place], excluded: set[Place], axis: int) -> dict[int, list[Place]]:
    """Return the squares of each row (axis 1) or column (axis 0) that can be a goal, by index."""
    lanes: dict[int, list[Place]] = {}
    for place in sorted(places):
        lanes.setdefault(place[axis], []).append(place)
    return {
        number: lane
        for number, lane in sorted(lanes.items())
        if len(lane) >= MIN_FIELDS and not excluded.intersection(lane)
    }


def _choose_lanes(difficulties: Mapping[int, float], count: int, random: Random) -> list[int]:
    """Choose up to ``count`` rows by index, preferably easy ones that are not adjacent."""
    chosen: list[int] = []
    left = list(difficulties)
    while left and len(chosen) < count:
        apart = {n: min((abs(n - m) for m in chosen), default=3) for n in left}
        best = max(left, key=lambda n: (min(apart[n], 2) - difficulties[n] + random.random(), n))
        chosen.append(best)
        left.remove(best)
    return chosen


def _choose_middle(numbers: list[int], count: int) -> list[int]:
    """Choose up to ``count`` of the numbers, which are sorted: those nearest to their middle."""
    if not numbers:
        return []
    middle = (numbers[0] + numbers[-1]) / 2
    return sorted(numbers, key=lambda n: (abs(n - middle), n))[:count]


def _lane_points(lane: Collection[Place], distances: Mapping[Place, float]) -> int:
    return max(4, min(16, round(len(lane) * 0.8 + 8 * _mean(lane, distances))))


def _mean(group: Collection[Place], distances: Mapping[Place, float]) -> float:
    return sum(distances.get(place, 0) for place in group) / len(group)


def _touch(block: frozenset[Place], other: frozenset[Place]) -> bool:
    return any(abs(x - u) + abs(y - v) <= 1 for x, y in block for u, v in other)
