"""Eruption and lava at the start of a pass on a volcano level."""

from __future__ import annotations

from typing import TypeVar

from sheets.rules.effects import check_choice, open_pass
from sheets.rules.sheet import Sheet
from sheets.rules.state import Action, State
from sheets.rules.violations import RuleViolation

G = TypeVar("G", bound=State)
"""The type of the game, which every action returns again."""


def erupt(game: G, action: Action) -> G:
    """Set the number the lava flows to for all players, by the start player's die (`erupt`)."""
    if game.phase != "erupt":
        raise RuleViolation("not-now", do="erupt", phase=game.phase)
    owed = tuple(lava_candidates(sheet, action.die) for sheet in game.sheets)
    return _open_if_settled(game._replace(phase="lava", owed=owed))


def choose_lava(game: G, action: Action) -> G:
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


def _open_if_settled(game: G) -> G:
    """Open the pass once all lava is chosen."""
    return game if any(game.owed) else open_pass(game)
