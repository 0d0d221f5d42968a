"""What happens on a level when bots play many whole games on it?

Each game's dice and bots draw on random numbers of their own, made from the seed and the game's
number: the same seed gives the same games however many processes share them, and whether they are
played one by one or many at once.
"""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import active_children, parent_process
from random import Random
from threading import Thread
from typing import TYPE_CHECKING, Final, TypeVar

from sheets.bots.throwing import play_to_end
from sheets.rules import Game, Level, Score, format_level, new_game, parse_level
from sheets.rules.scoring import rate

if TYPE_CHECKING:
    from sheets.bots.playouts import Scores

OrderT = TypeVar("OrderT")
TallyT = TypeVar("TallyT")

CHUNK: Final = 10
"""How many games a process usually plays before it reports …"""

AT_ONCE: Final = 50
"""… and how many times as many where they are played at once."""

FEWEST: Final = 30
"""Fewer games are as soon played one by one."""

WAIT_S: Final = 0.5
"""So long nobody is told that others are still at work."""

GREEDY: Final = ("greedy", "player")
"""The bot whose games can be played at once, by its names."""

EXPERT: Final = "expert"
"""The bot that thinks through what is asked in many games at once, which takes it less time."""


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
        self._add_wins(outcome.winners)

    def add_scores(self, level: Level, scores: Scores) -> None:
        """Count finished games by their scores."""
        self.games += len(scores.totals)
        self.totals += scores.totals.ravel().tolist()
        self.crossed.update({i: n for i, n in enumerate(scores.crossed.tolist()) if n})
        self.paid.update(scores.paid)
        standing = scores.totals * (scores.marks.max() + 1) - scores.marks
        for row in standing.tolist():
            self._add_wins([seat for seat, reached in enumerate(row) if reached == max(row)])
        if scores.totals.shape[1] == 1:
            self.grades += [rate(total, level.ratings) for total in scores.totals[:, 0].tolist()]

    def add(self, other: Tally) -> None:
        """Count the games of another tally after those of this one."""
        self.games += other.games
        self.totals += other.totals
        self.grades += other.grades
        self.crossed.update(other.crossed)
        self.paid.update(other.paid)
        self.wins.update(other.wins)

    def _add_wins(self, winners: Sequence[int]) -> None:
        for winner in winners:
            self.wins[winner] += WIN // len(winners)

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
        bot: a name in `sheets.bots.strengths.ALL_BOTS`.
        random: throws the dice; the bots use it too.
    """
    from sheets.bots.strengths import ALL_BOTS

    player = ALL_BOTS[bot](random)
    return play_to_end(_new_game(level, players), player, random)


def _new_game(level: Level, players: int) -> Game:
    return new_game(level, [f"Bot {seat}" for seat in range(1, players + 1)], tracked=True)


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
        bot: a name in `sheets.bots.strengths.ALL_BOTS`.
        seed: names the games' dice; the result does not depend on anything else.
        processes: how many share the work, 0 for one per core.
        chunk: how many games a process plays before it reports, `AT_ONCE` times as many where it
            plays them at once.
        on_progress: told after each chunk how many games it had, and 0 now and then meanwhile.
    """
    processes = processes or os.cpu_count() or 1
    if games >= FEWEST and plays_at_once(level, bot):
        chunk = min(chunk * AT_ONCE, -(-games // processes))
    document = json.dumps(format_level(level))
    orders = [
        Order(document, players, bot, seed, first, min(first + chunk, games))
        for first in range(0, games, chunk)
    ]
    tally = Tally()
    for part in share_out(play_order, orders, processes, lambda: on_progress(0)):
        tally.add(part)
        on_progress(part.games)
    return tally


def plays_at_once(level: Level, bot: str) -> bool:
    """Whether such games are played in batches, by `sheets.bots.playouts`, which loads NumPy."""
    if bot not in GREEDY:
        return False
    from sheets.bots.playouts import covers

    return covers(level)


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
    if order.bot == EXPERT:
        from sheets.simulation.matches import Match, play_matches

        seats = (EXPERT,) * order.players
        for game in play_matches(
            level, [Match(seats, f"{order.seed}/{n}") for n in range(order.first, order.end)]
        ):
            tally.add_game(game)
        return tally
    # A game's random numbers are its own: it takes the same course whoever plays it.
    randoms = [
        Random(f"{order.seed}/{number}")  # noqa: S311 dice, not secrets
        for number in range(order.first, order.end)
    ]
    if len(randoms) >= FEWEST and plays_at_once(level, order.bot):
        from sheets.bots.playouts import play_out

        game = _new_game(level, order.players)
        tally.add_scores(level, play_out([game] * len(randoms), randoms))
        return tally
    for random in randoms:
        tally.add_game(play_game(level, order.players, order.bot, random))
    return tally


@lru_cache(maxsize=8)
def _parse(level: str) -> Level:
    """The level of an order, once per process: what follows from a level is worked out lazily."""
    return parse_level(json.loads(level))


def share_out(
    play: Callable[[OrderT], TallyT],
    orders: Sequence[OrderT],
    processes: int,
    on_wait: Callable[[], object] = lambda: None,
) -> Iterator[TallyT]:
    """The tallies of orders, in their order, from so many processes (0: one per core).

    ``on_wait`` is called every `WAIT_S` seconds while others are at work.
    """
    processes = processes or os.cpu_count() or 1
    if processes == 1 or len(orders) == 1:
        yield from map(play, orders)
        return
    with _workers(min(processes, len(orders))) as executor:
        with _undisturbed():
            tallies = [executor.submit(play, order) for order in orders]
        for tally in tallies:
            while not wait([tally], WAIT_S).done:
                on_wait()
            yield tally.result()


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of worker processes; kill them if the block is left by an exception.

    A pool that is interrupted while it starts or ends may wait for its processes for ever.
    """
    others = set(active_children())
    executor = ProcessPoolExecutor(count, initializer=_depend)
    try:
        yield executor
        executor.shutdown()
    except BaseException:
        for worker in set(active_children()) - others:
            worker.kill()
        executor.shutdown(wait=False, cancel_futures=True)
        raise


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
