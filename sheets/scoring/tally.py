"""What is a sheet worth whose layout nobody has entered, from what was counted on it?

The points come from the pad in front of the players: a gem's by colour, the numbers in arrows,
areas and flags one by one. What a player counted is a number by the name of each `Row`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.rules import Outcome
from sheets.rules.level import RATINGS
from sheets.rules.scoring import SOLO_BOMB, rate

CROSSES: Final = "crosses"
"""The name under which a player's crosses are counted, for the tie only."""


class Pad(NamedTuple):
    """What everything on the pad brings; what is not on it is empty or 0.

    ``gems`` and ``puzzles`` are by colour. ``arrows``, ``areas`` and ``flags`` have one number for
    each that can be reached. ``bomb`` and ``heap`` are negative or 0.
    """

    gems: Mapping[str, int]
    puzzles: Mapping[str, int]
    arrows: tuple[int, ...]
    areas: tuple[int, ...]
    flags: tuple[int, ...]
    bomb: int
    heap: int
    stop: int
    rails: bool


class Row(NamedTuple):
    """One thing to count: ``each`` points for every one of it, or for its being done (``once``)."""

    category: str
    name: str
    each: int
    colour: str = ""
    once: bool = False


class Result(NamedTuple):
    """Everybody's points by category, the totals, and the outcome (`winner`, `rating`)."""

    by: tuple[Mapping[str, int], ...]
    totals: tuple[int, ...]
    outcome: Outcome


def rows(pad: Pad, *, solo: bool) -> list[Row]:
    """All that can be counted on a sheet of this pad, in the order of the score column."""
    return [*_coloured(pad), *_numbered(pad), *_plain(pad, solo)]


def _coloured(pad: Pad) -> Iterator[Row]:
    for colour, each in pad.gems.items():
        yield Row("gems", f"gem_{colour}", each, colour)
    for colour, each in pad.puzzles.items():
        yield Row("puzzles", f"puzzle_{colour}", each, colour, once=True)


def _numbered(pad: Pad) -> Iterator[Row]:
    for category, numbers in (("lines", pad.arrows), ("areas", pad.areas), ("flags", pad.flags)):
        for index, each in enumerate(numbers):
            yield Row(category, f"{category}_{index}", each, once=True)


def _plain(pad: Pad, solo: bool) -> Iterator[Row]:
    if pad.heap:
        yield Row("heaps", "heaps", pad.heap)
    if pad.bomb:
        yield Row("bombs", "bombs", SOLO_BOMB if solo else pad.bomb)
    if pad.rails:
        yield Row("tracks", "open_tracks", 1)
        yield Row("tracks", "loop_tracks", 2)
        yield Row("tracks", "longest_tracks", 3)
        yield Row("stops", "stops", pad.stop)


def add_up(pad: Pad, counts: Sequence[Mapping[str, int]], *, solo: bool = False) -> Result:
    """Everybody's points from what they counted (missing names count as 0).

    >>> pad = Pad({"red": 2}, {}, (8, 5), (), (), -2, 0, 0, False)
    >>> add_up(pad, [{"gem_red": 3, "lines_1": 1, "bombs": 1}, {"gem_red": 4}]).totals
    (9, 8)
    """
    things = rows(pad, solo=solo)
    by = []
    for count in counts:
        amounts = dict.fromkeys((row.category for row in things), 0)
        for row in things:
            amounts[row.category] += row.each * count.get(row.name, 0)
        by.append(amounts)
    totals = tuple(sum(amounts.values()) for amounts in by)
    winners, tie_rule = _winners(totals, [count.get(CROSSES, 0) for count in counts])
    rating = rate(totals[0], RATINGS) if solo else None
    return Result(tuple(by), totals, Outcome(winners, tie_rule, rating))


def _winners(totals: Sequence[int], crosses: Sequence[int]) -> tuple[tuple[int, ...], str]:
    """Most points, then fewer crosses, then shared (`winner`), and which of these decided."""
    best = [i for i, total in enumerate(totals) if total == max(totals)]
    if len(best) == 1:
        return tuple(best), "points"
    fewest = min(crosses[i] for i in best)
    winners = tuple(i for i in best if crosses[i] == fewest)
    return winners, "crosses" if len(winners) == 1 else "shared"
