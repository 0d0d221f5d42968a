"""Search of the expert bot: play the rest of the game out after each option, by successive halving.

The decisions of several games are searched together, which takes far less time for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sheets.bots.halving import Halving, Round
from sheets.bots.options import find_options
from sheets.bots.outcomes import Ends, judge, play_after
from sheets.bots.playouts import covers
from sheets.rules import Action, Game


class Question(NamedTuple):
    """A decision of a player that a game waits for. ``random`` is the only source of chance."""

    game: Game
    player: int
    random: Random


class Weighed(NamedTuple):
    """An option, and the means over the games that were played out after it.

    ``value`` is what the search maximises (`judge`), ``totals`` the points of all players, ``wins``
    each player's share of the win.
    """

    actions: tuple[Action, ...]
    playouts: int
    value: float
    totals: tuple[float, ...]
    wins: tuple[float, ...]


ROUNDS: Final = (Round(99, 160), Round(3, 160))
"""Rounds of a decision at a table of two."""

RAIL_ROUNDS: Final = (Round(99, 320), Round(3, 640))
"""Rounds on rails: there, larger batches take hardly more time."""

SLOW_ROUNDS: Final = (Round(99, 24), Round(2, 16))
"""Rounds where games are played out one by one (`covers`)."""

RAIL_COST: Final = 2
"""Cost of a play-out on rails, compared with one on another level."""

MAX_COST: Final = 2
"""Games that cost more than this many times a game for two are played out in one round."""

BATCH_SIZE: Final = 2000
"""Number of games in a batch, from which on more games would cost more each."""


def weigh(questions: Sequence[Question]) -> list[list[Weighed]]:
    """Return all options of each decision, the best first.

    An option with more play-outs stands before one that was dropped earlier. A decision with one
    option, or with one that is always right, needs no play-outs: all its means are 0.
    """
    return [search.weigh() for search in _search(questions)]


def decide(questions: Sequence[Question]) -> list[tuple[Action, ...]]:
    """Return the best option of each decision, the first one of `weigh`."""
    return [search.best for search in _search(questions)]


def plan(game: Game, options: int) -> list[Round]:
    """Return the rounds of a decision with that many options.

    Games that take longer have fewer play-outs, solo games have more. Very long games have one
    round: their time depends on the number of batches more than on the games in a batch.
    """
    if options == 1:
        return []
    level = game.level
    cost = len(game.players) / 2 * (RAIL_COST if level.rails else 1)
    if not covers(level):
        rounds = SLOW_ROUNDS
    elif level.rails and cost <= MAX_COST:
        rounds = RAIL_ROUNDS
    else:
        rounds = ROUNDS
    if cost > MAX_COST:
        return [Round(options, int(sum(part.playouts for part in rounds) / cost))]
    return [Round(part.keeps, int(part.playouts / cost)) for part in rounds]


class Order(NamedTuple):
    """Games to be played out after an option of a search, with these random numbers."""

    search: Search
    option: int
    randoms: Sequence[Random]


class Search:
    """The options of one decision, and the ends of the games played out so far."""

    def __init__(self, question: Question) -> None:
        self.player = question.player
        self.options = find_options(question.game, question.player)
        rounds = plan(question.game, len(self.options))
        self._halving = Halving(len(self.options), rounds)
        self._seed = question.random.getrandbits(64) if rounds else 0
        nothing = np.empty((0, len(question.game.players)), np.intp)
        self._ends = [Ends(nothing, nothing)] * len(self.options)

    def weigh(self) -> list[Weighed]:
        """Return all options, the best first."""
        return [self._weigh(option) for option in self._halving.ranking]

    @property
    def best(self) -> tuple[Action, ...]:
        """The actions of the best option."""
        return self.options[self._halving.ranking[0]].actions

    def next_orders(self) -> list[Order]:
        """Return what the next round plays; nothing once the decision is made."""
        batch = self._halving.next_batch()
        if batch is None:
            return []
        randoms = [Random(f"{self._seed}/{number}") for number in batch.numbers]  # noqa: S311
        return [Order(self, option, randoms) for option in batch.options]

    def add(self, option: int, ends: Ends) -> None:
        """Add the ends of the games of an order."""
        self._halving.add(option, judge(ends, self.player))
        pairs = zip(self._ends[option], ends, strict=True)
        self._ends[option] = Ends(*(np.concatenate(parts) for parts in pairs))

    def _weigh(self, option: int) -> Weighed:
        actions, ends = self.options[option].actions, self._ends[option]
        if not len(ends.totals):
            nothing = (0.0,) * ends.totals.shape[1]
            return Weighed(actions, 0, 0, nothing, nothing)
        return Weighed(
            actions,
            len(ends.totals),
            self._halving.value(option),
            tuple(ends.totals.mean(axis=0).tolist()),
            tuple(ends.wins.mean(axis=0).tolist()),
        )


def _search(questions: Sequence[Question]) -> list[Search]:
    searches = [Search(question) for question in questions]
    while orders := [order for search in searches for order in search.next_orders()]:
        for batch in _batches(orders):
            _play(batch)
    return searches


def _batches(orders: Sequence[Order]) -> list[list[Order]]:
    """Group orders into batches of `BATCH_SIZE` games or a few more."""
    batches: list[list[Order]] = [[]]
    size = 0
    for order in orders:
        if size >= BATCH_SIZE:
            batches.append([])
            size = 0
        batches[-1].append(order)
        size += len(order.randoms)
    return batches


def _play(orders: Sequence[Order]) -> None:
    options = [order.search.options[order.option] for order in orders for _ in order.randoms]
    ends = play_after(options, [random for order in orders for random in order.randoms])
    begin = 0
    for order in orders:
        part = slice(begin, begin + len(order.randoms))
        order.search.add(order.option, Ends(ends.totals[part], ends.marks[part]))
        begin = part.stop
