"""How do the commands behave that replay recorded games, one by one or line by line?"""

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
from sheets.texts.faults import format_fault


class ReplayCommand(DocumentCommand):
    """Prints the result of one game, or with ``--lines`` one result per line of games."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and whether it has one game per line."""
        super().add_arguments(parser)
        parser.add_argument(
            "--lines", action="store_true", help="one game per line in, one result per line out"
        )

    def result_of(self, text: bytes) -> dict[str, Any]:
        """The result document of one game. Raises DocumentError."""
        raise NotImplementedError

    def run(self, **options: Any) -> None:
        """Print the result of each game."""
        if options["lines"]:
            for line in read_lines(options["file"]):
                self.print_document(self._result_of_line(line))
            return
        result = self.result_of(read_bytes(options["file"]))
        self.print_document(result)
        if not result["ok"]:
            raise SystemExit(BREAKS_A_RULE)

    def _result_of_line(self, line: bytes) -> dict[str, Any]:
        """The result of one line; a game that cannot be used gives a result as well."""
        try:
            return self.result_of(line)
        except DocumentError as error:
            message = format_fault(error)
            return {"ok": False, "error": {"action": None, "rule": None, "message": message}}
