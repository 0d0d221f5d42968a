"""What in a field might be its digit? Everything of one piece that stands out, seen in two ways.

In the brightest of its three colours a coloured symbol is pale and a black digit on it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from math import ceil, floor
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Grey, Picture, brightest

SIDE: Final = 24
"""A blob is looked at in so many pixels, with a margin all round."""

_MARGIN: Final = 1.3
_HIGH: Final = (0.16, 0.9)
_WIDE: Final = (0.04, 0.8)
_SHARES: Final = (0.3, 0.5, 0.72)
"""How dark a blob is at least, beside the darkest in its field."""

_DARKEST: Final = (0.93, 0.88, 0.8)
"""The same of a digit that lies on a symbol hardly brighter than it is."""

_PALE, _SYMBOL, _PALEST = (0.2, 0.13), 0.5, 0.05
"""The same of a hairline beside a far darker symbol, and of that symbol; and how dark a hairline is
at least, beside its ground."""

_TONES: Final = np.array((0.015, 0.7))
"""The darkest of a field, but for so much of it, and its ground: so much is darker."""

_BESIDE: Final = np.ones((5, 5), np.uint8)
"""How wide the blurred edge of a symbol is."""

_NEXT_TO: Final = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
_LEAST_CONTRAST, _LEAST_SOFT, _SOFT_PX = 0.1, 0.06, 0.75
"""How dark the darkest of a field is at least, beside its ground; the same of softer lines, and how
soft these are."""

_SAME: Final = 0.75
_MOST: Final = 8


_NEAR_PX: Final = 3
_AROUND: Final = np.ones((2 * _NEAR_PX + 1,) * 2, np.uint8)
"""How wide what lies around a blob is."""

_Pixels = tuple[int, int, int, int]
Box = tuple[float, float, float, float]
"""Left, top, width and height, in fields."""


class Lines(Enum):
    """How are lines looked at? As they are; made softer, for hairlines in the grain of a photo;
    made thicker, for those in pieces; or in the crowd of a symbol: darker than that on which they
    lie, or paler than what touches them."""

    PLAIN = auto()
    SOFTER = auto()
    THICKER = auto()
    CROWDED = auto()


class Blob(NamedTuple):
    """Something of one piece: where it is, and which of the field's pixels are its.

    ``patch`` is SIDE × SIDE × 2: how dark each pixel is (0 as what lies around it, 1 as the blob),
    and how much of it is of the blob. ``lines``: how it was seen.
    """

    box: Box
    mask: NDArray[np.bool_]
    patch: NDArray[np.float32]
    lines: Lines = Lines.PLAIN


class Ink(Enum):
    """Is what stands out darker than its surroundings, or brighter?"""

    DARK = auto()
    LIGHT = auto()


def find_blobs(
    field: Picture,
    inner: tuple[float, float],
    inks: Sequence[Ink] = tuple(Ink),
    within: Box = (0, 0, 1, 1),
    *,
    lines: Lines = Lines.PLAIN,
    is_upright: bool = True,
) -> list[Blob]:
    """The blobs of a field's own picture, the highest first; not more than `_MOST`.

    ``inner``: how wide and how high the field is within its border, of the picture. What reaches
    out of ``within`` is cut off there. Unless the field ``is_upright``, a digit may lie on its
    side: a condensed one is then less high than any that stands.
    """
    side = field.shape[0]
    rim = [min(side // 6, max(2, round((1 - one) / 2 * side) + 1)) for one in inner]
    inside = np.s_[rim[1] : side - rim[1], rim[0] : side - rim[0]]
    own = np.zeros(field.shape[:2], bool)
    own[inside] = True
    left, top, wide, high = (round(side * one) for one in within)
    own[:top], own[top + high :], own[:, :left], own[:, left + wide :] = (False,) * 4
    found: list[Blob] = []
    # A coloured symbol is pale in the brightest of its colours, and dark in the darkest.
    as_ink = [field if ink is Ink.DARK else 255 - field for ink in inks]
    if lines is Lines.SOFTER:
        as_ink = [cv2.GaussianBlur(one, (0, 0), _SOFT_PX) for one in as_ink]
    if lines is Lines.THICKER:
        as_ink = [cv2.erode(one, _NEXT_TO) for one in as_ink]
    for look in (see(one) for one in as_ink for see in (_grey, brightest)):
        for mask, box in _pieces(look, inside, own, lines, is_upright=is_upright):
            share = (box[0] / side, box[1] / side, box[2] / side, box[3] / side)
            if all(overlap(share, other.box) < _SAME for other in found):
                found.append(Blob(share, mask, _patch(look, mask, box), lines))
    found.sort(key=lambda blob: -blob.box[3])
    return found[:_MOST]


def _grey(field: Picture) -> Grey:
    return cv2.cvtColor(field, cv2.COLOR_RGB2GRAY)


def _pieces(
    look: Grey,
    inside: tuple[slice, slice],
    own: NDArray[np.bool_],
    lines: Lines,
    *,
    is_upright: bool,
) -> Iterator[tuple[NDArray[np.bool_], _Pixels]]:
    """The pieces that are darker than most of the field, each as which of its pixels are theirs.

    ``own`` is True where they may be.
    """
    counts = np.bincount(look[inside].ravel(), minlength=256).cumsum()
    darkest, usual = np.searchsorted(counts, counts[-1] * _TONES, "right").tolist()
    ground = max(8.0, float(usual))
    most = 1 - darkest / ground
    if most < (_LEAST_SOFT if lines is Lines.SOFTER else _LEAST_CONTRAST):
        return
    least, greatest = np.array([_WIDE, _HIGH]).T * look.shape[0]
    looks = _in_crowd if lines is Lines.CROWDED else _as_they_are
    for dark in looks(look, ground, most):
        here = (dark & own).view(np.uint8)
        # Their boxes at once: in grainy paper there are hundreds, of which hardly any fits.
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


def _darker(look: Grey, ground: float, off: float) -> NDArray[np.bool_]:
    """Which pixels are darker than the ground by more than so much of it."""
    return np.asarray(look < ceil(ground * (1 - off)))


def _as_they_are(look: Grey, ground: float, most: float) -> Iterator[NDArray[np.bool_]]:
    """Which pixels may be a digit's, the darkest of which is ``most`` darker than its ground."""
    for share in _SHARES:
        yield _darker(look, ground, share * most)


