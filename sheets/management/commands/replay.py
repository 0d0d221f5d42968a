"""Replay recorded games and print where they stand."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from typing import Any

from sheets.documents import read_game
from sheets.levels import find_level
from sheets.management.document_command import (
    BREAKS_A_RULE,
    DocumentCommand,
    read_bytes,
    read_lines,
)
from sheets.rules import DocumentError
from sheets.rules.record import replay_record
from sheets.sentences import explain


class Command(DocumentCommand):
    """``replay GAME`` or ``replay --lines FILE``."""

    help = "Replays a dizzle-game/1 document and prints its state as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and whether it has one game per line."""
        super().add_arguments(parser)
        parser.add_argument(
            "--lines", action="store_true", help="one game per line in, one result per line out"
        )

    def run(self, **options: Any) -> None:
        """Print the result of each game."""
        if options["lines"]:
            for line in read_lines(options["file"]):
                self.print_document(replay_line(line))
            return
        result = replay_text(read_bytes(options["file"]))
        self.print_document(result)
        if not result["ok"]:
            raise SystemExit(BREAKS_A_RULE)


def replay_text(text: bytes) -> dict[str, Any]:
    """The result document of one game. Raises DocumentError."""
    record = read_game(text, find_level)
    return replay_record(record, partial(explain, players=record.players))


def replay_line(line: bytes) -> dict[str, Any]:
    """The result of one line; a game that cannot be used gives a result as well."""
    try:
        return replay_text(line)
    except DocumentError as error:
        message = " ".join(str(error).split())
        return {"ok": False, "error": {"action": None, "rule": None, "message": message}}
