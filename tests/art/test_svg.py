"""SVG of sheets: small, well-formed drawings with colours from the style sheet only."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sheets
from sheets.art import coloured_symbols, plain_symbols, svg
from sheets.art.drawings import drawings
from sheets.art.layout import MARGIN
from sheets.art.palette import COLOURS
from sheets.art.sheet_svg import draw_marked_sheet, sheet_sprite
from sheets.levels import shipped_levels
from sheets.rules import Level
from sheets.rules.marks import DICE
from tests.art.sheets_to_draw import EVERYTHING, level

MARKS = ("cross", "rocket", "exploded", "lava", *DICE)
STATIC = Path(sheets.__file__).parent / "static" / "sheets"
STYLE_SHEET, SHEET_STYLE = STATIC / "artwork.css", STATIC / "sheet" / "sheet.css"
SHEET = level(*EVERYTHING, lines=[{"row": 4, "points": 8}], links=[["a5", "c5"]],
              areas=[{"fields": ["a4", "b4"], "points": 5}])  # fmt: skip


def test_the_committed_style_sheet_matches_the_palette() -> None:
    assert STYLE_SHEET.read_text(encoding="utf-8") == svg.css()


def test_the_sprite_has_every_symbol_in_every_colour_and_every_mark() -> None:
    ids = set(re.findall(r'<symbol id="art-([^"]+)"', svg.sprite()))
    assert ids == set(drawings())
    assert {
        f"{symbol}-{colour}" for symbol in coloured_symbols.COLOURED_SYMBOLS for colour in COLOURS
    } < ids
    assert set(plain_symbols.PLAIN_SYMBOLS) < ids


def test_a_sprite_does_not_depend_on_the_order_of_ids() -> None:
    assert svg.sprite(["bomb", "gem-red"]) == svg.sprite(["gem-red", "bomb", "bomb"])


def test_an_unknown_id_is_an_error() -> None:
    with pytest.raises(KeyError):
        svg.sprite(["gem-pink"])


def test_a_sheet_refers_only_to_symbols_of_its_sprite() -> None:
    marks = {"a1": ("cross",), "b1": ("rocket",), "a3": ("lava", "exploded"), "c4": ("lava",),
             "d4": ("die-4",)}  # fmt: skip
    drawn = svg.draw_sheet(SHEET, marks)
    there = set(re.findall(r'id="([^"]+)"', svg.sprite(svg.sheet_ids(SHEET, MARKS))))
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= there


@pytest.mark.parametrize("one", [SHEET, *shipped_levels().values()], ids=lambda one: one.id)
def test_a_marked_sheet_has_the_outlines_of_its_own_numbers_and_no_others(one: Level) -> None:
    outline = r'"#?(art-n\d+)"'
    there = re.findall(outline, sheet_sprite(one))
    assert set(re.findall(outline, draw_marked_sheet(one, {}))) == set(there)


def test_a_sprite_of_a_level_with_everything_is_small() -> None:
    sprite = svg.sprite(svg.sheet_ids(SHEET, MARKS))
    assert len(gzip.compress(sprite.encode())) < 8192


def test_columns_and_rows_have_the_names_of_sentences() -> None:
    margin = re.findall(r"--margin: ([0-9.]+);", SHEET_STYLE.read_text(encoding="utf-8"))
    assert [float(one) for one in margin] == [pytest.approx(MARGIN + svg.NAMES_MARGIN / 100)]
    for drawn in (svg.draw_sheet(SHEET, is_named=True), draw_marked_sheet(SHEET, {})):
        picture = ElementTree.fromstring(drawn)  # noqa: S314  # our own text
        names = [name.text for name in picture.iterfind("g[@class='art-names']/text")]
        assert names == [*"abcdefgh", *map(str, range(1, SHEET.rows + 1))]
        left, top = (float(number) for number in picture.get("viewBox", "").split()[:2])
        assert (left, top) == (-svg.NAMES_MARGIN, -svg.NAMES_MARGIN)
    assert "art-names" not in svg.draw_sheet(SHEET)


def test_there_is_no_style_attribute_and_the_markup_is_well_formed() -> None:
    for text in (svg.sprite(), svg.draw_sheet(SHEET, {"a1": ("cross",)})):
        assert "style" not in text
        ElementTree.fromstring(text)  # noqa: S314  # our own text


def test_every_class_that_is_used_is_in_the_style_sheet() -> None:
    css = svg.css()
    for text in (svg.sprite(), svg.draw_sheet(SHEET, {"a1": ("cross",)})):
        for classes in re.findall(r'class="([^"]+)"', text):
            for name in classes.split():
                if name.startswith(("f-", "s-", "g-")):
                    assert f".{name}{{" in css, name
