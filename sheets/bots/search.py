"""Which option turns out best when the rest of the game is played out many times after each?

Each round plays the same number of games after every option that is still in question, with the
same random numbers for all (what one has in lucky dice, all have), and keeps the better part, but
none that is clearly behind the best: what is plain takes one round, and what is close two.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sheets.bots.options import Option, find_options
from sheets.bots.outcomes import Ends, judge, play_after
from sheets.bots.playouts import covers, share_wins
from sheets.bots.playouts.arrays import Floats
from sheets.rules import Action, Game


class Question(NamedTuple):
    """Somebody's decision: the game waits for it. ``random`` is all the chance it may use."""

    game: Game
    player: int
    random: Random


class Weighed(NamedTuple):
    """What can be done, and what has come of it in so many games played out: means of them.

    ``value`` is what was asked for (`judge`), ``totals`` the points of all players, ``wins`` the
    part of the win that each had.
    """

    actions: tuple[Action, ...]
    playouts: int
    value: float
    totals: tuple[float, ...]
    wins: tuple[float, ...]


class Round(NamedTuple):
    """So many play-outs are shared by the best options, as many as ``keeps``."""

    keeps: int
    playouts: int


ROUNDS: Final = (Round(99, 160), Round(3, 160))
"""The rounds of a decision at a table of two, …"""

RAIL_ROUNDS: Final = (Round(99, 320), Round(3, 640))
"""… on rails, where more games at once hardly take longer, …"""

SLOW_ROUNDS: Final = (Round(99, 24), Round(2, 16))
"""… and where games can only be played out one by one."""

CLEAR: Final = 2.5
"""So many standard errors behind the best an option is given up."""

RAILS: Final = 2
"""So many times as long it takes to play out a game on rails."""

LONG: Final = 2
"""Games that take more than so many times as long are played out in one round."""

AT_ONCE: Final = 2000
"""So many games are played out at once: more would cost more each."""


def weigh(questions: Sequence[Question]) -> list[list[Weighed]]:
    """All that can be done in each of some games, the best first.

    What has been played out more often stands before what has been given up sooner. Where there is
    but one option, or one that is always right, nothing is played out, and all means are 0.
    """
    return [search.weigh() for search in _search(questions)]


def decide(questions: Sequence[Question]) -> list[tuple[Action, ...]]:
    """The best that can be done in each of some games: the first that `weigh` gives."""
    return [search.best for search in _search(questions)]


def plan(game: Game, options: int) -> list[Round]:
    """The rounds of a decision between so many options.

    Where games take longer there are accordingly fewer play-outs, alone there are more. Where they
    take very long there is only one round: what takes time is how often games are played out, more
    than how many at once.
    """
    if options == 1:
        return []
    level = game.level
    cost = len(game.players) / 2 * (RAILS if level.rails else 1)
    if not covers(level):
        rounds = SLOW_ROUNDS
    elif level.rails and cost <= LONG:
        rounds = RAIL_ROUNDS
    else:
        rounds = ROUNDS
    if cost > LONG:
        return [Round(options, int(sum(part.playouts for part in rounds) / cost))]
    return [Round(part.keeps, int(part.playouts / cost)) for part in rounds]


class Candidate:
    """An option of a decision, and what has come of the games played out after it."""

    def __init__(self, option: Option, player: int) -> None:
        self.option, self.player = option, player
        nothing = np.empty((0, len(option.game.players)), np.intp)
        self._ends, self._values = Ends(nothing, nothing), np.empty(0)

    @property
    def playouts(self) -> int:
        """How many games were played out."""
        return len(self._values)

    @property
    def value(self) -> float:
        """What they were worth to the player on the mean."""
        return float(self._values.mean()) if self.playouts else 0.0

    def add(self, ends: Ends, values: Floats) -> None:
        """Count more games."""
        pairs = zip(self._ends, ends, strict=True)
        self._ends = Ends(*(np.concatenate(parts) for parts in pairs))
        self._values = np.concatenate((self._values, values))

    def is_behind(self, best: Candidate) -> bool:
        """Whether another one, after which as many games were played out, is clearly better.

        One after which they have all ended alike is behind, too: it does not matter which is taken.
        """
        less = best._values - self._values
        return bool(less.mean() >= CLEAR * less.std() / np.sqrt(len(less)))

    def weigh(self) -> Weighed:
        """What has come of it so far."""
        if not self.playouts:
            nothing = (0.0,) * len(self.option.game.players)
            return Weighed(self.option.actions, 0, 0, nothing, nothing)
        return Weighed(
            self.option.actions,
            self.playouts,
            self.value,
            tuple(self._ends.totals.mean(axis=0).tolist()),
            tuple(share_wins(*self._ends).mean(axis=0).tolist()),
        )


class Order(NamedTuple):
    """Games to be played out after an option, with these random numbers."""

    candidate: Candidate
    randoms: Sequence[Random]


class Search:
    """What is known so far about the options of one decision."""

    def __init__(self, question: Question) -> None:
        options = find_options(question.game, question.player)
        self._candidates = [Candidate(option, question.player) for option in options]
        self._rounds = plan(question.game, len(options))
        self._seed = question.random.getrandbits(64) if self._rounds else 0
        self._played = 0

    def weigh(self) -> list[Weighed]:
        """All options, the best first."""
        return [candidate.weigh() for candidate in self._sort()]

    @property
    def best(self) -> tuple[Action, ...]:
        """What the best option is."""
        return self._sort()[0].option.actions

    def order(self, number: int) -> list[Order]:
        """What is to be played in a round, counted from 0."""
        if number >= len(self._rounds):
            return []
        part = self._rounds[number]
        best, *others = self._sort()[: part.keeps]
        left = [best, *(one for one in others if not (number and one.is_behind(best)))]
        if len(left) == 1:
            return []
        count = max(part.playouts // len(left), 1)
        seeds = [f"{self._seed}/{self._played + n}" for n in range(count)]
        self._played += count
        randoms = [Random(seed) for seed in seeds]  # noqa: S311 dice, not secrets
        return [Order(candidate, randoms) for candidate in left]

    def _sort(self) -> list[Candidate]:
        def rank(candidate: Candidate) -> tuple[int, float]:
            return candidate.playouts, candidate.value

        return sorted(self._candidates, key=rank, reverse=True)


def _search(questions: Sequence[Question]) -> list[Search]:
    searches = [Search(question) for question in questions]
    for number in range(max(len(ROUNDS), len(SLOW_ROUNDS))):
        _play([order for search in searches for order in search.order(number)])
    return searches


def _play(orders: Sequence[Order]) -> None:
    """Play all orders, `AT_ONCE` games or a few more at a time."""
    batch: list[Order] = []
    size = 0
    for order in orders:
        batch.append(order)
        size += len(order.randoms)
        if size >= AT_ONCE:
            _play_batch(batch)
            batch, size = [], 0
    if batch:
        _play_batch(batch)


def _play_batch(orders: Sequence[Order]) -> None:
    options = [order.candidate.option for order in orders for _ in order.randoms]
    ends = play_after(options, [random for order in orders for random in order.randoms])
    players = np.array([order.candidate.player for order in orders for _ in order.randoms])
    values = judge(ends, players)
    begin = 0
    for order in orders:
        part = slice(begin, begin + len(order.randoms))
        order.candidate.add(Ends(ends.totals[part], ends.marks[part]), values[part])
        begin = part.stop
