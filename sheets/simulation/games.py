"""What happens on a level when bots play many whole games on it?

Each game's dice and bots draw on random numbers of their own, made from the seed and the game's
number: the same seed gives the same games however many processes share them.
"""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import parent_process
from random import Random
from threading import Thread
from typing import Final, TypeVar

from sheets.bots import BOTS, deciding_players
from sheets.rules import Action, Game, Level, Score, format_level, new_game, parse_level

OrderT = TypeVar("OrderT")
TallyT = TypeVar("TallyT")

CHUNK: Final = 10
"""How many games a process usually plays before it reports."""


@dataclass
class Tally:
    """What many games on one level amount to.

    ``totals`` and ``grades`` (solo) are in the games' order. ``crossed`` counts by field index the
    sheets on which it has a cross; ``paid`` by category and key the sheets on which that item of
    the score brought or cost points; ``wins`` by seat the parts of games won, `WIN` to a game.
    """

    games: int = 0
    totals: list[int] = field(default_factory=list)
    grades: list[int] = field(default_factory=list)
    crossed: Counter[int] = field(default_factory=Counter)
    paid: Counter[tuple[str, str]] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)

    def add_game(self, game: Game) -> None:
        """Count a finished game."""
        outcome = game.outcome()
        if outcome is None:
            raise ValueError("only a finished game can be counted")
        self.games += 1
        for sheet, score in zip(game.sheets, game.scores(), strict=True):
            self._add_score(score)
            self.crossed.update(i for i in range(len(game.level.fields)) if sheet.crosses >> i & 1)
        if outcome.rating is not None:
            self.grades.append(outcome.rating)
        for winner in outcome.winners:
            self.wins[winner] += WIN // len(outcome.winners)

    def add(self, other: Tally) -> None:
        """Count the games of another tally after those of this one."""
        self.games += other.games
        self.totals += other.totals
        self.grades += other.grades
        self.crossed.update(other.crossed)
        self.paid.update(other.paid)
        self.wins.update(other.wins)

    def _add_score(self, score: Score) -> None:
        self.totals.append(score.total)
        self.paid.update({(item.category, item.key) for item in score.items if item.points})


WIN: Final = 60
"""Parts of a win: up to six winners can share one evenly."""


def play_game(level: Level, players: int, bot: str, random: Random) -> Game:
    """One whole game of equal bots, finished.

    Args:
        level: the level; ``players`` must be one of its ``player_counts``.
        players: how many bots play.
        bot: a name in `BOTS`.
        random: throws the dice; the bots use it too.
    """
    bots = [BOTS[bot](random) for _ in range(players)]
    game = new_game(level, [f"Bot {seat}" for seat in range(1, players + 1)], tracked=True)
    while not game.is_finished:
        deciding = deciding_players(game)
        if deciding:
            player = deciding[0]
            action = bots[player].choose(game, player)
            if action.do == "reroll":
                action = action._replace(dice=throw(random, len(game.pool)))
        else:
            action = throw_next(game, random)
        game = game.apply(action)
    return game


def throw_next(game: Game, random: Random) -> Action:
    """The dice a game waits for when nobody has to decide: a roll, an eruption, solo's extra."""
    if game.phase == "erupt":
        return Action("erupt", die=random.randint(1, 6))
    return Action(game.phase, dice=throw(random, game.dice_to_roll))


def throw(random: Random, count: int) -> tuple[int, ...]:
    """That many dice."""
    return tuple(random.randint(1, 6) for _ in range(count))


def simulate(
    level: Level,
    *,
    players: int,
    games: int,
    bot: str,
    seed: int,
    processes: int = 0,
    chunk: int = CHUNK,
    on_progress: Callable[[int], object] = lambda games: None,
) -> Tally:
    """Play whole games and count what happened.

    Args:
        level: the level.
        players: how many bots play each game.
        games: how many games.
        bot: a name in `BOTS`.
        seed: names the games' dice; the result does not depend on anything else.
        processes: how many share the work, 0 for one per core.
        chunk: how many games a process plays before it reports.
        on_progress: told after each chunk how many games it had.
    """
    orders = [
        Order(json.dumps(format_level(level)), players, bot, seed, first, min(first + chunk, games))
        for first in range(0, games, chunk)
    ]
    tally = Tally()
    for part in share_out(play_order, orders, processes):
        tally.add(part)
        on_progress(part.games)
    return tally


@dataclass(frozen=True)
class Order:
    """Games ``first`` up to, but not including, ``end`` of a simulation; ``level`` as JSON."""

    level: str
    players: int
    bot: str
    seed: int
    first: int
    end: int


def play_order(order: Order) -> Tally:
    """Play the games of an order."""
    level = _parse(order.level)
    tally = Tally()
    for number in range(order.first, order.end):
        random = Random(f"{order.seed}/{number}")  # noqa: S311 dice, not secrets
        tally.add_game(play_game(level, order.players, order.bot, random))
    return tally


@lru_cache(maxsize=8)
def _parse(level: str) -> Level:
    """The level of an order, once per process: what follows from a level is worked out lazily."""
    return parse_level(json.loads(level))


def share_out(
    play: Callable[[OrderT], TallyT], orders: Sequence[OrderT], processes: int
) -> Iterator[TallyT]:
    """The tallies of orders, in their order, from so many processes (0: one per core)."""
    processes = processes or os.cpu_count() or 1
    if processes == 1 or len(orders) == 1:
        yield from map(play, orders)
        return
    executor = ProcessPoolExecutor(min(processes, len(orders)), initializer=_depend)
    try:
        with _undisturbed():
            tallies = executor.map(play, orders)
        yield from tallies
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off Ctrl-C and SIGTERM: processes only half started would be waited for in vain."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _depend() -> None:
    """Belong to the process that shares out the work: Ctrl-C and SIGTERM are for that one, and if
    it ends, this one ends, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
