"""Silhouettes of levels: their shapes in distinct colours."""

from __future__ import annotations

import re

from sheets.art.palette import LIGHT
from sheets.art.thumbnail import THUMBNAIL_GROUPS, draw_thumbnail, thumbnail_group
from sheets.levels import shipped_levels
from sheets.rules import Level, parse_level

SHIPPED = list(shipped_levels().values())
ART_CLASS = re.compile(r'<g class="art(?: g-([a-z]+))?">')


def level(**more: object) -> Level:
    found = {
        "id": "own-3fa94c21",
        "name": "Tiny",
        "grid": ["4x 2Gy .", "1 . 3Gy", "5 6B 1"],
        "points": {"gem": {"yellow": 2}, "bomb": -2},
    }
    return parse_level(found | more)


def test_silhouettes_of_shipped_levels_differ() -> None:
    assert len({thumbnail_group(one) for one in SHIPPED}) == len(SHIPPED) == len(THUMBNAIL_GROUPS)
    assert len({draw_thumbnail(one) for one in SHIPPED}) == len(SHIPPED)


def test_a_level_always_has_the_same_colour() -> None:
    assert set(THUMBNAIL_GROUPS) <= set(LIGHT.groups)
    assert thumbnail_group(level()) == thumbnail_group(level(name="Another name"))
    # The number at the end of an id takes precedence over hexadecimal digits.
    assert (
        thumbnail_group(level(id="level-1"))
        == thumbnail_group(level(id="level-9"))
        == THUMBNAIL_GROUPS[0]
    )


def test_a_silhouette_shows_shape_symbols_and_printed_crosses_alone() -> None:
    drawn = draw_thumbnail(level())
    assert ART_CLASS.findall(drawn) == [thumbnail_group(level()), "", "yellow", "bomb", ""]
    assert "<use" not in drawn
    without_crosses = draw_thumbnail(level(grid=["4 2 .", "1 . 3", "5 6 1"], points={}))
    assert ART_CLASS.findall(without_crosses) == [thumbnail_group(level()), ""]


def test_a_hole_within_the_sheet_is_a_hole_of_its_shape() -> None:
    around = draw_thumbnail(level(grid=["4x 2 1", "1 . 3", "5 6 1"], points={}))
    shape = re.findall(r'<path class="f-solid[^>]* d="([^"]*)"', around)[0]
    assert shape.lower().count("z") == 2


def test_shifted_rows_are_within_the_picture() -> None:
    drawn = draw_thumbnail(level(shifts=[0, 0.5, 0]))
    straight = draw_thumbnail(level())
    width, wider = (
        float(re.findall(r'viewBox="\S+ \S+ (\S+)', one)[0]) for one in (straight, drawn)
    )
    assert wider == width + 50
