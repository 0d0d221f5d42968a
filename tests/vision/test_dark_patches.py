"""Tests of patches of dark fields: print and marks come out dark on light."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheets.rules.level import Field
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pads.rectification import FIELD_PX
from sheets.vision.patches import SIDE, SheetPatches
from sheets.vision.pixels import Picture
from sheets.vision.rectification import PX_PER_MM
from tests.vision.filled_sheet_shots import cut_flat_patches, draw_pad_form

COUNT = 5
CROSSED, COLOURED = "b2", "d4"
BRIGHT, DARK = (235, 225, 90), (12, 14, 20)
MIDDLE = np.s_[SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]


def empty_pad() -> PadForm:
    """Return a pad of dark fields in four tints with light digits."""
    tints = ((62, 60, 80), (90, 60, 50), (95, 95, 95), (50, 80, 60))

    def draw(picture: Picture, field: Field, corner: tuple[int, int]) -> None:
        ends = (corner[0] + FIELD_PX - 2, corner[1] + FIELD_PX - 2)
        cv2.rectangle(picture, corner, ends, tints[(field.column + field.row) % len(tints)], -1)
        at = (corner[0] + 20, corner[1] + 46)
        cv2.putText(picture, str(field.number), at, 0, 1.3, (235, 235, 240), 4, cv2.LINE_AA)

    return draw_pad_form(COUNT, draw)


def photographed(pad: PadForm, colour: tuple[int, int, int]) -> SheetPatches:
    """Cut the patches of the pad with a crossed and a filled field, in other light and slightly
    shifted."""
    picture = pad.picture.copy()
    boxes = {
        name: [
            round((at - edge) * PX_PER_MM) for at, edge in zip(box[:2], pad.box[:2], strict=True)
        ]
        for name, box in pad.boxes.items()
    }
    side = round(next(iter(pad.boxes.values()))[2] * PX_PER_MM)
    x, y = boxes[CROSSED]
    for start, end in (((x, y), (x + side, y + side)), ((x, y + side), (x + side, y))):
        cv2.line(picture, start, end, colour, 7, cv2.LINE_AA)
    x, y = boxes[COLOURED]
    for step in range(4, side - 3, 9):
        cv2.line(picture, (x + step, y + 3), (x + step, y + side - 3), colour, 6, cv2.LINE_AA)
    # Another camera: brighter shadows, less contrast, a lamp on the right.
    lamp = np.linspace(0.6, 0.95, picture.shape[1])[None, :, None]
    photo = np.clip(14 + picture * lamp, 0, 255).astype(np.uint8)
    photo = cv2.GaussianBlur(photo, (0, 0), 1.2)
    return cut_flat_patches(photo, pad, dict.fromkeys(boxes, (0.1, -0.1)))


def marks(look: SheetPatches) -> Callable[[str], NDArray[Any]]:
    """Return a function for the darkness of a field's centre relative to its print."""
    darker = (look.photo - look.printed).mean(3)
    return lambda name: darker[look.names.index(name)][MIDDLE]


@pytest.mark.parametrize("colour", [BRIGHT, DARK], ids=["a bright pen", "a dark pen"])
def test_pen_marks_are_dark_in_the_patches(colour: tuple[int, int, int]) -> None:
    pad = empty_pad()
    look = photographed(pad, colour)
    assert min(look.photo.min(), look.printed.min()) >= 0, "print is darker than its ground, too"
    darker = marks(look)
    for name in look.names:
        if name not in (CROSSED, COLOURED):
            assert np.quantile(np.abs(darker(name)), 0.98) < 0.2, name
    assert 0.1 < (darker(CROSSED) > 0.25).mean() < 0.6
    assert (darker(COLOURED) > 0.25).mean() > 0.5


def test_light_print_is_dark_in_the_patches() -> None:
    look = photographed(empty_pad(), BRIGHT)
    shown = look.printed.mean(3)[look.names.index("a1")][MIDDLE]
    assert np.median(shown) < 0.05
    assert shown.max() > 0.3
