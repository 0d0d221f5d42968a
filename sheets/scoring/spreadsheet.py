"""How is a table written that spreadsheets of all countries open, and none takes for a program?"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

import regex

from sheets.people.names import clean_name

FORMULA: Final = regex.compile(
    # At the start, or behind what separates cells in some country, where quotes do not hold it.
    r"(?:^|(?<=[;,|]))"
    r"(?=[\s\p{C}\p{Default_Ignorable_Code_Point}\"]*[=+@＝＋－＠﹢﹣﹦﹫-])"
)
"""Where a spreadsheet would begin to read a formula."""


def format_table(rows: Iterable[Iterable[str | int]]) -> str:
    """Rows of texts and numbers as CSV, everything in quotes."""
    table = io.StringIO(newline="")
    writer = csv.writer(table, quoting=csv.QUOTE_ALL)
    for row in rows:
        writer.writerow([as_text(cell) if isinstance(cell, str) else cell for cell in row])
    return table.getvalue()


def as_text(text: str) -> str:
    """A text in one line in which no spreadsheet finds a formula: an apostrophe stands before it.

    >>> as_text("=1+1"), as_text("Anna;=1"), as_text("Anna-Lena")
    ("'=1+1", "Anna;'=1", 'Anna-Lena')
    """
    return str(FORMULA.sub("'", clean_name(text)))
