"""A balance report for a terminal: the figures of the page as tables, without the plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from sheets.balance.figure import Figure
from sheets.balance.page import shown
from sheets.balance.shipped import Company
from sheets.rules import Level


def format_report(level: Level, document: Mapping[str, Any], company: Company) -> str:
    """All that the page of a report says, in the language of who is reading."""
    found = shown(level, document, company)
    lines = [_("In three sentences"), ""]
    lines += [f"{place}. {said}" for place, said in enumerate(found["sentences"], start=1)]
    figures = [*found["figures"], *(f for *_panel, panel in found["panels"] for f in panel)]
    for figure in figures:
        lines += ["", *_figure_lines(figure)]
    return "\n".join(lines)


def _figure_lines(figure: Figure) -> Iterator[str]:
    yield figure.title
    yield figure.sentence
    yield ""
    yield from _table([figure.head, *figure.rows])


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they must be: words at the left, figures at the right."""
    columns = list(zip(*rows, strict=True))
    sides = ["<" if cells[1][:1].isalpha() else ">" for cells in columns]
    sides[0] = "<"
    widths = [max(map(len, cells)) for cells in columns]
    for row in rows:
        cells = zip(row, sides, widths, strict=True)
        yield f"  {'  '.join(f'{cell:{side}{width}}' for cell, side, width in cells)}".rstrip()
