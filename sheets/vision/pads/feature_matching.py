"""Feature matching: a homography from the keypoints of the print (SIFT and MAGSAC).

It needs no visible field borders. SIFT is invariant to scale and rotation; its contrast threshold
is not, so the illumination is normalised first.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.illumination import normalise_photo
from sheets.vision.pads.quadrilaterals import Points
from sheets.vision.pixels import Grey

_MAX_KEYPOINTS: Final = 6000
"""Maximum number of keypoints per strip of a picture."""

_STRIP_PX: Final = 1_000_000
"""Maximum number of pixels in which SIFT runs at once, without the overlap: it needs 230 bytes for
each."""

_OVERLAP_PX: Final = 64
"""Overlap of two strips, in pixels."""

_MIN_CONTRAST: Final = 0.02
"""Contrast threshold of SIFT."""

_MAX_RATIO: Final = 0.9
"""Maximum ratio of the distances to the nearest and second nearest descriptor. It is high because
digits and symbols repeat."""

_MAX_ERROR_PX: Final = 5.0
"""Maximum reprojection error of an inlier, in pixels."""

_MAX_ITERATIONS: Final = 20_000
"""Maximum number of iterations of MAGSAC."""

_MIN_INLIERS: Final = 8
"""Minimum number of matches and of inliers; fewer may be chance."""


def match_features(empty: Grey, photo: Grey) -> Points | None:
    """Return the homography from the empty sheet's picture to the photo; None without a match."""
    pairs = _match_keypoints(empty, photo)
    if len(pairs) < _MIN_INLIERS:
        return None
    homography, is_kept = cv2.findHomography(
        pairs[:, :2],
        pairs[:, 2:],
        cv2.USAC_MAGSAC,
        _MAX_ERROR_PX,
        maxIters=_MAX_ITERATIONS,
        confidence=0.9999,
    )
    return None if homography is None or is_kept.sum() < _MIN_INLIERS else np.asarray(homography)


def _match_keypoints(empty: Grey, photo: Grey) -> Points:
    """Return matching keypoints of the empty sheet and the photo, N × 4."""
    detector = cv2.SIFT.create(nfeatures=_MAX_KEYPOINTS, contrastThreshold=_MIN_CONTRAST)
    keypoints, descriptors = [], []
    for picture in (empty, photo):
        points, descriptor = _detect(detector, normalise_photo(picture))
        if len(points) < _MIN_INLIERS:
            return np.empty((0, 4))
        keypoints.append(points)
        # RootSIFT (Arandjelović and Zisserman, 2012).
        descriptors.append(
            np.sqrt(descriptor / (descriptor.sum(1, keepdims=True) + 1e-7)).astype(np.float32)
        )
    best: dict[int, cv2.DMatch] = {}
    for one, next_best in cv2.BFMatcher(cv2.NORM_L2).knnMatch(descriptors[0], descriptors[1], k=2):
        if one.distance < _MAX_RATIO * next_best.distance:
            known = best.get(one.trainIdx)
            if known is None or one.distance < known.distance:
                best[one.trainIdx] = one
    return np.array(
        [(*keypoints[0][one.queryIdx], *keypoints[1][one.trainIdx]) for one in best.values()]
    ).reshape(-1, 4)


def _detect(detector: cv2.SIFT, picture: Grey) -> tuple[Points, NDArray[np.float32]]:
    """Detect keypoints in strips of a picture, which bounds the memory.

    Returns their positions, N × 2, and descriptors, N × 128.
    """
    height, width = picture.shape
    bounds = np.linspace(0, height, ceil(height * width / _STRIP_PX) + 1).astype(int).tolist()
    points, descriptors = [np.empty((0, 2))], [np.empty((0, 128), np.float32)]
    for top, bottom in pairwise(bounds):
        start = max(0, top - _OVERLAP_PX)
        strip = picture[start : bottom + _OVERLAP_PX]
        found, descriptor = detector.detectAndCompute(strip, None)
        at = np.array([one.pt for one in found]).reshape(-1, 2) + np.array((0, start))
        is_own = (at[:, 1] >= top) & (at[:, 1] < bottom)
        if is_own.any():
            points.append(at[is_own])
            descriptors.append(descriptor[is_own])
    return np.concatenate(points), np.concatenate(descriptors)
