"""Contrast of every role with its ground, in every palette."""

from __future__ import annotations

import pytest

from sheets.art.drawings import drawings
from sheets.art.palette import DARK, LIGHT, PRINT, PRINT_BW, Palette, contrast

THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
ALL = pytest.mark.parametrize(
    "palette", [LIGHT, DARK, PRINT, PRINT_BW], ids=["light", "dark", "print", "black-and-white"]
)
GROUPS = sorted(LIGHT.groups)


def too_faint(palette: Palette, role: str, ground: str, minimum: float) -> dict[str, float]:
    """Return the contrast of a role with its ground in each group where it is too low."""
    found = {
        group: contrast(palette.colour(role, group), palette.colour(ground, group))
        for group in GROUPS
    }
    return {group: ratio for group, ratio in found.items() if ratio < minimum}


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [("#000000", "#ffffff", 21), ("#777777", "#ffffff", 4.48), ("#ff0000", "#ffffff", 4.0)],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    assert contrast(first, second) == pytest.approx(ratio, abs=0.01)


@ALL
def test_numbers_can_be_read_on_every_field(palette: Palette) -> None:
    assert contrast(palette.colour("ink"), palette.colour("paper")) >= 4.5
    assert too_faint(palette, "ink", "tint", 4.5) == {}


@ALL
def test_symbols_stand_out_from_their_field(palette: Palette) -> None:
    assert too_faint(palette, "line", "tint", 3) == {}


@ALL
def test_shapes_stand_out_from_the_body_of_their_symbol(palette: Palette) -> None:
    assert too_faint(palette, "on", "solid", 3) == {}
    assert too_faint(palette, "emblem", "bow", 3) == {}


@ALL
def test_marks_and_signs_stand_out_from_paper(palette: Palette) -> None:
    for role in ("pen", "print", "border", "rail", "rail-print"):
        assert contrast(palette.colour(role), palette.colour("paper")) >= 3, role
    assert contrast(palette.colour("on-badge"), palette.colour("badge")) >= 4.5
    assert contrast(palette.colour("pip"), palette.colour("die")) >= 7


@THEMES
def test_a_cross_stands_out_from_every_field(palette: Palette) -> None:
    assert too_faint(palette, "pen", "tint", 3) == {}


@THEMES
def test_numbers_can_be_read_on_lava(palette: Palette) -> None:
    assert contrast(palette.colour("ink"), palette.colour("lava-glow")) >= 4.5


@ALL
def test_every_role_that_is_drawn_has_a_colour(palette: Palette) -> None:
    for drawing in drawings().values():
        for shape in drawing.shapes:
            for role in (shape.fill, shape.stroke):
                assert not role or palette.colour(role, drawing.group).startswith("#")


@pytest.mark.parametrize("palette", [PRINT, PRINT_BW], ids=["print", "black-and-white"])
def test_printed_digits_are_no_darker_than_a_pen(palette: Palette) -> None:
    assert 4.5 <= contrast(palette.colour("ink"), "#ffffff") <= 6


def test_black_and_white_is_grey() -> None:
    colours = {*PRINT_BW.roles.values(), *(c for g in PRINT_BW.groups.values() for c in g.values())}
    for colour in colours:
        assert len({colour[1:3], colour[3:5], colour[5:7]}) == 1, colour
