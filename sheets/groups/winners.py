"""Winners of a typed game: by points, or by marks if the points do not decide."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from sheets.rules.scoring import share_win

WON: Final = "won"
"""Mark of a player who won."""

LOST: Final = "lost"
"""Mark of a player who lost."""

Rank = tuple[int, float]
"""Place of a player in a game, from 1, and share of the win."""


class TypedResult(NamedTuple):
    """Input of a player: points, whether they `WON` or `LOST`, or both."""

    points: int | None
    mark: str = ""


class UndecidedWinner(ValueError):
    """The winners cannot be determined: ``reason`` is ``alone``, ``winner`` or ``beaten``.

    ``alone``: a single player has no points; ``winner``: no player is marked as winner, and the
    points do not decide; ``beaten``: another player has more points than a winner.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def find_typed_winners(players: Sequence[TypedResult]) -> list[int]:
    """Return the seats of the winners among the players of a game; a solo game has none.

    Raises UndecidedWinner.
    """
    points = [one.points for one in players]
    if len(players) == 1:
        if points == [None]:
            raise UndecidedWinner("alone")
        return []
    marked = [seat for seat, one in enumerate(players) if one.mark == WON]
    winners = marked or [seat for seat in find_best(points) if players[seat].mark != LOST]
    if not winners:
        raise UndecidedWinner("winner")
    theirs = [points[seat] for seat in winners]
    others = [total for seat, total in enumerate(points) if seat not in winners]
    if any(
        other > own for own in theirs if own is not None for other in others if other is not None
    ):
        raise UndecidedWinner("beaten")
    return winners


def find_best(totals: Sequence[int | None]) -> list[int]:
    """Return the seats with the highest total; none in a solo game, or if a total is unknown."""
    known = [total for total in totals if total is not None]
    if len(totals) == 1 or len(known) < len(totals):
        return []
    return [seat for seat, total in enumerate(totals) if total == max(known)]


def rank_all(totals: Sequence[int | None], winners: Collection[int]) -> list[Rank]:
    """Return the place and the share of the win of each player, by seat.

    ``winners`` are the seats of the winners. A player without a total is placed next after them.
    """
    others = [
        total for seat, total in enumerate(totals) if total is not None and seat not in winners
    ]
    places = [
        1
        if seat in winners
        # Nobody is known to be better than a player without a total, except for the winners.
        else 1 + len(winners) + sum(other > total for other in others if total is not None)
        for seat, total in enumerate(totals)
    ]
    return list(zip(places, share_win(winners, len(totals)), strict=True))
