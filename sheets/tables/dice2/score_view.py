"""What has been scored on a board of Dice², what still can be, and how has a relay gone?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from django.utils.translation import ngettext

from sheets.rules.dice2 import Dice2Game
from sheets.rules.dice2.outlook import OpenLine, open_lines
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.dice2 import words as dice2_words
from sheets.tables.log import LogState
from sheets.texts.dice2.scores import line_sentence
from sheets.texts.rulebook.games import game_name

MOST_OPEN_LINES: Final = 8
"""So many lines that can still pay are listed; the others are counted."""


class Line(NamedTuple):
    """A line of the board in words, with its fields."""

    text: str
    fields: tuple[str, ...]


class Played(NamedTuple):
    """One game of a relay that is over: per player what it was worth; ``starter`` is an index."""

    name: str
    starter: int
    worths: tuple[int, ...]
    sentence: str


class BoardScore(NamedTuple):
    """What a board comes to: the ``lines`` that have paid, and those of Square Dice that still can.

    ``bonus`` are the points for having placed all dice of Square Dice; of the ``open_count`` lines
    that can still pay, ``open_lines`` are the nearest and ``other_lines`` all the others.
    """

    lines: list[Line]
    bonus: int
    open_lines: list[Line]
    open_count: int
    other_lines: list[Line]


def score_of(game: Dice2Game, names: Sequence[str]) -> BoardScore:
    """What the board of a game comes to now."""
    open_now = open_lines(game) if game.kind.collects == "points" else []
    nearest = nearest_lines(open_now)
    return BoardScore(
        paid_lines(game, names),
        game.kind.bonus(game),
        nearest,
        len({line.fields for line in open_now}),
        _other_lines(open_now, {line.fields for line in nearest}),
    )


def _other_lines(lines: Sequence[OpenLine], shown: Collection[tuple[str, ...]]) -> list[Line]:
    """Each line that is not shown, once, whatever numbers it could still have."""
    others = {line.fields: line.missing for line in lines if line.fields not in shown}
    return [Line(_missing_words(fields, missing), fields) for fields, missing in others.items()]


def _missing_words(fields: Sequence[str], missing: Sequence[str]) -> str:
    return ngettext(
        "%(line)s, missing %(missing)s", "%(line)s, missing %(missing)s", len(missing)
    ) % {"line": f"{fields[0]}–{fields[-1]}", "missing": ", ".join(missing)}


def paid_lines(game: Dice2Game, names: Sequence[str]) -> list[Line]:
    """The lines of Square Dice, or the rows of five of Major Dice, that have paid."""
    return [Line(line_sentence(line, names), line.fields) for line in game.kind.paid_lines(game)]


def nearest_lines(lines: Sequence[OpenLine]) -> list[Line]:
    """The first of the lines that can still pay and have two dice or more.

    Where no line has two, a few are listed all the same; of many nobody could say which is nearest.
    """
    begun = [line for line in lines if len(line.missing) < len(line.fields) - 1]
    if not begun and len({line.fields for line in lines}) <= MOST_OPEN_LINES:
        begun = list(lines)
    return [
        Line(
            ngettext(
                "%(line)s: %(numbers)s, missing %(missing)s",
                "%(line)s: %(numbers)s, missing %(missing)s",
                len(line.missing),
            )
            % {
                "line": f"{line.fields[0]}–{line.fields[-1]}",
                "numbers": "-".join(map(str, line.numbers)),
                "missing": ", ".join(line.missing),
            },
            line.fields,
        )
        for line in begun[:MOST_OPEN_LINES]
    ]


def games_played(state: LogState[Sitting], names: Sequence[str]) -> list[Played]:
    """The games of a relay that are over, in their order."""
    found = []
    had: tuple[int, ...] = (0,) * len(names)
    for end in state.pass_ends:
        relay, game = end.after.relay, end.after.game
        if relay is None or game is None:
            raise ValueError("a pass of a relay is a game")
        worths = tuple(now - was for now, was in zip(relay.points, had, strict=True))
        had = relay.points
        name = game_name(game.kind.name)
        found.append(Played(name, relay.starter, worths, dice2_words.verdict(game, names)))
    return found
