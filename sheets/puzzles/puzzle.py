"""A puzzle, and its grade."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from sheets.rules import Action, Game
from sheets.rules.documents.game import Record, replay_actions

CONFIDENCE: Final = 0.99
"""Confidence of all margins, and that the answer leads over all other choices by `MIN_LEAD`."""

MIN_LEAD: Final = 3.0
"""Minimum lead of the answer over every other choice, in points."""

GRADES: Final[Mapping[str, str]] = {
    "beginner": "easy",
    "player": "medium",
    "expert": "hard",
    "": "very-hard",
}
"""Grade of a puzzle by the weakest bot that finds its answer; "" if no bot does."""

MIN_FOUND: Final = 0.5
"""Share of its attempts in which a bot must choose the answer, to count as having found it."""


class Margin(NamedTuple):
    """A mean, and half the width of its confidence interval at `CONFIDENCE`."""

    mean: float
    within: float


class Choice(NamedTuple):
    """A choice with its results in the simulated games, for the player who decides.

    ``points`` is the final total, ``behind`` how many points this choice is behind the answer.
    ``win`` is the share of wins, None in a solo game.
    """

    action: Action
    points: Margin
    behind: Margin
    win: Margin | None


class Puzzle(NamedTuple):
    """A puzzle.

    Attributes:
        record: the whole game, in which the player chose the answer, and bots played to the end.
        decision: index of the action with the answer.
        choices: all choices, in the order of `find_choices`.
        answer: index of the best choice.
        played: index of the choice in the recorded game.
        games: number of games simulated after each choice.
        found_shares: share of attempts in which a bot chose the answer, by name.
    """

    record: Record
    decision: int
    choices: tuple[Choice, ...]
    answer: int
    played: int
    games: int
    found_shares: Mapping[str, float]

    @property
    def player(self) -> int:
        """Index of the player who decides."""
        return self.record.actions[self.decision].player

    @property
    def right(self) -> Choice:
        """The best choice."""
        return self.choices[self.answer]

    @property
    def grade(self) -> str:
        """The grade: a value of `GRADES`."""
        finders = (bot for bot in GRADES if bot and self.found_shares[bot] >= MIN_FOUND)
        return GRADES[next(finders, "")]

    def position(self) -> Game:
        """Return the game before the decision."""
        return replay_actions(self.record.start(), self.record.actions[: self.decision])[0]


def number_seats(count: int) -> tuple[str, ...]:
    """Return the players' names in the record of a puzzle: their numbers, counted from 1."""
    return tuple(str(seat) for seat in range(1, count + 1))
