"""What somebody hears who has a printed file read aloud."""

from __future__ import annotations

import re
from io import BytesIO

import pypdf

from sheets.geometry import PageOptions
from sheets.levels import shipped_levels
from sheets.printing.sheet import Writing
from tests.printing.printed import print_pdf

LEVEL = shipped_levels()["level-1"]


def elements(pdf: bytes) -> list[pypdf.generic.DictionaryObject]:
    root = pypdf.PdfReader(BytesIO(pdf)).trailer["/Root"]["/StructTreeRoot"]["/K"]
    return [element.get_object() for element in root["/K"]]


def test_words_are_parted_by_blanks() -> None:
    page = pypdf.PdfReader(BytesIO(print_pdf([LEVEL], PageOptions()))).pages[0]
    drawn = re.findall(rb"\((.*?)\) Tj", page.get_contents().get_data())
    assert len(drawn) > 50
    assert not [text for text in drawn if not text.endswith(b" ")]


def test_the_table_is_a_list_by_numbers_of_players() -> None:
    (table,) = (e for e in elements(print_pdf([LEVEL], PageOptions())) if e["/S"] == "/L")
    items = [item.get_object() for item in table["/K"]]
    assert {item["/S"] for item in items} == {"/LI"}
    assert len(items) == len(LEVEL.player_counts)
    page = pypdf.PdfReader(BytesIO(print_pdf([LEVEL], PageOptions()))).pages[0]
    content = page.get_contents().get_data()
    assert b"/ActualText (Players: 2; Dice: 7; Rounds: 6 )" in content


def test_symbols_of_the_legend_have_names() -> None:
    page = pypdf.PdfReader(BytesIO(print_pdf([LEVEL], PageOptions()))).pages[0]
    content = page.get_contents().get_data()
    for name in ("purple gem", "bomb"):
        assert f"/ActualText ({name} )".encode() in content
    assert content.count(b"BDC") + content.count(b"BMC") == content.count(b"EMC")


def test_filled_sheets_say_what_is_marked() -> None:
    marks = {"a1": ["cross"], "a2": ["exploded", "cross"], "b3": ["die-4"], "c1": ["lava"]}
    pdf = print_pdf([LEVEL], PageOptions(), [Writing("Ana", marks=marks)])
    (figure,) = (e for e in elements(pdf) if e["/S"] == "/Figure")
    assert figure["/Alt"].endswith("Crossed: a1, a2. Dice: b3. Exploded: a2. Lava: c1.")
