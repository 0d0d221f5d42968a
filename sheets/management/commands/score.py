"""`manage.py score`: score final sheets."""

from __future__ import annotations

from typing import Any

from sheets.management.document_command import DocumentCommand, read_bytes
from sheets.management.paper_file import read_unambiguous_sheets
from sheets.rules.documents.game import format_scores
from sheets.rules.doubts import find_doubts
from sheets.rules.paper_scoring import score_paper
from sheets.text.doubts import describe_doubt


class Command(DocumentCommand):
    """``score SHEETS``."""

    help = "Scores a dizzle-sheets/1 document and prints the scores as JSON."

    def run(self, **options: Any) -> None:
        """Print scores, winners and warnings."""
        paper = read_unambiguous_sheets(read_bytes(options["file"]))
        result = score_paper(paper)
        self.print_document(
            {
                "ok": True,
                "scores": format_scores(paper.players, result.scores),
                "winners": list(result.outcome.winners),
                "warnings": [describe_doubt(doubt, paper) for doubt in find_doubts(paper)],
            }
        )
