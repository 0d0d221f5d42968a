"""Ranking of a game's players, and its winners once the result is complete.

There is no winner while a sheet is empty or lacks a circled number. That concerns paper sheets and
tallies; a finished game at a table is always complete.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sheets.rules import Outcome, Score
from sheets.scoring.words import Grade, grade_of, points_of_all, winner_sentence


class Rank(NamedTuple):
    """A player's place and score.

    ``place`` counts from 1 and is 0 while there is no winner; ``number`` is that of the sheet.
    ``owes``: a circled number is missing. ``waits``: nothing is counted yet.
    """

    place: int
    number: int
    name: str
    score: Score
    wins: bool
    owes: bool
    waits: bool


class Standing(NamedTuple):
    """All players of a game in their order, and its outcome (None: it is not over)."""

    ranks: tuple[Rank, ...]
    outcome: Outcome | None

    @property
    def names(self) -> list[str]:
        """Names of the players."""
        return [rank.name for rank in self.ranks]

    @property
    def waiting(self) -> list[Rank]:
        """Players for whom nothing is counted yet."""
        return [rank for rank in self.ranks if rank.waits]

    @property
    def owing(self) -> list[Rank]:
        """Players whose sheets still lack a circled number."""
        return [rank for rank in self.ranks if rank.owes]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is counted for any player."""
        return len(self.waiting) == len(self.ranks)

    @property
    def is_settled(self) -> bool:
        """Whether the result is complete."""
        return not self.waiting and not self.owing

    @property
    def ranking(self) -> list[Rank]:
        """Players by place; in their own order while something is missing."""
        return sorted(self.ranks, key=lambda rank: rank.place)

    @property
    def winners(self) -> list[Rank]:
        """Players who have won; none while something is missing, or with a single player."""
        return [rank for rank in self.ranks if rank.wins]

    @property
    def winner(self) -> str:
        """Sentence with the winners and the deciding rule; empty without `winners`."""
        if not self.winners or self.outcome is None:
            return ""
        return winner_sentence(self.names, self.outcome)

    @property
    def result(self) -> str:
        """Names and totals of all players, the highest first; empty while something is missing."""
        if not self.is_settled:
            return ""
        return points_of_all(self.names, [rank.score.total for rank in self.ranks])

    @property
    def headline(self) -> str:
        """Winner or grade, for titles; empty while something is missing."""
        return self.winner.removesuffix(".") or (str(self.grade.title) if self.grade else "")

    @property
    def grade(self) -> Grade | None:
        """Grade of a solo game; None of any other, and while something is missing."""
        return grade_of(self.outcome) if self.is_settled else None


def rank_players(
    names: Sequence[str],
    scores: Sequence[Score],
    outcome: Outcome | None,
    *,
    numbers: Sequence[int],
    owes: Collection[int] = (),
    waits: Collection[int] = (),
) -> Standing:
    """Rank the players by their scores; places are 0 until the result is complete.

    Args:
        outcome: the outcome of the game; None while it is not over.
        numbers: numbers of the players' sheets.
        owes: positions, from 0, of players whose sheets lack a circled number.
        waits: positions of players for whom nothing is counted yet.
    """
    is_over = outcome is not None and not owes and not waits
    winners = outcome.winners if outcome and is_over and len(names) > 1 else ()
    merits = [(-score.total, score.marks) for score in scores]
    ranks = tuple(
        Rank(
            1 + sum(other < merits[i] for other in merits) if is_over else 0,
            numbers[i],
            name,
            scores[i],
            i in winners,
            i in owes,
            i in waits,
        )
        for i, name in enumerate(names)
    )
    return Standing(ranks, outcome)
