"""Printed PDF files: real text, vectors, embedded fonts, bookmarks, and reproducible bytes."""

from __future__ import annotations

import re
from io import BytesIO

import pypdf
import pytest

from sheets.art.palette import contrast
from sheets.art.render.items import Stamp, TextLine
from sheets.art.render.svg import draw_svg
from sheets.levels import shipped_levels
from sheets.printing.booklet import count_drawn_pages, draw_booklet, sheet_address
from sheets.printing.geometry import PageOptions
from sheets.printing.handwriting import illegible_names, paper_writings
from sheets.printing.paper_palette import MIN_CONTRAST, NUMBER_CONTRAST, print_palette
from sheets.rules import parse_level
from sheets.rules.documents.sheets import parse_sheets
from tests.printing.printed import print_pdf, render
from tests.printing.shapes_on_paper import touching

LEVELS = list(shipped_levels().values())


def read(pdf: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(BytesIO(pdf))


@pytest.fixture(scope="module")
def booklet() -> bytes:
    return print_pdf(LEVELS, PageOptions(lang="de"))


def test_equal_prints_have_equal_bytes(booklet: bytes) -> None:
    assert print_pdf(LEVELS, PageOptions(lang="de")) == booklet


def test_booklet_is_small(booklet: bytes) -> None:
    assert len(booklet) < 160_000


def test_document_has_language_title_and_bookmarks(booklet: bytes) -> None:
    document = read(booklet)
    catalog = document.trailer["/Root"]
    assert catalog["/Lang"] == "de"
    assert catalog["/ViewerPreferences"]["/DisplayDocTitle"]
    assert document.metadata.title.startswith("Dizzle Companion: ")
    assert [entry.title for entry in document.outline] == [level.name["de"] for level in LEVELS]


def test_parts_are_tagged_in_reading_order(booklet: bytes) -> None:
    document = read(booklet)
    catalog = document.trailer["/Root"]
    assert catalog["/MarkInfo"]["/Marked"]
    elements = [e.get_object() for e in catalog["/StructTreeRoot"]["/K"]["/K"]]
    assert not any(e["/S"] in ("/LI", "/TR", "/TD") for e in elements)
    kinds = [element["/S"] for element in elements]
    assert kinds.count("/H1") == kinds.count("/Figure") == len(LEVELS)
    assert kinds[:3] == ["/H1", "/P", "/Figure"]
    assert all(e["/Alt"] for e in elements if e["/S"] == "/Figure")
    parents = catalog["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    for number, page in enumerate(document.pages):
        assert page["/StructParents"] == number
        marked = page.get_contents().get_data().count(b"/MCID")
        assert len(parents[2 * number + 1].get_object()) == marked > 8


def test_text_is_real_and_in_reading_order(booklet: bytes) -> None:
    words = read(booklet).pages[0].extract_text().split()
    name = LEVELS[0].name["de"].split()
    assert words[: len(name)] == name
    numbers = [str(field.number) for field in LEVELS[0].fields if field.number]
    found = [word for word in words[len(name) + 1 :] if word.isdigit()]
    assert found[: len(numbers)] == numbers


def test_everything_is_vectors_and_fonts_are_embedded_subsets(booklet: bytes) -> None:
    document = read(booklet)
    fonts = {}
    for index in range(1, len(document.xref[0])):
        found = document.get_object(index)
        if isinstance(found, pypdf.generic.DictionaryObject):
            assert found.get("/Subtype") != "/Image"
            if found.get("/Type") == "/Font":
                fonts[found["/BaseFont"]] = found
    assert len(fonts) == 2
    for name, font in fonts.items():
        assert name[7:8] == "+", name
        assert "/FontFile2" in font["/FontDescriptor"]


def test_copies_cost_little(booklet: bytes) -> None:
    options = PageOptions(lang="de", copies=50)
    many = print_pdf(LEVELS, options)
    assert len(read(many).pages) == count_drawn_pages(LEVELS, options) == 200
    assert len(many) < 2 * len(booklet) + 200 * 1500
    first, last = (render(many, page, 50).astype(int) for page in (1, 197))
    assert abs(first - last).max() <= 2


def test_a_page_of_rules_comes_last() -> None:
    document = read(print_pdf(LEVELS[:2], PageOptions(rules=True)))
    assert len(document.pages) == count_drawn_pages(LEVELS[:2], PageOptions(rules=True)) == 2
    assert document.pages[1].extract_text().startswith("Dizzle in short")
    assert document.outline[-1].title == "Dizzle in short"


@pytest.mark.parametrize("bw", [False, True])
def test_digits_are_legible_and_no_darker(bw: bool) -> None:
    palette = print_palette(bw=bw, dark=False)
    for group in ("", *palette.groups):
        ground = palette.colour("tint" if group else "paper", group)
        assert (
            NUMBER_CONTRAST
            <= contrast(palette.colour("ink", group), ground)
            < NUMBER_CONTRAST + 0.15
        )
        for role in ("line", "solid", "shade", "emblem") if group else ():
            assert contrast(palette.colour(role, group), "#ffffff") < MIN_CONTRAST + 0.15, (
                group,
                role,
            )
    for pen in ("#14161e", "#192d8c", "#2846b4"):  # black and blue pens
        assert contrast(pen, palette.colour("ink")) > 1.4
    assert contrast(palette.colour("field-line"), "#ffffff") > 6
    assert palette.colour("text") == palette.colour("print") == "#000000"


@pytest.mark.parametrize("bw", [False, True])
def test_arrows_and_bombs_are_legible(bw: bool) -> None:
    palette = print_palette(bw=bw, dark=False)
    assert contrast(palette.colour("on-badge"), palette.colour("badge")) >= MIN_CONTRAST
    assert contrast(palette.colour("solid", "bomb"), palette.colour("tint", "bomb")) >= 3
    assert contrast(palette.colour("solid", "bomb"), "#ffffff") >= MIN_CONTRAST
    for role in ("badge-line", "ink", "rail-print"):
        assert contrast(palette.colour(role), "#ffffff") >= MIN_CONTRAST, role


def operators(pdf: bytes) -> set[bytes]:
    """Return all colour operators of a file, in its pages and forms."""
    document, found = read(pdf), set()
    for index in range(1, len(document.xref[0])):
        stream = document.get_object(index)
        if isinstance(stream, pypdf.generic.StreamObject) and "/Length1" not in stream:
            found |= set(re.findall(rb"(?<=[ \n])(rg|RG|g|G|k|K)(?=[ \n])", stream.get_data()))
    return found


def test_black_is_grey_and_black_and_white_has_no_other_ink() -> None:
    assert operators(print_pdf(LEVELS[2:4], PageOptions(bw=True, rules=True))) == {b"g", b"G"}
    content = read(print_pdf(LEVELS[:1], PageOptions())).pages[0].get_contents().get_data()
    assert b"0 0 0 rg" not in content
    assert b"rg" in content


def test_a_viewer_prints_at_full_size_and_on_both_sides() -> None:
    catalog = read(print_pdf(LEVELS[:2], PageOptions(duplex=True))).trailer["/Root"]
    assert catalog["/ViewerPreferences"]["/PrintScaling"] == "/None"
    assert catalog["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipLongEdge"
    one_side = read(print_pdf(LEVELS[:1], PageOptions(lang="de")))
    assert "/Duplex" not in one_side.trailer["/Root"]["/ViewerPreferences"]
    assert one_side.xmp_metadata.dc_title == {"x-default": one_side.metadata.title}
    assert one_side.xmp_metadata.dc_language == ["de"]
    assert "unspecified" not in one_side.metadata.subject


def test_in_black_and_white_there_is_no_colour() -> None:
    palette = print_palette(bw=True, dark=False)
    used = [*palette.roles.values(), *(c for g in palette.groups.values() for c in g.values())]
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in used)


def test_large_sheets_are_black() -> None:
    assert PageOptions(large=True).is_dark
    assert print_palette(bw=False, dark=True).colour("ink", "red") == "#000000"


def test_preview_shows_the_same_page() -> None:
    (page,) = draw_booklet(LEVELS[:2], PageOptions())
    text = draw_svg(page, "Level <1>")
    assert 'viewBox="0 0 297 210"' in text
    assert 'aria-label="Level &lt;1&gt;"' in text
    assert "style=" not in text
    stamps = sum(isinstance(item, Stamp) for part, _ in page.parts for item in part.items)
    letters = sum(
        len(item.text.replace(" ", ""))
        for part, _ in page.parts
        for item in part.items
        if isinstance(item, TextLine)
    )
    assert text.count("<use ") == stamps + letters


def test_filled_sheets_show_what_was_written() -> None:
    level = LEVELS[1]
    document = {
        "format": "dizzle-sheets/1",
        "level": "level-2",
        "sheets": [
            {"player": "Ana", "crosses": ["a1"], "flags": {"red": 6}},
            {"player": "Bäñ 🦄", "crosses": ["a2", "a3"]},
        ],
    }
    paper = parse_sheets(document, lambda _: level)
    pdf = print_pdf([level, level], PageOptions(), paper_writings(paper))
    text = read(pdf).pages[0].extract_text()
    assert "Ana" in text
    assert "Bäñ" in text
    assert read(pdf).outline[0].title.endswith(": Ana")
    (page,) = draw_booklet([level, level], PageOptions(), paper_writings(paper))
    crosses = [
        item.id
        for part, _ in page.parts
        for item in part.items
        if isinstance(item, Stamp) and item.id.startswith("cross-") and item.id != "cross-print"
    ]
    assert len(crosses) == 3


def spoken_texts(page: pypdf.PageObject) -> list[str]:
    """Return the replacement texts of outlines on a page, which are read aloud and copied."""
    found = re.findall(rb"ActualText <feff([0-9a-f]+)>", page.get_contents().get_data())
    return [bytes.fromhex(code.decode()).decode("utf-16-be").strip() for code in found]


def test_names_in_all_scripts_are_printed_and_others_leave_their_line_empty() -> None:
    level = LEVELS[1]
    names = {
        name: name
        for name in ("李小龍 王大明", "محمد عبد الله", "نیلوفر 2", "Ελένη", "ยายสมศรี", "김민준")
    }
    names |= {"🎲🎲 Zoë 🦄": "Zoë", "Mu\u0308ller": "Müller", "👩\u200d👩\u200d👧 Ben": "Ben"}
    empty = ["🦄", "𐎠𐎴𐎠"]
    document = {
        "format": "dizzle-sheets/1",
        "level": "level-2",
        "sheets": [{"player": name, "crosses": []} for name in (*names, *empty)],
    }
    writings = paper_writings(parse_sheets(document, lambda _: level))
    assert illegible_names(writings) == empty
    options = PageOptions(per_page=1)
    levels = [level] * len(writings)
    pages = list(draw_booklet(levels, options, writings))
    written = [
        [i.text for i in page.parts[1].part.items if isinstance(i, TextLine)] for page in pages
    ]
    assert written[: len(names)] == [["Name", name] for name in names.values()]
    assert written[len(names) :] == [["Player 10"], ["Player 11"]]
    # Bookmarks need no font, so players find their sheets by any name.
    titles = [page.bookmarks[0].title.partition(": ")[2] for page in pages]
    assert titles == [*names, *empty]
    pdf = read(print_pdf(levels[:2], options, writings[:2]))
    assert [spoken_texts(page) for page in pdf.pages] == [[name] for name in list(names)[:2]]


def test_a_level_s_name_is_printed_in_its_script() -> None:
    named = parse_level(dict(LEVELS[0].document) | {"name": "龍の島 مرحبا"})
    pdf = print_pdf([named], PageOptions())
    assert spoken_texts(read(pdf).pages[0]) == ["龍の島 مرحبا"]
    (page,) = draw_booklet([named], PageOptions())
    assert touching(page, 0.05) == []
    assert draw_svg(page, "x").count("<path d=") > 0


def test_names_of_a_document_are_printed_without_control_characters() -> None:
    level = LEVELS[1]
    document = {
        "format": "dizzle-sheets/1",
        "level": "level-2",
        "sheets": [{"player": "Ana\tMaria\u202e", "crosses": []}],
    }
    writings = paper_writings(parse_sheets(document, lambda _: level))
    pdf = read(print_pdf([level], PageOptions(), writings))
    assert "Ana Maria" in pdf.pages[0].extract_text()
    assert pdf.outline[0].title.endswith(": Ana Maria")


@pytest.mark.parametrize("options", [{"paper": "a5"}, {"large": True}, {}])
def test_a_sheet_names_its_author(options: dict) -> None:
    signed = parse_level(dict(LEVELS[0].document) | {"author": "Ana\tMaría"})
    (page,) = draw_booklet([signed], PageOptions(**options))
    said = [
        item.text for part, _ in page.parts for item in part.items if isinstance(item, TextLine)
    ]
    assert any(text.endswith("· level-1 · by Ana María") for text in said)
    assert touching(page, 0.05) == []


def test_the_address_line_has_the_site_if_it_is_known() -> None:
    assert sheet_address("https://dizzle.example.org") == "Dizzle Companion · dizzle.example.org"
    assert sheet_address("") == "Dizzle Companion"
