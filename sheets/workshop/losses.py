"""What goes with rows and columns that are removed? It is said where it can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.rules.level import parse_column, parse_field
from sheets.workshop.acts import Remove, Size
from sheets.workshop.draft import NUMBERS, Document, Draft


def describe_losses(document: Document, edit: Remove | Size) -> str:
    """One sentence about all that goes from a draft with an edit; empty if that is nothing."""
    what = ", ".join(_losses(Draft(document), edit))
    return what and _("Gone with this change: %(what)s. Undo brings it back.") % {"what": what}


def _losses(draft: Draft, edit: Remove | Size) -> Iterator[str]:
    gone = {name for name in draft.names if _is_gone(edit, *parse_field(name))}
    squares = [square for name, square in draft.places() if name in gone]
    if n := sum(square.number in NUMBERS for square in squares):
        yield ngettext("%(n)d number", "%(n)d numbers", n) % {"n": n}
    if n := sum(bool(square.symbol) for square in squares):
        yield ngettext("%(n)d symbol", "%(n)d symbols", n) % {"n": n}
    if n := sum(square.printed for square in squares):
        yield ngettext("%(n)d printed cross", "%(n)d printed crosses", n) % {"n": n}
    if n := len(gone & draft.parts.get("tracks", {}).keys()):
        yield ngettext("%(n)d printed track", "%(n)d printed tracks", n) % {"n": n}
    lines, areas = draft.parts.get("lines", []), draft.parts.get("areas", [])
    if n := sum("fields" not in line and _is_gone(edit, *_end(line)) for line in lines):
        yield ngettext("%(n)d arrow", "%(n)d arrows", n) % {"n": n}
    chains = [set(line["fields"]) for line in lines if "fields" in line]
    if n := sum(bool(chain & gone) for chain in chains):
        yield ngettext("%(n)d chain or a part of it", "%(n)d chains or parts of them", n) % {"n": n}
    if n := sum(not gone.isdisjoint(area["fields"]) for area in areas):
        yield ngettext("%(n)d area or a part of it", "%(n)d areas or parts of them", n) % {"n": n}
    pairs = [*draft.parts.get("links", []), *draft.parts.get("walls", [])]
    if n := sum(not gone.isdisjoint(pair) for pair in pairs):
        yield ngettext("%(n)d bridge or wall", "%(n)d bridges or walls", n) % {"n": n}


def _end(line: Any) -> tuple[int, int]:
    """Column and row of an arrow, of which it has one; the other is none that goes."""
    return (-1, line["row"] - 1) if "row" in line else (parse_column(line["column"]), -1)


def _is_gone(edit: Remove | Size, column: int, row: int) -> bool:
    if isinstance(edit, Size):
        return column >= edit.columns or row >= edit.rows
    if edit.row is not None:
        return row == edit.row - 1
    return column == parse_column(edit.column or "a")
