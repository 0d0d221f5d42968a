"""Printed pages of Dice²: the board, score strips and the relay table, in both languages."""

from __future__ import annotations

from io import BytesIO
from math import dist
from pathlib import Path

import pypdf
import pytest
from django.core.management import call_command
from django.test import Client

from sheets.art.board import FIELD, PAPER_MARKER_RADIUS, markers, visible_box
from sheets.art.render.fonts import face
from sheets.art.render.items import PathItem, Stamp, TextLine
from sheets.levels import shipped_levels
from sheets.printing.booklet import count_drawn_pages, draw_booklet
from sheets.printing.dice2 import EDGE_MM, draw_dice2_pages
from sheets.printing.geometry import PAPERS, PageOptions, common_area
from sheets.text.languages import languages


@pytest.mark.parametrize("paper", list(PAPERS))
def test_nothing_lies_near_the_edge_of_the_paper(paper: str) -> None:
    width, height = PAPERS[paper]
    for page in draw_dice2_pages(PageOptions(paper=paper), "address"):
        for part, _x in page.parts:
            for item in part.items:
                if isinstance(item, TextLine | Stamp):
                    assert 5 <= item.x <= width - 5
                    assert 5 <= item.y <= height - 5


def test_a_real_die_fits_a_field_on_a4() -> None:
    scale = (PAPERS["a4"][0] - 2 * EDGE_MM) / visible_box(
        is_inner=False, has_markers=True, on_paper=True
    ).side
    assert FIELD * scale >= 17


def test_real_marker_hides_no_name_of_a_row_or_column() -> None:
    board = next(draw_dice2_pages(PageOptions(), "address"))
    box = visible_box(is_inner=False, has_markers=True, on_paper=True)
    scale = (PAPERS["a4"][0] - 2 * EDGE_MM) / box.side
    area = common_area(*PAPERS["a4"])
    left, top = EDGE_MM - box.start * scale, area.y + EDGE_MM + 14.0 - box.start * scale
    circles = [(left + spot.x * scale, top + spot.y * scale) for spot in markers(box)]
    items = [item for part, _x in board.parts for item in part.items]
    names = [item for item in items if isinstance(item, TextLine) and len(item.text) == 1]
    assert sorted(name.text for name in names) == sorted("abcdefghi123456789")
    for name in names:
        # Digits and letters are not wider than high: half the height reaches the farthest edge.
        middle = (name.x, name.y - 0.35 * name.size)
        assert min(dist(middle, circle) for circle in circles) > (
            PAPER_MARKER_RADIUS * scale + 0.3 * name.size
        )


def test_board_has_81_fields_and_two_circles_for_each_line() -> None:
    board = next(draw_dice2_pages(PageOptions(), "address"))
    items = [item for part, _x in board.parts for item in part.items]
    assert sum(isinstance(item, Stamp) for item in items) == 81
    circles = [
        item
        for item in items
        if isinstance(item, PathItem) and item.shape.fill == "board-inner" and item.shape.stroke
    ]
    assert len(circles) == 36


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("lang", languages())
def test_games_are_described_below_the_board(paper: str, lang: str) -> None:
    width, height = PAPERS[paper]
    page = next(draw_dice2_pages(PageOptions(paper=paper, lang=lang), "address"))
    texts = [item for item in page.parts[2].part.items if isinstance(item, TextLine)]
    assert {"Square Dice", "Major Dice"} <= {item.text for item in texts}
    assert min(item.y - item.size for item in texts) > EDGE_MM + 14 + width - 2 * EDGE_MM
    assert max(item.y for item in texts) < height - 10
    assert all(item.x + face(item.bold).width(item.text) * item.size < width - 6 for item in texts)


@pytest.mark.parametrize(("lang", "word"), [("en", "Relay"), ("de", "Staffel")])
def test_command_prints_vectors_and_text(tmp_path: Path, lang: str, word: str) -> None:
    file = tmp_path / "dice2.pdf"
    call_command("print", "dice2", "--lang", lang, "--bw", "-o", str(file))
    pages = pypdf.PdfReader(file).pages
    assert len(pages) == 2
    assert word in pages[1].extract_text()
    assert not any(page.images for page in pages)


def test_pages_follow_the_sheets_and_count(client: Client) -> None:
    options = PageOptions(dice2=True, copies=3, rules=True)
    assert count_drawn_pages([], options) == 7
    assert len(list(draw_booklet([], options))) == 7
    with_sheet = [shipped_levels()["level-1"]]
    assert count_drawn_pages(with_sheet, options) == 10
    assert len(list(draw_booklet(with_sheet, options))) == 10
    answer = client.get("/print/sheets.pdf?level=level-1&level=dice2&paper=a4")
    assert len(pypdf.PdfReader(BytesIO(answer.content)).pages) == 3


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("lang", languages())
def test_rules_in_short_stay_on_their_page(paper: str, lang: str) -> None:
    width, height = PAPERS[paper]
    page = list(draw_booklet([], PageOptions(dice2=True, rules=True, paper=paper, lang=lang)))[-1]
    words = [item for part, _x in page.parts for item in part.items if isinstance(item, TextLine)]
    text = " ".join(item.text for item in words)
    assert "Square Dice" in text
    assert "Major Dice" in text
    assert max(item.y for item in words) <= height - 10
    assert all(item.x + face(item.bold).width(item.text) * item.size <= width - 5 for item in words)


def test_page_offers_the_board_alone(client: Client) -> None:
    page = client.get("/print/?level=dice2&paper=a4")
    assert page.status_code == 200
    assert b'value="dice2" checked' in page.content
    assert client.get("/print/page-2.svg?level=dice2&paper=a4").status_code == 200
