"""Measure the shipped levels for the figures that balance reports are compared with."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from hashlib import sha256
from typing import Any

from tqdm import tqdm

from sheets.levels import shipped_levels
from sheets.management.document_command import DocumentCommand, format_json
from sheets.rules import Level, format_level
from sheets.simulation.balance.report import measure, plan


class Command(DocumentCommand):
    """``measure_balance > sheets/balance/figures.json``."""

    help = "Measures every shipped level with bots and prints sheets/balance/figures.json."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """There is nothing to choose: the figures are compared with reports made the same way."""

    def run(self, **options: Any) -> None:
        """Print the document."""
        levels = shipped_levels()
        total = sum(setting.games for level in levels.values() for setting in plan(level))
        with tqdm(total=total, unit="game", disable=not sys.stderr.isatty(), leave=False) as bar:
            found = {
                id: measure(level, plan(level), on_progress=bar.update)["settings"]
                for id, level in levels.items()
            }
        self.stdout.write(
            format_figures({id: digest(level) for id, level in levels.items()}, found)
        )


def digest(level: Level) -> str:
    """By which a level is known again: changed levels have to be measured again."""
    return sha256(format_json(format_level(level)).encode()).hexdigest()[:16]


def format_figures(digests: dict[str, str], found: dict[str, list[dict[str, Any]]]) -> str:
    """The document, with a line for each number of players: a change shows where it is."""
    levels = [
        f' "{id}": [\n' + ",\n".join(f"  {format_json(setting)}" for setting in settings) + "\n ]"
        for id, settings in found.items()
    ]
    return f'{{"digests": {format_json(digests)},\n"levels": {{\n' + ",\n".join(levels) + "\n}}"
