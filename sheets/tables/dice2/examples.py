"""Example boards of the games of Dice², for the page on which users choose a game."""

from __future__ import annotations

from functools import cache
from typing import Final

from sheets.art.board import DrawnBoard, board_view
from sheets.rules.dice2 import KINDS, Dice2Action, new_game
from sheets.tables.table_settings import RELAY

PLACED: Final = {
    "square": "e5=2 f5=4 f4=2 e6=5 d6=4 d7=4 c6=3 e4=2 c7=4 e7=5 d4=2",
    "four-wins": "e5=3 e6=4 d5=2 f5=5 d6=3 d7=5 f4=5 c7=3 g4=5 g3=2 e4=2",
    "last-man": "e5=3 e6=4 e4=2 f5=5 d6=3 g5=5 f4=5 d7=3 f6=5 d5=2 d4=2",
    "major": "e5=3 e6=4 e4=2 e7=5 f4=3 e8=5 f5=5 d8=3 d5=3 f7=5 c5=2",
    RELAY: "e5=3 f5=5 d5=3 c5=2 f4=3 g5=5 e6=5 g4=5 g3=5 c6=5 g2=5",
}
"""Dice of each example board as ``field=number``, in the order in which greedy bots placed them.

One bot played Square Dice, three the relay, two each other game.
"""


@cache
def example_view(name: str) -> DrawnBoard:
    """Return the example board of a game; for a relay, a board of Major Dice with three players."""
    kind = KINDS["major" if name == RELAY else name]
    game = new_game(kind, kind.player_counts[-(name == RELAY)])
    for placed in PLACED[name].split():
        at, _, die = placed.partition("=")
        game = game.apply(Dice2Action("place", game.player, int(die), at))
    return board_view(game)
