"""What happens on a volcano level before the dice of a pass are rolled?"""

from __future__ import annotations

from typing import TypeVar

from sheets.rules.effects import check_choice, open_pass
from sheets.rules.sheet import Sheet
from sheets.rules.state import Action, State
from sheets.rules.violations import RuleViolation

G = TypeVar("G", bound=State)


def erupt(game: G, action: Action) -> G:
    """The start player's one die says which number the lava flows to, for everybody (`erupt`)."""
    if game.phase != "erupt":
        raise RuleViolation("not-now", do="erupt", phase=game.phase)
    owed = tuple(lava_candidates(sheet, action.die) for sheet in game.sheets)
    return _go_on(game._replace(phase="lava", owed=owed))


def choose_lava(game: G, action: Action) -> G:
    """A player turns one of their candidates into lava (`lava`)."""
    index = check_choice(game, action, "lava")
    sheet = game.sheets[action.player]
    sheet = sheet._replace(lava=sheet.lava | 1 << index)
    sheets, owed = list(game.sheets), list(game.owed)
    sheets[action.player], owed[action.player] = sheet, 0
    return _go_on(game._replace(sheets=tuple(sheets), owed=tuple(owed)))


def lava_candidates(sheet: Sheet, number: int) -> int:
    """The fields lava of that number can flow to: next to a volcano or lava, not crossed."""
    level = sheet.level
    beside = level.touching(level.by_symbol["volcano"] | sheet.lava)
    return beside & level.with_number[number] & ~(sheet.crosses | sheet.exploded | sheet.lava)


def _go_on(game: G) -> G:
    """Once all lava is chosen, the pass opens."""
    return game if any(game.owed) else open_pass(game)
