"""What can a player choose between, and how does the game stand after each?"""

from __future__ import annotations

from typing import NamedTuple

from sheets.experts.tracks import find_tracks
from sheets.rules import Action, Game
from sheets.rules.level import bits
from sheets.rules.placement import targets


class Option(NamedTuple):
    """What the rules allow, and the game after it: an action, or all pieces of track one owes.

    A reroll's dice are still to be thrown: ``game`` is then the one before it.
    """

    actions: tuple[Action, ...]
    game: Game


def find_options(game: Game, player: int) -> list[Option]:
    """What a player whose decision the game waits for can do; never empty.

    Fields are in reading order. Who has no die to lose always rerolls. Track is decided on as a
    whole, and only the most promising ways to draw it are given (`find_tracks`).
    """
    if game.phase == "turn":
        return _find_turns(game, player)
    if game.phase == "return":
        actions = _at(game, player, "return", game.sheets[player].dice)
    elif game.phase == "lava":
        actions = _at(game, player, "lava", game.owed[player])
    elif game.level.rails:
        return [_option(game, *pieces) for pieces in find_tracks(game, player)]
    else:
        actions = _at(game, player, "rocket", game.sheets[player].planets_left)
    return [_option(game, action) for action in actions]


def _option(game: Game, *actions: Action) -> Option:
    for action in actions:
        game = game.apply(action)
    return Option(actions, game)


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
        return [_option(game, action) for action in actions]
    reroll = Option((Action("reroll", player),), game)
    if not sheet.dice:
        return [reroll]
    return [reroll, _option(game, Action("drop", player))]


def _at(game: Game, player: int, do: str, fields: int) -> list[Action]:
    level = game.level
    return [Action(do, player, level.fields[field].name) for field in bits(fields)]
