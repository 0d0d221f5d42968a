"""Simulation of whole games on a level by bots, in one process or several.

Each game's dice and bots have their own random numbers, derived from the seed and the game's
number: the same seed results in the same games, whatever the number of processes, and whether the
games are played one by one or in batches.
"""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from multiprocessing import active_children, parent_process
from random import Random
from threading import Thread
from typing import TYPE_CHECKING, Final, Self, TypeVar

from sheets.bots.throwing import play_to_end
from sheets.rules import Game, Level, format_level, new_game, parse_level
from sheets.rules.level import bits
from sheets.rules.scoring import rate, share_win

if TYPE_CHECKING:
    from sheets.bots.playouts import Scores

OrderT = TypeVar("OrderT")
PartT = TypeVar("PartT")
TallyT = TypeVar("TallyT", bound="GameTally")

CHUNK: Final = 10
"""Number of games that a process usually plays before it reports."""

BATCH_CHUNKS: Final = 50
"""Number of chunks that are played as one batch, by bots that can."""

FEWEST: Final = 30
"""Minimum number of games of a batch; fewer are as fast one by one."""

WAIT_S: Final = 0.5
"""Interval between two calls of ``on_wait``, in seconds."""

GREEDY: Final = ("greedy", "player")
"""Names of the bot that can play games in batches."""

EXPERT: Final = "expert"
"""Name of the bot that searches its decisions in many games together, which takes less time."""

WIN_PARTS: Final = 60
"""Parts of a win, as whole numbers: up to six winners can share one evenly."""


@dataclass
class GameTally:
    """Number of games, and by seat the parts of wins, `WIN_PARTS` to a game."""

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)

    def add_wins(self, shares: Iterable[float]) -> None:
        """Add each player's share of the win of one game."""
        for seat, share in enumerate(shares):
            self.wins[seat] += round(share * WIN_PARTS)

    def win_share(self, seat: int) -> float:
        """Return the share of all wins that a seat has."""
        return self.wins[seat] / (self.games * WIN_PARTS)

    def add(self, other: Self) -> None:
        """Count the games of another tally after those of this one."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))


@dataclass
class Tally(GameTally):
    """Counts of games on one level.

    ``totals`` and ``grades`` (solo) are in the games' order. ``crossed`` counts by field index the
    sheets on which it has a cross; ``paid`` by category and key the sheets on which that item of
    the score brought or cost points.
    """

    totals: list[int] = field(default_factory=list)
    grades: list[int] = field(default_factory=list)
    crossed: Counter[int] = field(default_factory=Counter)
    paid: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add_game(self, game: Game) -> None:
        """Count a finished game."""
        outcome = game.outcome()
        if outcome is None:
            raise ValueError("only a finished game can be counted")
        self.games += 1
        for sheet, score in zip(game.sheets, game.scores(), strict=True):
            self.totals.append(score.total)
            self.paid.update({(item.category, item.key) for item in score.items if item.points})
            self.crossed.update(bits(sheet.crosses))
        if outcome.rating is not None:
            self.grades.append(outcome.rating)
        self.add_wins(share_win(outcome.winners, len(game.players)))

    def add_scores(self, level: Level, scores: Scores) -> None:
        """Count finished games by their scores."""
        self.games += len(scores.totals)
        self.totals += scores.totals.ravel().tolist()
        self.crossed.update({i: n for i, n in enumerate(scores.crossed.tolist()) if n})
        self.paid.update(scores.paid)
        for shares in scores.wins.tolist():
            self.add_wins(shares)
        if scores.totals.shape[1] == 1:
            self.grades += [rate(total, level.ratings) for total in scores.totals[:, 0].tolist()]


def play_game(level: Level, players: int, bot: str, random: Random) -> Game:
    """Return a finished game of equal bots.

    Args:
        level: the level; ``players`` must be one of its ``player_counts``.
        players: number of bots.
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
        players: number of bots in each game.
        games: number of games.
        bot: a name in `sheets.bots.strengths.ALL_BOTS`.
        seed: seed of all random numbers; processes and chunks do not affect the result.
        processes: number of processes that share the games, 0 for one per core.
        chunk: number of games that a process plays before it reports, `BATCH_CHUNKS` times as many
            where it plays them in a batch.
        on_progress: called after each chunk with its number of games, and every `WAIT_S` seconds
            with 0 while other processes are at work.
    """
    document = json.dumps(format_level(level))
    return play_in_chunks(
        play_order,
        Order(document, players, bot, seed, 0, games),
        Tally(),
        processes=processes,
        chunk=chunk,
        is_batched=games >= FEWEST and plays_in_batches(level, bot),
        on_progress=on_progress,
    )


def plays_in_batches(level: Level, bot: str) -> bool:
    """Return whether `sheets.bots.playouts`, which loads NumPy, can play such games."""
    if bot not in GREEDY:
        return False
    from sheets.bots.playouts import covers

    return covers(level)


@dataclass(frozen=True)
class Order:
    """Part of a simulation: the games from ``first`` up to, but not including, ``end``.

    ``game`` is the level as JSON, or the name of a game of Dice².
    """

    game: str
    players: int
    bot: str
    seed: int
    first: int
    end: int

    @property
    def randoms(self) -> list[Random]:
        """Random numbers of each game; its course does not depend on the process."""
        return [
            Random(f"{self.seed}/{number}")  # noqa: S311 dice, not secrets
            for number in range(self.first, self.end)
        ]


def play_in_chunks(
    play: Callable[[Order], TallyT],
    games: Order,
    tally: TallyT,
    *,
    processes: int,
    chunk: int = CHUNK,
    is_batched: bool,
    on_progress: Callable[[int], object],
) -> TallyT:
    """Distribute games to processes in chunks, and add up the tallies."""
    processes = processes or os.cpu_count() or 1
    if is_batched:
        chunk = min(chunk * BATCH_CHUNKS, -(-games.end // processes))
    orders = [
        replace(games, first=first, end=min(first + chunk, games.end))
        for first in range(0, games.end, chunk)
    ]
    for part in share_out(play, orders, processes, lambda: on_progress(0)):
        tally.add(part)
        on_progress(part.games)
    return tally


def play_order(order: Order) -> Tally:
    """Play the games of an order."""
    level = _parse(order.game)
    tally = Tally()
    if order.bot == EXPERT:
        from sheets.simulation.matches import Match, play_matches

        seats = (EXPERT,) * order.players
        for game in play_matches(
            level, [Match(seats, f"{order.seed}/{n}") for n in range(order.first, order.end)]
        ):
            tally.add_game(game)
        return tally
    randoms = order.randoms
    if len(randoms) >= FEWEST and plays_in_batches(level, order.bot):
        from sheets.bots.playouts import play_out

        game = _new_game(level, order.players)
        tally.add_scores(level, play_out([game] * len(randoms), randoms))
        return tally
    for random in randoms:
        tally.add_game(play_game(level, order.players, order.bot, random))
    return tally


@lru_cache(maxsize=8)
def _parse(level: str) -> Level:
    """Parse the level of an order, once per process: its tables are computed lazily."""
    return parse_level(json.loads(level))


def share_out(
    play: Callable[[OrderT], PartT],
    orders: Sequence[OrderT],
    processes: int,
    on_wait: Callable[[], object] = lambda: None,
) -> Iterator[PartT]:
    """Yield the results of orders, in their order; at most ``processes`` processes play them.

    ``on_wait`` is called every `WAIT_S` seconds while other processes are at work.
    """
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
    """Block SIGINT and SIGTERM: waiting for processes that are half started would never end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _depend() -> None:
    """Leave SIGINT and SIGTERM to the parent process, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
