"""Eruption and lava at the start of a pass on a volcano level."""

from __future__ import annotations

from sheets.rules.effects import check_choice, open_pass
from sheets.rules.sheet import Sheet
from sheets.rules.state import Action, GameT
from sheets.rules.violations import RuleViolation


def erupt(game: GameT, action: Action) -> GameT:
    """Erupt the volcano: the start player's die is the number of the fields lava can flow to."""
    if game.phase != "erupt":
        raise RuleViolation("not-now", do="erupt", phase=game.phase)
    owed = tuple(lava_candidates(sheet, action.die) for sheet in game.sheets)
    return _open_if_settled(game._replace(phase="lava", owed=owed))


def choose_lava(game: GameT, action: Action) -> GameT:
    """Turn the candidate a player chose into lava (`lava`)."""
    index = check_choice(game, action, "lava")
    sheet = game.sheets[action.player]
    sheet = sheet._replace(lava=sheet.lava | 1 << index)
    sheets, owed = list(game.sheets), list(game.owed)
    sheets[action.player], owed[action.player] = sheet, 0
    return _open_if_settled(game._replace(sheets=tuple(sheets), owed=tuple(owed)))


def lava_candidates(sheet: Sheet, number: int) -> int:
    """Return the mask of the fields that can turn into lava (`lava`).

    They have the number, touch a volcano or lava, and are not crossed, exploded or lava.
    """
    level = sheet.level
    near = level.touching(level.by_symbol["volcano"] | sheet.lava)
    return near & level.with_number[number] & ~(sheet.crosses | sheet.exploded | sheet.lava)


def _open_if_settled(game: GameT) -> GameT:
    """Open the pass once all lava is chosen."""
    return game if any(game.owed) else open_pass(game)
