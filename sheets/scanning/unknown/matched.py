"""Where in a photo is a pad whose fields have no borders that show, or are crossed out?

Its print is looked for point by point: where many points look as they do on the empty sheet, and
lie to each other as they do there, the sheet is. SIFT's points look alike in any light and turn.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from sheets.scanning.pixels import Picture, bleached
from sheets.scanning.unknown.flat import FIELD_MM
from sheets.scanning.unknown.pad import Pad
from sheets.scanning.unknown.quads import Points, shrink
from sheets.scanning.unknown.template import places_of

_FIELD_PX: Final = 36
"""How wide a field is on the empty sheet when points are looked for."""

SIZES_PX: Final = (1000, 1800)
"""How large the photo is then: mostly the smaller is enough, in a third of the time; in the larger
a leaf that covers little of the photo is found."""

_MOST_POINTS, _CONTRAST = 6000, 0.02
_UNLIKE: Final = 0.9
"""How far a point is from the one that looks most like it, at most, beside the next: digits and
symbols come often."""

_OFF_PX: Final = 5.0
_TRIED: Final = 20_000
_LEAST_POINTS: Final = 12
"""With fewer points that lie as they should it is chance that they do."""


def find_by_points(
    photo: Picture, pad: Pad, longest_px: int, *, is_bleached: bool
) -> tuple[Points, Points] | None:
    """The places of all fields of a pad, as `places_of` has them, and their middles in a photo.

    ``longest_px``: one of `SIZES_PX`; ``is_bleached``: the photo is, so the empty sheet is, too.
    """
    empty = pad.look(pad.box, _FIELD_PX / FIELD_MM)
    if is_bleached:
        empty = bleached(empty)
    scale = min(1.0, longest_px / max(photo.shape))
    pairs = _pairs(empty, shrink(photo, scale))
    if len(pairs) < _LEAST_POINTS:
        return None
    before, after = pairs[:, :2], pairs[:, 2:]
    onto, is_kept = cv2.findHomography(
        before, after, cv2.USAC_MAGSAC, _OFF_PX, maxIters=_TRIED, confidence=0.9999
    )
    if onto is None or is_kept.sum() < _LEAST_POINTS:
        return None
    places = np.array(list(places_of(pad.level).values()), np.float64)
    flat = (places * FIELD_MM - pad.box[:2]) * (_FIELD_PX / FIELD_MM)
    return places, cv2.perspectiveTransform(flat[None], onto)[0] / scale


def _pairs(empty: Picture, photo: Picture) -> Points:
    """Points of the empty sheet and those of the photo that look like them, N × 4."""
    finder = cv2.SIFT.create(nfeatures=_MOST_POINTS, contrastThreshold=_CONTRAST)
    seen, looks = [], []
    for picture in (empty, photo):
        points, look = finder.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), None)
        if len(points) < _LEAST_POINTS:
            return np.empty((0, 4))
        seen.append(points)
        # Of their roots a distance says more (Arandjelović and Zisserman, 2012).
        looks.append(np.sqrt(look / (look.sum(1, keepdims=True) + 1e-7)).astype(np.float32))
    best: dict[int, cv2.DMatch] = {}
    for one, next_best in cv2.BFMatcher(cv2.NORM_L2).knnMatch(looks[0], looks[1], k=2):
        if one.distance < _UNLIKE * next_best.distance:
            known = best.get(one.trainIdx)
            if known is None or one.distance < known.distance:
                best[one.trainIdx] = one
    return np.array(
        [(*seen[0][one.queryIdx].pt, *seen[1][one.trainIdx].pt) for one in best.values()]
    ).reshape(-1, 4)
