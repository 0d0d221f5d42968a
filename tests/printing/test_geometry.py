"""Arrangement of sheets on pages, and sizes of their fields."""

from __future__ import annotations

import pytest

from sheets.levels import shipped_levels
from sheets.printing.geometry import (
    OptionError,
    PageOptions,
    arrange_pages,
    count_pages,
    layout_hash,
    make_frame,
    sheets_per_page,
)
from sheets.printing.geometry_document import format_geometry
from sheets.rules import parse_level

LEVELS = list(shipped_levels().values())


def arranged(count: int, **options: object) -> list[list[tuple[int, int]]]:
    """Return the number and the place of each sheet, page by page."""
    pages = arrange_pages(LEVELS[:count], PageOptions(**options))
    return [[(placed.number, placed.place) for placed in page] for page in pages]


@pytest.mark.parametrize(
    ("count", "options", "pages"),
    [
        (3, {}, [[(1, 0), (2, 1)], [(3, 0)]]),
        (1, {"copies": 2}, [[(1, 0), (1, 1)]]),
        (1, {}, [[(1, 0)]]),
        (3, {"copies": 2}, [[(1, 0), (2, 1)], [(3, 0), (1, 1)], [(2, 0), (3, 1)]]),
        (2, {"per_page": 1}, [[(1, 0)], [(2, 0)]]),
        (4, {"duplex": True}, [[(1, 0), (3, 1)], [(2, 0), (4, 1)]]),
        (3, {"duplex": True}, [[(1, 0), (3, 1)], [(2, 0)]]),
        (2, {"duplex": True, "per_page": 1, "copies": 2}, [[(1, 0)], [(2, 0)]] * 2),
        (2, {"duplex": True, "copies": 2}, [[(1, 0), (1, 1)], [(2, 0), (2, 1)]]),
        (1, {"duplex": True, "per_page": 1}, [[(1, 0)], []]),
    ],
)
def test_sheets_are_arranged(count: int, options: dict, pages: list) -> None:
    assert arranged(count, **options) == pages
    assert count_pages(LEVELS[:count], PageOptions(**options)) == len(pages)


def test_front_and_back_of_a_sheet_lie_in_the_same_place() -> None:
    """The paper is turned over at its long edge, which lies at the top: left stays left."""
    geometry = format_geometry(LEVELS[:4], PageOptions(duplex=True))
    fields = [sheet["fields"]["a5"][0] for sheet in geometry["sheets"]]
    assert geometry["page"]["width_mm"] > geometry["page"]["height_mm"]
    assert fields[0] == pytest.approx(fields[2], abs=1)
    assert fields[1] == pytest.approx(fields[3], abs=1)


def test_a_sheet_that_would_be_alone_on_its_side_fills_it() -> None:
    one, both_sides = PageOptions(), PageOptions(duplex=True)
    assert sheets_per_page(LEVELS[:1], one) == sheets_per_page(LEVELS[:2], both_sides) == 1
    assert sheets_per_page(LEVELS[:1], PageOptions(copies=2)) == 2
    assert sheets_per_page(LEVELS[:1], PageOptions(per_page=2)) == 2
    assert sheets_per_page(LEVELS[:3], both_sides) == 2


@pytest.mark.parametrize(
    ("options", "per_page"),
    [({}, 2), ({"paper": "a5"}, 1), ({"paper": "letter"}, 1), ({"large": True}, 1)],
)
def test_default_number_of_sheets_leaves_readable_fields(options: dict, per_page: int) -> None:
    chosen = PageOptions(**options)
    assert sheets_per_page(LEVELS, chosen) == per_page
    for level in LEVELS:
        assert make_frame(level, chosen, per_page).field_mm >= 11


def test_large_fields_are_larger() -> None:
    for level in LEVELS:
        plain = make_frame(level, PageOptions(per_page=1), 1).field_mm
        large = make_frame(level, PageOptions(large=True), 1).field_mm
        assert large > plain > make_frame(level, PageOptions(), 2).field_mm


@pytest.mark.parametrize(
    "grid",
    [["1"], ["1 " * 26], ["1"] * 26, ["1 " * 26] * 26],
    ids=["one field", "one row", "one column", "26 by 26"],
)
@pytest.mark.parametrize("paper", ["a4", "a5", "letter"])
def test_a_level_of_any_size_fits(grid: list[str], paper: str) -> None:
    level = parse_level({"id": "odd", "name": "Odd", "grid": grid})
    shape = make_frame(level, PageOptions(paper=paper), 1)
    width, height = shape.size
    for box in shape.fields.values():
        assert min(box.x, box.y) >= 8
        assert box.x + box.width <= shape.column.x
        assert box.y + box.height <= shape.legend.y
    assert shape.legend.height > 10
    assert max(box.y + box.height for box in shape.markers) <= shape.legend.y
    assert shape.qr.y + shape.qr.height <= height - 8
    assert shape.column.x + shape.column.width <= width - 8 + 1e-9


def test_geometry_has_the_documented_format() -> None:
    geometry = format_geometry(LEVELS[:2], PageOptions())
    assert geometry["page"] == {"width_mm": 297.0, "height_mm": 210.0}
    first, second = geometry["sheets"]
    assert (first["page"], first["level"], second["page"]) == (1, "level-1", 1)
    assert [marker["id"] for marker in first["markers"]] == [0, 1, 2, 3]
    assert [marker["id"] for marker in second["markers"]] == [4, 5, 6, 7]
    assert set(first["fields"]) == set(LEVELS[0].index)
    left, top = first["markers"][0]["corners"][0]
    assert first["markers"][0]["corners"] == [
        [left, top], [left + 12, top], [left + 12, top + 12], [left, top + 12],
    ]  # fmt: skip
    corners = [marker["corners"][0] for marker in first["markers"]]
    assert corners[0][1] == corners[1][1] < corners[2][1] == corners[3][1]
    assert corners[0][0] == corners[3][0] < corners[1][0] == corners[2][0]


def test_without_markers_there_are_none_and_fields_stay() -> None:
    plain, bare = (format_geometry(LEVELS[:1], PageOptions(markers=m)) for m in (True, False))
    assert bare["sheets"][0]["markers"] == []
    assert bare["sheets"][0]["fields"] == plain["sheets"][0]["fields"]


def test_layout_hash_differs_between_layouts() -> None:
    hashes = {
        layout_hash(level, make_frame(level, options, per_page))
        for level in LEVELS
        for options, per_page in (
            (PageOptions(), 2),
            (PageOptions(per_page=1), 1),
            (PageOptions(large=True), 1),
            (PageOptions(paper="a5"), 1),
        )
    }
    assert len(hashes) == 4 * len(LEVELS)


@pytest.mark.parametrize(
    "options",
    [
        {"paper": "a3"},
        {"per_page": 3},
        {"copies": 0},
        {"copies": 501},
        {"per_page": 2, "large": True},
        {"per_page": 2, "paper": "a5"},
        {"large": True, "paper": "a5"},
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict) -> None:
    with pytest.raises(OptionError):
        PageOptions(**options)
