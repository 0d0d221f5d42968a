"""Input patches of a purchased pad: fields of the photo and of the empty sheet's photo.

Both photos have their own illumination, and print has any tint. The patches hold the darkness
relative to the field's background under the illumination of the empty sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.illumination import apply_gain, illumination_gains
from sheets.vision.pads.dark_patches import dark_patches, is_dark_pad
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.patches import Patches, SheetPatches, cut_patches, interior
from sheets.vision.rectification import PX_PER_MM, RectifiedSheet

_COLOUR_STEPS: Final = 16
"""Number of quantisation steps per colour from black to white."""

_MIN_PIXELS: Final = 40
"""Minimum number of pixels of a quantised colour that is transferred."""

_MIN_FIELDS: Final = 4
"""Minimum number of fields with such a colour."""

_MODE_SHARE: Final = 0.3
"""Share of the values in the shortest interval that estimates the mode: pixels without marks."""

_STRIDE: Final = 2
"""Sampling stride of pixels, which is as accurate as all of them."""

_TABLE_SIZE: Final = 32
"""Side of the lookup table of colours."""

_TABLE_MAX: Final = 1.25
"""Brightness of its last cell."""

_KERNEL: Final = 0.06
"""Standard deviation of the kernel that interpolates colour shifts."""

_MIN_BACKGROUND: Final = 0.06
"""Lower bound of the background, 1 being white, which limits noise."""

_DARK_QUANTILE: Final = 0.98
"""Quantile of the darkness that represents a mark."""

_MIN_MARK: Final = 0.02
"""Minimum difference of a mark from print."""

_BACKGROUND_QUANTILE: Final = 0.75
"""Quantile of the brightness that is the background: large symbols cover more than half of a
field."""


def patch_variants(straight: RectifiedSheet, pad: PadForm) -> Iterator[SheetPatches]:
    """Yield the patches of all fields, each aligned to its print.

    For a pad with dark fields the first variant shows light on dark print as dark on light.
    """
    blank = cut_patches(pad.picture.astype(np.float32) / 255, pad, {})
    if is_dark_pad(blank):
        yield dark_patches(straight, pad, blank)
    yield _bright_patches(straight, pad)


def pad_patches(straight: RectifiedSheet, pad: PadForm) -> SheetPatches:
    """Return the first of `patch_variants`."""
    return next(patch_variants(straight, pad))


def _bright_patches(straight: RectifiedSheet, pad: PadForm) -> SheetPatches:
    gain, more = illumination_gains(straight.picture, pad.picture, PX_PER_MM)
    photo = cut_patches(apply_gain(straight.picture, gain), pad, straight.shifts)
    printed = _transfer_colours(cut_patches(apply_gain(pad.picture, more), pad, {}), photo)
    background = _backgrounds(printed)[:, None, None]
    inks = [np.clip(1 - some / background, -0.25, 1) for some in (photo, printed)]
    return SheetPatches(tuple(pad.boxes), inks[0], inks[1])


def find_unmarked(look: SheetPatches) -> set[str]:
    """Return the fields without pixels darker than their print.

    This is no proof: a pen may draw over print of its own colour.
    """
    photo, printed = (some.mean(3) for some in (look.photo, look.printed))
    around = np.stack([cv2.dilate(one, np.ones((5, 5), np.uint8)) for one in printed])
    darkest = np.quantile(interior(photo - around), _DARK_QUANTILE, axis=1)
    return {name for name, dark in zip(look.names, darkest, strict=True) if dark < _MIN_MARK}


def _transfer_colours(printed: Patches, photo: Patches) -> Patches:
    """Map the print's colours to those of the photo by the mode of each colour's shift.

    Strokes may cover more than half of a colour, but hardly with equal darkness. Rare colours take
    the shift of similar ones.
    """
    before, after = (some[:, ::_STRIDE, ::_STRIDE].reshape(-1, 3) for some in (printed, photo))
    field = np.repeat(np.arange(len(printed)), len(before) // len(printed))
    steps = np.clip(np.round(before * _COLOUR_STEPS), 0, 2 * _COLOUR_STEPS).astype(np.intp)
    _names, colour = np.unique(steps @ (1, 100, 10_000), return_inverse=True)
    order = np.argsort(colour, kind="stable")
    colours, shifts = [], []
    for some in np.split(order, np.cumsum(np.bincount(colour))[:-1]):
        if len(some) >= _MIN_PIXELS and len(np.unique(field[some])) >= _MIN_FIELDS:
            shift = after[some] - before[some]
            colours.append(before[some].mean(0))
            shifts.append([_mode(shift[:, i]) for i in range(3)])
    if not colours:
        return printed
    return printed + _interpolate_shifts(
        printed, np.array(colours, np.float32), np.array(shifts, np.float32)
    )


def _interpolate_shifts(
    printed: Patches, colours: NDArray[np.float32], shifts: NDArray[np.float32]
) -> Patches:
    """Interpolate the colour shift of each pixel from those of the known colours, K × 3."""
    axis = np.linspace(0, _TABLE_MAX, _TABLE_SIZE, dtype=np.float32)
    cells = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1).reshape(-1, 3)
    products = cells @ colours.T
    far = ((cells**2).sum(1)[:, None] - 2 * products + (colours**2).sum(1)) / (2 * _KERNEL**2)
    near = np.exp(far.min(1, keepdims=True) - far)
    table = near @ shifts / near.sum(1, keepdims=True)
    cell = np.clip(np.round(printed * ((_TABLE_SIZE - 1) / _TABLE_MAX)), 0, _TABLE_SIZE - 1).astype(
        np.int32
    )
    return np.asarray(
        table[(cell[..., 0] * _TABLE_SIZE + cell[..., 1]) * _TABLE_SIZE + cell[..., 2]]
    )


def _mode(values: NDArray[np.float32]) -> float:
    """Return the centre of the shortest interval that holds `_MODE_SHARE` of the values."""
    values = np.sort(values)
    count = max(1, round(_MODE_SHARE * len(values)))
    first = int((values[count - 1 :] - values[: len(values) - count + 1]).argmin())
    return float(values[first + count // 2])


def _backgrounds(printed: Patches) -> NDArray[np.float32]:
    """Return the background of each field, N × 3."""
    background = np.quantile(interior(printed), _BACKGROUND_QUANTILE, axis=1)
    return np.maximum(background, _MIN_BACKGROUND).astype(np.float32)
