"""How is a table written that spreadsheets of all countries open, and none takes for a program?"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

import regex
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from sheets.people.names import clean_name
from sheets.scoring.score_view import ComparisonRow
from sheets.scoring.standing import Standing

BEGINNING: Final = r"(?:^|(?<=[;,|]))"
"""At the start, or behind what separates cells in some country, where quotes do not hold it."""

SIGN: Final = r"(?=[\s\p{C}\p{Default_Ignorable_Code_Point}\"]*[=+@＝＋－＠﹢﹣﹦﹫-])"

FORMULA: Final = regex.compile(BEGINNING + SIGN)
"""Where a spreadsheet would begin to read a formula."""

HIDDEN_FORMULA: Final = regex.compile(f"{BEGINNING}'{SIGN}")
"""The apostrophe that hides a formula from spreadsheets."""


def score_table(standing: Standing, rows: Sequence[ComparisonRow]) -> bytes:
    """Everybody's score column as a line of the table, as the bytes of a file."""
    table: list[list[str | int]] = [
        [_("Player"), *(row.name for row in rows), _("Total"), _("Crosses")]
    ]
    for i, rank in enumerate(standing.ranks):
        amounts = [row.amounts[i] for row in rows]
        table.append([rank.name, *amounts, rank.score.total, rank.score.marks])
    return format_table(table).encode("utf-8-sig")


def format_table(rows: Iterable[Iterable[str | float]]) -> str:
    """Rows of texts and numbers as CSV, everything in quotes.

    Where the reader's language has a decimal comma, spreadsheets expect semicolons between cells.
    """
    decimal = get_format("DECIMAL_SEPARATOR")
    table = io.StringIO(newline="")
    delimiter = ";" if decimal == "," else ","
    writer = csv.writer(table, quoting=csv.QUOTE_ALL, delimiter=delimiter)
    for row in rows:
        writer.writerow(
            as_text(cell) if isinstance(cell, str) else f"{cell:.10g}".replace(".", decimal)
            for cell in row
        )
    return table.getvalue()


def as_text(text: str) -> str:
    """A text in one line in which no spreadsheet finds a formula: an apostrophe stands before it.

    >>> as_text("=1+1"), as_text("Anna;=1"), as_text("Anna-Lena")
    ("'=1+1", "Anna;'=1", 'Anna-Lena')
    """
    return str(FORMULA.sub("'", clean_name(text)))


def as_typed(text: str) -> str:
    """A text without the apostrophes that `as_text` puts into it.

    >>> as_typed("'=1+1"), as_typed("D'Arcy")
    ('=1+1', "D'Arcy")
    """
    return str(HIDDEN_FORMULA.sub("", text))
