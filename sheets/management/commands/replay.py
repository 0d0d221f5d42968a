"""Replay recorded games and print where they stand."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from sheets.documents import MAX_BYTES, read_game
from sheets.levels import find_level
from sheets.management.document_command import BREAKS_A_RULE, DocumentCommand, read_bytes
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
    return replay_record(read_game(text, find_level), explain)


def replay_line(line: bytes) -> dict[str, Any]:
    """The result of one line; a game that cannot be used gives a result as well."""
    try:
        return replay_text(line)
    except DocumentError as error:
        message = " ".join(str(error).split())
        return {"ok": False, "error": {"action": None, "rule": None, "message": message}}


def read_lines(name: str) -> Iterator[bytes]:
    """The lines of a file, each cut one byte after the largest size a document may have."""
    with ExitStack() as stack:
        if name == "-":
            file: BinaryIO = sys.stdin.buffer
        else:
            try:
                file = stack.enter_context(Path(name).open("rb"))
            except (OSError, ValueError) as error:
                raise DocumentError("", f"cannot be read: {error}") from None
        while line := file.readline(MAX_BYTES + 1):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = file.readline(MAX_BYTES + 1)
                line = line if len(line) > MAX_BYTES else line + rest
            yield line.rstrip(b"\r\n")
