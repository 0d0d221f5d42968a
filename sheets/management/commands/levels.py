"""List the shipped levels, or print one as a document."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from sheets.levels import find_level, shipped_levels
from sheets.management.document_command import DocumentCommand
from sheets.rules import Level, format_level


class Command(DocumentCommand):
    """``levels`` or ``levels --show ID``."""

    help = "Lists the shipped levels; with --show prints one as a dizzle-level/1 document."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which level to print, if any."""
        parser.add_argument("--show", metavar="ID", help="print the level with this id")

    def run(self, **options: Any) -> None:
        """Print the list or the document."""
        if options["show"] is not None:
            document = format_level(find_level(options["show"]))
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2))
            return
        for level in shipped_levels().values():
            self.stdout.write(describe(level))


def describe(level: Level) -> str:
    """One line about a level: id, name, size and who can play it."""
    name = level.name.get("en") or level.name.get("", "")
    counts = level.player_counts
    players = f"{counts[0]}-{counts[-1]} players"
    size = f"{level.columns} x {level.rows}, {len(level.fields)} fields"
    return f"{level.id:<10} {name:<20} {size:<22} {players}  difficulty {level.difficulty or '-'}"
