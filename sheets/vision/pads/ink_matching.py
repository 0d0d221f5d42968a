"""Ink matching: whether symbols have one ink, on different tints or behind digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from sheets.vision.network_layers import Floats
from sheets.vision.pads.field_features import (
    MIN_PRINTED,
    FieldFeatures,
    Mask,
    has_digit,
    inks,
    inks_on_paper,
    printed_share,
    tints,
)

_MAX_DIFFERENCE: Final = 0.06
"""Maximum difference of one ink's colours relative to the background."""

_MIN_COSINE: Final = 0.97
"""Minimum cosine of two colours of one ink where a symbol without a digit is printed stronger."""

_MIN_TINT_DIFFERENCE: Final = 0.05
"""Minimum difference of two tints relative to paper."""

_MAX_TINTED_DIFFERENCE: Final = 0.06
"""Maximum difference, relative to paper, of one ink's colours on them."""

_MIN_CLEAR_TINT_DIFFERENCE: Final = 0.09
"""Minimum difference of tints that may show through a hairline or differ in illumination."""

_MAX_NEAR_DIFFERENCE: Final = 0.12
"""Maximum difference of one ink's colours there; the shape has to match all the better."""

_MAX_HUE_DIFFERENCE: Final = 0.028
"""Maximum difference of the shares of red, green and blue there."""

_MAX_BRIGHTNESS_RATIO: Final = 1.32
"""Maximum ratio of their brightness there."""

_MIN_NEAR_COSINE: Final = 0.955
"""Minimum cosine there where a symbol without a digit is printed stronger."""

_MIN_BRIGHTNESS: Final = 0.15
"""Minimum sum of the colours that have a hue."""

_MIN_INK_GAP: Final = 0.07
"""Minimum gap between two inks of one shape."""

_MIN_GAP_RATIO: Final = 1.6
"""Minimum ratio of that gap to the next one within an ink."""

_MAX_SAME_TINT: Final = 0.04
"""Maximum difference of equal tints."""

_MIN_SHARED_TINT: Final = 0.5
"""Minimum share of the fields of each ink on a tint that the other ink has, too."""


class GroupColours(NamedTuple):
    """Median colours of a group: 3, 2 × 3 and 3, as in `inks`, `inks_on_paper` and `tints`.

    ``is_alone``: most of its fields have no digit.
    """

    ink: Floats
    printed: Floats
    tint: Floats
    is_alone: bool


def median_colours(group: Sequence[int], features: FieldFeatures) -> GroupColours:
    """Return the median colours of a group of fields, given by their indices in ``features``."""
    at = list(group)
    ink, printed, tint = (
        np.median(some[at], axis=0)
        for some in (inks(features), inks_on_paper(features), tints(features))
    )
    return GroupColours(ink, printed, tint, bool(has_digit(features)[at].mean() < 0.5))


def is_same_ink(a: GroupColours, b: GroupColours) -> bool:
    """Whether two groups may have one ink."""
    return bool(np.abs(a.ink - b.ink).max() < _MAX_DIFFERENCE) or _is_stronger_alone(
        a, b, _MIN_COSINE
    )


def is_same_ink_on_tints(a: GroupColours, b: GroupColours) -> bool:
    """Whether two groups may have one opaque ink on different tints."""
    is_tinted = np.abs(a.tint - b.tint).max() > _MIN_TINT_DIFFERENCE
    return bool(is_tinted and _difference(a, b) < _MAX_TINTED_DIFFERENCE)


def is_similar_ink(a: GroupColours, b: GroupColours) -> bool:
    """Whether two groups may have one ink if their shapes are equal.

    On other tints it may be brighter with nearly the same hue; without a digit it may be stronger.
    The hue of dark colours is unreliable.
    """
    if a.is_alone != b.is_alone:
        return _is_stronger_alone(a, b, _MIN_NEAR_COSINE)
    sums = np.array([colours.printed.sum(1) for colours in (a, b)])
    if sums.min() < _MIN_BRIGHTNESS or np.abs(a.tint - b.tint).max() < _MIN_CLEAR_TINT_DIFFERENCE:
        return False
    shares = [colours.printed / own[:, None] for colours, own in zip((a, b), sums, strict=True)]
    is_one_hue = np.abs(shares[0] - shares[1]).max(1) < _MAX_HUE_DIFFERENCE
    is_one_hue &= sums.max(0) < _MAX_BRIGHTNESS_RATIO * sums.min(0)
    return bool(is_one_hue.any() or _difference(a, b) < _MAX_NEAR_DIFFERENCE)


