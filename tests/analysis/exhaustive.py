"""What is each choice of a tiny game truly worth? All dice that can fall, all that can be done.

Nothing here is sampled, and nothing of `sheets.bots.playouts` is used. Either the bots go on for
everybody, between equals as chance has it, or everybody does what brings themselves most points.
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
from sheets.bots.choices import find_choices
from sheets.rules import Action, Game
from sheets.rules.scoring import find_winners

Values = NDArray[np.float64]
"""By player: the mean of the points, and of the share of the win."""

Paths = list[tuple[float, str]]
"""Where chance leads to: how likely, and the key of the position."""

CLOSE = 1e-9
"""So little changes once the values are found. (Rerolls can lead back to where one was.)"""


class Tossed(Random):
    """Coins of which one alone shows heads."""

    def __init__(self, heads: int) -> None:
        self._left = heads
        super().__init__()

    def random(self) -> float:
        self._left -= 1
        return float(self._left == -1)


@lru_cache(maxsize=64)
def throws(count: int) -> list[tuple[tuple[int, ...], float]]:
    """All that so many dice can show, and how likely that is."""
    return [
        (dice, factorial(count) / prod(map(factorial, Counter(dice).values())) / 6**count)
        for dice in combinations_with_replacement(range(1, 7), count)
    ]


def outcomes(game: Game, action: Action) -> list[tuple[float, Game]]:
    """Where an act leads, a reroll without dice by all that they can show."""
    if action.do != "reroll":
        return [(1.0, game.apply(action))]
    thrown = throws(len(game.pool))
    return [(chance, game.apply(action._replace(dice=dice))) for dice, chance in thrown]


def bot_choices(game: Game, player: int) -> list[Action]:
    """What the bot does: each of the equals between which it tosses coins."""
    coins = range(len(game.level.fields))
    return list({GreedyBot(Tossed(n)).choose(game, player): 0 for n in coins})


class Exhaustive:
    """The values of all positions that can come after one.

    Args:
        start: where it begins.
        plays_best: whether everybody does what is best for them, else what bots do.
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
        """What everybody ends with on average once somebody has done something."""
        return self._mean(paths_of(outcomes(game, action)))

    def at(self, game: Game) -> Values:
        """The same from a position."""
        return self.values[key_of(game)]

    def _branches(self, game: Game) -> tuple[int, list[list[tuple[float, Game]]]]:
        """Who decides (-1: chance does), and where each choice leads."""
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
        """Work out all values, again and again until nothing changes."""
        order = list(self._paths)[::-1]
        change = 1.0
        while change > CLOSE:
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
    """All that can come next; how likely it is, where it is thrown."""
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
    """Tells a position from all others of its game."""
    return repr((game[3], [sheet[1:] for sheet in game.sheets], game[5:]))


def final(game: Game) -> Values:
    """How a game ends that ends now."""
    scores = game.scores()
    winners = find_winners(scores)
    return np.array(
        [
            [score.total, 1 / len(winners) if player in winners else 0]
            for player, score in enumerate(scores)
        ],
        np.float64,
    )
