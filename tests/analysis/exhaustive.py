"""Exact values of all choices in a tiny game, by exhaustive search over dice and actions.

It neither samples nor uses `sheets.bots.playouts`. In the rest of the game either all players act
like greedy bots, which choose at random among equal actions, or each player maximises their own
points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random

import numpy as np
from numpy.typing import NDArray

from sheets.bots import GreedyBot, deciding_players
from sheets.bots.legal_actions import find_choices
from sheets.rules import Action, Game
from sheets.rules.scoring import find_winners

Values = NDArray[np.float64]
"""Mean points and mean share of the win, by player."""

Paths = list[tuple[float, str]]
"""Probability and key of each following position."""

MAX_CHANGE = 1e-9
"""Maximum change in the last iteration; rerolls can lead back to the same position."""


class SingleHead(Random):
    """Source of coin tosses of which only one, with a given number, shows heads."""

    def __init__(self, heads: int) -> None:
        self._left = heads
        super().__init__()

    def random(self) -> float:
        self._left -= 1
        return float(self._left == -1)


@lru_cache(maxsize=64)
def throws(count: int) -> list[tuple[tuple[int, ...], float]]:
    """Return all results of a throw of dice, with their probabilities."""
    return [
        (dice, factorial(count) / prod(map(factorial, Counter(dice).values())) / 6**count)
        for dice in combinations_with_replacement(range(1, 7), count)
    ]


def outcomes(game: Game, action: Action) -> list[tuple[float, Game]]:
    """Return the games after an action, after a reroll one for each result of the dice."""
    if action.do != "reroll":
        return [(1.0, game.apply(action))]
    thrown = throws(len(game.pool))
    return [(chance, game.apply(action._replace(dice=dice))) for dice, chance in thrown]


def bot_choices(game: Game, player: int) -> list[Action]:
    """Return the actions among which the greedy bot chooses at random."""
    coins = range(len(game.level.fields))
    return list({GreedyBot(SingleHead(n)).choose(game, player): 0 for n in coins})


class Exhaustive:
    """The values of all positions that can follow a position.

    Args:
        start: the first position.
        plays_best: whether each player maximises their own points; else all act like greedy bots.
    """

    def __init__(self, start: Game, *, plays_best: bool = False) -> None:
        self._plays_best = plays_best
        self._paths: dict[str, tuple[int, list[Paths]]] = {}
        self.values: dict[str, Values] = {}
        waiting = [start]
        while waiting:
            game = waiting.pop()
            if (key := key_of(game)) in self.values:
                continue
            self.values[key] = final(game)
            if not game.is_finished:
                player, branches = self._branches(game)
                self._paths[key] = (player, [paths_of(branch) for branch in branches])
                waiting += [after for _chance, after in reachable(game)]
        self._settle()

    def after(self, game: Game, action: Action) -> Values:
        """Return the values of a position after an action."""
        return self._mean(paths_of(outcomes(game, action)))

    def at(self, game: Game) -> Values:
        """Return the values of a position."""
        return self.values[key_of(game)]

    def _branches(self, game: Game) -> tuple[int, list[list[tuple[float, Game]]]]:
        """Return the deciding player (-1 for chance), and the following games of each choice."""
        deciding = deciding_players(game)
        if not deciding:
            return -1, [reachable(game)]
        player = deciding[0]
        if self._plays_best:
            return player, [outcomes(game, action) for action in find_choices(game, player)]
        actions = bot_choices(game, player)
        mixed = [(c / len(actions), g) for action in actions for c, g in outcomes(game, action)]
        return -1, [mixed]

    def _settle(self) -> None:
        """Iterate over all values until they converge."""
        order = list(self._paths)[::-1]
        change = 1.0
        while change > MAX_CHANGE:
            change = 0.0
            for key in order:
                player, branches = self._paths[key]
                values = [self._mean(paths) for paths in branches]
                best = max(values, key=lambda value: value[player, 0]) if player >= 0 else values[0]
                change = max(change, float(abs(best - self.values[key]).max()))
                self.values[key] = best

    def _mean(self, paths: Paths) -> Values:
        return np.asarray(sum(chance * self.values[key] for chance, key in paths))


def reachable(game: Game) -> list[tuple[float, Game]]:
    """Return all following games, with probabilities if dice are thrown."""
    if deciding := deciding_players(game):
        actions = find_choices(game, deciding[0])
        return [after for action in actions for after in outcomes(game, action)]
    if game.phase == "erupt":
        return [(1 / 6, game.apply(Action("erupt", die=n))) for n in range(1, 7)]
    thrown = throws(game.dice_to_roll)
    return [(chance, game.apply(Action(game.phase, dice=dice))) for dice, chance in thrown]


def paths_of(branch: Iterable[tuple[float, Game]]) -> Paths:
    return [(chance, key_of(after)) for chance, after in branch]


def key_of(game: Game) -> str:
    """Return a key that identifies a position of a game."""
    return repr((game[3], [sheet[1:] for sheet in game.sheets], game[5:]))


def final(game: Game) -> Values:
    """Return the values of a game that ends now."""
    scores = game.scores()
    winners = find_winners(scores)
    return np.array(
        [
            [score.total, 1 / len(winners) if player in winners else 0]
            for player, score in enumerate(scores)
        ],
        np.float64,
    )
