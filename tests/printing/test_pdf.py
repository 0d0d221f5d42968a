"""The file is a document: real text, vectors, embedded fonts, bookmarks, the same bytes."""

from __future__ import annotations

from io import BytesIO

import pypdf
import pytest

from sheets.artwork.palette import contrast
from sheets.geometry import PageOptions
from sheets.levels import shipped_levels
from sheets.printing.booklet import count_drawn_pages, draw_booklet, sheet_address
from sheets.printing.filled import paper_writings
from sheets.printing.inks import LEGIBLE, inks
from sheets.printing.items import Stamp, Words
from sheets.printing.svg import draw_svg
from sheets.rules.documents.sheets import parse_sheets
from tests.printing.printed import print_pdf, render

LEVELS = list(shipped_levels().values())


def read(pdf: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(BytesIO(pdf))


@pytest.fixture(scope="module")
def booklet() -> bytes:
    return print_pdf(LEVELS, PageOptions(lang="de"))


def test_same_input_gives_the_same_bytes(booklet: bytes) -> None:
    assert print_pdf(LEVELS, PageOptions(lang="de")) == booklet


def test_booklet_is_small(booklet: bytes) -> None:
    assert len(booklet) < 150_000


def test_document_says_what_it_is(booklet: bytes) -> None:
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
    palette = inks(bw=bw, dark=False)
    for group in ("", *palette.groups):
        ground = palette.colour("tint" if group else "paper", group)
        assert LEGIBLE <= contrast(palette.colour("ink", group), ground) < LEGIBLE + 0.15
        for role in ("line", "solid", "shade", "emblem") if group else ():
            assert contrast(palette.colour(role, group), "#ffffff") < LEGIBLE + 0.15, (group, role)
    assert contrast(palette.colour("field-line"), "#ffffff") > 6
    assert palette.colour("text") == palette.colour("print") == "#000000"


def test_in_black_and_white_there_is_no_colour() -> None:
    palette = inks(bw=True, dark=False)
    used = [*palette.roles.values(), *(c for g in palette.groups.values() for c in g.values())]
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in used)


def test_large_sheets_are_black() -> None:
    assert PageOptions(large=True).is_dark
    assert inks(bw=False, dark=True).colour("ink", "red") == "#000000"


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
        if isinstance(item, Words)
    )
    assert text.count("<use ") == stamps + letters


def test_filled_sheets_show_what_was_written() -> None:
    level = LEVELS[1]
    document = {
        "format": "dizzle-sheets/1",
        "level": "level-2",
        "sheets": [
            {"player": "Ana", "crosses": ["a1"], "flags": {"red": 6}},
            {"player": "Bäñ 你", "crosses": ["a2", "a3"]},
        ],
    }
    paper = parse_sheets(document, lambda _: level)
    pdf = print_pdf([level, level], PageOptions(), paper_writings(paper))
    text = read(pdf).pages[0].extract_text()
    assert "Ana" in text
    assert "Bäñ ?" in text
    assert read(pdf).outline[0].title.endswith(": Ana")
    (page,) = draw_booklet([level, level], PageOptions(), paper_writings(paper))
    crosses = [
        item.id
        for part, _ in page.parts
        for item in part.items
        if isinstance(item, Stamp) and item.id.startswith("cross-") and item.id != "cross-print"
    ]
    assert len(crosses) == 3


@pytest.mark.parametrize("lang", ["de", "en"])
def test_names_the_font_lacks_are_numbered_in_their_place(lang: str) -> None:
    level = LEVELS[1]
    family = "👩\u200d👩\u200d👧 Ben"
    names = ["ยายสมศรี", "نیلوفر 2", "你", "Anna 😀", family, "Jürgen", "วา 2"]
    document = {
        "format": "dizzle-sheets/1",
        "level": "level-2",
        "sheets": [{"player": name, "crosses": []} for name in names],
    }
    writings = paper_writings(parse_sheets(document, lambda _: level))
    pdf = read(print_pdf([level] * len(names), PageOptions(per_page=1, lang=lang), writings))
    player = {"de": "Spieler", "en": "Player"}[lang]
    expected = [f"{player} 1", f"{player} 2", f"{player} 3", "Anna ?", "? Ben", "Jürgen"]
    expected.append(f"{player} 7")
    for page, shown in zip(pdf.pages, expected, strict=True):
        lines = [line.strip() for line in page.extract_text().splitlines()]
        assert lines[lines.index("Name") + 1] == shown
    # Text that is not drawn has no need of the font: whoever looks for their own sheet finds it.
    assert [entry.title.partition(": ")[2] for entry in pdf.outline] == names


def test_names_of_a_document_are_printed_as_they_are_shown() -> None:
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


def test_the_line_at_the_bottom_has_the_address_where_it_is_known() -> None:
    assert sheet_address("https://dizzle.example.org") == "Dizzle Companion · dizzle.example.org"
    assert sheet_address("") == "Dizzle Companion"
