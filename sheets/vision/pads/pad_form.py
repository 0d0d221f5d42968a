"""Layout of a purchased pad: a level and the picture of its empty sheet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from sheets.rules.level import Level
from sheets.vision.layouts import MARGIN_MM, NumberRoom, Rect, bounding_box
from sheets.vision.pads.rectification import FIELD_MM
from sheets.vision.pads.template import Template, grid_positions
from sheets.vision.pixels import Picture
from sheets.vision.rectification import PX_PER_MM

_NO_NUMBERS: Final[dict[str, NumberRoom]] = {}
"""Numbers to circle: their positions are unknown."""


@dataclass(frozen=True, eq=False)
class PadForm:
    """Layout of the sheets of a purchased pad.

    ``template`` is aligned to the level (`align`). Coordinates are millimetres from the centre of
    ``a1``, with fields of `FIELD_MM`.
    """

    level: Level
    template: Template

    @property
    def name(self) -> Rect | None:
        """Box of the player's name, which is unknown."""
        return None

    @property
    def numbers(self) -> dict[str, NumberRoom]:
        """Boxes of numbers to circle, which are unknown."""
        return _NO_NUMBERS

    @cached_property
    def boxes(self) -> dict[str, Rect]:
        """Boxes of all fields by name."""
        half = FIELD_MM / 2
        return {
            name: (x * FIELD_MM - half, y * FIELD_MM - half, FIELD_MM, FIELD_MM)
            for name, (x, y) in grid_positions(self.level).items()
        }

    @cached_property
    def box(self) -> Rect:
        """Box that is rectified: all fields with a margin."""
        return bounding_box(self.boxes.values(), MARGIN_MM)

    @cached_property
    def picture(self) -> Picture:
        """Picture of the empty sheet over ``box`` at `PX_PER_MM`."""
        return self.render(self.box, PX_PER_MM)

    def render(self, box: Rect, px_per_mm: float) -> Picture:
        """Return the picture of a part of the empty sheet."""
        size = (round(box[2] * px_per_mm), round(box[3] * px_per_mm))
        unit = self.template.field_px / FIELD_MM / px_per_mm
        # Pixel centres correspond, not pixel corners.
        start = [
            at + edge * self.template.field_px / FIELD_MM + unit / 2 - 0.5
            for at, edge in zip(self.template.first, box[:2], strict=True)
        ]
        onto = np.array([[unit, 0, start[0]], [0, unit, start[1]]], np.float64)
        picture = self.template.picture
        if unit > 1:
            picture = cv2.GaussianBlur(picture, (0, 0), 0.4 * unit)
        how = (cv2.INTER_LINEAR if unit > 1 else cv2.INTER_CUBIC) | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(picture, onto, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
