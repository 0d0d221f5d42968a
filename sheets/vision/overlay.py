"""Pictures of readings: a frame and a label for each answer."""

from __future__ import annotations

from typing import Final

import cv2

from sheets.vision.mark_kinds import EMPTY
from sheets.vision.pads.empty_sheet_reading import UNREAD, EmptySheetReading
from sheets.vision.pads.rectification import FIELD_PX
from sheets.vision.pixels import Picture
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading
from sheets.vision.rectification import PX_PER_MM

CONFIDENT_COLOUR: Final = (0, 120, 60)
"""Colour (RGB) of answers with enough confidence."""

ASKED_COLOUR: Final = (225, 90, 0)
"""Colour (RGB) of answers that the app asks about."""

_GRID_SCALE: Final = 2
"""Factor by which the picture of an empty sheet is enlarged."""

_LETTER_PX: Final = 20
"""Width of OpenCV's letters at scale 1, in pixels."""


def draw_overlay(sheet: SheetReading) -> Picture:
    """Draw the marks that were read, and frames where the app asks, on the rectified sheet.

    Raises:
        ValueError: the sheet was refused.
    """
    if sheet.rectified is None or sheet.layout is None:
        raise ValueError("nothing was read on this sheet")
    labels = {
        name: ("" if kind == EMPTY else kind, confidence)
        for name, (kind, confidence) in sheet.best().items()
    }
    circled = sheet.best_numbers()
    for name, room in sheet.layout.numbers.items():
        points, confidence = circled[room.track]
        labels[name] = "o" if room.points == points else "", confidence
    picture = sheet.rectified.picture.copy()
    for name, (label, confidence) in labels.items():
        if label or confidence < MIN_CONFIDENCE:
            box, shift = sheet.layout.boxes[name], sheet.rectified.shifts[name]
            x, y = ((box[i] - sheet.layout.box[i] + shift[i]) * PX_PER_MM for i in (0, 1))
            _draw_frame(picture, (x, y, box[2] * PX_PER_MM), label, confidence)
    return picture


def draw_grid_overlay(sheet: EmptySheetReading) -> Picture:
    """Draw the digit and the group of each field on the upright empty sheet.

    Raises:
        ValueError: the sheet was refused.
    """
    if sheet.rectified is None:
        raise ValueError("nothing was seen on this photo")
    side = FIELD_PX * _GRID_SCALE
    picture = cv2.resize(sheet.rectified.picture, None, fx=_GRID_SCALE, fy=_GRID_SCALE)
    for one, position in zip(sheet.fields, sheet.positions, strict=True):
        x, y = ((position[i] - 0.5 - sheet.rectified.origin[i]) * side for i in (0, 1))
        label = f"{one.digit or UNREAD} {one.group + 1}"
        _draw_frame(picture, (x, y, side), label, one.confidence)
    return picture


def _draw_frame(
    picture: Picture, square: tuple[float, float, float], label: str, confidence: float
) -> None:
    """Draw a frame and a label within a square (left, top, side); the frame is thicker if the app
    asks."""
    x, y, side = square
    is_sure = confidence >= MIN_CONFIDENCE
    colour = CONFIDENT_COLOUR if is_sure else ASKED_COLOUR
    (left, top), (right, low) = (
        (round(x + share * side), round(y + share * side)) for share in (0.04, 0.96)
    )
    cv2.rectangle(picture, (left, top), (right, low), colour, 2 if is_sure else 5, cv2.LINE_AA)
    scale = 0.85 * side / _LETTER_PX / max(4, len(label))
    at, font = (left + 4, low - 5), cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(picture, label, at, font, scale, colour, 2, cv2.LINE_AA)
