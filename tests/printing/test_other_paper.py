"""Pages made for A4 and printed on Letter, or the reverse: they lose nothing but white."""

from __future__ import annotations

import io

import numpy as np
import pypdf
import pytest

from sheets.art.render.pdf import write_pdf
from sheets.levels import shipped_levels
from sheets.printing.geometry import OTHER_PAPER, PAPERS, UNPRINTABLE_MM, PageOptions
from sheets.printing.result import CategoryRow, draw_result_page
from sheets.printing.score_tracks import WrittenNumbers, categories
from sheets.printing.sheet import Writing
from sheets.vision.reading import SheetReading, read_photo
from tests.printing.printed import print_pdf, render
from tests.vision.shots import FIRM, to_jpeg
from training.camera import photograph
from training.filled_pages import PX_PER_MM, PlannedMarks, fill_page

LEVELS = list(shipped_levels().values())
DPI = 100
"""Resolution of the rendered pages."""

WHITE = 250
"""Minimum grey value of white paper."""

KINDS: dict[str, dict[str, object]] = {
    "one sheet": {"per_page": 1},
    "one sheet, black and white, no markers": {"per_page": 1, "bw": True, "markers": False},
    "two sheets": {"per_page": 2},
    "two sheets, both sides": {"per_page": 2, "duplex": True},
    "large": {"large": True},
}
CROSSES = {"b4", "c5", "e6", "g7"}


def remaining(page: np.ndarray, *, is_at_top: bool = False) -> np.ndarray:
    """Return the part of a page that the other paper shows at 100 %.

    Args:
        page: a picture of a whole page.
        is_at_top: whether the page lies at the top of the paper instead of in its middle.
    """
    height, width = page.shape[:2]
    turn = -1 if width > height else 1
    own, other = min(
        ((PAPERS[name][::turn], PAPERS[more][::turn]) for name, more in OTHER_PAPER.items()),
        key=lambda both: abs(both[0][0] / both[0][1] - width / height),
    )
    kept = []
    for axis, pixels in ((1, height), (0, width)):
        start = 0.0 if is_at_top and axis == 1 else (other[axis] - own[axis]) / 2
        ends = np.array([UNPRINTABLE_MM, other[axis] - UNPRINTABLE_MM]) - start
        first, last = ends.clip(0, own[axis]) * pixels / own[axis]
        kept.append(slice(round(first), round(last)))
    return page[tuple(kept)]


def is_anything_lost(page: np.ndarray, *, is_at_top: bool = False) -> bool:
    """Return whether ink lies outside of the remaining part."""
    lost = page.copy()
    remaining(lost, is_at_top=is_at_top)[:] = 255
    return bool(lost.min() < WHITE)


def pages_of(pdf: bytes) -> list[np.ndarray]:
    return [
        render(pdf, number, DPI) for number in range(len(pypdf.PdfReader(io.BytesIO(pdf)).pages))
    ]


def test_lost_ink_is_detected() -> None:
    a4 = np.full((2970, 2100), 255, np.uint8)
    assert remaining(a4).shape == remaining(a4.T).shape[::-1] == (2710, 2076)
    assert remaining(a4, is_at_top=True).shape == (2710, 2076)
    assert remaining(np.full((2794, 2159), 255, np.uint8)).shape == (2794, 2016)
    assert not is_anything_lost(a4)
    a4[128, 1000] = 0
    assert is_anything_lost(a4)
    assert not is_anything_lost(a4, is_at_top=True)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_ink_is_lost(kind: str, paper: str) -> None:
    options = PageOptions(paper=paper, rules=True, dice2=True, lang="de", **KINDS[kind])
    pages = pages_of(print_pdf(LEVELS, options, full_writings()))
    assert len(pages) >= 8
    assert [n for n, page in enumerate(pages, start=1) if is_anything_lost(page)] == []


def full_writings() -> list[Writing]:
    """Return handwriting on the sheets of all levels, in every place."""
    return [
        Writing(
            "Wilhelmine von Humboldt-Dacheröden",
            marks={field.name: ("cross",) for field in level.fields},
            filled=WrittenNumbers(dict.fromkeys(categories(level), 88), 288, {}),
        )
        for level in LEVELS
    ]


def test_one_sheet_on_a4_loses_no_ink_at_the_top_of_the_paper() -> None:
    pages = pages_of(print_pdf(LEVELS, PageOptions(per_page=1)))
    assert len(pages) == len(LEVELS)
    assert not any(is_anything_lost(page, is_at_top=True) for page in pages)


def test_a_result_loses_no_ink() -> None:
    lines = [CategoryRow("Gems", "gem-red", range(12))] * 12
    page = draw_result_page("Castle", "Ana wins.", ["Ana"] * 12, lines, range(12))
    file = io.BytesIO()
    write_pdf([page], file, title="Castle", lang="en")
    (picture,) = pages_of(file.getvalue())
    assert not is_anything_lost(picture)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("kind", ["one sheet", "two sheets", "large"])
def test_the_remaining_part_of_a_page_is_read(kind: str, paper: str) -> None:
    options = PageOptions(paper=paper, **KINDS[kind])
    levels = [shipped_levels()[name] for name in ("level-2", "level-7")][: options.per_page or 1]
    marked = [PlannedMarks(dict.fromkeys(CROSSES, "cross"))] * len(levels)
    page, _truths = fill_page(np.random.default_rng(1), levels, options, FIRM, marked)
    edge = round(UNPRINTABLE_MM * PX_PER_MM)
    paper_seen = np.pad(remaining(page), ((edge,) * 2, (edge,) * 2, (0, 0)), constant_values=240)
    found = read_photo(to_jpeg(paper_seen), LEVELS).sheets
    assert [(sheet.refused, sheet.layout.level.id) for sheet in found] == [
        (None, level.id) for level in levels
    ]
    for sheet in found:
        assert crosses(sheet) == CROSSES


def test_sheet_that_was_cut_off_a_page_of_two_is_read() -> None:
    """The cut is a millimetre from the cut marks, so white paper surrounds the markers."""
    options = PageOptions(per_page=2)
    levels = LEVELS[1:3]
    rng = np.random.default_rng(3)
    marked = [PlannedMarks(dict.fromkeys(CROSSES, "cross"))] * 2
    page, _truths = fill_page(rng, levels, options, FIRM, marked)
    half = page[:, round((297 / 2 + 1) * PX_PER_MM) :]
    (sheet,) = read_photo(photograph(rng, half, PX_PER_MM, "normal").jpeg, LEVELS).sheets
    assert (sheet.refused, sheet.layout.level.id) == (None, levels[1].id)
    assert crosses(sheet) == CROSSES


def crosses(sheet: SheetReading) -> set[str]:
    return {name for name, (kind, _sure) in sheet.best().items() if kind == "cross"}
