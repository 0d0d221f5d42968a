"""How many games a second do the bots play, on one core and on all, and what do more cores gain?

The same games are played by one process and by one per core, alternating, so that whatever else the
machine does weighs on both: for a game alone and for a table of four. Beside it stands what more
cores gain at that moment for a loop that does nothing but count.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from multiprocessing import Process
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.levels import find_level  # noqa: E402
from sheets.simulation.games import simulate  # noqa: E402

ROUNDS = 3
GAMES = {1: 400, 4: 160}
COUNTED = 40_000_000


def main() -> None:
    """Print the rates."""
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
