"""How many games a second do the bots play, many at once and one by one, on one core and on all?

First, on levels of every kind, then in each game of Dice², and by one process, games at once and
the same games one by one, alternating, in seconds of the processor: on levels for a game alone and
for a table of four. Then the same games by one process and by one per core, and beside that what
more cores gain at that moment for a loop that does nothing but count.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from functools import partial
from multiprocessing import Process
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.levels import find_level  # noqa: E402
from sheets.rules import Level  # noqa: E402
from sheets.simulation.dice2 import Dice2Tally, play_dice2, simulate_dice2  # noqa: E402
from sheets.simulation.games import Tally, play_game, simulate  # noqa: E402

ROUNDS = 3
GAMES = {1: 8000, 4: 4000}
LEVELS = {"level-3": "rockets and locks", "level-7": "a volcano", "level-8": "rails"}
DICE2 = (("square", 1), ("four-wins", 2), ("last-man", 2), ("major", 2), ("major", 3))
DICE2_ONE_BY_ONE = 10
AT_ONCE = 500
ONE_BY_ONE = {1: 60, 4: 25}
COUNTED = 40_000_000


def main() -> None:
    """Print the rates."""
    for level_id, kind in LEVELS.items():
        for players in GAMES:
            compare(find_level(level_id), kind, players)
    print()
    for name, players in DICE2:
        compare_dice2(name, players)
    print()
    share_out()


def compare(level: Level, kind: str, players: int) -> None:
    """Games at once beside games one by one, which must come out the same."""
    ratios, rates = [], []
    play = partial(simulate, level, players=players, bot="greedy", seed=1, processes=1)
    play(games=AT_ONCE // 10)  # NumPy is loaded and the level laid out but once
    for _ in range(ROUNDS):
        start = time.process_time()
        many = play(games=AT_ONCE, chunk=AT_ONCE)
        at_once = AT_ONCE / (time.process_time() - start)
        start = time.process_time()
        few = Tally()
        for number in range(ONE_BY_ONE[players]):
            few.add_game(play_game(level, players, "greedy", Random(f"1/{number}")))
        one_by_one = ONE_BY_ONE[players] / (time.process_time() - start)
        assert many.totals[: len(few.totals)] == few.totals
        rates.append((at_once, one_by_one))
        ratios.append(at_once / one_by_one)
    fast, slow = (statistics.median(values) for values in zip(*rates, strict=True))
    print(
        f"{level.id} ({kind}), {players} greedy bots, {AT_ONCE} games at once: {fast:,.0f} "
        f"games/s, one by one {slow:,.0f}: {statistics.median(ratios):.1f} times as many "
        f"({min(ratios):.1f}-{max(ratios):.1f}; aim: at least 5)"
    )


def compare_dice2(name: str, players: int) -> None:
    """The same for a game of Dice²."""
    rates = []
    play = partial(simulate_dice2, name, players=players, bot="greedy", seed=1, processes=1)
    play(games=1)  # its tables are made but once
    for _ in range(ROUNDS):
        start = time.process_time()
        many = play(games=AT_ONCE)
        at_once = AT_ONCE / (time.process_time() - start)
        start = time.process_time()
        few = Dice2Tally()
        for number in range(DICE2_ONE_BY_ONE):
            few.add_game(play_dice2(name, players, "greedy", Random(f"1/{number}")))
        rates.append((at_once, DICE2_ONE_BY_ONE / (time.process_time() - start)))
        assert many.points[: len(few.points)] == few.points
        assert many.dice[: len(few.dice)] == few.dice
    fast, slow = (statistics.median(values) for values in zip(*rates, strict=True))
    ratios = [at_once / one_by_one for at_once, one_by_one in rates]
    print(
        f"{name}, {players} greedy bots, {AT_ONCE} games at once: {fast:,.0f} games/s, one by "
        f"one {slow:,.1f}: {statistics.median(ratios):.0f} times as many "
        f"({min(ratios):.0f}-{max(ratios):.0f}; aim: at least 5)"
    )


def share_out() -> None:
    """One process beside one per core."""
    cores = os.cpu_count() or 1
    level = find_level("level-3")
    for players, games in GAMES.items():
        rates: dict[int, list[float]] = {1: [], cores: []}
        possible = []
        for _ in range(ROUNDS):
            possible.append(possible_gain(cores))
            for processes in rates:
                start = time.perf_counter()
                simulate(
                    level, players=players, games=games, bot="greedy", seed=1, processes=processes
                )
                rates[processes].append(games / (time.perf_counter() - start))
        print(f"{players} greedy bots on {level.id}, median of {ROUNDS} times {games} games:")
        for processes, values in rates.items():
            print(f"  {processes} process(es) {statistics.median(values):>8,.1f} games/s")
        gains = [a / b for a, b in zip(rates[cores], rates[1], strict=True)]
        print(
            f"  speed-up      {statistics.median(gains):>8.2f} ({min(gains):.2f}-{max(gains):.2f})"
        )
        ratios = [gain / most for gain, most in zip(gains, possible, strict=True)]
        print(
            f"  a bare loop's {statistics.median(possible):>8.2f} on {cores} cores; "
            f"of that {statistics.median(ratios):.0%} (aim: at least 85%)"
        )


def possible_gain(cores: int) -> float:
    """How much faster this machine counts with all its cores than with one, just now."""
    start = time.perf_counter()
    run_counters(1)
    alone = time.perf_counter() - start
    start = time.perf_counter()
    run_counters(cores)
    return cores * alone / (time.perf_counter() - start)


def run_counters(count: int) -> None:
    """Let so many processes count at once."""
    counters = [Process(target=sum, args=(range(COUNTED),)) for _ in range(count)]
    for counter in counters:
        counter.start()
    for counter in counters:
        counter.join()


if __name__ == "__main__":
    main()
