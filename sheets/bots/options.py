"""Options of a player's decision, and the games after them."""

from __future__ import annotations

from typing import NamedTuple

from sheets.bots.choices import find_choices
from sheets.bots.tracks import find_tracks
from sheets.rules import Action, Game


class Option(NamedTuple):
    """Legal actions, and the game after them: one action, or all pieces of track that are owed.

    The dice of a reroll are not thrown yet: ``game`` is then the one before it.
    """

    actions: tuple[Action, ...]
    game: Game

    @property
    def is_reroll(self) -> bool:
        """Whether the next step is the throw of a reroll."""
        return bool(self.actions) and self.actions[0].do == "reroll"


def find_options(game: Game, player: int) -> list[Option]:
    """Return the options of a player whose decision the game waits for; never empty.

    Fields are in reading order. A player without a die to lose always rerolls. Track is one
    decision for all its pieces, with the best few ways to draw it only (`find_tracks`).
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
    """Return the option of some actions; without actions, to go on from the game as it stands."""
    for action in actions:
        if action.do != "reroll":
            game = game.apply(action)
    return Option(actions, game)
