"""What is a sheet worth whose layout nobody has entered, from what was counted on it?

The points come from the pad in front of the players: a gem's by colour, the numbers in arrows,
areas and flags one by one. What a player counted is a number by the name of each `Row`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sheets.rules import Score
from sheets.rules.game import decide
from sheets.rules.level import RATINGS
from sheets.rules.paper import PaperResult
from sheets.rules.scoring import SOLO_BOMB, TRACK_POINTS
from sheets.rules.symbols import ALL_OF_COLOUR, BY_COLOUR, EACH, SYMBOLS

CROSSES: Final = "crosses"
"""The name under which a player's crosses are counted, for the tie only."""


class Pad(NamedTuple):
    """What everything on the pad brings; what is not on it is empty or 0.

    ``by_colour`` has the points of each colour of the symbols in `BY_COLOUR`, ``plain`` those of
    the symbols in `PLAIN`. ``arrows``, ``areas`` and ``flags`` have one number for each that can be
    reached.
    """

    by_colour: Mapping[str, Mapping[str, int]]
    arrows: tuple[int, ...]
    areas: tuple[int, ...]
    flags: tuple[int, ...]
    plain: Mapping[str, int]
    rails: bool


class Row(NamedTuple):
    """One thing to count: ``each`` points for every one of it, or for its being done (``once``)."""

    category: str
    name: str
    each: int
    colour: str = ""
    once: bool = False


def rows(pad: Pad, *, solo: bool) -> list[Row]:
    """All that can be counted on a sheet of this pad, in the order of the score column."""
    return [*_coloured(pad), *_numbered(pad), *_plain(pad, solo)]


def _coloured(pad: Pad) -> Iterator[Row]:
    for symbol in BY_COLOUR:
        once = symbol in ALL_OF_COLOUR
        for colour, each in pad.by_colour.get(symbol, {}).items():
            yield Row(SYMBOLS[symbol].category, f"{symbol}_{colour}", each, colour, once=once)


def _numbered(pad: Pad) -> Iterator[Row]:
    for category, numbers in (("lines", pad.arrows), ("areas", pad.areas), ("flags", pad.flags)):
        for index, each in enumerate(numbers):
            yield Row(category, f"{category}_{index}", each, once=True)


def _plain(pad: Pad, solo: bool) -> Iterator[Row]:
    for symbol in (*EACH, "bomb"):
        if each := pad.plain.get(symbol, 0):
            category = SYMBOLS[symbol].category
            yield Row(category, category, SOLO_BOMB if solo and symbol == "bomb" else each)
    if pad.rails:
        yield Row("tracks", "open_tracks", TRACK_POINTS["route"])
        yield Row("tracks", "loop_tracks", TRACK_POINTS["loop"])
        yield Row("tracks", "longest_tracks", TRACK_POINTS["longest"])
        yield Row("stops", "stops", pad.plain.get("stop", 0))


def add_up(pad: Pad, counts: Sequence[Mapping[str, int]], *, solo: bool = False) -> PaperResult:
    """Everybody's points from what they counted (missing names count as 0).

    >>> pad = Pad({"gem": {"red": 2}}, (8, 5), (), (), {"bomb": -2}, False)
    >>> scored = add_up(pad, [{"gem_red": 3, "lines_1": 1, "bombs": 1}, {"gem_red": 4}])
    >>> [score.total for score in scored.scores]
    [9, 8]
    """
    things = rows(pad, solo=solo)
    scores = []
    for count in counts:
        amounts = dict.fromkeys((row.category for row in things), 0)
        for row in things:
            amounts[row.category] += row.each * count.get(row.name, 0)
        scores.append(Score(sum(amounts.values()), count.get(CROSSES, 0), amounts, ()))
    return PaperResult(tuple(scores), decide(scores, RATINGS, is_solo=solo))
