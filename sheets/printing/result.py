"""Result page of a game that was scored without its sheets: one table of all categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.artwork.layout import number
from sheets.geometry import PAPERS
from sheets.printing.inks import inks
from sheets.render.fonts import cut, fit, wrap
from sheets.render.items import DrawnPage, Item, Part, Placed, Words, line, stamp

EDGE_MM: Final = 18.0
"""Margin of the page at the left and the right."""

LABELS_MM: Final = 46.0
"""Width of the column with the names of the categories."""

ROW_MM: Final = 11.0
"""Height of a row of the table."""

TEXT_MM: Final = 4.6
"""Maximum font size of the table, apart from its total."""


class ResultRow(NamedTuple):
    """A category with the amount of each player; ``symbol`` is the id of a drawing, or empty."""

    label: str
    symbol: str
    amounts: Sequence[int]


def draw_result_page(
    title: str,
    verdict: str,
    names: Sequence[str],
    rows: Sequence[ResultRow],
    totals: Sequence[int],
    *,
    day: str = "",
) -> DrawnPage:
    """Return the result page.

    Args:
        title: the heading, and the title of the page.
        verdict: the sentence that names the winners; may be empty.
        names: the players, by seat.
        rows: the categories, without the total.
        totals: the total of each player.
        day: the date of the game; may be empty.
    """
    width, height = PAPERS["a4"]
    parts = [Part("H1", (Words(title, EDGE_MM, 30, 9, True),))]
    if day:
        parts.append(Part("P", (Words(day, EDGE_MM, 37.5, 4.5),)))
    y = 46.0
    for text in wrap(verdict, 6.5, width - 2 * EDGE_MM, bold=True):
        parts.append(Part("P", (Words(text, EDGE_MM, y, 6.5, True),)))
        y += 9
    step = (width - 2 * EDGE_MM - LABELS_MM) / len(names)
    ends = [EDGE_MM + LABELS_MM + step * (i + 1) for i in range(len(names))]
    heads = []
    for name, end in zip(names, ends, strict=True):
        size = fit(name, TEXT_MM, step - 3, bold=True)
        shown = cut(name, size, step - 3, bold=True)
        heads.append(Words(shown, end, y + 7, size, True, "text", "end"))
    parts.append(Part("P", tuple(heads)))
    y += ROW_MM
    for row in rows:
        parts.append(_row(row, names, ends, y, width))
        y += ROW_MM
    parts.append(_row(ResultRow(_("Total"), "", totals), names, ends, y, width, is_total=True))
    return DrawnPage(
        width,
        height,
        inks(bw=False, dark=True),
        tuple(Placed(part, 0) for part in parts),
        (),
        title,
    )


def _row(
    row: ResultRow,
    names: Sequence[str],
    ends: Sequence[float],
    y: float,
    width: float,
    *,
    is_total: bool = False,
) -> Part:
    amounts = [number(amount) for amount in row.amounts]
    said = ", ".join(f"{name} {amount}" for name, amount in zip(names, amounts, strict=True))
    return Part(
        "P", tuple(_row_items(row, amounts, ends, y, width, is_total)), says=f"{row.label}: {said}"
    )


def _row_items(
    row: ResultRow,
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
    label_mm = fit(row.label, size, EDGE_MM + LABELS_MM - left, bold=is_total)
    yield Words(row.label, left, y + 7.4, label_mm, is_total)
    for amount, end in zip(amounts, ends, strict=True):
        yield Words(amount, end, y + 7.4, size, True, "text", "end")
