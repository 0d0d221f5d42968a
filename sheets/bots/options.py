"""What can a player choose between, and how does the game stand after each?"""

from __future__ import annotations

from typing import NamedTuple

from sheets.bots.choices import find_choices
from sheets.bots.tracks import find_tracks
from sheets.rules import Action, Game


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
    ways: list[tuple[Action, ...]]
    if game.phase == "marking" and game.level.rails:
        ways = find_tracks(game, player)
    else:
        ways = [(action,) for action in find_choices(game, player)]
    if ways[0][0].do == "reroll" and not game.sheets[player].dice:
        del ways[1:]
    return [_option(game, *actions) for actions in ways]


def _option(game: Game, *actions: Action) -> Option:
    for action in actions:
        if action.do != "reroll":
            game = game.apply(action)
    return Option(actions, game)
