"""CSV export for spreadsheets in any locale, with protection against formula injection."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

import regex
from django.utils.formats import get_format
from django.utils.translation import gettext as _

from sheets.names.cleaning import clean_name
from sheets.scoring.ranking import Standing
from sheets.scoring.score_view import ComparisonRow

CELL_START: Final = r"(?:^|(?<=[;,|]))"
"""Pattern of the start of a text or of a cell in it. A spreadsheet that ignores quotes splits the
text at the separator of its locale."""

FORMULA_SIGN: Final = r"(?=[\s\p{C}\p{Default_Ignorable_Code_Point}\"]*[=+@＝＋－＠﹢﹣﹦﹫-])"
"""Lookahead for a character that starts a formula, after any blank or invisible characters."""

FORMULA: Final = regex.compile(CELL_START + FORMULA_SIGN)
"""Pattern of a position at which a spreadsheet would start to read a formula."""

ESCAPED_FORMULA: Final = regex.compile(f"{CELL_START}'{FORMULA_SIGN}")
"""Pattern of an apostrophe that `escape_formulas` inserts."""


def score_table(standing: Standing, rows: Sequence[ComparisonRow]) -> bytes:
    """Return a CSV file with a row of headings and one row for each player."""
    table: list[list[str | int]] = [
        [_("Player"), *(row.name for row in rows), _("Total"), _("Crosses")]
    ]
    for i, rank in enumerate(standing.ranks):
        amounts = [row.amounts[i] for row in rows]
        table.append([rank.name, *amounts, rank.score.total, rank.score.marks])
    return format_table(table).encode("utf-8-sig")


def format_table(rows: Iterable[Iterable[str | float]]) -> str:
    """Format rows of texts and numbers as CSV, with quotes around all cells.

    In languages with a decimal comma, spreadsheets expect semicolons between cells.
    """
    decimal = get_format("DECIMAL_SEPARATOR")
    table = io.StringIO(newline="")
    delimiter = ";" if decimal == "," else ","
    writer = csv.writer(table, quoting=csv.QUOTE_ALL, delimiter=delimiter)
    for row in rows:
        writer.writerow(
            escape_formulas(cell) if isinstance(cell, str) else f"{cell:.10g}".replace(".", decimal)
            for cell in row
        )
    return table.getvalue()


def escape_formulas(text: str) -> str:
    """Return the text in one line, with an apostrophe before each formula.

    >>> escape_formulas("=1+1"), escape_formulas("Anna;=1"), escape_formulas("Anna-Lena")
    ("'=1+1", "Anna;'=1", 'Anna-Lena')
    """
    return str(FORMULA.sub("'", clean_name(text)))


def unescape_formulas(text: str) -> str:
    """Remove the apostrophes that `escape_formulas` inserted.

    >>> unescape_formulas("'=1+1"), unescape_formulas("D'Arcy")
    ('=1+1', "D'Arcy")
    """
    return str(ESCAPED_FORMULA.sub("", text))
