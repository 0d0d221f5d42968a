"""What can a player choose between, and how does the game stand after each?"""

from __future__ import annotations

from typing import NamedTuple

from sheets.rules import Action, Game
from sheets.rules.level import SHAPES, bits
from sheets.rules.placement import targets


class Option(NamedTuple):
    """An action the rules allow, and the game after it.

    A reroll's dice are still to be thrown: ``game`` is then the one before it.
    """

    action: Action
    game: Game


def find_options(game: Game, player: int) -> list[Option]:
    """What a player whose decision the game waits for can do; never empty.

    Fields are in reading order. Of several pieces of track it does not matter which is drawn first,
    so only the first field is asked about; and who has no die to lose always rerolls.
    """
    if game.phase == "turn":
        return _find_turns(game, player)
    if game.phase == "return":
        actions = _at(game, player, "return", game.sheets[player].dice)
    elif game.phase == "lava":
        actions = _at(game, player, "lava", game.owed[player])
    elif game.level.rails:
        first = next(iter(bits(game.owed[player])))
        at = game.level.fields[first].name
        actions = [Action("track", player, at, shape=shape) for shape in SHAPES]
    else:
        actions = _at(game, player, "rocket", game.sheets[player].planets_left)
    return [Option(action, game.apply(action)) for action in actions]


def _find_turns(game: Game, player: int) -> list[Option]:
    level, sheet = game.level, game.sheets[player]
    fields = targets(sheet)
    fitting = 0
    for die in set(game.pool):
        fitting |= fields & level.with_number[die]
    if fitting:
        actions = [
            Action("place", player, level.fields[field].name, level.numbers[field])
            for field in bits(fitting)
        ]
        return [Option(action, game.apply(action)) for action in actions]
    reroll = Option(Action("reroll", player), game)
    if not sheet.dice:
        return [reroll]
    drop = Action("drop", player)
    return [reroll, Option(drop, game.apply(drop))]


def _at(game: Game, player: int, do: str, fields: int) -> list[Action]:
    level = game.level
    return [Action(do, player, level.fields[field].name) for field in bits(fields)]
