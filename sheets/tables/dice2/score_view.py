"""View models of a board's score in Dice², of its open lines, and of a relay's finished games."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from django.utils.translation import ngettext

from sheets.rules.dice2 import Dice2Game
from sheets.rules.dice2.outlook import OpenLine, open_lines
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.dice2 import sentences as dice2_words
from sheets.tables.event_log import LogState
from sheets.text.dice2.scores import line_sentence
from sheets.text.rulebook.games import game_name

MAX_OPEN_LINES: Final = 8
"""Maximum number of open lines in the list of those that lack the fewest dice."""


class Line(NamedTuple):
    """A line of the board in words, with its fields."""

    text: str
    fields: tuple[str, ...]


class FinishedGame(NamedTuple):
    """A finished game of a relay.

    ``worths`` are the relay points that it brought to each player, ``sentence`` is its result.
    """

    name: str
    starter: int
    worths: tuple[int, ...]
    sentence: str


class BoardScore(NamedTuple):
    """Scored ``lines`` of a board, and in Square Dice the open lines, which can still score.

    ``bonus`` are the points for placing all dice of Square Dice. ``open_count`` is the number of
    open lines: ``open_lines`` are those that lack the fewest dice, ``other_lines`` all others.
    """

    lines: list[Line]
    bonus: int
    open_lines: list[Line]
    open_count: int
    other_lines: list[Line]


def score_of(game: Dice2Game, names: Sequence[str]) -> BoardScore:
    """Return the current score of a game's board."""
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
    """Return the open lines whose fields are not among ``shown``.

    ``lines`` has an entry for each pattern that can still score; the result has each line once.
    """
    others = {line.fields: line.missing for line in lines if line.fields not in shown}
    return [Line(_missing_words(fields, missing), fields) for fields, missing in others.items()]


def _missing_words(fields: Sequence[str], missing: Sequence[str]) -> str:
    return ngettext(
        "%(line)s, missing %(missing)s", "%(line)s, missing %(missing)s", len(missing)
    ) % {"line": f"{fields[0]}–{fields[-1]}", "missing": ", ".join(missing)}


def paid_lines(game: Dice2Game, names: Sequence[str]) -> list[Line]:
    """Return the scored lines of Square Dice, or rows of five of Major Dice."""
    return [Line(line_sentence(line, names), line.fields) for line in game.kind.paid_lines(game)]


def nearest_lines(lines: Sequence[OpenLine]) -> list[Line]:
    """Return up to `MAX_OPEN_LINES` open lines with two or more dice, in the given order.

    If no line has two dice, return all open lines if there are at most `MAX_OPEN_LINES`, else none.
    """
    begun = [line for line in lines if len(line.missing) < len(line.fields) - 1]
    if not begun and len({line.fields for line in lines}) <= MAX_OPEN_LINES:
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
        for line in begun[:MAX_OPEN_LINES]
    ]


def games_played(state: LogState[Sitting], names: Sequence[str]) -> list[FinishedGame]:
    """Return the finished games of a relay, in their order."""
    found = []
    points_before: tuple[int, ...] = (0,) * len(names)
    for end in state.pass_ends:
        relay, game = end.after.relay, end.after.game
        if relay is None or game is None:
            raise ValueError("a pass of a relay is a game")
        worths = tuple(now - was for now, was in zip(relay.points, points_before, strict=True))
        points_before = relay.points
        name = game_name(game.kind.name)
        found.append(FinishedGame(name, relay.starter, worths, dice2_words.verdict(game, names)))
    return found
