"""Solo scores and advantage of the first player on suggested levels, compared with shipped levels.

The usual wish, and one with tracks, with several seeds each: as drawn, and as tuned. The figures
come from games that were not used for tuning, as many as for the figures of the shipped levels.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")

import django  # noqa: E402

django.setup()

from sheets.rules import parse_level  # noqa: E402
from sheets.simulation.balance.report import plan  # noqa: E402
from sheets.simulation.balance.shipped import shipped_settings  # noqa: E402
from sheets.simulation.games import simulate  # noqa: E402
from sheets.simulation.summary import summarise  # noqa: E402
from sheets.workshop.suggest.suggestion import Wanted, draw_suggestion  # noqa: E402
from sheets.workshop.suggest.tuning import suggest  # noqa: E402

WISHES = {
    "usual": (Wanted(), range(10)),
    "tracks": (Wanted(rails=True, stops=4, bombs=0), range(4)),
}
"""Wishes and their seeds, by name."""

Figures = tuple[float, float, float]


def main() -> None:
    """Print a row for each wish, drawn and tuned, and one for the shipped levels."""
    print(f"{'':16} {'solo median':>22} {'middle half':>20} {'first of two':>20}   CPU s a wish")
    shipped = [figures_of(s.get(1), s.get(2)) for s in shipped_settings().values()]
    tell("shipped", shipped, shipped)
    for name, (wanted, seeds) in WISHES.items():
        wishes = [wanted._replace(seed=seed) for seed in seeds]
        for way, make in (("drawn", draw_suggestion), ("tuned", suggest)):
            found, cost = timed(make, wishes)
            tell(f"{name}, {way}", [play(one) for one in found], shipped, cost)


def timed(make: Callable[[Wanted], Any], wishes: list[Wanted]) -> tuple[list[Any], float]:
    """Return the level of each wish, and the mean CPU time of one in seconds."""
    began = time.process_time()
    found = [make(wish) for wish in wishes]
    return found, (time.process_time() - began) / len(wishes)


def play(document: dict[str, Any]) -> Figures:
    """Return a level's figures, from new games."""
    level = parse_level(document)
    solo, two = (
        summarise(level, simulate(level, players=players, games=games, bot="greedy", seed=2,
                                  processes=1, chunk=games))
        for players, games in plan(level)[:2]
    )  # fmt: skip
    return figures_of(solo, two)


def figures_of(solo: Any, two: Any) -> Figures:
    """Return the solo median, the interquartile range, and the share of wins of the first seat."""
    scores = solo["scores"]
    return scores["median"], scores["upper_quartile"] - scores["lower_quartile"], two["wins"][0]


def tell(name: str, found: Sequence[Figures], shipped: Sequence[Figures], cost: float = 0) -> None:
    """Print a row: each figure's median, its range, and how many are within the shipped range."""
    parts = []
    for own, theirs in zip(zip(*found, strict=True), zip(*shipped, strict=True), strict=True):
        within = sum(min(theirs) <= one <= max(theirs) for one in own)
        spread = f"{statistics.median(own):.3g} ({min(own):.3g}-{max(own):.3g})"
        parts.append(f"{spread} {within}/{len(own)}")
    median, half, wins = parts
    print(f"{name:16} {median:>22} {half:>20} {wins:>24}   {cost or '':.4}", flush=True)


if __name__ == "__main__":
    main()
