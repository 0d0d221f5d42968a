"""Dice²: four small games on a 9×9 board, and a relay of several of them.

The API follows the rest of the rules: an immutable `Dice2Game` with ``apply``, which raises a
`RuleViolation` with the name of the rule.

>>> from sheets.rules.dice2 import KINDS, Dice2Action, new_game
>>> game = new_game(KINDS["four-wins"], players=2)
>>> game = game.apply(Dice2Action("place", player=0, die=3, at="e5"))
>>> game.legal()[6]
['f5', 'e6']
"""

from sheets.rules.dice2.board import Board
from sheets.rules.dice2.game import Dice2Action, Dice2Game, Kind, check_placement, new_game
from sheets.rules.dice2.kinds import KINDS
from sheets.rules.dice2.relay import Relay, new_relay

__all__ = [
    "KINDS",
    "Board",
    "Dice2Action",
    "Dice2Game",
    "Kind",
    "Relay",
    "check_placement",
    "new_game",
    "new_relay",
]
