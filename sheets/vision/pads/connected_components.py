"""Connected components of a field that may be its digit.

Each field is binarised in two channels, grey and the maximum of the colours. In the maximum a
coloured symbol is pale while a black digit on it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from math import ceil, floor
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.pixels import Grey, Picture, max_channel

SIDE: Final = 24
"""Side of a blob's patch, in pixels, including its margin."""

_MARGIN: Final = 1.3
"""Side of the patch relative to the longer side of the blob."""

_HEIGHTS: Final = (0.16, 0.9)
"""Range of a blob's height, in fields."""

_WIDTHS: Final = (0.04, 0.8)
"""Range of a blob's width, in fields."""

_THRESHOLDS: Final = (0.3, 0.5, 0.72)
"""Binarisation thresholds, as shares of the contrast of the field's darkest pixels."""

_QUANTILES: Final = np.array((0.015, 0.7))
"""Quantiles of the brightness that count as the darkest pixels and as the background."""

_MIN_CONTRAST: Final = 0.1
"""Minimum contrast of the darkest pixels of a field."""

_MIN_SOFT_CONTRAST: Final = 0.06
"""Minimum contrast for blurred lines."""

_SOFT_PX: Final = 0.75
"""Standard deviation of that blur, in pixels."""

_MAX_OVERLAP: Final = 0.75
"""Intersection over union from which on two blobs are the same."""

PRINT_TAIL: Final = 0.03
"""Share of a field's pixels, the brightest or the darkest ones, that print certainly has."""

_MIN_ASYMMETRY: Final = 0.02
"""Minimum excess of light over dark contrast in a field with light print."""

_MIN_LIGHT_SHARE: Final = 0.6
"""Share of fields with light print above which the usual polarity is light."""

_MAX_BLOBS: Final = 8
"""Maximum number of blobs per field."""


_RING_PX: Final = 3
"""Width of the ring around a blob in which its background is measured, in pixels."""

_RING: Final = np.ones((2 * _RING_PX + 1,) * 2, np.uint8)
"""Structuring element of that ring."""

_PixelBox = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""

Box = tuple[float, float, float, float]
"""Left, top, width and height, in fields."""


class Blob(NamedTuple):
    """Connected component: bounding box and mask within the field.

    ``patch`` is SIDE × SIDE × 2: the darkness of each pixel (0 the surroundings, 1 the blob) and
    its coverage by the blob. ``is_soft``: it was found in the blurred field.
    """

    box: Box
    mask: NDArray[np.bool_]
    patch: NDArray[np.float32]
    is_soft: bool = False


class Polarity(Enum):
    """Polarity of print: darker or lighter than its background."""

    DARK = auto()
    LIGHT = auto()


def usual_polarity(brightness: NDArray[np.float32]) -> Polarity:
    """Return the polarity of print on most fields.

    Args:
        brightness: pixels within the borders of N fields, N × pixels, 0 to 1.
    """
    low, background, high = np.quantile(brightness, (PRINT_TAIL, 0.5, 1 - PRINT_TAIL), axis=1)
    is_light = high - background > background - low + _MIN_ASYMMETRY
    return Polarity.LIGHT if is_light.mean() > _MIN_LIGHT_SHARE else Polarity.DARK


