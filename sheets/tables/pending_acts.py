"""The acts that a game of Dizzle waits for, by player."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sheets.rules import Game
from sheets.tables.event_log import LogState
from sheets.tables.table_settings import ROLLED


class Pending(NamedTuple):
    """A player's act that the game waits for.

    ``what`` is the kind of the act: ``dice`` (tap the fields of the dice in a mirrored pass),
    ``roll``, ``erupt``, ``extra``, ``place``, ``reroll`` (or drop out, as no die fits), ``return``,
    ``lava``, ``rocket`` or ``track``. ``times`` is the number of such acts.
    """

    player: int
    what: str
    times: int = 1


def find_pending(state: LogState[Game], free: Collection[int] = ()) -> list[Pending]:
    """Return all acts that the game waits for now; empty when it is over.

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
    """Return the act that one player has to do now, or None; ``dice`` is the table's dice setting.

    The roll of the two extra dice is left out if the app rolls: it happens automatically.
    """
    for one in pending:
        is_automatic = one.what == "extra" and dice == ROLLED
        if one.player == player and not is_automatic:
            return one
    return None
