"""What is each choice of a tiny game truly worth? All dice that can fall, and all that bots may do.

The same as what `sheets.analysis` samples: bots go on for everybody, and between equals each is as
likely. Nothing of `sheets.playouts` is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random
from typing import Any

from sheets.bots import GreedyBot, deciding_players
from sheets.rules import Action, Game
from sheets.rules.scoring import find_winners

Values = tuple[tuple[float, float], ...]
"""By player: the mean of the points, and of the share of the win."""

DEEPEST = 60
"""After so many acts what is left of chance is next to nothing."""


class Tossed(Random):
    """Instead of chance, the first of equals in some order."""

    def __init__(self, order: list[float]) -> None:
        self._order = order
        super().__init__()

    def random(self) -> float:
        return self._order.pop(0)


@lru_cache(maxsize=64)
def throws(count: int) -> list[tuple[tuple[int, ...], float]]:
    """All that so many dice can show, and how likely that is."""
    found = []
    for dice in combinations_with_replacement(range(1, 7), count):
        ways = factorial(count) // prod(map(factorial, Counter(dice).values()))
        found.append((dice, float(Fraction(ways, 6**count))))
    return found


class Exhaustive:
    """Values of positions of one game, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[Any, Values] = {}

    def value(self, game: Game, likely: float = 1.0) -> Values:
        """What everybody ends with on average; what is less likely than a millionth is cut off."""
        if game.is_finished or likely < 1e-7:
            return final(game)
        key = (game.sheets, game.phase, game.player, game.pool, game.passes_done, *game[8:10])
        key = (repr(key), game.owed)
        if key not in self._known:
            self._known[key] = mix(
                (chance, self.value(after, likely * chance)) for chance, after in self.next(game)
            )
        return self._known[key]

    def after(self, game: Game, action: Action) -> Values:
        """The same once somebody has done something; a reroll has no dice yet."""
        return mix((chance, self.value(later)) for chance, later in outcomes(game, action))

    def next(self, game: Game) -> Iterator[tuple[float, Game]]:
        """What can come next, and how likely it is."""
        if deciding := deciding_players(game):
            choices = bot_choices(game, deciding[0])
            for action in choices:
                for chance, after in outcomes(game, action):
                    yield chance / len(choices), after
        elif game.phase == "erupt":
            for die in range(1, 7):
                yield 1 / 6, game.apply(Action("erupt", die=die))
        else:
            for dice, chance in throws(game.dice_to_roll):
                yield chance, game.apply(Action(game.phase, dice=dice))


def outcomes(game: Game, action: Action) -> Iterator[tuple[float, Game]]:
    """Where an act leads, a reroll by all of its dice."""
    if action.do != "reroll":
        yield 1.0, game.apply(action)
        return
    for dice, chance in throws(len(game.pool)):
        yield chance, game.apply(action._replace(dice=dice))


def bot_choices(game: Game, player: int) -> list[Action]:
    """What the bot does: each of those between which it tosses a coin."""
    found = {}
    for first in range(len(game.level.fields)):
        order = [0.0] * 400
        order[first] = 1.0
        action = GreedyBot(Tossed(order)).choose(game, player)
        found[action] = True
    return list(found)


def final(game: Game) -> Values:
    """How a game ends as it stands."""
    scores = game.scores()
    winners = find_winners(scores)
    return tuple(
        (float(score.total), 1 / len(winners) if player in winners else 0.0)
        for player, score in enumerate(scores)
    )


def mix(parts: Iterator[tuple[float, Values]]) -> Values:
    """The mean of values, each as likely as is said."""
    chances, values = zip(*parts, strict=True)
    return tuple(
        tuple(sum(c * v[player][kind] for c, v in zip(chances, values, strict=True)) for kind in (0, 1))
        for player in range(len(values[0]))
    )  # type: ignore[return-value]
