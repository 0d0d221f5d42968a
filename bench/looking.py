"""How long does a look at a game take until its first answer, in seconds of the processor?

A game of four beside one of somebody alone, played by bots that choose by chance every other time;
on one core, as the site makes it. The aim is a minute.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.analysis.analyser import Analyser  # noqa: E402
from sheets.levels import find_level  # noqa: E402
from tests.analysis.tiny_games import played  # noqa: E402

LEVELS = ("level-3", "level-8")
NAMES = ("Ana", "Ben", "Cem", "Dora")
SEEDS = (5, 6)


def main() -> None:
    """Print the times."""
    for level_id in LEVELS:
        for seed in SEEDS:
            alone, games_alone = measure(level_id, NAMES[:1], seed)
            of_four, games = measure(level_id, NAMES, seed)
            print(
                f"{level_id}, game {seed}: of four {of_four:.0f} s ({games:,} games played), "
                f"alone {alone:.0f} s ({games_alone:,}): {of_four / alone:.1f} times as long",
                flush=True,
            )


def measure(level_id: str, names: tuple[str, ...], seed: int) -> tuple[float, int]:
    """Seconds of the processor until the first answer, and for how many games."""
    record = played(find_level(level_id), names, Random(seed))
    start = time.process_time()
    first = next(Analyser(record).rounds())
    return time.process_time() - start, first.games


if __name__ == "__main__":
    main()
