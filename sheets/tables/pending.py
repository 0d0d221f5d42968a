"""The acts that a game of Dizzle waits for, by player."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sheets.rules import Game
from sheets.tables.log import LogState
from sheets.tables.playing import ROLLED


class Pending(NamedTuple):
    """A player's act that the game waits for.

    ``what`` is ``dice`` (an open pass of a mirrored table), ``roll``, ``erupt``, ``extra``,
    ``place``, ``reroll`` (or drop out: nothing fits), ``return``, ``lava``, ``rocket`` or
    ``track``; ``times`` how often.
    """

    player: int
    what: str
    times: int = 1


def find_pending(state: LogState[Game], free: Collection[int] = ()) -> list[Pending]:
    """Return everything the game waits for now, by player; nothing when it is over.

    ``free`` are the free seats: a mirrored pass does not wait for them.
    """
    game = state.game
    match game.phase:
        case "open":
            return [
                Pending(player, "dice")
                for player, sheet in enumerate(game.sheets)
                if not (sheet.is_out or player in state.done or player in free)
            ]
        case "roll" | "erupt":
            return [Pending(game.start_player, game.phase)]
        case "turn":
            return [Pending(game.player or 0, "place" if "place" in game.may() else "reroll")]
        case "return" | "extra":
            return [Pending(game.player or 0, game.phase)]
        case _:
            return [Pending(owed.player, owed.do, owed.times) for owed in game.pending()]


def pending_for(pending: Iterable[Pending], dice: str, player: int) -> Pending | None:
    """Return what one player is asked to do now; ``dice`` is the setting of the table.

    The two extra dice ask for nothing if the app rolls: it rolls them automatically.
    """
    for one in pending:
        is_automatic = one.what == "extra" and dice == ROLLED
        if one.player == player and not is_automatic:
            return one
    return None
