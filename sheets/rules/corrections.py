"""Corrections of a sheet after a game, agreed on by the players.

A correction may contradict every rule; `find_doubts` lists marks that no legal game leads to.
"""

from __future__ import annotations

from sheets.rules.final_sheet import parse_final_sheet
from sheets.rules.state import Action, GameT
from sheets.rules.violations import RuleViolation


def correct(game: GameT, action: Action) -> GameT:
    """Replace a player's sheet in a finished game.

    Numbers circled on the other sheets stay, even if the new sheet contradicts them.
    """
    if not game.is_finished:
        raise RuleViolation("not-now", do="correct", phase=game.phase)
    sheets = list(game.sheets)
    sheets[action.player] = parse_final_sheet(game.level, action.sheet or {})
    return game._replace(sheets=tuple(sheets))
