"""Who is how far ahead, and who has won, as far as that can be said?

Nobody has won while a sheet is still to come or a circled number is missing. So do paper sheets
and tallies; the games of a table have no such doubts once they are over.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sheets.rules import Outcome, Score
from sheets.scoring.words import Grade, grade_of, points_of_all, winner_sentence


class Rank(NamedTuple):
    """A player among all.

    ``place`` is 0 while nobody has won, ``number`` that of the sheet. ``owes`` says that a circled
    number is missing, ``waits`` that nothing is counted yet.
    """

    place: int
    number: int
    name: str
    score: Score
    wins: bool
    owes: bool
    waits: bool


class Standing(NamedTuple):
    """All players of a game in their order, and how it ended (None: it is not over)."""

    ranks: tuple[Rank, ...]
    outcome: Outcome | None

    @property
    def names(self) -> list[str]:
        """What the players are called."""
        return [rank.name for rank in self.ranks]

    @property
    def waiting(self) -> list[Rank]:
        """The players who are still to come."""
        return [rank for rank in self.ranks if rank.waits]

    @property
    def owing(self) -> list[Rank]:
        """The players whose sheets still lack a circled number."""
        return [rank for rank in self.ranks if rank.owes]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is counted for anybody."""
        return len(self.waiting) == len(self.ranks)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is missing any more."""
        return not self.waiting and not self.owing

    @property
    def ranking(self) -> list[Rank]:
        """The players from the first place on; in their order while something is missing."""
        return sorted(self.ranks, key=lambda rank: rank.place)

    @property
    def winners(self) -> list[Rank]:
        """Who has won; nobody while something is missing, or of a single player."""
        return [rank for rank in self.ranks if rank.wins]

    @property
    def winner(self) -> str:
        """Who has won and by which rule, empty like `winners`."""
        if not self.winners or self.outcome is None:
            return ""
        return winner_sentence(self.names, self.outcome)

    @property
    def result(self) -> str:
        """What everybody has, the most first; empty while something is missing."""
        if not self.is_settled:
            return ""
        return points_of_all(
            [rank.name for rank in self.ranks], [r.score.total for r in self.ranks]
        )

    @property
    def headline(self) -> str:
        """How it ended, for titles: who has won, or the grade; empty while something is missing."""
        return self.winner.removesuffix(".") or (str(self.grade.title) if self.grade else "")

    @property
    def grade(self) -> Grade | None:
        """The grade of a solo game."""
        return grade_of(self.outcome) if self.is_settled else None


def stand(
    names: Sequence[str],
    scores: Sequence[Score],
    outcome: Outcome | None,
    *,
    numbers: Sequence[int],
    owes: Collection[int] = (),
    waits: Collection[int] = (),
) -> Standing:
    """How players stand.

    Args:
        numbers: those of their sheets.
        owes: the positions, from 0, of players whose sheets lack a circled number.
        waits: the positions of those who are still to come.
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
