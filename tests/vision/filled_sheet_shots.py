"""Photos for the tests: filled sheets of purchased pads and their empty sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from sheets.rules import parse_level
from sheets.rules.level import Field
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pads.pad_patches import pad_patches
from sheets.vision.pads.rectification import FIELD_PX
from sheets.vision.pads.template import Template
from sheets.vision.patches import SheetPatches
from sheets.vision.pixels import Picture
from sheets.vision.rectification import PX_PER_MM, PhotoSampler, RectifiedSheet, WarpModel
from tests.vision.empty_sheet_shots import FONTS
from tests.vision.shots import FIRM
from training.camera import photograph
from training.filled_pages import Truth
from training.pad_pages import PX_PER_MM as PAGE_PX_PER_MM
from training.pads import SyntheticPad, choose_pad, fill_pad

_PAPER: Final = 235
"""Brightness of paper."""


class FilledSheetShot(NamedTuple):
    """Pad, photos of its empty and of a filled sheet, and the ground truth."""

    pad: SyntheticPad
    empty: bytes
    jpeg: bytes
    truth: Truth


@cache
def take_filled_sheet(seed: int) -> FilledSheetShot:
    """Draw and photograph a random pad, filled with a firm pen."""
    rng = np.random.default_rng(seed)
    pad = choose_pad(rng, FONTS)
    empty = photograph(rng, pad.page.picture, PAGE_PX_PER_MM, "easy", megapixels=4).jpeg
    picture, truth = fill_pad(rng, pad, FIRM)
    jpeg = photograph(rng, picture, PAGE_PX_PER_MM, "easy", megapixels=4).jpeg
    return FilledSheetShot(pad, empty, jpeg, truth)


def draw_pad_form(count: int, draw: Callable[[Picture, Field, tuple[int, int]], None]) -> PadForm:
    """Return a square pad on paper.

    Args:
        count: number of fields each way.
        draw: draws the print of a field into the sheet's picture. Its third argument is the field's
            top left corner, from which it is `FIELD_PX` wide and high.
    """
    grid = [" ".join(str(1 + (x + y) % 6) for x in range(count)) for y in range(count)]
    level = parse_level({"format": "dizzle-level/1", "id": "pad", "name": "Pad", "grid": grid})
    picture = np.full(((count + 3) * FIELD_PX,) * 2 + (3,), _PAPER, np.uint8)
    for field in level.fields:
        left, top = (round((at + 1.5) * FIELD_PX) for at in (field.column, field.row))
        draw(picture, field, (left, top))
    first = (2.0 * FIELD_PX,) * 2
    return PadForm(level, Template(picture, b"", FIELD_PX, first, (1.0, 1.0), {}))


def cut_flat_patches(
    picture: Picture, pad: PadForm, shifts: Mapping[str, tuple[float, float]] | None = None
) -> SheetPatches:
    """Cut the patches of a sheet that lies exactly as its empty sheet; ``shifts`` as in
    `RectifiedSheet`."""
    lens = PhotoSampler(picture, np.eye(3), WarpModel(pad.box))
    straight = RectifiedSheet(picture, lens, shifts or {}, {}, 1.0, 1.0, 0.0, 0.0, PX_PER_MM)
    return pad_patches(straight, pad)
