"""Minimum font size of a print: 7 points."""

from __future__ import annotations

from collections import defaultdict

import pytest

from sheets.art.render.items import POINT_MM, DrawnPage, TextLine
from sheets.levels import shipped_levels
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions
from sheets.printing.result import CategoryRow, draw_result_page
from sheets.printing.score_tracks import WrittenNumbers, categories
from sheets.printing.sheet import Writing
from sheets.text.languages import languages

LEVELS = list(shipped_levels().values())
ADDRESS = "Dizzle Companion · a-long-name-of-a-site.dizzle.example.org"

SIZES: dict[str, dict[str, object]] = {
    "a4, one sheet": {"per_page": 1},
    "a4, two sheets": {"per_page": 2},
    "a4, large": {"large": True},
    "a5": {"paper": "a5"},
    "a5, no markers": {"paper": "a5", "markers": False},
    "letter, one sheet": {"paper": "letter", "per_page": 1},
    "letter, two sheets": {"paper": "letter", "per_page": 2},
    "letter, large": {"paper": "letter", "large": True},
}


def small_texts(page: DrawnPage) -> list[tuple[float, str]]:
    """Return each size below 7 points with its longest text: shorter ones can share its size."""
    found: dict[float, set[str]] = defaultdict(set)
    for part, _x in page.parts:
        for item in part.items:
            if isinstance(item, TextLine) and item.size / POINT_MM < 7 - 1e-6:
                found[item.size / POINT_MM].add(item.text)
    return [(size, max(texts, key=len)) for size, texts in found.items()]


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("size", SIZES)
def test_no_text_is_smaller_than_7_points(size: str, lang: str) -> None:
    """The pages are blank and filled sheets of all levels, rules, and the pages of Dice²."""
    options = PageOptions(lang=lang, rules=True, dice2=True, **SIZES[size])
    filled = [
        Writing(
            "Wilhelmine von Humboldt-Dacheröden",
            filled=WrittenNumbers(dict.fromkeys(categories(level), -188), 1888, {}),
        )
        for level in LEVELS
    ]
    for writings in ((), filled):
        pages = list(draw_booklet(LEVELS, options, writings, address=ADDRESS))
        assert len(pages) > len(LEVELS) / 2
        small = {text for page in pages for text in small_texts(page)}
        assert small == set(), f"shorten these texts in {lang}"


def test_no_text_of_a_result_is_smaller_than_7_points() -> None:
    names = ["Wilhelmine von Humboldt-Dacheröden"] * 12
    lines = [CategoryRow("Puzzles", "gem-red", range(1000, 1012))] * 12
    assert small_texts(draw_result_page("Castle", "Ana wins.", names, lines, range(12))) == []
