"""Distances on printed pages: no symbol, number or line touches another at any size."""

from __future__ import annotations

import pytest

from sheets.art.palette import COLOURS
from sheets.art.render.items import DrawnPage, Part, PlacedPart, TextLine, line
from sheets.levels import shipped_levels
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions
from sheets.rules import parse_level
from tests.fan_levels import FAN_LEVELS
from tests.printing.shapes_on_paper import covered, touching

CLEARANCE_MM = 0.05
"""Minimum distance of two items."""

EDGE_MM = 5.0
"""Minimum distance of an item from the edge of the paper."""

MIN_LINE_MM = 0.3 * 25.4 / 72
"""Minimum width of a line: 0.3 points."""

SIZES = {
    "a4": {},
    "a4, one sheet": {"per_page": 1},
    "a4, large": {"large": True},
    "a4, no markers": {"markers": False},
    "a5": {"paper": "a5"},
    "letter": {"paper": "letter"},
    "letter, large": {"paper": "letter", "large": True},
    "letter, two sheets": {"paper": "letter", "per_page": 2},
}

WIDE_POINTS = (44, 14, -44, -14, -4, 4, 66, 99)
"""Points of columns, most of them with wide digits."""

CROWDED = parse_level(
    {
        "id": "crowded",
        "name": "An unusually long name for a level that wants to be read",
        "difficulty": 3,
        "grid": [
            "1Gr 2Go 3Gy 4Gg 5Gb 6Gp 1Gw 2Gk",
            "1Kr 2Ko 3Ky 4Kg 5Kb 6Kp 1Kw 2Kk",
            "1Lr 2Lo 3Ly 4Lg 5Lb 6Lp 1Lw 2Lk",
            "1Fr 2Fo 3Fy 4Fg 5Fb 6Fp 1Fw 2Fk",
            "1Jr 2Jo 3Jy 4Jg 5Jb 6Jp 1Jw 2Jk",
            "1B  2R  3P  -P  4O  5H  -V  6x ",
        ],
        "lines": [
            *({"row": n, "points": p} for n, p in enumerate((14, 44, -44, -4, 8, 66), start=1)),
            *({"column": c, "points": p} for c, p in zip("abcdefgh", WIDE_POINTS, strict=True)),
        ],
        "areas": [
            {"fields": ["a1", "a2"], "points": 44},
            {"fields": ["c1", "c2", "d1"], "points": -44},
            {"fields": ["f3", "f4"], "race": [9, 4]},
        ],
        "points": {
            "gem": dict.fromkeys(COLOURS, 10),
            "puzzle": dict.fromkeys(COLOURS, 12),
            "flag": {colour: [10, 6, 3, 1] for colour in COLOURS},
            "bomb": -2,
            "heap": -3,
        },
        "dice": {"5": 16, "6": 19},
        "rounds": {"5": 2, "6": 2},
    }
)
"""Level with every symbol in every colour, and mostly two digits for points."""

INVENTED = [CROWDED, *map(parse_level, FAN_LEVELS.values())]


@pytest.fixture(scope="module", params=SIZES)
def pages(request: pytest.FixtureRequest) -> list[DrawnPage]:
    """Return all levels, printed in English in one of the sizes."""
    return print_all(request.param, "en")


def print_all(size: str, lang: str) -> list[DrawnPage]:
    options = PageOptions(**SIZES[size], lang=lang, rules=True)
    return list(draw_booklet([*shipped_levels().values(), *INVENTED], options))


def test_nothing_touches_anything(pages: list[DrawnPage]) -> None:
    assert [found for page in pages for found in touching(page, CLEARANCE_MM)] == []


@pytest.mark.parametrize("size", ["a5", "a4, large"])
def test_nothing_touches_anything_in_german(size: str) -> None:
    pages = print_all(size, "de")
    assert [found for page in pages for found in touching(page, CLEARANCE_MM)] == []


def test_nothing_comes_near_the_edge_and_no_line_is_too_thin(pages: list[DrawnPage]) -> None:
    for page in pages:
        for found in covered(page, has_field_marks=True):
            left, top, right, bottom = found.box
            assert min(left, top) >= EDGE_MM - 0.01, found.name
            assert page.width_mm - right >= EDGE_MM - 0.01, found.name
            assert page.height_mm - bottom >= EDGE_MM - 0.01, found.name
            drawn = found.half_widths[found.half_widths > 0]
            assert not drawn.size or 2 * drawn.min() >= MIN_LINE_MM, found.name


def test_touching_items_are_detected() -> None:
    def measured(*items: object) -> int:
        part = Part("P", items)
        page = DrawnPage(100, 100, None, (PlacedPart(part, 0),))
        return len(touching(page, CLEARANCE_MM))

    across, along = line((10, 10), (30, 10)), line((20, 5), (20, 15))
    assert measured(across, along) == 1
    assert measured(across, line((10, 10.5), (30, 10.5))) == 0
    assert measured(across, line((10, 10.2), (30, 10.2))) == 1
    assert measured(across, TextLine("6", 12, 11, 3)) == 1
    assert measured(across, TextLine("6", 12, 9.7, 3)) == 0
