"""Options of a player's decision, and the games after them."""

from __future__ import annotations

from typing import NamedTuple

from sheets.bots.legal_actions import find_choices
from sheets.bots.track_choices import find_tracks
from sheets.rules import Action, Game


class Option(NamedTuple):
    """One way to decide, and the game after it.

    ``actions`` is one action, or all pieces of track that the player owes. The dice of a reroll are
    not thrown yet, so ``game`` is then the game before the reroll.
    """

    actions: tuple[Action, ...]
    game: Game

    @property
    def is_reroll(self) -> bool:
        """Whether the option is a reroll, whose dice are not thrown yet."""
        return bool(self.actions) and self.actions[0].do == "reroll"


def find_options(game: Game, player: int) -> list[Option]:
    """Return the options of a player whose decision the game waits for; never empty.

    Fields are in reading order. If a player who may reroll has no dice on the sheet, the reroll is
    the only option, because it cannot cost a die. All pieces of track that a player owes are one
    decision, whose options are only the best few ways to draw them (`find_tracks`).
    """
    ways: list[tuple[Action, ...]]
    if game.phase == "marking" and game.level.rails:
        ways = find_tracks(game, player)
    else:
        ways = [(action,) for action in find_choices(game, player)]
    if ways[0][0].do == "reroll" and not game.sheets[player].dice:
        del ways[1:]
    return [make_option(game, *actions) for actions in ways]


def make_option(game: Game, *actions: Action) -> Option:
    """Return the option with these actions, or without actions: to leave the game as it is."""
    for action in actions:
        if action.do != "reroll":
            game = game.apply(action)
    return Option(actions, game)
