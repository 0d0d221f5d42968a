"""Sizes of large prints: no text below 12 points, larger fields and boxes."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from sheets.art.render.items import POINT_MM, PathItem, TextLine
from sheets.art.shapes import bounds
from sheets.levels import shipped_levels
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions, make_frame
from sheets.printing.round_tracker import draw_tracker
from sheets.printing.score_tracks import categories
from sheets.text.languages import languages
from sheets.text.symbols import column_label

LEVELS = list(shipped_levels().values())


@pytest.mark.parametrize(("paper", "least_mm"), [("a4", 16.8), ("letter", 16.5)])
def test_fields_are_much_larger(paper: str, least_mm: float) -> None:
    for level in LEVELS:
        large = make_frame(level, PageOptions(paper=paper, large=True), 1).field_mm
        plain = make_frame(level, PageOptions(paper=paper, per_page=1), 1).field_mm
        assert large >= max(least_mm, plain + 0.4)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("lang", languages())
def test_no_text_is_smaller_than_12_points(paper: str, lang: str) -> None:
    options = PageOptions(paper=paper, lang=lang, large=True)
    for page in draw_booklet(LEVELS, options, address="Dizzle Companion · dizzle.example.org"):
        for part, _x in page.parts:
            for item in part.items:
                if isinstance(item, TextLine):
                    assert item.size / POINT_MM >= 12 - 1e-6, (item.text, item.size / POINT_MM)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_boxes_for_rounds_are_easy_to_hit(paper: str) -> None:
    for level in LEVELS:
        items, _low = draw_tracker(
            level, make_frame(level, PageOptions(paper=paper, large=True), 1)
        )
        boxes = [item for item in items if isinstance(item, PathItem)]
        assert len(boxes) == max(level.rounds.values())
        for box in boxes:
            left, top, right, bottom = (side * box.scale for side in bounds((box.shape,)))
            assert min(right - left, bottom - top) >= 6


@pytest.mark.parametrize("paper", ["a4", "a5", "letter"])
@pytest.mark.parametrize("lang", languages())
def test_labels_of_the_score_column_have_7_points_on_every_sheet(paper: str, lang: str) -> None:
    with override(lang):
        labels = {column_label(level, name) for level in LEVELS for name in categories(level)}
    drawn = [
        item
        for page in draw_booklet(LEVELS, PageOptions(paper=paper, lang=lang))
        for part, _x in page.parts
        for item in part.items
        if isinstance(item, TextLine) and item.text in labels
    ]
    assert len(drawn) >= sum(len(categories(level)) for level in LEVELS)
    small = {item.text for item in drawn if item.size / POINT_MM < 7}
    assert not small, f"shorten {max(small, key=len)}: all labels of a column have one size"
