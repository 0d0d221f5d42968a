"""Score final sheets."""

from __future__ import annotations

from typing import Any

from sheets.documents import read_sheets
from sheets.doubt_sentences import describe_doubt
from sheets.levels import find_level
from sheets.management.document_command import DocumentCommand, read_bytes
from sheets.rules import DocumentError
from sheets.rules.doubts import find_doubts
from sheets.rules.paper import score_paper
from sheets.rules.record import format_scores


class Command(DocumentCommand):
    """``score SHEETS``."""

    help = "Scores a dizzle-sheets/1 document and prints the scores as JSON."

    def run(self, **options: Any) -> None:
        """Print scores, winners and warnings."""
        paper = read_sheets(read_bytes(options["file"]), find_level)
        if paper.unclear:
            unclear = paper.unclear[0]
            raise DocumentError(
                f"sheets entry {unclear.player + 1} {unclear.kind}s",
                f"several sheets have {unclear.kind} {unclear.key}: say which number is circled",
            )
        result = score_paper(paper)
        self.print_document(
            {
                "ok": True,
                "scores": format_scores(paper.players, result.scores),
                "winners": list(result.outcome.winners),
                "warnings": [describe_doubt(doubt, paper) for doubt in find_doubts(paper)],
            }
        )
