"""Which option turns out best when the rest of the game is played out many times after each?

Each round plays the same number of games after every option that is still in question, with the
same random numbers for all (what one has in lucky dice, all have), and keeps the better part.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sheets.bots import GreedyBot
from sheets.bots.throwing import act, play_on
from sheets.experts.options import Option, find_options
from sheets.playouts import covers, play_out
from sheets.playouts.arrays import Floats, Ints
from sheets.rules import Action, Game


class Question(NamedTuple):
    """Somebody's decision: the game waits for it. ``random`` is all the chance it may use."""

    game: Game
    player: int
    random: Random


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

MARGIN: Final = 0.004
"""What a point of difference is worth beside the win."""


def decide(questions: Sequence[Question]) -> list[Action]:
    """The best action in each of some games, on one level and of as many players."""
    searches = [Search(question) for question in questions]
    for number in range(max(len(ROUNDS), len(SLOW_ROUNDS))):
        _play([order for search in searches for order in search.order(number)])
    return [search.best.action for search in searches]


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


class Order:
    """Play-outs after one option, with random numbers from these seeds."""

    def __init__(self, option: Option, player: int, seeds: Sequence[str]) -> None:
        self.option, self.player, self.seeds = option, player, seeds
        self.values: list[float] = []


class Search:
    """What is known so far about the options of one decision."""

    def __init__(self, question: Question) -> None:
        self._player = question.player
        self._options = find_options(question.game, question.player)
        self._rounds = plan(question.game, len(self._options))
        self._seed = question.random.getrandbits(64) if len(self._options) > 1 else 0
        self._played = 0
        self._orders: list[list[Order]] = [[] for _ in self._options]

    @property
    def best(self) -> Option:
        """The option that has brought most so far."""
        return self._options[self._sort()[0]]

    def order(self, number: int) -> list[Order]:
        """What is to be played in a round, counted from 0."""
        if number >= len(self._rounds):
            return []
        part = self._rounds[number]
        kept = self._sort()[: part.keeps]
        count = max(part.playouts // part.keeps, 1)
        seeds = [f"{self._seed}/{self._played + n}" for n in range(count)]
        self._played += count
        orders = []
        for option in kept:
            order = Order(self._options[option], self._player, seeds)
            self._orders[option].append(order)
            orders.append(order)
        return orders

    def _sort(self) -> list[int]:
        """The options, best first: those longest in question, and then by what they bring."""

        def rank(number: int) -> tuple[int, float]:
            values = [value for order in self._orders[number] for value in order.values]
            return len(values), sum(values) / max(len(values), 1)

        return sorted(range(len(self._options)), key=rank, reverse=True)


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
    options = [order.option for order in orders for _ in order.seeds]
    seeds = [seed for order in orders for seed in order.seeds]
    totals, marks = _play_to_the_end(options, [Random(seed) for seed in seeds])  # noqa: S311
    players = np.array([order.player for order in orders for _ in order.seeds])
    values = iter(judge(totals, marks, players).tolist())
    for order in orders:
        order.values = [next(values) for _ in order.seeds]


def _play_to_the_end(options: Sequence[Option], randoms: Sequence[Random]) -> tuple[Ints, Ints]:
    """Totals and crosses at the end of games, each after an option, by game and player."""
    games = [option.game for option in options]
    if covers(games[0].level):
        dos = (option.action.do for option in options)
        rerolling = [number for number, do in enumerate(dos) if do == "reroll"]
        scores = play_out(games, randoms, rerolling)
        return scores.totals, scores.marks
    ends = [_play_one(*pair) for pair in zip(options, randoms, strict=True)]
    by_game = [game.scores() for game in ends]
    totals = [[score.total for score in scores] for scores in by_game]
    return np.array(totals), np.array([[score.marks for score in scores] for scores in by_game])


def _play_one(option: Option, random: Random) -> Game:
    """The same for one game, by the rules themselves."""
    bot = GreedyBot(random)
    game = option.game
    if option.action.do == "reroll":
        game = act(game, option.action, random)
    while not game.is_finished:
        game = play_on(game, bot, random)
    return game


def judge(totals: Ints, marks: Ints, players: Ints) -> Floats:
    """How good final scores are for one player of each game.

    Alone it is the total; with others the part of the win, and a little for the margin.

    Args:
        totals: points by game and player.
        marks: crosses likewise: fewer win among equal totals.
        players: whose view it is, by game.
    """
    games = np.arange(len(totals))
    if totals.shape[1] == 1:
        return totals[:, 0].astype(np.float64)
    standing = totals * (marks.max() + 1) - marks
    is_best = standing == standing.max(axis=1)[:, None]
    wins = is_best[games, players] / is_best.sum(axis=1)
    own = totals[games, players]
    others = totals.copy()
    others[games, players] = np.iinfo(np.intp).min
    value: Floats = wins + MARGIN * (own - others.max(axis=1))
    return value
