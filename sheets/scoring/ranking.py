"""Ranking of a game's players, and its winners once the result is complete.

A result is complete when each player is counted and no sheet lacks a circled number. Before that,
there are no places and no winner. The result of a finished game at a table is always complete.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.rules import Outcome, Score
from sheets.scoring.sentences import Grade, grade_of, points_of_all, winner_sentence

PODIUM_PLACES: Final = 3
"""Number of places on the podium."""


class Rank(NamedTuple):
    """A player's place in the ranking, and score.

    ``place`` counts from 1, and is 0 until the result is complete. ``number`` is the number of the
    player's sheet. If ``is_incomplete``, the sheet lacks a circled number. If ``is_uncounted``,
    nothing is counted for the player yet. If ``is_bot``, a bot has played.
    """

    place: int
    number: int
    name: str
    score: Score
    is_winner: bool
    is_incomplete: bool
    is_uncounted: bool
    is_bot: bool = False


class Step(NamedTuple):
    """A step of the podium, with the players who share its place."""

    place: int
    ranks: tuple[Rank, ...]


class Standing(NamedTuple):
    """Ranks of a game's players, in the order of their sheets.

    ``outcome`` is None while the game is not over.
    """

    ranks: tuple[Rank, ...]
    outcome: Outcome | None

    @property
    def names(self) -> list[str]:
        """Names of the players."""
        return [rank.name for rank in self.ranks]

    @property
    def uncounted(self) -> list[Rank]:
        """Ranks of the players for whom nothing is counted yet."""
        return [rank for rank in self.ranks if rank.is_uncounted]

    @property
    def incomplete(self) -> list[Rank]:
        """Ranks of the players whose sheets lack a circled number."""
        return [rank for rank in self.ranks if rank.is_incomplete]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is counted for any player."""
        return len(self.uncounted) == len(self.ranks)

    @property
    def is_settled(self) -> bool:
        """Whether each player is counted, and no sheet lacks a circled number."""
        return not self.uncounted and not self.incomplete

    @property
    def ranking(self) -> list[Rank]:
        """Ranks sorted by place; in the order of the sheets until the result is complete."""
        return sorted(self.ranks, key=lambda rank: rank.place)

    @property
    def podium(self) -> list[Step]:
        """Steps of the podium, the first place first; empty for one player, and without places."""
        if len(self.ranks) < 2 or not self.ranking[0].place:
            return []
        steps = groupby(self.ranking, key=lambda rank: rank.place)
        return [Step(place, tuple(ranks)) for place, ranks in steps if place <= PODIUM_PLACES]

    @property
    def below_podium(self) -> list[Rank]:
        """The `ranking` without the players on the podium."""
        shown = {rank.number for step in self.podium for rank in step.ranks}
        return [rank for rank in self.ranking if rank.number not in shown]

    @property
    def is_celebrated(self) -> bool:
        """Whether a person has won, or a solo game has a grade."""
        return any(not rank.is_bot for rank in self.winners) or self.grade is not None

    @property
    def winners(self) -> list[Rank]:
        """Ranks of the winners; empty until the result is complete, and for a single player."""
        return [rank for rank in self.ranks if rank.is_winner]

    @property
    def winner(self) -> str:
        """Sentence with the winners, and the rule that decided a tie; empty without `winners`."""
        if not self.winners or self.outcome is None:
            return ""
        bots = [rank for rank in self.ranks if rank.is_bot]
        # One bot needs no name to be recognised.
        names = [_("The bot") if [rank] == bots else rank.name for rank in self.ranks]
        is_shared = len(self.winners) > 1
        return winner_sentence(self.names if is_shared else names, self.outcome)

    @property
    def result(self) -> str:
        """Text with names and totals of all players, highest first; empty unless `is_settled`."""
        if not self.is_settled:
            return ""
        return points_of_all(self.names, [rank.score.total for rank in self.ranks])

    @property
    def headline(self) -> str:
        """Winner sentence or title of the grade, for page titles; empty if there is neither."""
        return self.winner.removesuffix(".") or (str(self.grade.title) if self.grade else "")

    @property
    def grade(self) -> Grade | None:
        """Grade of a solo game; None for other games, and until the result is complete."""
        return grade_of(self.outcome) if self.is_settled else None


def rank_players(
    names: Sequence[str],
    scores: Sequence[Score],
    outcome: Outcome | None,
    *,
    numbers: Sequence[int],
    incomplete: Collection[int] = (),
    uncounted: Collection[int] = (),
    bots: Collection[int] = (),
) -> Standing:
    """Rank the players by their scores; places are 0 until the result is complete.

    Args:
        outcome: the outcome of the game; None while it is not over.
        numbers: numbers of the players' sheets.
        incomplete: indexes of players whose sheets lack a circled number.
        uncounted: indexes of players for whom nothing is counted yet.
        bots: indexes of players that are bots.
    """
    is_over = outcome is not None and not incomplete and not uncounted
    winners = outcome.winners if outcome and is_over and len(names) > 1 else ()
    merits = [(-score.total, score.marks) for score in scores]
    ranks = tuple(
        Rank(
            1 + sum(other < merits[i] for other in merits) if is_over else 0,
            numbers[i],
            name,
            scores[i],
            i in winners,
            i in incomplete,
            i in uncounted,
            i in bots,
        )
        for i, name in enumerate(names)
    )
    return Standing(ranks, outcome)
