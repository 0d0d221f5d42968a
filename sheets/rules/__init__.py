"""Rules of Dizzle: a pure library of immutable values that needs only the standard library.

A `Level` is one printed layout, a `Sheet` one player's copy with its marks, a `Game` the sheets of
all players and whose turn it is. All are immutable: `Game.apply` takes an `Action` and returns the
next game, or raises one `RuleViolation` that names the rule and leaves the game unchanged.

Fields are named by column letter and row number, ``"c4"`` being the third column of the fourth row.
Internally, a set of fields is a bit mask: an integer with one bit per field in reading order.

>>> from sheets.rules import Action, parse_level, new_game
>>> level = parse_level({"id": "tiny", "name": "Tiny", "grid": ["4x 2 5"]})
>>> game = new_game(level, ["Ana"], tracked=False)
>>> game.legal()
{0: ['b1']}
>>> game = game.apply(Action("place", player=0, at="b1")).apply(Action("end_pass"))
>>> game.sheets[0].level.names(game.sheets[0].crosses)
['a1', 'b1']
>>> game.apply(Action("place", player=0, at="b1"))
Traceback (most recent call last):
    ...
sheets.rules.violations.RuleViolation: field-taken (at b1)
"""

from sheets.rules.documents.level import format_level, parse_level
from sheets.rules.game import Game, Outcome, new_game
from sheets.rules.level import Area, Field, Level, Line
from sheets.rules.placement import check_placement, targets
from sheets.rules.scoring import Item, Score, score_sheet
from sheets.rules.sheet import Sheet, blank_sheet
from sheets.rules.state import Action
from sheets.rules.violations import FAULTS, RULES, DocumentError, RuleViolation

__all__ = [
    "FAULTS",
    "RULES",
    "Action",
    "Area",
    "DocumentError",
    "Field",
    "Game",
    "Item",
    "Level",
    "Line",
    "Outcome",
    "RuleViolation",
    "Score",
    "Sheet",
    "blank_sheet",
    "check_placement",
    "format_level",
    "new_game",
    "parse_level",
    "score_sheet",
    "targets",
]
