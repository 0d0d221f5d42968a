"""Silhouettes of levels: their shapes in distinct colours."""

from __future__ import annotations

import re

from sheets.artwork.palette import LIGHT
from sheets.artwork.silhouette import HUES, draw_silhouette, hue_of
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
    assert len({hue_of(one) for one in SHIPPED}) == len(SHIPPED) == len(HUES)
    assert len({draw_silhouette(one) for one in SHIPPED}) == len(SHIPPED)


def test_a_level_always_has_the_same_colour() -> None:
    assert set(HUES) <= set(LIGHT.groups)
    assert hue_of(level()) == hue_of(level(name="Another name"))
    # The number at the end of an id takes precedence over hexadecimal digits.
    assert hue_of(level(id="level-1")) == hue_of(level(id="level-9")) == HUES[0]


def test_a_silhouette_shows_shape_symbols_and_printed_crosses_alone() -> None:
    drawn = draw_silhouette(level())
    assert ART_CLASS.findall(drawn) == [hue_of(level()), "", "yellow", "bomb", ""]
    assert "<use" not in drawn
    without_crosses = draw_silhouette(level(grid=["4 2 .", "1 . 3", "5 6 1"], points={}))
    assert ART_CLASS.findall(without_crosses) == [hue_of(level()), ""]


def test_a_hole_within_the_sheet_is_a_hole_of_its_shape() -> None:
    around = draw_silhouette(level(grid=["4x 2 1", "1 . 3", "5 6 1"], points={}))
    shape = re.findall(r'<path class="f-solid[^>]* d="([^"]*)"', around)[0]
    assert shape.lower().count("z") == 2


def test_shifted_rows_are_within_the_picture() -> None:
    drawn = draw_silhouette(level(shifts=[0, 0.5, 0]))
    straight = draw_silhouette(level())
    width, wider = (
        float(re.findall(r'viewBox="\S+ \S+ (\S+)', one)[0]) for one in (straight, drawn)
    )
    assert wider == width + 50
