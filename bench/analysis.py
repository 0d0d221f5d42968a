"""CPU time until the first result of an analysis, for games of four players and solo games.

Bots have played the games, with half of their actions chosen at random. The target is a minute on
one core.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.analysis.analyser import Analyser  # noqa: E402
from sheets.levels import find_level  # noqa: E402
from tests.analysis.tiny_games import play_tiny_game  # noqa: E402

LEVELS: Final = ("level-3", "level-8")
"""Levels of the games."""

NAMES: Final = ("Ana", "Ben", "Cem", "Dora")
"""Players; the first one plays the solo games."""

SEEDS: Final = (5, 6)
"""Seeds of the games on each level."""


def main() -> None:
    """Print the times."""
    for level_id in LEVELS:
        for seed in SEEDS:
            solo, solo_games = measure(level_id, NAMES[:1], seed)
            four, games = measure(level_id, NAMES, seed)
            print(
                f"{level_id}, game {seed}: four players {four:.0f} s ({games:,} play-outs), "
                f"solo {solo:.0f} s ({solo_games:,}): {four / solo:.1f} times as long",
                flush=True,
            )


def measure(level_id: str, names: tuple[str, ...], seed: int) -> tuple[float, int]:
    """Return the CPU time until the first result in seconds, and the number of play-outs."""
    record = play_tiny_game(find_level(level_id), names, Random(seed))
    start = time.process_time()
    first = next(Analyser(record).rounds())
    return time.process_time() - start, first.games


if __name__ == "__main__":
    main()
