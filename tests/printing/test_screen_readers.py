"""Accessibility of printed PDF files: the structure and texts that screen readers use."""

from __future__ import annotations

import re
from io import BytesIO

import pypdf

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.printing.sheet import Writing
from tests.printing.printed import print_pdf

LEVEL = shipped_levels()["level-1"]


def structure_elements(pdf: bytes) -> list[pypdf.generic.DictionaryObject]:
    root = pypdf.PdfReader(BytesIO(pdf)).trailer["/Root"]["/StructTreeRoot"]["/K"]
    return [element.get_object() for element in root["/K"]]


def test_words_are_separated_by_blanks() -> None:
    page = pypdf.PdfReader(BytesIO(print_pdf([LEVEL], PageOptions()))).pages[0]
    drawn = re.findall(rb"\((.*?)\) Tj", page.get_contents().get_data())
    assert len(drawn) > 50
    assert not [text for text in drawn if not text.endswith(b" ")]


def children(element: pypdf.generic.DictionaryObject) -> list[pypdf.generic.DictionaryObject]:
    return [found.get_object() for found in element["/K"]]


def child_tags(element: pypdf.generic.DictionaryObject) -> list[str]:
    return [found["/S"] for found in children(element)]


def test_dice_and_rounds_are_a_table() -> None:
    (table,) = (
        e for e in structure_elements(print_pdf([LEVEL], PageOptions())) if e["/S"] == "/Table"
    )
    rows = children(table)
    assert child_tags(table) == ["/TR"] * 3
    counts = len(LEVEL.player_counts)
    assert child_tags(rows[0]) == ["/TH"] * (1 + counts)
    assert [child_tags(row) for row in rows[1:]] == [["/TH", *["/TD"] * counts]] * 2
    assert {cell["/A"]["/Scope"] for cell in children(rows[0])} == {"/Column"}
    assert children(rows[1])[0]["/A"]["/Scope"] == "/Row"


def test_the_legend_is_a_list_of_drawings_and_their_meanings() -> None:
    (legend,) = (
        e for e in structure_elements(print_pdf([LEVEL], PageOptions())) if e["/S"] == "/L"
    )
    assert set(child_tags(legend)) == {"/LI"}
    assert {tuple(child_tags(item)) for item in children(legend)} == {("/Lbl", "/LBody")}
    for item in children(legend):
        assert item["/P"].get_object() == legend


def test_strips_and_relay_are_tables() -> None:
    found = structure_elements(print_pdf([], PageOptions(dice2=True)))
    strips, relay = (element for element in found if element["/S"] == "/Table")
    assert [child_tags(row) for row in children(strips)] == [["/TH"] * 4]
    assert all(child_tags(row) == ["/TH"] for row in children(relay))


def test_symbols_of_the_legend_have_names() -> None:
    page = pypdf.PdfReader(BytesIO(print_pdf([LEVEL], PageOptions()))).pages[0]
    content = page.get_contents().get_data()
    for name in ("purple gem", "bomb"):
        assert f"/ActualText ({name} )".encode() in content
    assert content.count(b"BDC") + content.count(b"BMC") == content.count(b"EMC")


def test_the_description_of_a_filled_sheet_lists_its_marks() -> None:
    marks = {"a1": ["cross"], "a2": ["exploded", "cross"], "b3": ["die-4"], "c1": ["lava"]}
    pdf = print_pdf([LEVEL], PageOptions(), [Writing("Ana", marks=marks)])
    (figure,) = (e for e in structure_elements(pdf) if e["/S"] == "/Figure")
    assert figure["/Alt"].endswith("Crossed: a1, a2. Dice: b3. Exploded: a2. Lava: c1.")
