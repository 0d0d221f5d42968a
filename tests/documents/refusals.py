"""Check that documents are refused, each at the place of its fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sheets.rules import DocumentError
from sheets.rules.violations import FAULTS, format_place
from tests.documents.examples import Document


def not_refused_there(
    read: Callable[[Document], object], refused: Iterable[tuple[Document, str]]
) -> list[tuple[Document, object]]:
    """Return the changes that are not refused with a known fault at their place.

    Args:
        read: reads a good document with a change.
        refused: each change, and the place that its refusal must name.
    """
    wrong: list[tuple[Document, object]] = []
    for change, place in refused:
        try:
            read(change)
        except DocumentError as refusal:
            is_known = refusal.fault in FAULTS and str(refusal).isprintable()
            if format_place(refusal.place) != place or not is_known:
                wrong.append((change, refusal))
        else:
            wrong.append((change, "accepted"))
    return wrong
