"""`manage.py levels`: list shipped levels, print one as a document, or check a level file."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from sheets.documents.structure import LevelDocument, decode, read_level
from sheets.levels import find_level, shipped_levels
from sheets.management.command_errors import CommandRefused
from sheets.management.document_command import DocumentCommand, format_json, read_bytes
from sheets.rules import DocumentError, Level, format_level
from sheets.rules.design_warnings import find_design_warnings
from sheets.simulation.balance.sentences import describe_trial
from sheets.simulation.balance.trial import try_level
from sheets.text.design_warnings import describe_warning
from sheets.workshop.checks import find_errors, is_draft


class Command(DocumentCommand):
    """``levels``, ``levels --show ID`` or ``levels --check FILE``."""

    help = (
        "Lists the shipped levels; with --show prints one as a dizzle-level/1 document, with "
        "--check says what is odd about the level in a file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the level to print or check, if any."""
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--show", metavar="ID", help="print the level with this id")
        choice.add_argument(
            "--check",
            metavar="FILE",
            dest="file",
            help="check a level's file, - for standard input",
        )

        parser.add_argument(
            "--try",
            action="store_true",
            dest="is_tried",
            help="with --check: let bots play a few games alone, and say what came of it",
        )

    def run(self, **options: Any) -> None:
        """Print the list, the document or the warnings."""
        if options["file"] is not None:
            level = read_checked(read_bytes(options["file"]))
            tried = {"tried": trial(level)} if options["is_tried"] else {}
            self.print_document(check(level) | tried, indent=2)
            return
        if options["show"] is not None:
            self.print_document(format_level(find_level(options["show"])), indent=2)
            return
        lines = [format_json(describe(level)) for level in shipped_levels().values()]
        self.stdout.write("[\n" + ",\n".join(lines) + "\n]")


def describe(level: Level) -> dict[str, Any]:
    """Return a level's entry in the list: size, numbers of players, difficulty."""
    return {
        "id": level.id,
        "name": level.document["name"],
        "columns": level.columns,
        "rows": level.rows,
        "fields": len(level.fields),
        "players": list(level.player_counts),
        "difficulty": level.difficulty or None,
    }


def read_checked(text: bytes) -> Level:
    """Parse a level's file.

    Raises:
        CommandRefused: the level has errors that the editor would show; the message lists them.
        DocumentError: the file has any other fault.
    """
    try:
        return read_level(text)
    except DocumentError:
        document = decode(text, LevelDocument)
        if not is_draft(document):
            raise
        sentences = " ".join(found.sentence for found in find_errors(document))
        raise CommandRefused(sentences) from None


def trial(level: Level) -> dict[str, Any] | None:
    """Return the results of a few solo games of bots; None for a level without solo games."""
    found = try_level(level)
    return found and {
        "games": found.games,
        "median": found.median,
        "ours": list(found.ours),
        "is_far": found.is_far,
        "message": describe_trial(found),
    }


def check(level: Level) -> dict[str, Any]:
    """Return the result of a check: the design warnings about a level, most serious first."""
    return {
        "ok": True,
        "level": level.id,
        "advice": [
            {
                "name": warning.name,
                "fields": list(warning.fields),
                "key": warning.key,
                "message": describe_warning(warning, level),
            }
            for warning in find_design_warnings(level)
        ],
    }
