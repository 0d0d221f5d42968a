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

from sheets.bots.dice_rolls import play_to_end
from sheets.rules import Game, Level, format_level, new_game, parse_level
from sheets.rules.level import bits
from sheets.rules.scoring import rate, share_win

if TYPE_CHECKING:
    from sheets.bots.playouts import Scores

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")
TallyT = TypeVar("TallyT", bound="GameTally")

CHUNK: Final = 10
"""Number of games that a process usually plays before it reports."""

BATCH_CHUNKS: Final = 50
"""Number of chunks in a batch, for bots whose games can be played in batches."""

MIN_BATCH_GAMES: Final = 30
"""Minimum number of games of a batch; fewer are as fast one by one."""

WAIT_S: Final = 0.5
"""Interval between two calls of ``on_wait``, in seconds."""

GREEDY_BOTS: Final = ("greedy", "player")
"""Names of the bot that can play games in batches."""

EXPERT_BOT: Final = "expert"
"""Name of the expert bot. Its decisions in many games are searched together, which is faster."""

WIN_PARTS: Final = 60
"""Number of parts of a win, so that up to six winners get whole numbers of parts."""


@dataclass
class GameTally:
    """Number of games, and the parts of wins by seat; each game adds `WIN_PARTS`."""

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
        """Add the counts of another tally, whose games come after the games of this one."""
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
        """Count the finished games of a batch."""
        self.games += len(scores.totals)
        self.totals += scores.totals.ravel().tolist()
        self.crossed.update({i: n for i, n in enumerate(scores.crossed.tolist()) if n})
        self.paid.update(scores.paid)
        for shares in scores.wins.tolist():
            self.add_wins(shares)
        if scores.totals.shape[1] == 1:
            self.grades += [rate(total, level.ratings) for total in scores.totals[:, 0].tolist()]


def play_game(level: Level, players: int, bot: str, random: Random) -> Game:
    """Play a game with the same bot on all seats, and return it.

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
        chunk: number of games that a process plays before it reports; games that are played in
            batches are reported after up to `BATCH_CHUNKS` times as many.
        on_progress: called after each chunk with its number of games, and every `WAIT_S` seconds
            with 0 while other processes are at work.
    """
    document = json.dumps(format_level(level))
    return play_in_chunks(
        run_task,
        SimulationTask(document, players, bot, seed, 0, games),
        Tally(),
        processes=processes,
        chunk=chunk,
        is_batched=games >= MIN_BATCH_GAMES and plays_in_batches(level, bot),
        on_progress=on_progress,
    )


def plays_in_batches(level: Level, bot: str) -> bool:
    """Return whether a bot's games on a level can be played in batches (`sheets.bots.playouts`).

    NumPy is loaded only for bots that can play in batches.
    """
    if bot not in GREEDY_BOTS:
        return False
    from sheets.bots.playouts import supports

    return supports(level)


@dataclass(frozen=True)
class SimulationTask:
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
        """Random numbers for each game, which depend only on the seed and the game's number."""
        return [
            Random(f"{self.seed}/{number}")  # noqa: S311 dice, not secrets
            for number in range(self.first, self.end)
        ]


def play_in_chunks(
    play: Callable[[SimulationTask], TallyT],
    games: SimulationTask,
    tally: TallyT,
    *,
    processes: int,
    chunk: int = CHUNK,
    is_batched: bool,
    on_progress: Callable[[int], object],
) -> TallyT:
    """Distribute games to processes in chunks, add the results to ``tally``, and return it."""
    processes = processes or os.cpu_count() or 1
    if is_batched:
        chunk = min(chunk * BATCH_CHUNKS, -(-games.end // processes))
    tasks = [
        replace(games, first=first, end=min(first + chunk, games.end))
        for first in range(0, games.end, chunk)
    ]
    for part in run_in_processes(play, tasks, processes, lambda: on_progress(0)):
        tally.add(part)
        on_progress(part.games)
    return tally


def run_task(order: SimulationTask) -> Tally:
    """Play the games of a task, and return their tally."""
    level = _parse(order.game)
    tally = Tally()
    if order.bot == EXPERT_BOT:
        from sheets.simulation.matches import Match, play_matches

        seats = (EXPERT_BOT,) * order.players
        for game in play_matches(
            level, [Match(seats, f"{order.seed}/{n}") for n in range(order.first, order.end)]
        ):
            tally.add_game(game)
        return tally
    randoms = order.randoms
    if len(randoms) >= MIN_BATCH_GAMES and plays_in_batches(level, order.bot):
        from sheets.bots.playouts import play_out

        game = _new_game(level, order.players)
        tally.add_scores(level, play_out([game] * len(randoms), randoms))
        return tally
    for random in randoms:
        tally.add_game(play_game(level, order.players, order.bot, random))
    return tally


@lru_cache(maxsize=8)
def _parse(level: str) -> Level:
    """Parse the level of a task; cached, so that it computes its tables once per process."""
    return parse_level(json.loads(level))


def run_in_processes(
    play: Callable[[TaskT], ResultT],
    tasks: Sequence[TaskT],
    processes: int,
    on_wait: Callable[[], object] = lambda: None,
) -> Iterator[ResultT]:
    """Yield the results of ``play`` for each task, in the order of the tasks.

    Up to ``processes`` worker processes call ``play``; this process calls it if there is only one
    process or one task.

    ``on_wait`` is called every `WAIT_S` seconds while worker processes are at work.
    """
    if processes == 1 or len(tasks) == 1:
        yield from map(play, tasks)
        return
    with _workers(min(processes, len(tasks))) as executor:
        with _undisturbed():
            tallies = [executor.submit(play, order) for order in tasks]
        for tally in tallies:
            while not wait([tally], WAIT_S).done:
                on_wait()
            yield tally.result()


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of worker processes; kill them if the block is left by an exception.

    A pool that is interrupted while it starts or ends may wait for its processes for ever. The
    thread that manages the pool must end before the interpreter does, which may write into a pipe
    that this thread has just closed.
    """
    others = set(active_children())
    executor = ProcessPoolExecutor(count, initializer=_depend)
    try:
        yield executor
        executor.shutdown()
    except BaseException:
        for worker in set(active_children()) - others:
            worker.kill()
        executor.shutdown(cancel_futures=True)
        raise


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Block SIGINT and SIGTERM while worker processes start.

    After an interruption, waiting for a process that is half started would never end.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _depend() -> None:
    """Make a worker process ignore SIGINT and SIGTERM, and end when its parent process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
