"""Registration of a photo to a known empty sheet, including the orientation.

Feature matching yields a homography. The correlation of all printed fields verifies it, and shows
whether the sheet fits in other orientations as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.illumination import normalise_illumination, remove_colours
from sheets.vision.layouts import Rect
from sheets.vision.pads.feature_matching import match_features
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pads.quadrilaterals import Points, downscale
from sheets.vision.pads.rectification import FIELD_MM
from sheets.vision.pixels import Grey, Ink, Picture
from sheets.vision.quarter_turns import turn_matrix, turns_until_upright
from sheets.vision.rectification import PhotoSampler, WarpModel

_PHOTO_SIZES_PX: Final = (370_000, 1_700_000)
"""Number of pixels of the photo. The smaller is mostly enough, in a quarter of the time; the larger
shows a sheet that covers little of the photo."""

_SHEET_PX: Final = 500
"""Longer side of the empty sheet's picture, in pixels."""

_MARGIN: Final = 1.2
"""Margin of that picture around the fields, in fields, for titles."""

_FIELD_PX: Final = 24
"""Side of a field in the pictures that are correlated, in pixels."""

_PX_PER_MM: Final = _FIELD_PX / FIELD_MM
"""Resolution of these pictures."""

_INSIDE: Final = 0.76
"""Part of a field that is correlated, as a share of its side: all borders look the same."""

_INSIDE_PX: Final = round(_INSIDE * _FIELD_PX)
"""The same in pixels."""

_MIN_DEVIATION: Final = 0.03
"""Minimum standard deviation of the darkness in a field with print."""

_SEARCH_PX: Final = 4
"""Search range of each field's correlation, in pixels."""

_MIN_LEAD: Final = 0.11
"""Minimum lead of an orientation's similarity over the others: 0.15 and more in 192 filled
sheets."""

MIN_SIMILARITY: Final = 0.3
"""Minimum similarity of a registration: 0.44 and more in 192 filled sheets, up to 0.25 in 16 photos
of another sheet."""

_CLEAR_SIMILARITY: Final = 0.42
"""Similarity above which the search stops."""


@dataclass(frozen=True)
class Registration:
    """Candidate registration of a sheet.

    ``to_photo`` is the homography from millimetres of `PadForm` to pixels. ``similarity`` is the
    mean correlation of the fields with their print, -1 to 1. ``turn`` is the number of quarter
    turns, counter-clockwise, that turn the photo upright. ``is_black_only``: coloured strokes were
    removed.
    """

    to_photo: NDArray[np.float64]
    similarity: float
    turn: int
    is_black_only: bool = False


def register(photo: Picture, pad: PadForm) -> list[Registration]:
    """Return the registration in each orientation, the most similar first; none without a match.

    The black print alone is matched where the photo is not enough: the pens that cross print out
    mostly have colours. A larger photo follows only if the sheet was not found.
    """
    best: list[Registration] = []
    height, width = photo.shape[:2]
    for size_px in _PHOTO_SIZES_PX:
        scale = min(1.0, (size_px / (height * width)) ** 0.5)
        small = downscale(photo, scale)
        for is_black_only in (False, True):
            found = _register(small, scale, pad, is_black_only=is_black_only)
            best = max(best, found, key=_similarity)
            if len(likely_registrations(best)) == 1 and _similarity(best) >= _CLEAR_SIMILARITY:
                return best
        if _similarity(best) >= _CLEAR_SIMILARITY:
            break
    return best


def likely_registrations(registrations: Sequence[Registration]) -> list[Registration]:
    """Return the registrations that lag the best one by less than the minimum lead."""
    least = _similarity(registrations) - _MIN_LEAD
    return [one for one in registrations if one.similarity > least]


def _similarity(registrations: Sequence[Registration]) -> float:
    """Return the similarity of the best registration."""
    return registrations[0].similarity if registrations else -1.0


def _grey(picture: Picture, *, is_black_only: bool) -> Grey:
    """Convert a picture to grey, with black print only if required."""
    return cv2.cvtColor(remove_colours(picture) if is_black_only else picture, cv2.COLOR_RGB2GRAY)


def _register(
    photo: Picture, scale: float, pad: PadForm, *, is_black_only: bool
) -> list[Registration]:
    """Register a photo that was downscaled by ``scale``."""
    grey = _grey(photo, is_black_only=is_black_only)
    left, top, wide, high = pad.box
    margin = _MARGIN * FIELD_MM
    around = (left - margin, top - margin, wide + 2 * margin, high + 2 * margin)
    px_per_mm = _SHEET_PX / max(around[2:])
    empty = _grey(pad.render(around, px_per_mm), is_black_only=is_black_only)
    homography = match_features(empty, grey)
    if homography is None:
        return []
    to_empty = np.diag([px_per_mm, px_per_mm, 1.0])
    to_empty[:2, 2] = -px_per_mm * np.array(around[:2])
    to_photo = homography @ to_empty
    # A square around the sheet: quarter turns map it to itself.
    centre, side = (left + wide / 2, top + high / 2), max(wide, high)
    square = (centre[0] - side / 2, centre[1] - side / 2, side, side)
    darkness = _darkness(PhotoSampler(grey, to_photo, WarpModel(square)).sample(square, _PX_PER_MM))
    fields = _printed_fields(pad, square, is_black_only=is_black_only)
    found = []
    for turn in range(4):
        similarity = _mean_correlation(np.ascontiguousarray(np.rot90(darkness, turn)), fields)
        turned = np.diag([1 / scale, 1 / scale, 1]) @ to_photo @ turn_matrix(turn, centre)
        found.append(Registration(turned, similarity, _turns_of(turned, centre), is_black_only))
    return sorted(found, key=lambda one: -one.similarity)


def _printed_fields(pad: PadForm, box: Rect, *, is_black_only: bool) -> list[tuple[int, int, Ink]]:
    """Return the interior of each printed field, with its left and top in pixels of ``box``."""
    ink = _darkness(_grey(pad.render(box, _PX_PER_MM), is_black_only=is_black_only))
    edge = (1 - _INSIDE) / 2 * FIELD_MM
    fields = []
    for x, y, _width, _height in pad.boxes.values():
        left, top = (round((at + edge - start) * _PX_PER_MM)
                     for at, start in ((x, box[0]), (y, box[1])))  # fmt: skip
        part = ink[top : top + _INSIDE_PX, left : left + _INSIDE_PX]
        if part.std() >= _MIN_DEVIATION:
            fields.append((left, top, part))
    return fields


def _darkness(grey: Grey) -> Ink:
    return normalise_illumination(grey, _PX_PER_MM).astype(np.float32)


def _mean_correlation(darkness: Ink, fields: Sequence[tuple[int, int, Ink]]) -> float:
    """Return the mean correlation of the interior of fields with their print."""
    scores = []
    size = _INSIDE_PX + 2 * _SEARCH_PX
    for left, top, template in fields:
        x, y = left - _SEARCH_PX, top - _SEARCH_PX
        window = darkness[y : y + size, x : x + size]
        scores.append(float(cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED).max()))
    return float(np.mean(scores)) if scores else 0.0


def _turns_of(to_photo: Points, centre: tuple[float, float]) -> int:
    """Return the number of counter-clockwise quarter turns that turn the photo upright."""
    x, y = centre
    ends = np.array([[(x - FIELD_MM, y), (x + FIELD_MM, y)]])
    (ax, ay), (bx, by) = cv2.perspectiveTransform(ends, to_photo)[0]
    return turns_until_upright(bx - ax, by - ay)
