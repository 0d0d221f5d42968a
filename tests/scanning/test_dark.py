"""Leaves with dark fields are seen as usual ones: print on paper, and marks wherever it changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sheets.rules.level import Field
from sheets.scanning.patches import SIDE, Look
from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import PX_PER_MM
from sheets.scanning.unknown.flat import FIELD_PX
from sheets.scanning.unknown.pad import Pad
from tests.scanning.leaf_shots import draw_pad, look_at_flat

COUNT = 5
CROSSED, COLOURED = "b2", "d4"
BRIGHT, DARK = (235, 225, 90), (12, 14, 20)
MIDDLE = np.s_[SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]


def empty_pad() -> Pad:
    """A leaf of dark fields, in four tints, with bright digits."""
    tints = ((62, 60, 80), (90, 60, 50), (95, 95, 95), (50, 80, 60))

    def draw(picture: Picture, field: Field, corner: tuple[int, int]) -> None:
        ends = (corner[0] + FIELD_PX - 2, corner[1] + FIELD_PX - 2)
        cv2.rectangle(picture, corner, ends, tints[(field.column + field.row) % len(tints)], -1)
        at = (corner[0] + 20, corner[1] + 46)
        cv2.putText(picture, str(field.number), at, 0, 1.3, (235, 235, 240), 4, cv2.LINE_AA)

    return draw_pad(COUNT, draw)


def seen(pad: Pad, colour: tuple[int, int, int]) -> Look:
    """The same with a cross and a field coloured in, in other light and a little off."""
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
    # As another camera sees it: brighter shadows, less contrast, a lamp to the right.
    lamp = np.linspace(0.6, 0.95, picture.shape[1])[None, :, None]
    photo = np.clip(14 + picture * lamp, 0, 255).astype(np.uint8)
    photo = cv2.GaussianBlur(photo, (0, 0), 1.2)
    return look_at_flat(photo, pad, dict.fromkeys(boxes, (0.1, -0.1)))


def marks(look: Look) -> Callable[[str], NDArray[Any]]:
    """How much darker each pixel of a field's middle is shown than its print."""
    darker = (look.photo - look.printed).mean(3)
    return lambda name: darker[look.names.index(name)][MIDDLE]


@pytest.mark.parametrize("colour", [BRIGHT, DARK], ids=["a bright pen", "a dark pen"])
def test_what_a_pen_changes_is_shown_as_ink_on_paper(colour: tuple[int, int, int]) -> None:
    pad = empty_pad()
    look = seen(pad, colour)
    assert min(look.photo.min(), look.printed.min()) >= 0, "print is darker than its ground, too"
    darker = marks(look)
    for name in look.names:
        if name not in (CROSSED, COLOURED):
            assert np.quantile(np.abs(darker(name)), 0.98) < 0.2, name
    assert 0.1 < (darker(CROSSED) > 0.25).mean() < 0.6
    assert (darker(COLOURED) > 0.25).mean() > 0.5


def test_print_is_shown_darker_than_its_ground() -> None:
    look = seen(empty_pad(), BRIGHT)
    shown = look.printed.mean(3)[look.names.index("a1")][MIDDLE]
    assert np.median(shown) < 0.05
    assert shown.max() > 0.3
