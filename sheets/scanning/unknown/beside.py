"""What does the reader look at on a pad's leaf? Its fields, beside those of an empty one's photo.

Both photos have their own light, and print has any tint: what counts is how dark a pixel is beside
the ground of its field, under the light of the empty sheet.
"""

from __future__ import annotations

from math import ceil
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.patches import AROUND, SIDE, Look, Patches, cut_patches
from sheets.scanning.pixels import Ink, Picture
from sheets.scanning.straighten import PX_PER_MM, Straight
from sheets.scanning.unknown.dark import is_dark, look_at_dark
from sheets.scanning.unknown.pad import Pad

_TONES: Final = 16
"""Of so many groups of pixels that are about equally bright it is told how bright they become."""

_MOSTLY: Final = 0.4
"""The share of these pixels that nothing is drawn over, at least."""

_SAMPLE: Final = 24_000
"""So many pixels say so as well as all of them."""

_LEAST: Final = 0.06
"""A ground is never taken to be darker than this, 1 being white: noise would be ink."""

_DARKEST, _DRAWN = 0.98, 0.02
"""Where something is drawn the darkest pixels, but for so many, are so much darker than print."""

_PRINT: Final = 0.85
"""What is darker than that beside its surroundings says nothing of the light."""

_SHADOW_MM: Final = 15
"""What is narrower than that, one and a half fields, is no shadow: a field that somebody has
filled in with a pale pencil would be one."""

_MIDDLE: Final = 0.8
"""The part of a field whose usual brightness is its ground."""


def look_beside(straight: Straight, pad: Pad) -> Look:
    """Patches of all fields, each moved to where its print truly lies."""
    blank = cut_patches(pad.picture.astype(np.float32) / 255, pad, {})
    if is_dark(blank):
        return look_at_dark(straight, pad, blank)
    light = _light(straight.picture, pad.picture)
    lit = straight.picture.astype(np.float32) / 255 / light
    photo = cut_patches(lit, pad, straight.shifts)
    printed = _as_bright(blank, photo)
    ground = _ground(printed)[:, None, None]
    inks = [np.clip(1 - some / ground, -0.25, 1) for some in (photo, printed)]
    return Look(tuple(pad.boxes), inks[0], inks[1])


def bare_fields(look: Look) -> set[str]:
    """The fields in which nothing is darker than print is there: printed crosses are crosses, too.

    A pen that draws over print of its own colour may leave nothing more; so this is no proof.
    """
    photo, printed = (some.mean(3) for some in (look.photo, look.printed))
    around = np.stack([cv2.dilate(one, np.ones((5, 5), np.uint8)) for one in printed])
    edge = round(SIDE * (1 - _MIDDLE / AROUND) / 2)
    more = (photo - around)[:, edge:-edge, edge:-edge].reshape(len(photo), -1)
    darkest = np.quantile(more, _DARKEST, axis=1)
    return {name for name, dark in zip(look.names, darkest, strict=True) if dark < _DRAWN}


def _as_bright(printed: Patches, photo: Patches) -> Patches:
    """The print as another camera shows it: each brightness becomes what it mostly is there.

    Strokes may cover more than half of it, but hardly any of that is equally dark.
    """
    found = np.empty_like(printed)
    step = ceil(printed[..., 0].size / _SAMPLE)
    for colour in range(3):
        all_before = printed[..., colour].ravel()
        before, after = all_before[::step], photo[..., colour].ravel()[::step]
        edges = np.quantile(before, np.linspace(0, 1, _TONES + 1))
        group = np.searchsorted(edges[1:-1], before)
        some = [group == i for i in range(_TONES)]
        known = [(np.median(before[one]), _mostly(after[one])) for one in some if one.any()]
        low, high = np.array(sorted(known)).T
        # Strokes only make darker: what is brighter in print is so in the photo.
        high = np.maximum.accumulate(high)
        # Of what is darker or brighter than all of them, in proportion.
        curve = np.interp(all_before, low, high)
        curve = np.where(all_before < low[0], all_before * (high[0] / max(low[0], 1e-3)), curve)
        found[..., colour] = curve.reshape(printed.shape[:3])
    return found


def _mostly(values: NDArray[np.float32]) -> float:
    """The middle of the narrowest span that so many of some values lie in."""
    values = np.sort(values)
    count = max(1, round(_MOSTLY * len(values)))
    first = int((values[count - 1 :] - values[: len(values) - count + 1]).argmin())
    return float(values[first + count // 2])


def _light(photo: Picture, blank: Picture) -> Ink:
    """How bright the photo is beside the empty sheet's, in each colour, if nothing is drawn."""
    size = tuple(max(1, round(side / PX_PER_MM)) for side in photo.shape[1::-1])
    seen, empty = (
        cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        for one in (photo, blank)
    )
    ratio = seen / np.maximum(empty, 16)
    # Print is paler or darker in another photo than its ground is.
    around = cv2.morphologyEx(empty, cv2.MORPH_CLOSE, np.ones((6, 6), np.uint8))
    ratio[(empty < _PRINT * around).any(2)] = 0
    wide = cv2.morphologyEx(ratio, cv2.MORPH_CLOSE, np.ones((_SHADOW_MM,) * 2, np.uint8))
    light = cv2.GaussianBlur(wide, (0, 0), 1.5)
    return np.maximum(cv2.resize(light, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR), 0.02)


def _ground(printed: Patches) -> NDArray[np.float32]:
    """What is not print in each field, N × 3."""
    edge = round(SIDE * (1 - _MIDDLE / AROUND) / 2)
    inside = printed[:, edge:-edge, edge:-edge].reshape(len(printed), -1, 3)
    return np.maximum(np.median(inside, axis=1), _LEAST).astype(np.float32)