def _in_crowd(look: Grey, ground: float, most: float) -> Iterator[NDArray[np.bool_]]:
    """The same of a digit that lies on a dark symbol, or of a hairline that touches one."""
    for share in _DARKEST:
        yield _darker(look, ground, share * most)
    symbol = _darker(look, ground, _SYMBOL * most)
    around = cv2.dilate(symbol.view(np.uint8), _BESIDE).view(bool)
    for share in _PALE:
        if share * most >= _PALEST:
            yield _darker(look, ground, share * most) & ~around


def _patch(look: Grey, mask: NDArray[np.bool_], box: _Pixels) -> NDArray[np.float32]:
    """A blob as large as the network wants it, on even ground."""
    x, y, wide, high = box
    across, down = x + (wide - 1) / 2, y + (high - 1) / 2
    scale = SIDE / (_MARGIN * max(wide, high))
    # Only what the patch shows, and what lies next to the blob, is looked at.
    reach = max(SIDE / scale, max(wide, high) + 2 * _NEAR_PX) / 2 + 1
    left, top = (max(0, floor(at - reach)) for at in (across, down))
    here = np.s_[top : ceil(down + reach) + 1, left : ceil(across + reach) + 1]
    look, mask = look[here], mask[here]
    ink = _quantile(look[mask], 0.35)
    near = cv2.dilate(mask.view(np.uint8), _AROUND).view(bool) & ~mask
    ground = _quantile(look[near], 0.75) if near.any() else 255.0
    dark = (ground - look.astype(np.float32)) / max(4.0, ground - ink)
    way = np.array([[scale, 0, SIDE / 2 - scale * (across - left) - 0.5],
                    [0, scale, SIDE / 2 - scale * (down - top) - 0.5]])  # fmt: skip
    parts = cv2.warpAffine(
        np.dstack([dark, mask.astype(np.float32)]),
        way,
        (SIDE, SIDE),
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.clip(parts, -0.3, 1.3)


def _quantile(values: Grey, share: float) -> float:
    """One of the values: NumPy's own takes ten times as long for so few."""
    return float(np.sort(values)[int(share * len(values))])


def overlap(one: Box, other: Box) -> float:
    """How much two boxes have in common, of what they cover together."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    common = max(0.0, wide) * max(0.0, high)
    return common / (one[2] * one[3] + other[2] * other[3] - common)
