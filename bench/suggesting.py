"""Do suggested levels play as the shipped ones do, and what does it cost to find such?

The usual wish, and one with tracks, under several numbers each: beside the levels that are kept,
the first of each number, as it is drawn and once bots have tried what it pays. What is told comes
of games by which nothing was chosen, as many as the shipped levels' figures come of.
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
from sheets.workshop.suggest.trying import suggest_tried  # noqa: E402
from sheets.workshop.suggest.tuning import suggest  # noqa: E402

WISHES = {
    "usual": (Wanted(), range(0, 1000, 100)),
    "tracks": (Wanted(rails=True, stops=4, bombs=0), range(0, 400, 100)),
}
"""With numbers so far apart that no suggestion is tried for two of them."""

Figures = tuple[float, float, float]


def main() -> None:
    """Print a row for each wish and way, and one for the shipped levels."""
    print(f"{'':16} {'solo median':>22} {'middle half':>20} {'first of two':>20}   CPU s a wish")
    shipped = [figures_of(s.get(1), s.get(2)) for s in shipped_settings().values()]
    tell("shipped", shipped, shipped)
    for name, (wanted, seeds) in WISHES.items():
        wishes = [wanted._replace(seed=seed) for seed in seeds]
        for way, make in (("drawn", draw_suggestion), ("tuned", suggest)):
            first, cost = timed(make, wishes)
            tell(f"{name}, {way}", [play(one) for one in first], shipped, cost)
        kept, cost = timed(suggest_tried, wishes)
        played = [play(one.document) for found in kept for one in found]
        tell(f"{name}, kept", played, shipped, cost)


def timed(make: Callable[[Wanted], Any], wishes: list[Wanted]) -> tuple[list[Any], float]:
    """What comes of each wish, and the seconds of a processor for one."""
    began = time.process_time()
    found = [make(wish) for wish in wishes]
    return found, (time.process_time() - began) / len(wishes)


def play(document: dict[str, Any]) -> Figures:
    """A level's figures, from new games."""
    level = parse_level(document)
    solo, two = (
        summarise(level, simulate(level, players=players, games=games, bot="greedy", seed=2,
                                  processes=1, chunk=games))
        for players, games in plan(level)[:2]
    )  # fmt: skip
    return figures_of(solo, two)


def figures_of(solo: Any, two: Any) -> Figures:
    """The solo median, how wide the middle half of the scores is, and how often the first wins."""
    scores = solo["scores"]
    return scores["median"], scores["upper_quartile"] - scores["lower_quartile"], two["wins"][0]


def tell(name: str, found: Sequence[Figures], shipped: Sequence[Figures], cost: float = 0) -> None:
    """A row: of each figure the middle, the range, and how many are within the shipped levels'."""
    parts = []
    for own, theirs in zip(zip(*found, strict=True), zip(*shipped, strict=True), strict=True):
        within = sum(min(theirs) <= one <= max(theirs) for one in own)
        spread = f"{statistics.median(own):.3g} ({min(own):.3g}-{max(own):.3g})"
        parts.append(f"{spread} {within}/{len(own)}")
    median, half, wins = parts
    print(f"{name:16} {median:>22} {half:>20} {wins:>24}   {cost or '':.4}", flush=True)


if __name__ == "__main__":
    main()
