"""Parser of final sheets for commands, which cannot ask the user about unclear numbers."""

from __future__ import annotations

from sheets.documents.structure import read_sheets
from sheets.levels import find_level
from sheets.rules import DocumentError
from sheets.rules.paper_scoring import Paper


def read_unambiguous_sheets(text: bytes) -> Paper:
    """Return the sheets of a ``dizzle-sheets/1``.

    Raises:
        DocumentError: the document is invalid, or several players reached the same number track and
            it does not say which number each of them circled.
    """
    paper = read_sheets(text, find_level)
    if paper.unclear:
        unclear = paper.unclear[0]
        place = ("sheets", unclear.player, unclear.track.entry, unclear.track.key)
        raise DocumentError("number-unclear", place)
    return paper
