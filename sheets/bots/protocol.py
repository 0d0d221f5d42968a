"""Protocol of the bots of Dizzle."""

from __future__ import annotations

from typing import Protocol

from sheets.rules import Action, Game


class Bot(Protocol):
    """Bot that plays one seat of a game with tracked dice.

    The caller passes one of the players of `deciding_players`, and the bot returns a legal action.
    The bot does not throw dice: it returns a ``reroll`` without dice, and the caller adds them.
    """

    def choose(self, game: Game, player: int) -> Action:
        """Return what the player does now: place, reroll, drop, return, lava, rocket or track."""
        ...


def deciding_players(game: Game) -> list[int]:
    """Return the players whose decision the game waits for; none if it waits for dice."""
    if game.phase in ("turn", "return") and game.player is not None:
        return [game.player]
    return [player for player, owed in enumerate(game.owed) if owed]
