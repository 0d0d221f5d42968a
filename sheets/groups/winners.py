"""Winners of a typed game: by points, or as the players say where points do not tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WON: Final = "won"
LOST: Final = "lost"


class Had(NamedTuple):
    """What was typed of a player: points, whether they `WON` or `LOST`, or both."""

    points: int | None
    mark: str = ""


class Undecided(ValueError):
    """Nobody can be said to have won: ``reason`` is ``alone``, ``winner`` or ``beaten``.

    ``alone``: a single player has no points; ``winner``: nobody is marked, and points do not tell;
    ``beaten``: another player has more points than a winner.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def find_winners(players: Sequence[Had]) -> list[int]:
    """Return the places of the winners among the players of a game; none wins alone.

    Raises Undecided.
    """
    known = [one.points for one in players if one.points is not None]
    if len(players) == 1:
        if not known:
            raise Undecided("alone")
        return []
    winners = [i for i, one in enumerate(players) if one.mark == WON]
    if not winners and len(known) == len(players):
        best = max(known)
        winners = [i for i, one in enumerate(players) if one.points == best and one.mark != LOST]
    if not winners:
        raise Undecided("winner")
    theirs = [players[i].points for i in winners]
    others = [one.points for i, one in enumerate(players) if i not in winners]
    if any(
        other > own for own in theirs if own is not None for other in others if other is not None
    ):
        raise Undecided("beaten")
    return winners
