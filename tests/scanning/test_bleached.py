"""Where so much light falls that a pale pen cannot be seen, an empty field is asked about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sheets.geometry import PageOptions
from sheets.levels import shipped_levels
from sheets.scanning.bleached import find_bleached
from sheets.scanning.kinds import EMPTY
from sheets.scanning.photos import open_photo
from sheets.scanning.reading import SURE, SheetReading, read_photo, read_sheet
from sheets.scanning.seen import SeenSheet, see_sheets
from tests.scanning.shots import to_jpeg
from training.camera import photograph
from training.papers import PX_PER_MM, Filling, Marked, fill_page

LEVEL = shipped_levels()["level-4"]
CROSSES = ("b2", "c2", "d2", "b3", "c5", "c6", "d6", "b9", "c9", "d9", "d10")


def lit(family: str) -> tuple[SeenSheet, SheetReading]:
    """A sheet with some crosses of a pen, brighter and brighter from one side to the other."""
    rng = np.random.default_rng(3)
    filling = Filling(families=(family,), methods=("ribbon",), taken_back=0, stray=0)
    marked = [Marked(dict.fromkeys(CROSSES, "cross"))]
    page, _truths = fill_page(rng, [LEVEL], PageOptions(paper="a5"), filling, marked)
    photo = open_photo(photograph(rng, page, PX_PER_MM, "easy", megapixels=4).jpeg)
    light = np.linspace(0.6, 2.2, len(photo))[:, None, None]
    jpeg = to_jpeg(np.clip(photo * light, 0, 255).astype(np.uint8))
    (seen,) = see_sheets(open_photo(jpeg), [LEVEL])
    (sheet,) = read_photo(jpeg, [LEVEL]).sheets
    return seen, sheet


@pytest.mark.slow
@pytest.mark.parametrize(("family", "is_asked"), [("light pencil", True), ("gel", False)])
def test_only_a_pale_pen_is_asked_about_where_paper_is_white_altogether(
    family: str, *, is_asked: bool
) -> None:
    seen, sheet = lit(family)
    best = sheet.best()
    crosses = {name for name, (kind, _sure) in best.items() if kind != EMPTY}
    bleached = find_bleached(seen.straight, seen.form, seen.look, crosses)
    assert bool(bleached) is is_asked
    asked = {name for name, (kind, sure) in best.items() if kind == EMPTY and sure < SURE}
    assert {name for name in bleached & best.keys() if len(sheet.answers[name]) > 1} <= asked
    assert len(asked) < len(best) / 2 or is_asked


@pytest.mark.slow
def test_a_white_sheet_without_any_mark_may_have_some() -> None:
    seen, _sheet = lit("gel")
    assert find_bleached(seen.straight, seen.form, seen.look, ())


def test_a_white_sheet_without_any_mark_is_asked_about_as_a_whole() -> None:
    seen, _sheet = lit("gel")
    assert seen.look
    blank = read_sheet(replace(seen, look=seen.look._replace(photo=seen.look.printed)))
    assert blank.is_bleached
    assert [kind for kind, sure in blank.best().values() if kind != EMPTY or sure < SURE] == []


@pytest.mark.slow
def test_beside_a_white_field_that_shows_a_mark_well_nothing_is_lost() -> None:
    seen, _sheet = lit("light pencil")
    assert seen.straight
    assert seen.form
    assert seen.look
    names, marked = seen.look.names, {"b2", "d2", "c6", "f9"}
    before = find_bleached(seen.straight, seen.form, seen.look, marked)
    photo = seen.look.photo.copy()
    cross, white = names.index("b2"), names.index("f9")
    photo[white] = seen.look.printed[white] + photo[cross] - seen.look.printed[cross]
    shown = seen.look._replace(photo=photo)
    left = find_bleached(seen.straight, seen.form, shown, marked)
    assert {"e8", "f8", "g10", "f9"} <= before - left
    assert {"h7", "f11", "c10"} <= left
