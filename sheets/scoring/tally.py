"""Scoring of sheets with an unknown layout, from counted symbols.

Players copy the points from their pad: a gem's points by colour, and each number in an arrow, area
or flag. Then they enter counts for each player: a mapping from the name of each `CountRow` to a
number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.rules import Score
from sheets.rules.game import decide
from sheets.rules.level import RATINGS
from sheets.rules.paper_scoring import PaperResult
from sheets.rules.scoring import SOLO_BOMB_POINTS, TRACK_POINTS
from sheets.rules.symbols import COLOURED_PAYING_ALL, PAYING_BY_COLOUR, PLAIN_PAYING_EACH, SYMBOLS

CROSSES: Final = "crosses"
"""Name of the count of a player's crosses, which only decides ties."""


class Pad(NamedTuple):
    """Points printed on the pad; symbols and numbers that it does not have are 0 or empty.

    ``by_colour`` has the points of the symbols in `PAYING_BY_COLOUR`, by symbol and colour;
    ``plain`` has the points of the symbols in `PLAIN_PAYING`. ``arrows``, ``areas`` and ``flags``
    have all numbers that are printed there. ``rails``: players draw tracks.
    """

    by_colour: Mapping[str, Mapping[str, int]]
    arrows: tuple[int, ...]
    areas: tuple[int, ...]
    flags: tuple[int, ...]
    plain: Mapping[str, int]
    rails: bool


class CountRow(NamedTuple):
    """One row of the counting form.

    It pays ``each`` points per counted symbol or field. If ``once``, it is ticked, not counted.
    """

    category: str
    name: str
    each: int
    colour: str = ""
    once: bool = False


def count_rows(pad: Pad, *, solo: bool) -> list[CountRow]:
    """Return the rows of the counting form for a pad, in the order of the score column."""
    return [*_coloured(pad), *_numbered(pad), *_plain(pad, solo)]


def _coloured(pad: Pad) -> Iterator[CountRow]:
    for symbol in PAYING_BY_COLOUR:
        once = symbol in COLOURED_PAYING_ALL
        for colour, each in pad.by_colour.get(symbol, {}).items():
            yield CountRow(SYMBOLS[symbol].category, f"{symbol}_{colour}", each, colour, once=once)


def _numbered(pad: Pad) -> Iterator[CountRow]:
    for category, numbers in (("lines", pad.arrows), ("areas", pad.areas), ("flags", pad.flags)):
        for index, each in enumerate(numbers):
            yield CountRow(category, f"{category}_{index}", each, once=True)


def _plain(pad: Pad, solo: bool) -> Iterator[CountRow]:
    for symbol in (*PLAIN_PAYING_EACH, "bomb"):
        if each := pad.plain.get(symbol, 0):
            category = SYMBOLS[symbol].category
            yield CountRow(
                category, category, SOLO_BOMB_POINTS if solo and symbol == "bomb" else each
            )
    if pad.rails:
        yield CountRow("tracks", "open_tracks", TRACK_POINTS["route"])
        yield CountRow("tracks", "loop_tracks", TRACK_POINTS["loop"])
        yield CountRow("tracks", "longest_tracks", TRACK_POINTS["longest"])
        yield CountRow("stops", "stops", pad.plain.get("stop", 0))


def add_up(pad: Pad, counts: Sequence[Mapping[str, int]], *, solo: bool = False) -> PaperResult:
    """Compute the scores and the outcome from each player's counts (missing names count as 0).

    >>> pad = Pad({"gem": {"red": 2}}, (8, 5), (), (), {"bomb": -2}, False)
    >>> scored = add_up(pad, [{"gem_red": 3, "lines_1": 1, "bombs": 1}, {"gem_red": 4}])
    >>> [score.total for score in scored.scores]
    [9, 8]
    """
    rows = count_rows(pad, solo=solo)
    scores = []
    for count in counts:
        amounts = dict.fromkeys((row.category for row in rows), 0)
        for row in rows:
            amounts[row.category] += row.each * count.get(row.name, 0)
        scores.append(Score(sum(amounts.values()), count.get(CROSSES, 0), amounts, ()))
    return PaperResult(tuple(scores), decide(scores, RATINGS, is_solo=solo))
