"""A level together with its empty sheet's photo: where all that may be marked lies on a leaf."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from sheets.rules.level import Level
from sheets.scanning.forms import MARGIN_MM, NumberRoom, Rect
from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import PX_PER_MM
from sheets.scanning.unknown.flat import FIELD_MM
from sheets.scanning.unknown.template import Template, places_of

_NO_NUMBERS: Final[dict[str, NumberRoom]] = {}


@dataclass(frozen=True, eq=False)
class Pad:
    """A sheet that is none of ours, as `Form` is one of ours.

    ``template`` has the names of the level (`align`). Millimetres are counted from the middle of
    ``a1``, as if fields were `FIELD_MM` wide.
    """

    level: Level
    template: Template

    @property
    def name(self) -> Rect | None:
        """Where a player writes a name: nobody has said."""
        return None

    @property
    def numbers(self) -> dict[str, NumberRoom]:
        """Where numbers to circle are: nobody has said."""
        return _NO_NUMBERS

    @cached_property
    def boxes(self) -> dict[str, Rect]:
        """All fields, by name."""
        half = FIELD_MM / 2
        return {
            name: (x * FIELD_MM - half, y * FIELD_MM - half, FIELD_MM, FIELD_MM)
            for name, (x, y) in places_of(self.level).items()
        }

    @cached_property
    def box(self) -> Rect:
        """The part of the leaf that is laid flat: all fields, with a margin."""
        boxes = np.array(list(self.boxes.values()))
        left, top = boxes[:, :2].min(0) - MARGIN_MM
        right, low = (boxes[:, :2] + boxes[:, 2:]).max(0) + MARGIN_MM
        return float(left), float(top), float(right - left), float(low - top)

    @cached_property
    def picture(self) -> Picture:
        """How it looks when it is empty, over ``box`` at `PX_PER_MM`."""
        return self.look(self.box, PX_PER_MM)

    def look(self, box: Rect, px_per_mm: float) -> Picture:
        """How a part of it looks when it is empty."""
        size = (round(box[2] * px_per_mm), round(box[3] * px_per_mm))
        unit = self.template.field_px / FIELD_MM / px_per_mm
        # Of a pixel its middle is looked at, on both sides.
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