def _difference(a: GroupColours, b: GroupColours) -> float:
    """Return the smaller of the differences between the median and between the strongest colours.

    Blurred edges and the surroundings of hairlines affect one more than the other.
    """
    return float(np.abs(a.printed - b.printed).max(1).min())


def _is_stronger_alone(a: GroupColours, b: GroupColours, min_cosine: float) -> bool:
    """Whether only one group has no digits and its ink is the stronger one of the same hue.

    ``min_cosine`` is the minimum cosine of the two colours.
    """
    if a.is_alone == b.is_alone:
        return False
    alone, behind = (a, b) if a.is_alone else (b, a)
    strong, pale = (float(np.linalg.norm(colours.ink)) for colours in (alone, behind))
    return pale < strong and float(alone.ink @ behind.ink) > min_cosine * strong * pale


def split_by_ink(groups: Sequence[Sequence[int]], features: FieldFeatures) -> list[list[int]]:
    """Split groups that are clearly printed in several inks.

    Only fields with a digit count, because a symbol alone may be stronger, and only where both inks
    lie on the same tints, because a tint may show through.
    """
    found: list[list[int]] = []
    left = [list(group) for group in groups]
    while left:
        group = left.pop()
        parts = _split_group(group, features)
        if parts:
            left += parts
        else:
            found.append(group)
    return found[::-1]


def _split_group(group: list[int], features: FieldFeatures) -> list[list[int]]:
    """Return the two parts of a group by ink; none if it has one ink."""
    clear = has_digit(features) & (printed_share(features) > MIN_PRINTED)
    with_digit = [i for i in group if clear[i]]
    if len(with_digit) < 4:
        return []
    colours, backgrounds = inks(features)[with_digit], tints(features)[with_digit]
    distances = np.abs(colours[:, None] - colours).max(2)
    is_first, gap, next_gap = _widest_gap(distances)
    ends = np.flatnonzero(is_first), np.flatnonzero(~is_first)
    if min(map(len, ends)) < 2 or gap < max(_MIN_INK_GAP, _MIN_GAP_RATIO * next_gap):
        return []
    is_same = np.abs(backgrounds[ends[0]][:, None] - backgrounds[ends[1]]).max(2) < _MAX_SAME_TINT
    if min(is_same.any(1).mean(), is_same.any(0).mean()) < _MIN_SHARED_TINT:
        return []
    parts: list[list[int]] = [[], []]
    centres = [np.median(colours[end], axis=0) for end in ends]
    for i in group:
        off = [np.abs(inks(features)[i] - centre).max() for centre in centres]
        parts[int(np.argmin(off))].append(i)
    return parts


def _widest_gap(distances: Floats) -> tuple[Mask, float, float]:
    """Return which of N points lie beyond the widest gap, its width, and the next width.

    The gaps are the edges of the minimum spanning tree of the distances, N × N.
    """
    count = len(distances)
    nearest, of = distances[0].copy(), np.zeros(count, int)
    left = np.ones(count, bool)
    left[0] = False
    links = []
    while left.any():
        i = int(np.where(left, nearest, np.inf).argmin())
        links.append((float(nearest[i]), i, int(of[i])))
        left[i] = False
        closer = distances[i] < nearest
        nearest[closer], of[closer] = distances[i][closer], i
    widest = max(range(len(links)), key=lambda k: links[k][0])
    is_beyond = np.zeros(count, bool)
    is_beyond[links[widest][1]] = True
    for _length, i, parent in links[widest + 1 :]:
        is_beyond[i] = is_beyond[parent]
    lengths = sorted(length for length, _i, _parent in links)
    return is_beyond, lengths[-1], lengths[-2]
