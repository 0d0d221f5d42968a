"""Overlay of a reading on the rectified empty sheet."""

from __future__ import annotations

from typing import Final

import cv2

from sheets.vision.overlay import ASKED_COLOUR, CONFIDENT_COLOUR
from sheets.vision.pads.empty_sheet_reading import UNREAD, EmptySheetReading
from sheets.vision.pads.rectification import FIELD_PX
from sheets.vision.pixels import Picture
from sheets.vision.reading import MIN_CONFIDENCE

_SCALE: Final = 2
"""Factor by which the picture is enlarged."""

_INSET: Final = 0.04
"""Inset of a field's frame, in fields."""

_LETTER_PX: Final = 22
"""Height of OpenCV's letters at scale 1, in pixels."""


def draw_grid_overlay(sheet: EmptySheetReading) -> Picture:
    """Draw the upright sheet with a frame, the digit and the group of each field.

    Uncertain fields have a thick frame in a colour of their own.

    Raises:
        ValueError: the sheet was refused.
    """
    if sheet.rectified is None:
        raise ValueError("nothing was seen on this photo")
    side = FIELD_PX * _SCALE
    picture = cv2.resize(sheet.rectified.picture, None, fx=_SCALE, fy=_SCALE)
    for one, position in zip(sheet.fields, sheet.positions, strict=True):
        x, y = (
            round((position[i] - 0.5 - sheet.rectified.origin[i] + _INSET) * side) for i in (0, 1)
        )
        size = round((1 - 2 * _INSET) * side)
        colour = CONFIDENT_COLOUR if one.confidence >= MIN_CONFIDENCE else ASKED_COLOUR
        width = 2 if one.confidence >= MIN_CONFIDENCE else 5
        cv2.rectangle(picture, (x, y), (x + size, y + size), colour, width, cv2.LINE_AA)
        label = f"{one.digit or UNREAD} {one.group + 1}"
        scale = 0.24 * side / _LETTER_PX
        at = (x + 4, y + size - 5)
        for shown, thick in (((255, 255, 255), 6), (colour, 2)):
            cv2.putText(
                picture, label, at, cv2.FONT_HERSHEY_SIMPLEX, scale, shown, thick, cv2.LINE_AA
            )
    return picture
