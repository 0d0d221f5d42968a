"""Illumination correction: estimates of the brightness of bare paper, and normalisation by them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from sheets.vision.pixels import Grey, Ink, Picture, grey_to_rgb, max_channel

_PHOTO_PX: Final = 250
"""Longest side of the reduced photo in which the brightness of the paper is estimated."""

_PHOTO_KERNEL_PX: Final = 9
"""Kernel size of that estimate, in pixels of the reduced photo."""

_MAX_PRINT: Final = 0.8
"""Brightness relative to paper above which print is removed as pale."""

_WHITE: Final = 220
"""Brightness of paper after the normalisation; sharpened edges are brighter."""

_MAX_BARE_PRINT: Final = 0.85
"""Brightness relative to the surroundings below which a pixel is print and not used for
illumination."""

_SHADOW_MM: Final = 15
"""Minimum width of a shadow: 1.5 fields, wider than a field filled with a pale pencil."""

_SOFT_MM: Final = 1.5
"""Standard deviation of the blur of the illumination: shadows have soft edges."""

_LIT_QUANTILES: Final = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
"""Candidate quantiles for the unshadowed brightness."""

_BLACK: Final = 4.0
"""Brightness below which a pixel is noise, 255 being white."""

_MEDIAN_MM: Final = 31
"""Window of the median filter that estimates illumination; marks cover less than half of it."""

_LOG_STEPS: Final = 24.0
"""Quantisation of the logarithm of a ratio to bytes, in steps per unit."""


def photo_background(grey: Grey) -> Grey:
    """Estimate the brightness of the paper around each pixel of a photo of unknown scale."""
    scale = min(1.0, _PHOTO_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    kernel = (_PHOTO_KERNEL_PX,) * 2
    paper = cv2.blur(cv2.dilate(small, np.ones(kernel, np.uint8)), kernel)
    return cv2.resize(paper, grey.shape[::-1])


def normalise_photo(grey: Grey) -> Grey:
    """Divide a photo by the brightness of the paper around each pixel."""
    return cv2.divide(grey, photo_background(grey), scale=_WHITE)


def remove_colours(picture: Picture) -> Picture:
    """Remove colours and pale print; black print and black pens remain.

    A pixel whose maximum channel is nearly as bright as the surrounding paper becomes as bright as
    paper.
    """
    grey = max_channel(picture)
    most = cv2.convertScaleAbs(photo_background(grey), alpha=_MAX_PRINT)
    return grey_to_rgb(cv2.min(grey, most))


def normalise_illumination(picture: Picture | Grey, px_per_mm: float) -> Ink:
    """Return the darkness of each pixel relative to the paper, without shadows and lamps.

    Each channel is normalised by itself: 0 as bright as paper, 1 black.
    """
    scale = 1.0 / px_per_mm  # one pixel a millimetre is enough
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    paper = cv2.resize(_paper(small), picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.clip(1 - picture.astype(np.float32) / np.maximum(paper, 8), -0.25, 1)


def _paper(small: Picture | Grey | Ink) -> Ink:
    """Estimate the brightness of the paper by morphological closing; pixels are 1 mm wide."""
    wide = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((17, 17), np.uint8))
    near = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((6, 6), np.uint8))
    # A scribble hides the paper next to it: much darker than further away is not paper.
    bare = np.where(near < 0.8 * wide.astype(np.float32), wide, near).astype(np.float32)
    return cv2.GaussianBlur(bare, (0, 0), 1.5)


def illumination_gains(photo: Picture, blank: Picture, px_per_mm: float) -> tuple[Ink, Ink]:
    """Return the gains that equalise the illumination of photo and empty sheet and remove shadows.

    They have one pixel per millimetre, and are those of each colour.
    """
    size = tuple(max(1, round(side / px_per_mm)) for side in photo.shape[1::-1])
    photo_mm, sheet_mm = (
        cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        for one in (photo, blank)
    )
    illumination = _bright_illumination(photo_mm, sheet_mm)
    more = _shadow_gain(illumination, sheet_mm)
    return np.asarray(more / illumination), more


def apply_gain(picture: Picture, gain: Ink) -> Ink:
    """Multiply a picture by a gain of lower resolution; 0 is black, 1 is white."""
    wide = cv2.resize(gain / 255, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, wide, dtype=cv2.CV_32F), np.float32)


def _bright_illumination(photo_mm: Ink, sheet_mm: Ink) -> Ink:
    """Return the illumination of the photo relative to the empty sheet's, on bright fields."""
    ratio = photo_mm / np.maximum(sheet_mm, 16)
    # The contrast of print differs between photos, so only background is compared.
    around = cv2.morphologyEx(sheet_mm, cv2.MORPH_CLOSE, np.ones((6, 6), np.uint8))
    ratio[(sheet_mm < _MAX_BARE_PRINT * around).any(2)] = 0
    wide = cv2.morphologyEx(ratio, cv2.MORPH_CLOSE, np.ones((_SHADOW_MM,) * 2, np.uint8))
    return np.maximum(cv2.GaussianBlur(wide, (0, 0), _SOFT_MM), 0.02)


def _shadow_gain(illumination: Ink, sheet_mm: Ink) -> Ink:
    """Return the gain that removes a shadow only the empty sheet's photo has.

    The unshadowed ratio of both photos is unknown: the candidate that leaves the weakest edges is
    taken.
    """
    levels = np.quantile(illumination, _LIT_QUANTILES, axis=(0, 1)).astype(np.float32)
    more = np.maximum(illumination / levels[:, None, None], 1)
    lit = np.log(np.maximum(sheet_mm, _BLACK) * more)
    edges = [np.abs(np.diff(lit, axis=axis)).sum((1, 2, 3)) for axis in (1, 2)]
    return np.asarray(more[np.argmin(edges[0] + edges[1])])


def dark_illumination(photo: Picture, blank: Picture, px_per_mm: float) -> Ink:
    """Return the illumination of the photo relative to the empty sheet's, on dark fields.

    It has the size of the photo. Strokes may be brighter or darker than paper, so it is a median.
    """
    size = tuple(max(1, round(side / px_per_mm)) for side in photo.shape[1::-1])
    lit, empty = (
        cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 1
        for one in (photo, blank)
    )
    ratio = np.log(lit / np.maximum(empty, 6))
    # The contrast of print differs between photos, so only bare background is compared.
    behind = cv2.morphologyEx(empty, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    bare = np.asarray((empty <= 1.3 * behind + 4).all(2, keepdims=True), np.float32)
    share = cv2.blur(bare, (9, 9))[..., None]
    near = cv2.blur(np.asarray(ratio * bare), (9, 9)) / np.maximum(share, 1e-3)
    ratio = np.where(bare > 0, ratio, near)
    levels = np.clip(np.round(ratio * _LOG_STEPS + 128), 0, 255).astype(np.uint8)
    prior = cv2.medianBlur(levels, _MEDIAN_MM).astype(np.float32)
    light = np.exp((cv2.GaussianBlur(prior, (0, 0), 5) - 128) / _LOG_STEPS)
    wide = cv2.resize(light, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide, np.float32)
