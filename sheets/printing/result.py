"""Printed result of a game that was scored without its sheets: one table of all categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.art.layout import format_amount
from sheets.art.render.fonts import fitted_size, truncate, wrap
from sheets.art.render.items import DrawnPage, Item, Part, PlacedPart, TextLine, line, stamp
from sheets.printing.geometry import PAPERS
from sheets.printing.paper_palette import print_palette
from sheets.text.labels import with_label

EDGE_MM: Final = 18.0
"""Margin of the page at the left and the right."""

LABELS_MM: Final = 46.0
"""Width of the column with the names of the categories."""

ROW_MM: Final = 11.0
"""Height of a row of the table."""

TEXT_MM: Final = 4.6
"""Maximum font size of the table, apart from its total."""


class CategoryRow(NamedTuple):
    """A score category with the points of each player; ``symbol`` is a drawing id, or empty."""

    label: str
    symbol: str
    amounts: Sequence[int]


def draw_result_page(
    title: str,
    verdict: str,
    names: Sequence[str],
    rows: Sequence[CategoryRow],
    totals: Sequence[int],
    *,
    day: str = "",
) -> DrawnPage:
    """Return a page with the result of a game.

    Args:
        title: the heading, and the title of the page.
        verdict: the sentence that names the winners; may be empty.
        names: the players, by seat.
        rows: the categories, without the total.
        totals: the total of each player.
        day: the date of the game; may be empty.
    """
    width, height = PAPERS["a4"]
    parts = [Part("H1", (TextLine(title, EDGE_MM, 30, 9, True),))]
    if day:
        parts.append(Part("P", (TextLine(day, EDGE_MM, 37.5, 4.5),)))
    y = 46.0
    for text in wrap(verdict, 6.5, width - 2 * EDGE_MM, bold=True):
        parts.append(Part("P", (TextLine(text, EDGE_MM, y, 6.5, True),)))
        y += 9
    step = (width - 2 * EDGE_MM - LABELS_MM) / len(names)
    ends = [EDGE_MM + LABELS_MM + step * (i + 1) for i in range(len(names))]
    heads = []
    for name, end in zip(names, ends, strict=True):
        size = fitted_size(name, TEXT_MM, step - 3, bold=True)
        shown = truncate(name, size, step - 3, bold=True)
        heads.append(TextLine(shown, end, y + 7, size, True, "text", "end"))
    parts.append(Part("P", tuple(heads)))
    y += ROW_MM
    for row in rows:
        parts.append(_row(row, names, ends, y, width))
        y += ROW_MM
    parts.append(_row(CategoryRow(_("Total"), "", totals), names, ends, y, width, is_total=True))
    return DrawnPage(
        width,
        height,
        print_palette(bw=False, dark=True),
        tuple(PlacedPart(part, 0) for part in parts),
        (),
        title,
    )


def _row(
    row: CategoryRow,
    names: Sequence[str],
    ends: Sequence[float],
    y: float,
    width: float,
    *,
    is_total: bool = False,
) -> Part:
    amounts = [format_amount(amount) for amount in row.amounts]
    spoken = ", ".join(f"{name} {amount}" for name, amount in zip(names, amounts, strict=True))
    return Part(
        "P",
        tuple(_row_items(row, amounts, ends, y, width, is_total)),
        says=with_label(row.label, spoken),
    )


def _row_items(
    row: CategoryRow,
    amounts: Sequence[str],
    ends: Sequence[float],
    y: float,
    width: float,
    is_total: bool,
) -> Iterator[Item]:
    yield line((EDGE_MM, y), (width - EDGE_MM, y), 0.5 if is_total else 0.18)
    if row.symbol:
        yield stamp(row.symbol, EDGE_MM, y + 1.8, 7.4)
    size = 6.0 if is_total else TEXT_MM
    left = EDGE_MM + (10 if row.symbol else 0)
    label_mm = fitted_size(row.label, size, EDGE_MM + LABELS_MM - left, bold=is_total)
    yield TextLine(row.label, left, y + 7.4, label_mm, is_total)
    for amount, end in zip(amounts, ends, strict=True):
        yield TextLine(amount, end, y + 7.4, size, True, "text", "end")
