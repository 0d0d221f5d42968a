"""Everything can be seen on what it stands on, in every palette."""

from __future__ import annotations

import pytest

from sheets.artwork.drawings import drawings
from sheets.artwork.palette import DARK, LIGHT, PRINT, PRINT_BW, Palette, contrast

THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
ALL = pytest.mark.parametrize(
    "palette", [LIGHT, DARK, PRINT, PRINT_BW], ids=["light", "dark", "print", "black-and-white"]
)


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [("#000000", "#ffffff", 21), ("#777777", "#ffffff", 4.48), ("#ff0000", "#ffffff", 4.0)],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    assert contrast(first, second) == pytest.approx(ratio, abs=0.01)


@ALL
@pytest.mark.parametrize("group", ["", *LIGHT.groups])
def test_numbers_can_be_read_on_every_field(palette: Palette, group: str) -> None:
    ground = palette.colour("tint" if group else "paper", group)
    assert contrast(palette.colour("ink"), ground) >= 4.5


@ALL
@pytest.mark.parametrize("group", LIGHT.groups)
def test_symbols_stand_out_from_their_field(palette: Palette, group: str) -> None:
    assert contrast(palette.colour("line", group), palette.colour("tint", group)) >= 3


@ALL
@pytest.mark.parametrize("group", LIGHT.groups)
def test_shapes_stand_out_from_what_carries_them(palette: Palette, group: str) -> None:
    carrier = {"on": "solid", "emblem": "bow"}
    for role, ground in carrier.items():
        ratio = contrast(palette.colour(role, group), palette.colour(ground, group))
        assert ratio >= 3, role


@ALL
def test_marks_and_signs_stand_out_from_paper(palette: Palette) -> None:
    for role in ("pen", "print", "border", "rail", "rail-print"):
        assert contrast(palette.colour(role), palette.colour("paper")) >= 3, role
    assert contrast(palette.colour("on-badge"), palette.colour("badge")) >= 4.5
    assert contrast(palette.colour("pip"), palette.colour("die")) >= 7


@THEMES
@pytest.mark.parametrize("group", LIGHT.groups)
def test_a_cross_stands_out_from_every_field(palette: Palette, group: str) -> None:
    assert contrast(palette.colour("pen"), palette.colour("tint", group)) >= 3


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
