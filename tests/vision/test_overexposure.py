"""Overexposed fields: they are asked about where a pale pen would be invisible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.vision.decoding import decode_photo
from sheets.vision.mark_kinds import EMPTY
from sheets.vision.overexposure import find_overexposed
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading, read_photo, read_sheet
from sheets.vision.sheet_extraction import ExtractedSheet, extract_sheets
from tests.vision.shots import to_jpeg
from training.camera import photograph
from training.filled_pages import PX_PER_MM, Filling, PlannedMarks, fill_page

LEVEL = shipped_levels()["level-4"]
CROSSES = ("b2", "c2", "d2", "b3", "c5", "c6", "d6", "b9", "c9", "d9", "d10")


def lit(family: str) -> tuple[ExtractedSheet, SheetReading]:
    """Return a sheet with crosses of a pen, in a photo that gets brighter from side to side."""
    rng = np.random.default_rng(3)
    filling = Filling(families=(family,), methods=("ribbon",), taken_back=0, stray=0)
    marked = [PlannedMarks(dict.fromkeys(CROSSES, "cross"))]
    page, _truths = fill_page(rng, [LEVEL], PageOptions(paper="a5"), filling, marked)
    photo = decode_photo(photograph(rng, page, PX_PER_MM, "easy", megapixels=4).jpeg)
    light = np.linspace(0.6, 2.2, len(photo))[:, None, None]
    jpeg = to_jpeg(np.clip(photo * light, 0, 255).astype(np.uint8))
    (seen,) = extract_sheets(decode_photo(jpeg), [LEVEL])
    (sheet,) = read_photo(jpeg, [LEVEL]).sheets
    return seen, sheet


@pytest.mark.slow
@pytest.mark.parametrize(("family", "is_asked"), [("light pencil", True), ("gel", False)])
def test_overexposed_fields_are_asked_only_with_a_pale_pen(family: str, *, is_asked: bool) -> None:
    seen, sheet = lit(family)
    best = sheet.best()
    crosses = {name for name, (kind, _sure) in best.items() if kind != EMPTY}
    bleached = find_overexposed(seen.rectified, seen.layout, seen.patches, crosses)
    assert bool(bleached) is is_asked
    asked = {name for name, (kind, sure) in best.items() if kind == EMPTY and sure < MIN_CONFIDENCE}
    assert {name for name in bleached & best.keys() if len(sheet.answers[name]) > 1} <= asked
    assert len(asked) < len(best) / 2 or is_asked


@pytest.mark.slow
def test_an_overexposed_sheet_without_marks_is_unsure() -> None:
    seen, _sheet = lit("gel")
    assert find_overexposed(seen.rectified, seen.layout, seen.patches, ())


def test_an_overexposed_sheet_without_marks_is_one_question() -> None:
    seen, _sheet = lit("gel")
    assert seen.patches
    blank = read_sheet(replace(seen, patches=seen.patches._replace(photo=seen.patches.printed)))
    assert blank.is_overexposed
    assert [
        kind for kind, sure in blank.best().values() if kind != EMPTY or sure < MIN_CONFIDENCE
    ] == []


@pytest.mark.slow
def test_a_clear_mark_on_an_overexposed_field_leaves_its_neighbours_sure() -> None:
    seen, _sheet = lit("light pencil")
    assert seen.rectified
    assert seen.layout
    assert seen.patches
    names, marked = seen.patches.names, {"b2", "d2", "c6", "f9"}
    before = find_overexposed(seen.rectified, seen.layout, seen.patches, marked)
    photo = seen.patches.photo.copy()
    cross, white = names.index("b2"), names.index("f9")
    photo[white] = seen.patches.printed[white] + photo[cross] - seen.patches.printed[cross]
    shown = seen.patches._replace(photo=photo)
    left = find_overexposed(seen.rectified, seen.layout, shown, marked)
    assert {"e8", "f8", "g10", "f9"} <= before - left
    assert {"h7", "f11", "c10"} <= left
