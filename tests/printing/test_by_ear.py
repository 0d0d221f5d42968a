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


def below(element: pypdf.generic.DictionaryObject) -> list[pypdf.generic.DictionaryObject]:
    return [found.get_object() for found in element["/K"]]


def kinds(element: pypdf.generic.DictionaryObject) -> list[str]:
    return [found["/S"] for found in below(element)]


def test_dice_and_rounds_are_a_table() -> None:
    (table,) = (e for e in elements(print_pdf([LEVEL], PageOptions())) if e["/S"] == "/Table")
    rows = below(table)
    assert kinds(table) == ["/TR"] * 3
    counts = len(LEVEL.player_counts)
    assert kinds(rows[0]) == ["/TH"] * (1 + counts)
    assert [kinds(row) for row in rows[1:]] == [["/TH", *["/TD"] * counts]] * 2
    assert {cell["/A"]["/Scope"] for cell in below(rows[0])} == {"/Column"}
    assert below(rows[1])[0]["/A"]["/Scope"] == "/Row"


def test_the_legend_is_a_list_of_drawings_and_what_they_mean() -> None:
    (legend,) = (e for e in elements(print_pdf([LEVEL], PageOptions())) if e["/S"] == "/L")
    assert set(kinds(legend)) == {"/LI"}
    assert {tuple(kinds(item)) for item in below(legend)} == {("/Lbl", "/LBody")}
    for item in below(legend):
        assert item["/P"].get_object() == legend


def test_strips_and_relay_are_tables() -> None:
    found = elements(print_pdf([], PageOptions(dice2=True)))
    strips, relay = (element for element in found if element["/S"] == "/Table")
    assert [kinds(row) for row in below(strips)] == [["/TH"] * 4]
    assert all(kinds(row) == ["/TH"] for row in below(relay))


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
