"""Legal actions of a player whose decision a game waits for."""

from __future__ import annotations

from sheets.rules import Action, Game
from sheets.rules.level import SHAPES


def find_choices(game: Game, player: int) -> list[Action]:
    """Return the legal actions of a player of `deciding_players`; fields are in reading order.

    A reroll has no dice yet. The order in which a player draws several pieces of track does not
    matter, so the actions are the shapes for the first field only.
    """
    level, sheet = game.level, game.sheets[player]
    if game.phase == "turn":
        if game.may() != ["place"]:
            return [Action(do, player) for do in game.may()]
        fields = sorted(level.index[at] for places in game.legal().values() for at in places)
        return [Action("place", player, level.fields[at].name, level.numbers[at]) for at in fields]
    if game.phase == "return":
        do, at = "return", sheet.dice
    elif game.phase == "lava":
        do, at = "lava", game.owed[player]
    elif level.rails:
        first = level.names(game.owed[player])[0]
        return [Action("track", player, first, shape=shape) for shape in SHAPES]
    else:
        do, at = "rocket", sheet.planets_left
    return [Action(do, player, name) for name in level.names(at)]
