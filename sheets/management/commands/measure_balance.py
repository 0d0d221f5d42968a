"""`manage.py measure_balance`: measure the shipped levels with bots, for later comparisons."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from tqdm import tqdm

from sheets.groups.game_results import level_digest
from sheets.levels import shipped_levels
from sheets.management.document_command import DocumentCommand, format_json
from sheets.management.output_file import add_output_option, open_output
from sheets.rules import Level
from sheets.simulation.balance.report import BOT, SEED, measure, plan_games
from sheets.simulation.games import simulate

COMPARISON_GAMES: Final = 2000
"""Number of games for each number of players. Their totals are compared with those of groups."""

Histograms = Mapping[int, Mapping[str, Any]]
"""Histogram of a level's totals, by number of players.

``games`` is the number of games, ``least`` the lowest total. ``counts`` are the numbers of sheets
with the total ``least``, with ``least + 1``, and so on up to the highest total.
"""


class Command(DocumentCommand):
    """``measure_balance -o sheets/simulation/balance/figures.json``."""

    help = (
        "Measures every shipped level with bots and writes sheets/simulation/balance/figures.json. "
        "That takes about two minutes on two cores; if it is interrupted, the file stays as it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the output file only: bot and seed are those of the reports to compare with."""
        add_output_option(parser)

    def run(self, **options: Any) -> None:
        """Write the document."""
        with open_output(options["output"]) as file:
            file.write(self._measure().encode() + b"\n")

    def _measure(self) -> str:
        levels = shipped_levels()
        total = sum(
            setting.games + COMPARISON_GAMES
            for level in levels.values()
            for setting in plan_games(level)
        )
        with tqdm(total=total, unit="game", disable=not sys.stderr.isatty(), leave=False) as bar:
            found = {
                id: measure(level, plan_games(level), on_progress=bar.update)["settings"]
                for id, level in levels.items()
            }
            totals = {id: comparison_totals(level, bar.update) for id, level in levels.items()}
        return format_figures(
            {id: level_digest(level) for id, level in levels.items()}, found, totals
        )


def comparison_totals(level: Level, on_progress: Callable[[int], object]) -> Histograms:
    """Play the games for comparisons, and return the histograms of their totals.

    Bot and seed are those of the balance reports, so the reports' games are the first of these.
    """
    found = {}
    for players in level.player_counts:
        tally = simulate(
            level,
            players=players,
            games=COMPARISON_GAMES,
            bot=BOT,
            seed=SEED,
            on_progress=on_progress,
        )
        found[players] = histogram(tally.games, tally.totals)
    return found


def histogram(games: int, totals: list[int]) -> dict[str, Any]:
    """Return the histogram of the totals, an entry of `Histograms`."""
    sheets = Counter(totals)
    least, most = min(sheets), max(sheets)
    return {
        "games": games,
        "least": least,
        "counts": [sheets[total] for total in range(least, most + 1)],
    }


def format_figures(
    digests: dict[str, str],
    found: dict[str, list[dict[str, Any]]],
    totals: Mapping[str, Histograms],
) -> str:
    """Return the document with a line for each number of players, for readable diffs."""
    levels = [
        f' "{id}": [\n' + ",\n".join(f"  {format_json(setting)}" for setting in settings) + "\n ]"
        for id, settings in found.items()
    ]
    many = [
        f' "{id}": {{\n'
        + ",\n".join(f'  "{players}": {format_json(one)}' for players, one in histograms.items())
        + "\n }"
        for id, histograms in totals.items()
    ]
    return "\n".join(
        (
            f'{{"digests": {format_json(digests)},',
            '"levels": {',
            ",\n".join(levels),
            "},",
            '"totals": {',
            ",\n".join(many),
            "}}",
        )
    )
