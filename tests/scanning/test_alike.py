"""Are fields with the same symbol one group, and others not?"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from sheets.scanning.unknown.alike import cluster, group_fields
from sheets.scanning.unknown.numbers import Number

SIDE = 64
INNER = (0.94, 0.94)
RED, BLUE = (200, 30, 40), (30, 60, 200)
NO_NUMBER = Number(None, 0.0, None)


def field(shape: str, colour: tuple[int, int, int], tint: tuple[int, int, int]) -> np.ndarray:
    picture = Image.new("RGB", (SIDE, SIDE), tint)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, SIDE - 1, SIDE - 1), outline=(40, 40, 40), width=2)
    if shape == "round":
        draw.ellipse((16, 16, 48, 48), fill=colour)
    elif shape == "bars":
        for top in (16, 30, 44):
            draw.rectangle((16, top, 48, top + 5), fill=colour)
    return np.asarray(picture)


@pytest.mark.parametrize("light", [1.0, 0.6])
def test_shape_and_colour_tell_groups_apart_and_tints_do_not(light: float) -> None:
    kinds = [("round", RED), ("round", BLUE), ("bars", RED), ("none", RED)]
    tints = [(250, 250, 250), (235, 225, 200)]
    fields = [field(*kind, tint) for kind in kinds for tint in tints for _ in range(3)]
    lit = [(one * light).astype(np.uint8) for one in fields]
    groups = group_fields(lit, [NO_NUMBER] * len(lit), INNER)
    assert sorted(groups) == [list(range(i, i + 6)) for i in range(0, 24, 6)]


def test_groups_are_joined_while_their_members_are_alike_on_the_average() -> None:
    alike = np.full((5, 5), -4.0)
    for i, k, by in ((0, 1, 5), (0, 2, 3), (1, 2, -1), (3, 4, 2)):
        alike[i, k] = alike[k, i] = by
    assert sorted(map(sorted, cluster(alike))) == [[0, 1, 2], [3, 4]]


def test_fields_are_one_group_where_there_is_but_one() -> None:
    assert cluster(np.zeros((1, 1))) == [[0]]
