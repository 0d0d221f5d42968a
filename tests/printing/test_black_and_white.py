"""Gems that look alike when they are small differ in brightness in black and white."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from sheets.printing.inks import inks
from sheets.render.items import Part, Placed, stamp
from sheets.render.raster import draw_pixels

ARM_MM = 600.0
ARC_MINUTE_MM = ARM_MM * np.tan(np.radians(1 / 60))
"""What a healthy eye tells apart at arm's length."""

GEM_MM = 4.0
"""Side of a gem where two sheets share a page."""

PX_PER_MM = 12.0
ALIKE = ("yellow", "blue", "purple")
"""Circle, pentagon, and hexagon."""


@pytest.mark.parametrize("dark", [False, True], ids=["grey numbers", "black numbers"])
def test_small_gems_differ_at_arms_length(dark: bool) -> None:
    seen = {colour: seen_from_afar(f"gem-{colour}", dark=dark) for colour in ALIKE}
    for one, other in combinations(ALIKE, 2):
        assert abs(seen[one] - seen[other]) >= 12, (one, other, seen)


def seen_from_afar(drawing: str, *, dark: bool) -> float:
    """The brightness in the middle of a drawing, seen through a weak eye, 0 to 255."""
    part = Part("P", (stamp(drawing, 1, 1, GEM_MM),))
    box = (0.0, 0.0, GEM_MM + 2, GEM_MM + 2)
    picture = draw_pixels([Placed(part, 0)], inks(bw=True, dark=dark), box, PX_PER_MM)
    blurred = cv2.GaussianBlur(picture, (0, 0), 2 * ARC_MINUTE_MM * PX_PER_MM)
    middle, reach = len(blurred) // 2, round(GEM_MM / 4 * PX_PER_MM)
    return float(blurred[middle - reach : middle + reach, middle - reach : middle + reach].mean())
