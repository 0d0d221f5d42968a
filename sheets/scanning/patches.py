"""What does the reader look at? A small picture of each field, beside the same of its blank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Ink, Picture
from sheets.scanning.straighten import PX_PER_MM, Rect, Straight, darkness, paper_of

SIDE: Final = 40
"""Pixels of a patch, each way."""

AROUND: Final = 1.3
"""What a patch shows, in sides of its field: strokes go over borders."""

CHANNELS: Final = 4
SHEET_FACTS: Final = 6

Patches = NDArray[np.float32]
"""N × `SIDE` × `SIDE` × `CHANNELS`: ink and colour in the photo, ink and colour of the blank."""


class Look(NamedTuple):
    """All patches of a sheet, and what they have in common: light, print and pen."""

    names: tuple[str, ...]
    patches: Patches
    facts: NDArray[np.float32]


def look_at(straight: Straight, boxes: Mapping[str, Rect], blank: Picture) -> Look:
    """Patches of fields, each moved to where its print truly lies.

    Args:
        blank: the fields as printed, red, green and blue, over the same box as ``straight``.
    """
    picture = straight.picture
    grey_paper = [paper_of(np.ascontiguousarray(picture[..., i]), PX_PER_MM) for i in range(3)]
    reflect = np.stack(
        [np.clip(picture[..., i] / np.maximum(grey_paper[i], 8), 0, 1.2) for i in range(3)], -1
    )
    colour = (reflect.max(-1) - reflect.min(-1)).astype(np.float32)
    blank_grey = cv2.cvtColor(blank, cv2.COLOR_RGB2GRAY)
    blank_ink = darkness(blank_grey, np.full(blank_grey.shape, 255, np.float32))
    blank_colour = (blank.max(-1) - blank.min(-1)).astype(np.float32) / 255
    patches = []
    for name, box in boxes.items():
        shift = straight.shifts[name]
        seen = _cut([straight.ink, colour], box, straight.box, shift)
        printed = _cut([blank_ink, blank_colour], box, straight.box, (0.0, 0.0))
        patches.append(np.stack([*seen, *printed], -1))
    found = np.stack(patches).astype(np.float32)
    return Look(tuple(boxes), found, sheet_facts(found))


def _cut(layers: Sequence[Ink], box: Rect, of: Rect, shift: tuple[float, float]) -> list[Ink]:
    x, y, width, height = box
    side = max(width, height) * AROUND
    left = (x + width / 2 - side / 2 - of[0] + shift[0]) * PX_PER_MM
    top = (y + height / 2 - side / 2 - of[1] + shift[1]) * PX_PER_MM
    unit = side * PX_PER_MM / SIDE
    half = unit / 2 - 0.5
    matrix = np.array([[unit, 0, left + half], [0, unit, top + half]], np.float32)
    soft = 0.42 * unit
    found = []
    for layer in layers:
        y0, y1 = max(0, int(top) - 4), int(top + SIDE * unit) + 6
        x0, x1 = max(0, int(left) - 4), int(left + SIDE * unit) + 6
        part = layer[y0:y1, x0:x1]
        if soft > 0.5:
            part = cv2.GaussianBlur(part, (0, 0), soft)
        at = matrix - np.array([[0, 0, x0], [0, 0, y0]], np.float32)
        found.append(
            cv2.warpAffine(
                part,
                at,
                (SIDE, SIDE),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
        )
    return found


def sheet_facts(patches: Patches) -> NDArray[np.float32]:
    """What a pen's line is told by on this sheet, whatever its fields show.

    How dark print is beside the blank's, how much bare paper varies, and how dark and colourful
    the darkest strokes on it are, in few and in many of its fields.
    """
    ink, colour, print_ink = patches[..., 0], patches[..., 1], patches[..., 2]
    is_print = print_ink > 0.35
    contrast = float(np.median(ink[is_print] / print_ink[is_print])) if is_print.any() else 1.0
    near = np.stack([cv2.dilate(one, np.ones((3, 3))) for one in print_ink])
    bare = near < 0.04
    noise = float(np.median(np.abs(ink[bare]))) if bare.any() else 0.0
    over = np.where(near < 0.25, ink - contrast * near, 0.0)
    strongest = np.sort(np.quantile(over.reshape(len(over), -1), 0.97, axis=1))
    tint = np.sort(np.quantile(np.where(near < 0.25, colour, 0.0).reshape(len(over), -1), 0.97, 1))
    return np.array(
        [contrast, 10 * noise, *np.quantile(strongest, (0.5, 0.9)), *np.quantile(tint, (0.5, 0.9))],
        np.float32,
    )