def find_blobs(
    field: Picture,
    inner: tuple[float, float],
    polarities: Sequence[Polarity] = tuple(Polarity),
    within: Box = (0, 0, 1, 1),
    *,
    is_soft: bool = False,
    is_upright: bool = True,
) -> list[Blob]:
    """Return at most `_MAX_BLOBS` blobs of a field's picture, the tallest first.

    Args:
        inner: width and height of the field within its border, relative to the picture.
        polarities: polarities that are searched.
        within: box to which blobs are clipped.
        is_soft: blur the field first, for hairlines in image noise.
        is_upright: whether digits stand upright; one that lies on its side may be narrower.
    """
    side = field.shape[0]
    rim = [min(side // 6, max(2, round((1 - one) / 2 * side) + 1)) for one in inner]
    inside = np.s_[rim[1] : side - rim[1], rim[0] : side - rim[0]]
    own = np.zeros(field.shape[:2], bool)
    own[inside] = True
    left, top, wide, high = (round(side * one) for one in within)
    own[:top], own[top + high :], own[:, :left], own[:, left + wide :] = (False,) * 4
    blobs: list[Blob] = []
    # Light print is inverted, so that print is dark in all pictures.
    pictures = [field if polarity is Polarity.DARK else 255 - field for polarity in polarities]
    if is_soft:
        pictures = [cv2.GaussianBlur(one, (0, 0), _SOFT_PX) for one in pictures]
    min_contrast = _MIN_SOFT_CONTRAST if is_soft else _MIN_CONTRAST
    for channel in (see(one) for one in pictures for see in (_grey, max_channel)):
        for mask, box in _components(channel, inside, own, min_contrast, is_upright=is_upright):
            share = (box[0] / side, box[1] / side, box[2] / side, box[3] / side)
            if all(intersection_over_union(share, other.box) < _MAX_OVERLAP for other in blobs):
                blobs.append(Blob(share, mask, _normalised_patch(channel, mask, box), is_soft))
    blobs.sort(key=lambda blob: -blob.box[3])
    return blobs[:_MAX_BLOBS]


def _grey(field: Picture) -> Grey:
    return cv2.cvtColor(field, cv2.COLOR_RGB2GRAY)


def _components(
    channel: Grey,
    inside: tuple[slice, slice],
    own: NDArray[np.bool_],
    min_contrast: float,
    *,
    is_upright: bool,
) -> Iterator[tuple[NDArray[np.bool_], _PixelBox]]:
    """Yield the mask and box of the components that are darker than the field's background.

    ``own`` is True where they may lie.
    """
    counts = np.bincount(channel[inside].ravel(), minlength=256).cumsum()
    darkest, usual = np.searchsorted(counts, counts[-1] * _QUANTILES, "right").tolist()
    background = max(8.0, float(usual))
    contrast = 1 - darkest / background
    if contrast < min_contrast:
        return
    least, greatest = np.array([_WIDTHS, _HEIGHTS]).T * channel.shape[0]
    for share in _THRESHOLDS:
        is_dark = channel < ceil(background * (1 - share * contrast))
        here = (is_dark & own).view(np.uint8)
        # Bounding boxes in bulk: grainy paper has hundreds of components, of which hardly any fits.
        _count, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
            here, 8, cv2.CV_16U, cv2.CCL_BBDT
        )
        sizes = stats[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1]
        if not is_upright:
            sizes = np.sort(sizes, 1)
        fits = ((sizes >= least) & (sizes <= greatest)).all(1)
        fits[0] = False
        for i in np.flatnonzero(fits)[::-1].tolist():
            x, y, wide, high, _area = stats[i].tolist()
            yield labels == i, (x, y, wide, high)


def _normalised_patch(
    channel: Grey, mask: NDArray[np.bool_], box: _PixelBox
) -> NDArray[np.float32]:
    """Scale a blob to the size of the network's input and normalise its contrast."""
    x, y, wide, high = box
    across, down = x + (wide - 1) / 2, y + (high - 1) / 2
    scale = SIDE / (_MARGIN * max(wide, high))
    # Crop to what the patch and the ring need.
    reach = max(SIDE / scale, max(wide, high) + 2 * _RING_PX) / 2 + 1
    left, top = (max(0, floor(at - reach)) for at in (across, down))
    here = np.s_[top : ceil(down + reach) + 1, left : ceil(across + reach) + 1]
    channel, mask = channel[here], mask[here]
    ink = _quantile(channel[mask], 0.35)
    ring = cv2.dilate(mask.view(np.uint8), _RING).view(bool) & ~mask
    background = _quantile(channel[ring], 0.75) if ring.any() else 255.0
    dark = (background - channel.astype(np.float32)) / max(4.0, background - ink)
    affine = np.array([[scale, 0, SIDE / 2 - scale * (across - left) - 0.5],
                    [0, scale, SIDE / 2 - scale * (down - top) - 0.5]])  # fmt: skip
    parts = cv2.warpAffine(
        np.dstack([dark, mask.astype(np.float32)]),
        affine,
        (SIDE, SIDE),
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.clip(parts, -0.3, 1.3)


def _quantile(values: Grey, share: float) -> float:
    """Return an order statistic; `numpy.quantile` takes ten times as long for so few values."""
    return float(np.sort(values)[int(share * len(values))])


def intersection_over_union(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    common = max(0.0, wide) * max(0.0, high)
    return common / (one[2] * one[3] + other[2] * other[3] - common)
