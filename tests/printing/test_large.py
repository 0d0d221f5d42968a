"""Large print is for weak eyes: big fields, and no text below 12 points."""

from __future__ import annotations

import pytest

from sheets.geometry import PageOptions, frame
from sheets.levels import shipped_levels
from sheets.printing.booklet import draw_booklet
from sheets.printing.items import POINT_MM, Words
from sheets.texts.languages import languages

LEVELS = list(shipped_levels().values())


@pytest.mark.parametrize(("paper", "least_mm"), [("a4", 17.9), ("letter", 16.5)])
def test_fields_are_much_larger(paper: str, least_mm: float) -> None:
    for level in LEVELS:
        large = frame(level, PageOptions(paper=paper, large=True), 1).field_mm
        plain = frame(level, PageOptions(paper=paper, per_page=1), 1).field_mm
        assert large >= max(least_mm, plain + 0.4)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("lang", languages())
def test_no_text_is_smaller_than_12_points(paper: str, lang: str) -> None:
    options = PageOptions(paper=paper, lang=lang, large=True)
    for page in draw_booklet(LEVELS, options, address="Dizzle Companion · dizzle.example.org"):
        for part, _x in page.parts:
            for item in part.items:
                if isinstance(item, Words):
                    assert item.size / POINT_MM >= 12 - 1e-6, (item.text, item.size / POINT_MM)
