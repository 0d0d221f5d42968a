"""Segmentation: a patch of each field from the photo, and the same patch of the reference image."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.illumination import normalise_illumination
from sheets.vision.layouts import PrintLayout, Rect, SheetLayout
from sheets.vision.pixels import Ink
from sheets.vision.rectification import PX_PER_MM, RectifiedSheet
from sheets.vision.reference_image import render_reference

SIDE: Final = 40
"""Side of a patch in pixels."""

FIELD_SCALE: Final = 1.3
"""Side of a patch relative to its field: strokes cross the field's borders."""

NUMBER_SCALE: Final = 1.9
"""Side of a patch relative to its number: circles lie around the number."""

INTERIOR_EDGE: Final = round(SIDE * (1 - 0.8 / FIELD_SCALE) / 2)
"""Width of the edge of a patch around the interior of its field, which is 80 % of its side."""

BLUR_PX: Final = 0.42
"""Standard deviation of the blur before downsampling, in pixels of the patch; thin lines stay
visible."""

Patches = NDArray[np.float32]
"""Darkness of each pixel in red, green and blue, N × `SIDE` × `SIDE` × 3: 0 paper to 1 black."""

_MIN_TINT: Final = 0.12
"""Minimum saturation of printed pixels that show whether a print is coloured."""

MIN_PRINT_SLOPE: Final = 0.3
"""Minimum regression slope of a patch on its reference; below it, the print is hidden. Pale print,
shadow and blur leave two thirds and more; glare leaves nothing."""

CENTRE: Final = slice(9, 31)
"""Rows and columns of the centre of a patch, with digits and symbols."""

_MIN_PRINT_SPREAD: Final = 0.02
"""Minimum standard deviation of a reference patch that has visible print."""


class SheetPatches(NamedTuple):
    """Patches of all places of a sheet, from the photo and from the reference image.

    ``names`` are those of `SheetLayout.boxes`; ``printed`` has the contrast of this print.
    """

    names: tuple[str, ...]
    photo: Patches
    printed: Patches


def extract_patches(rectified: RectifiedSheet, layout: PrintLayout) -> SheetPatches:
    """Cut the patches of a printed sheet, each shifted to the place of its print."""
    ink = normalise_illumination(rectified.picture, PX_PER_MM)
    photo = cut_patches(ink, layout, rectified.shifts)
    printed = _printed(layout, bw=False)
    if not _is_coloured(photo, printed):
        printed = _printed(layout, bw=True)
    dark = mean_darkness(printed)
    is_print = dark > 0.35
    contrast = np.median(mean_darkness(photo)[is_print] / dark[is_print])
    return SheetPatches(
        tuple(layout.boxes), photo, printed * np.float32(np.clip(contrast, 0.2, 1.2))
    )


def mean_darkness(patches: Patches) -> NDArray[np.float32]:
    """Return the mean of the channels of each pixel; faster than NumPy's ``mean``."""
    return np.asarray((patches[..., 0] + patches[..., 1] + patches[..., 2]) / np.float32(3))


def interior(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the pixels of each field without its border, N × pixels, in which backgrounds are
    measured."""
    part = patches[:, INTERIOR_EDGE:-INTERIOR_EDGE, INTERIOR_EDGE:-INTERIOR_EDGE]
    return part.reshape(len(part), -1, *part.shape[3:])


def find_hidden_print(patches: SheetPatches) -> frozenset[str]:
    """Return the places whose print is hidden in the photo, in the whole patch or in its centre.

    Strokes would not be visible there either.
    """
    photo, printed = mean_darkness(patches.photo), mean_darkness(patches.printed)
    middle = (slice(None), CENTRE, CENTRE)
    is_unseen = _is_lost(photo, printed) | _is_lost(photo[middle], printed[middle])
    return frozenset(name for name, lost in zip(patches.names, is_unseen, strict=True) if lost)


def _is_lost(photo: NDArray[np.float32], printed: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return for each of N patches whether its print is missing in the photo."""
    drawn = printed - printed.mean((1, 2), keepdims=True)
    spread = (drawn**2).mean((1, 2))
    seen = (photo * drawn).mean((1, 2))
    return np.asarray((spread > _MIN_PRINT_SPREAD**2) & (seen < MIN_PRINT_SLOPE * spread))


@lru_cache(maxsize=16)
def _printed(layout: PrintLayout, *, bw: bool) -> Patches:
    blank = render_reference(layout, bw=bw)
    return cut_patches(1 - blank.astype(np.float32) / 255, layout, {})


def cut_patches(
    layer: Ink, layout: SheetLayout, shifts: Mapping[str, tuple[float, float]]
) -> Patches:
    """Cut a patch of each place, in the order of ``boxes``; ``shifts`` as in `RectifiedSheet`."""
    return np.stack(
        [
            _cut(
                layer, box, layout.box, shifts.get(name, (0.0, 0.0)),
                NUMBER_SCALE if name in layout.numbers else FIELD_SCALE,
            )
            for name, box in layout.boxes.items()
        ]
    )  # fmt: skip


def _is_coloured(photo: Patches, printed: Patches) -> bool:
    """Return whether most pixels with a printed colour have it in the photo."""
    tint = printed - mean_darkness(printed)[..., None]
    strength = np.einsum("...c,...c", tint, tint)
    chosen = strength > _MIN_TINT**2
    if not chosen.any():
        return True
    seen, tint = photo[chosen], tint[chosen]
    along = ((seen - mean_darkness(seen)[:, None]) * tint).sum(1) / strength[chosen]
    return bool(np.median(along) > 0.3)


def _cut(layer: Ink, box: Rect, of: Rect, shift: tuple[float, float], around: float) -> Ink:
    x, y, width, height = box
    side = max(width, height) * around
    left = (x + width / 2 - side / 2 - of[0] + shift[0]) * PX_PER_MM
    top = (y + height / 2 - side / 2 - of[1] + shift[1]) * PX_PER_MM
    unit = side * PX_PER_MM / SIDE
    y0, y1 = max(0, int(top) - 4), int(top + SIDE * unit) + 6
    x0, x1 = max(0, int(left) - 4), int(left + SIDE * unit) + 6
    part = cv2.GaussianBlur(layer[y0:y1, x0:x1], (0, 0), BLUR_PX * unit)
    half = unit / 2 - 0.5
    onto = np.array([[unit, 0, left + half - x0], [0, unit, top + half - y0]], np.float32)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(part, onto, (SIDE, SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
