"""Brightness of small gems with similar shapes in a black and white print."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from sheets.art.render.items import Part, PlacedPart, stamp
from sheets.art.render.raster import draw_pixels
from sheets.printing.paper_palette import print_palette

ARM_MM = 600.0
"""Distance of a sheet from the eye, at arm's length."""

ARC_MINUTE_MM = ARM_MM * np.tan(np.radians(1 / 60))
"""Resolution of a healthy eye at this distance."""

GEM_MM = 4.0
"""Side of a gem where two sheets share a page."""

PX_PER_MM = 12.0
"""Resolution of the rendered gems."""

SIMILAR = ("yellow", "blue", "purple")
"""Colours of gems with similar shapes: circle, pentagon, and hexagon."""


@pytest.mark.parametrize("dark", [False, True], ids=["grey numbers", "black numbers"])
def test_small_gems_differ_at_arms_length(dark: bool) -> None:
    brightness = {colour: blurred_brightness(f"gem-{colour}", dark=dark) for colour in SIMILAR}
    for one, other in combinations(SIMILAR, 2):
        assert abs(brightness[one] - brightness[other]) >= 12, (one, other, brightness)


def blurred_brightness(drawing: str, *, dark: bool) -> float:
    """Return the brightness (0 to 255) in the middle of a drawing, blurred as for a weak eye."""
    part = Part("P", (stamp(drawing, 1, 1, GEM_MM),))
    box = (0.0, 0.0, GEM_MM + 2, GEM_MM + 2)
    picture = draw_pixels([PlacedPart(part, 0)], print_palette(bw=True, dark=dark), box, PX_PER_MM)
    blurred = cv2.GaussianBlur(picture, (0, 0), 2 * ARC_MINUTE_MM * PX_PER_MM)
    middle, reach = len(blurred) // 2, round(GEM_MM / 4 * PX_PER_MM)
    return float(blurred[middle - reach : middle + reach, middle - reach : middle + reach].mean())
