"""Protection of CSV exports against formula injection, for all separators."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.test import Client
from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st

from sheets.scoring.spreadsheet import escape_formulas, format_table
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin

FORMULA_SIGNS = "=+-@＝＋－＠﹢﹣﹦﹫"
"""Characters that start a formula in some spreadsheet."""

IGNORED = r"[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\"]"
"""Pattern of blank and invisible characters, which a spreadsheet may ignore before a formula."""

NUMBER = re.compile(r"-?\d+\Z")
"""Pattern of an integer, which is no formula."""


def cells(text: str, separator: str) -> list[str]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [cell for row in reader for cell in row]


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet that ignores blanks, quotes and invisible characters sees a formula."""
    if NUMBER.match(cell.strip('"')):
        return False
    return re.sub(f"^{IGNORED}*", "", cell)[:1] in tuple(FORMULA_SIGNS)


TEXTS = st.lists(
    st.one_of(
        st.sampled_from([*FORMULA_SIGNS, "\t", "\r", *"';,\"\n |!0A\u200b\u202e\u00a0\ufeff"]),
        st.sampled_from(["cmd", "Anna", "';=1", '";"=1', "\r\n=2"]),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
).map("".join)
"""Strategy for texts of a cell, rich in separators, quotes and formula signs."""


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(-99, 99))
@example([";=cmd|' /C calc'!A0;"], 0)
@example(["Anna", ";=1"], 0)
@example(["Anna", '";"=1'], 0)
@example(["\u200b＝1"], 0)
@example(["=1\n=2\t=3"], 0)
@example(["=", ";"], 0)
def test_no_cell_is_a_formula(texts: list[str], number: int) -> None:
    table = format_table([texts, [*texts, number]])
    for separator in (",", ";", "\t", "|"):
        found = [cell for cell in cells(table, separator) if is_formula(cell)]
        assert not found, separator
    numbers = re.compile(r'"' + str(number) + r'"\r\n\Z')
    assert numbers.search(table)


@given(TEXTS)
def test_escaped_texts_stay_readable(text: str) -> None:
    ((shown,),) = csv.reader(io.StringIO(format_table([[text]]), newline=""))
    assert shown.replace("'", "") == escape_formulas(text).replace("'", "")
    plain = " ".join(text.replace("'", "").split())
    if plain and all(character.isalnum() or character in " ;,.-&!" for character in plain):
        assert " ".join(shown.replace("'", "").split()) == plain


@pytest.mark.parametrize("name", ["Anna-Lena", "R2-D2", "Ana; Ben", "5 + 5", "a@b", "D'Arcy", "木"])
def test_usual_names_are_written_as_they_are(name: str) -> None:
    assert escape_formulas(name) == name


@pytest.mark.parametrize(
    ("language", "line"), [("en", '"Ana","44","0.5","1"'), ("de", '"Ana";"44";"0,5";"1"')]
)
def test_cells_are_separated_as_spreadsheets_of_the_language_expect(
    language: str, line: str
) -> None:
    with translation.override(language):
        assert format_table([["Ana", 44, 0.5, 1.0]]) == f"{line}\r\n"


@pytest.mark.django_db
def test_table_of_scores_quotes_everything(client: Client) -> None:
    name = ";=cmd|' /C calc'!A0;"
    labels = {"gem yellow": {"en": ';=HYPERLINK("//x")', "de": "Gelb"}}
    url = begin(client, GARDEN | {"labels": labels}, {"player": name}, {"player": "＝1"})
    text = client.get(f"{url}scores.csv").content.decode("utf-8-sig")
    for line in text.splitlines():
        assert re.fullmatch(r'("([^"]|"")*",?)+', line)
    for separator in (",", ";"):
        assert not [cell for cell in cells(text, separator) if is_formula(cell)]
    first = [row[0] for row in csv.reader(io.StringIO(text))]
    assert first == ["Player", ";'=cmd|' /C calc'!A0;", "'＝1"]
