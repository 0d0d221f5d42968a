"""Which option turns out best when the rest of the game is played out many times after each?

Each round plays the same number of games after every option that is still in question, with the
same random numbers for all (what one has in lucky dice, all have), and keeps the better part.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sheets.experts.options import Option, find_options
from sheets.experts.outcomes import Ends, judge, play_after, share_wins
from sheets.playouts import covers
from sheets.rules import Action, Game


class Question(NamedTuple):
    """Somebody's decision: the game waits for it. ``random`` is all the chance it may use."""

    game: Game
    player: int
    random: Random


class Weighed(NamedTuple):
    """An action, and what has come of it in so many games played out: means of them.

    ``value`` is what was asked for (`judge`), ``totals`` the points of all players, ``wins`` the
    part of the win that each had.
    """

    action: Action
    playouts: int
    value: float
    totals: tuple[float, ...]
    wins: tuple[float, ...]


class Round(NamedTuple):
    """So many play-outs are shared by the best options, as many as ``keeps``."""

    keeps: int
    playouts: int


ROUNDS: Final = (Round(99, 96), Round(3, 96))
"""The rounds of a decision between up to two players …"""

SLOW_ROUNDS: Final = (Round(99, 24), Round(2, 16))
"""… and where games can only be played out one by one."""

RAILS: Final = 2
"""So many times as long it takes to play out a game on rails."""

LONG: Final = 2
"""Games that take more than so many times as long are played out in one round."""

AT_ONCE: Final = 2000
"""So many games are played out at once: more would cost more each."""


def decide(questions: Sequence[Question]) -> list[Action]:
    """The best action in each of some games, on one level and of as many players."""
    return [weighed[0].action for weighed in weigh(questions)]


def weigh(questions: Sequence[Question]) -> list[list[Weighed]]:
    """All that can be done in each of some games, the best first.

    What has been played out more often stands before what has been given up sooner. Where there is
    but one option, or one that is always right, nothing is played out, and all means are 0.
    """
    searches = [Search(question) for question in questions]
    for number in range(max(len(ROUNDS), len(SLOW_ROUNDS))):
        _play([order for search in searches for order in search.order(number)])
    return [search.weigh() for search in searches]


def plan(game: Game, options: int) -> list[Round]:
    """The rounds of a decision between so many options.

    Where games take longer there are accordingly fewer play-outs, and where they take very long
    only one round: what takes time is how often games are played out, more than how many at once.
    For the same reason rounds of the same options are one.
    """
    rounds: list[Round] = []
    if options == 1:
        return rounds
    cost = max(len(game.players), 2) / 2 * (RAILS if game.level.rails else 1)
    for part in ROUNDS if covers(game.level) else SLOW_ROUNDS:
        keeps = options if cost > LONG else min(part.keeps, options)
        playouts = int(part.playouts / cost)
        if rounds and rounds[-1].keeps == keeps:
            playouts += rounds.pop().playouts
        rounds.append(Round(keeps, playouts))
    return rounds


class Candidate:
    """An option of a decision, and the ends of the games played out after it."""

    def __init__(self, option: Option, player: int) -> None:
        self.option, self.player = option, player
        count = len(option.game.players)
        self._ends = [Ends(np.zeros((0, count), np.intp), np.zeros((0, count), np.intp))]

    def add(self, ends: Ends) -> None:
        """Count more games."""
        self._ends.append(ends)

    def weigh(self) -> Weighed:
        """What has come of it so far."""
        ends = Ends(*(np.concatenate(parts) for parts in zip(*self._ends, strict=True)))
        played = len(ends.totals)
        if not played:
            nothing = (0.0,) * ends.totals.shape[1]
            return Weighed(self.option.action, 0, 0, nothing, nothing)
        value = judge(ends, np.full(played, self.player)).mean()
        totals, wins = ends.totals.mean(axis=0), share_wins(ends).mean(axis=0)
        return Weighed(
            self.option.action, played, float(value), tuple(totals.tolist()), tuple(wins.tolist())
        )


class Order(NamedTuple):
    """Games to be played out after an option, with random numbers from these seeds."""

    candidate: Candidate
    seeds: Sequence[str]


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

    def order(self, number: int) -> list[Order]:
        """What is to be played in a round, counted from 0."""
        if number >= len(self._rounds):
            return []
        part = self._rounds[number]
        count = max(part.playouts // part.keeps, 1)
        seeds = [f"{self._seed}/{self._played + n}" for n in range(count)]
        self._played += count
        return [Order(candidate, seeds) for candidate in self._sort()[: part.keeps]]

    def _sort(self) -> list[Candidate]:
        def rank(candidate: Candidate) -> tuple[int, float]:
            weighed = candidate.weigh()
            return weighed.playouts, weighed.value

        return sorted(self._candidates, key=rank, reverse=True)


def _play(orders: Sequence[Order]) -> None:
    """Play all orders, `AT_ONCE` games or a few more at a time."""
    batch: list[Order] = []
    size = 0
    for order in orders:
        batch.append(order)
        size += len(order.seeds)
        if size >= AT_ONCE:
            _play_batch(batch)
            batch, size = [], 0
    if batch:
        _play_batch(batch)


def _play_batch(orders: Sequence[Order]) -> None:
    options = [order.candidate.option for order in orders for _ in order.seeds]
    seeds = [seed for order in orders for seed in order.seeds]
    ends = play_after(options, [Random(seed) for seed in seeds])  # noqa: S311 dice, not secrets
    begin = 0
    for order in orders:
        end = begin + len(order.seeds)
        order.candidate.add(Ends(ends.totals[begin:end], ends.marks[begin:end]))
        begin = end
