"""List the shipped levels, or print one as a document."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from sheets.levels import find_level, shipped_levels
from sheets.management.document_command import DocumentCommand, format_json
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
            self.print_document(format_level(find_level(options["show"])), indent=2)
            return
        lines = [format_json(describe(level)) for level in shipped_levels().values()]
        self.stdout.write("[\n" + ",\n".join(lines) + "\n]")


def describe(level: Level) -> dict[str, Any]:
    """What the list says about a level: size, who can play it, how hard it is."""
    return {
        "id": level.id,
        "name": level.document["name"],
        "columns": level.columns,
        "rows": level.rows,
        "fields": len(level.fields),
        "players": list(level.player_counts),
        "difficulty": level.difficulty or None,
    }
