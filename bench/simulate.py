"""Speed of simulated games of bots: all at once compared with one by one, and two cores with one.

On levels with different symbols and in each game of Dice², one process plays many games at once and
the same games one by one, in turn; these rates are per second of CPU time. Then one process, and
one process per core, play the same games. A loop that only counts shows the possible gain of
several cores at that moment.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from multiprocessing import Process
from pathlib import Path
from random import Random
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.levels import find_level  # noqa: E402
from sheets.rules import Level  # noqa: E402
from sheets.simulation.dice2 import Dice2Tally, play_dice2, simulate_dice2  # noqa: E402
from sheets.simulation.games import Tally, play_game, simulate  # noqa: E402

ROUNDS: Final = 3
"""Number of measurements."""

BATCH_GAMES: Final = 500
"""Number of games that are played at once."""

SINGLE_GAMES: Final = {1: 60, 4: 25}
"""Number of games of Dizzle that are played one by one, by number of players."""

DICE2_SINGLE_GAMES: Final = 10
"""Number of games of Dice² that are played one by one."""

LEVELS: Final = {"level-3": "rockets and locks", "level-7": "a volcano", "level-8": "rails"}
"""Levels with their symbols."""

DICE2: Final = (("square", 1), ("four-wins", 2), ("last-man", 2), ("major", 2), ("major", 3))
"""Games of Dice² with the number of players."""

SHARED_GAMES: Final = {1: 8000, 4: 4000}
"""Number of games that processes share, by number of players."""

COUNT_LIMIT: Final = 40_000_000
"""Number to which each process of the loop counts."""

Play = Callable[[int], list[int]]
"""Function that plays this number of games and returns their points."""


def main() -> None:
    """Print the rates and their ratios."""
    for level_id, symbols in LEVELS.items():
        for players in SINGLE_GAMES:
            name = f"{level_id} ({symbols}), {players} greedy bots"
            compare(name, *dizzle(find_level(level_id), players), SINGLE_GAMES[players])
    for name, players in DICE2:
        compare(f"{name}, {players} greedy bots", *dice2(name, players), DICE2_SINGLE_GAMES)
    for players, games in SHARED_GAMES.items():
        compare_cores(players, games)


def dizzle(level: Level, players: int) -> tuple[Play, Play]:
    """Return functions that play games of a level at once, and one by one."""

    def at_once(games: int) -> list[int]:
        return simulate(
            level, players=players, bot="greedy", seed=1, processes=1, games=games, chunk=games
        ).totals

    def one_by_one(games: int) -> list[int]:
        tally = Tally()
        for number in range(games):
            tally.add_game(play_game(level, players, "greedy", Random(f"1/{number}")))
        return tally.totals

    return at_once, one_by_one


def dice2(name: str, players: int) -> tuple[Play, Play]:
    """Return functions that play games of Dice² at once, and one by one."""

    def at_once(games: int) -> list[int]:
        return simulate_dice2(
            name, players=players, bot="greedy", seed=1, processes=1, games=games
        ).points

    def one_by_one(games: int) -> list[int]:
        tally = Dice2Tally()
        for number in range(games):
            tally.add_game(play_dice2(name, players, "greedy", Random(f"1/{number}")))
        return tally.points

    return at_once, one_by_one


def compare(name: str, at_once: Play, one_by_one: Play, few: int) -> None:
    """Print both rates and their ratio; check that both play the same games."""
    rates: list[tuple[float, float]] = []
    at_once(BATCH_GAMES // 10)  # loads NumPy and lays out the board
    for _ in range(ROUNDS):
        start = time.process_time()
        points = at_once(BATCH_GAMES)
        middle = time.process_time()
        expected = one_by_one(few)
        end = time.process_time()
        assert points[: len(expected)] == expected
        rates.append((BATCH_GAMES / (middle - start), few / (end - middle)))
    fast, slow = (statistics.median(values) for values in zip(*rates, strict=True))
    ratios = [one / other for one, other in rates]
    print(
        f"{name}: {BATCH_GAMES} games at once {fast:,.0f} games/s, one by one {slow:,.1f}: "
        f"{statistics.median(ratios):.1f} times as fast "
        f"({min(ratios):.1f}-{max(ratios):.1f}; target: at least 5)",
        flush=True,
    )


def compare_cores(players: int, games: int) -> None:
    """Print how much faster all cores are than one, and the share of the possible gain."""
    cores, level = os.cpu_count() or 1, find_level("level-3")
    gains, possible = [], []
    for _ in range(ROUNDS):
        possible.append(cores * count_in(1) / count_in(cores))
        seconds = []
        for processes in (1, cores):
            start = time.perf_counter()
            simulate(level, players=players, games=games, bot="greedy", seed=1, processes=processes)
            seconds.append(time.perf_counter() - start)
        gains.append(seconds[0] / seconds[1])
    shares = [gain / most for gain, most in zip(gains, possible, strict=True)]
    print(
        f"{level.id}, {players} greedy bots, {games} games on {cores} cores: "
        f"{statistics.median(gains):.2f} times as fast as on one ({min(gains):.2f}-"
        f"{max(gains):.2f}); a loop {statistics.median(possible):.2f} times; of that "
        f"{statistics.median(shares):.0%} (target: at least 85 %)",
        flush=True,
    )


def count_in(processes: int) -> float:
    """Return the seconds that simultaneous processes take to count to `COUNT_LIMIT` each."""
    start = time.perf_counter()
    counters = [Process(target=sum, args=(range(COUNT_LIMIT),)) for _ in range(processes)]
    for counter in counters:
        counter.start()
    for counter in counters:
        counter.join()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
