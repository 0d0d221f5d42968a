"""Base of commands that replay recorded games: one game, or one game per line of a file."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from sheets.management.document_command import (
    BREAKS_A_RULE,
    DocumentCommand,
    read_bytes,
    read_lines,
)
from sheets.rules import DocumentError
from sheets.text.faults import format_fault


class ReplayCommand(DocumentCommand):
    """Command that prints the result of one game, or with ``--lines`` of one game per line."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and ``--lines``."""
        super().add_arguments(parser)
        parser.add_argument(
            "--lines", action="store_true", help="one game per line in, one result per line out"
        )

    def result_of(self, text: bytes) -> dict[str, Any]:
        """Return the result document of a game. Raises DocumentError."""
        raise NotImplementedError

    def run(self, **options: Any) -> None:
        """Print the result of each game; exit status 1 if a single game breaks a rule."""
        if options["lines"]:
            for line in read_lines(options["file"]):
                self.print_document(self._result_of_line(line))
            return
        result = self.result_of(read_bytes(options["file"]))
        self.print_document(result)
        if not result["ok"]:
            raise SystemExit(BREAKS_A_RULE)

    def _result_of_line(self, line: bytes) -> dict[str, Any]:
        """Return the result of one line; for an invalid document, a result with the error."""
        try:
            return self.result_of(line)
        except DocumentError as error:
            message = format_fault(error)
            return {"ok": False, "error": {"action": None, "rule": None, "message": message}}
