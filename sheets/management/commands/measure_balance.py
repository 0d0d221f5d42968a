"""Measure the shipped levels for the figures that balance reports are compared with."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from hashlib import sha256
from typing import Any

from tqdm import tqdm

from sheets.balance import key_figures, measure, plan
from sheets.levels import shipped_levels
from sheets.management.document_command import DocumentCommand, format_json
from sheets.rules import Level, format_level


class Command(DocumentCommand):
    """``measure_balance > sheets/balance_figures.json``."""

    help = "Measures every shipped level with bots and prints sheets/balance_figures.json."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """There is nothing to choose: the figures are compared with reports made the same way."""

    def run(self, **options: Any) -> None:
        """Print the document."""
        levels = shipped_levels()
        total = sum(setting.games for level in levels.values() for setting in plan(level))
        with tqdm(total=total, unit="game", disable=not sys.stderr.isatty(), leave=False) as bar:
            found = {id: _figures(level, bar) for id, level in levels.items()}
        document = {"digests": {id: digest(level) for id, level in levels.items()}, "levels": found}
        self.print_document(document, indent=1)


def digest(level: Level) -> str:
    """By which a level is known again: changed levels have to be measured again."""
    return sha256(format_json(format_level(level)).encode()).hexdigest()[:16]


def _figures(level: Level, bar: Any) -> dict[str, Any]:
    document = measure(level, plan(level), on_progress=bar.update)
    return {
        str(setting["players"]): key_figures(level, setting) for setting in document["settings"]
    }
