"""What is a bot asked, and what does it answer?"""

from __future__ import annotations

from typing import Protocol

from sheets.rules import Action, Game


class Bot(Protocol):
    """Plays one seat of a game with tracked dice.

    A bot is asked for one of the players `deciding_players` lists and answers with an action the
    rules allow. It throws no dice: its ``reroll`` comes without any, and whoever holds the dice
    puts the throw into it.
    """

    def choose(self, game: Game, player: int) -> Action:
        """What the player does now: place, reroll, drop, return, lava, rocket or track."""
        ...


def deciding_players(game: Game) -> list[int]:
    """Whose decision the game waits for; nobody's while it waits for dice or is finished."""
    if game.phase in ("turn", "return") and game.player is not None:
        return [game.player]
    return [player for player, owed in enumerate(game.owed) if owed]
