"""Are symbols on fields printed in one ink? It may lie on several tints, or behind a digit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sheets.scanning.layers import Floats
from sheets.scanning.unknown.looks import (
    LEAST_INK,
    Looks,
    Mask,
    have_digits,
    inked_share,
    inks,
    printed_inks,
    tints,
)

_ONE_INK, _ONE_HUE = 0.06, 0.97
"""How far apart the colours of one ink lie at most, beside the ground, and how nearly in one
direction, where a symbol alone in its field is printed stronger than behind a digit."""

_OTHER_TINT, _ONE_PRINT = 0.05, 0.06
"""How far apart tints lie, beside the paper, and the colours of one ink on them at most."""

_CLEARLY_OTHER, _NEAR_PRINT, _HUE_APART, _BRIGHTER = 0.09, 0.12, 0.028, 1.32
"""Hairlines let their ground through, and on a bright tint there may be more light: how far apart
such tints lie at least, how far the colours of one ink may, or the three shares of them, and how
much brighter it may be. Its shape has to be the same all the more surely."""

_NEAR_HUE, _BLACK = 0.955, 0.15
"""The same where a symbol alone in its field is printed stronger; and the sum of three colours that
have no hue."""

_TWO_INKS, _CLEAR_GAP = 0.07, 1.6
"""How far apart two inks of one shape lie at least, and how many times as far as any field from the
next of its own ink."""

_SAME_TINT, _MANY = 0.04, 0.5
"""How near tints are the same; so many fields of each of two inks lie on one of the other's."""


class Colours(NamedTuple):
    """What the fields of a group mostly have, 3, 2 × 3 and 3, as `looks.inks`, `printed_inks` and
    `tints` say it, and whether most of them have no digit."""

    ink: Floats
    printed: Floats
    tint: Floats
    is_alone: bool


def usual_colours(group: Sequence[int], looks: Looks) -> Colours:
    """Those of a group."""
    at = list(group)
    ink, printed, tint = (
        np.median(some[at], axis=0) for some in (inks(looks), printed_inks(looks), tints(looks))
    )
    return Colours(ink, printed, tint, bool(have_digits(looks)[at].mean() < 0.5))


def are_one_ink(a: Colours, b: Colours) -> bool:
    """Whether what is printed on the fields of two groups may be one ink."""
    return bool(np.abs(a.ink - b.ink).max() < _ONE_INK) or _is_stronger_alone(a, b, _ONE_HUE)


def are_ink_on_other_tints(a: Colours, b: Colours) -> bool:
    """Whether it may be one ink though it differs from these grounds in another way: what covers
    them has its own colour on any tint."""
    is_tinted = np.abs(a.tint - b.tint).max() > _OTHER_TINT
    return bool(is_tinted and _apart(a, b) < _ONE_PRINT)


def are_nearly_one_ink(a: Colours, b: Colours) -> bool:
    """Whether it may be one ink if both show the very same shape: on other tints it is brighter and
    has nearly the same hue, or it is stronger alone, and a camera's dark colours are none."""
    if a.is_alone != b.is_alone:
        return _is_stronger_alone(a, b, _NEAR_HUE)
    sums = np.array([colours.printed.sum(1) for colours in (a, b)])
    if sums.min() < _BLACK or np.abs(a.tint - b.tint).max() < _CLEARLY_OTHER:
        return False
    shares = [colours.printed / own[:, None] for colours, own in zip((a, b), sums, strict=True)]
    is_one_hue = np.abs(shares[0] - shares[1]).max(1) < _HUE_APART
    is_one_hue &= sums.max(0) < _BRIGHTER * sums.min(0)
    return bool(is_one_hue.any() or _apart(a, b) < _NEAR_PRINT)


def _apart(a: Colours, b: Colours) -> float:
    """How far apart the usual colours of what is printed are, or the strongest if these are less:
    blurred edges and what lies around a hairline are more of one than of the other."""
    return float(np.abs(a.printed - b.printed).max(1).min())


def _is_stronger_alone(a: Colours, b: Colours, least: float) -> bool:
    """Whether only fields of one group have no digits, and its ink is the stronger one of the same
    hue: the cosine between both is larger than ``least``."""
    if a.is_alone == b.is_alone:
        return False
    alone, behind = (a, b) if a.is_alone else (b, a)
    strong, pale = (float(np.linalg.norm(colours.ink)) for colours in (alone, behind))
    return pale < strong and float(alone.ink @ behind.ink) > least * strong * pale


def split_inks(groups: Sequence[Sequence[int]], looks: Looks) -> list[list[int]]:
    """The groups, those that are clearly printed in several inks in a part for each.

    Only fields with a digit say so (alone a symbol may be stronger), and only where both inks lie
    on the same tints: a tint that shines through makes one ink another, too.
    """
    found: list[list[int]] = []
    left = [list(group) for group in groups]
    while left:
        group = left.pop()
        parts = _two_inks(group, looks)
        if parts:
            left += parts
        else:
            found.append(group)
    return found[::-1]


def _two_inks(group: list[int], looks: Looks) -> list[list[int]]:
    """Two parts of a group that have an ink each; none if it has one."""
    clear = have_digits(looks) & (inked_share(looks) > LEAST_INK)
    asked = [i for i in group if clear[i]]
    if len(asked) < 4:
        return []
    colours, grounds = inks(looks)[asked], tints(looks)[asked]
    apart = np.abs(colours[:, None] - colours).max(2)
    is_first, gap, next_gap = _widest_gap(apart)
    ends = np.flatnonzero(is_first), np.flatnonzero(~is_first)
    if min(map(len, ends)) < 2 or gap < max(_TWO_INKS, _CLEAR_GAP * next_gap):
        return []
    is_same = np.abs(grounds[ends[0]][:, None] - grounds[ends[1]]).max(2) < _SAME_TINT
    if min(is_same.any(1).mean(), is_same.any(0).mean()) < _MANY:
        return []
    parts: list[list[int]] = [[], []]
    middles = [np.median(colours[end], axis=0) for end in ends]
    for i in group:
        off = [np.abs(inks(looks)[i] - middle).max() for middle in middles]
        parts[int(np.argmin(off))].append(i)
    return parts


def _widest_gap(apart: Floats) -> tuple[Mask, float, float]:
    """Which of N points, N × N apart, are on one side of the widest gap, how wide that is, and the
    next: of the links between nearest points that join all of them, the two longest."""
    count = len(apart)
    nearest, of = apart[0].copy(), np.zeros(count, int)
    left = np.ones(count, bool)
    left[0] = False
    links = []
    while left.any():
        i = int(np.where(left, nearest, np.inf).argmin())
        links.append((float(nearest[i]), i, int(of[i])))
        left[i] = False
        closer = apart[i] < nearest
        nearest[closer], of[closer] = apart[i][closer], i
    widest = max(range(len(links)), key=lambda k: links[k][0])
    is_beyond = np.zeros(count, bool)
    is_beyond[links[widest][1]] = True
    for _length, i, parent in links[widest + 1 :]:
        is_beyond[i] = is_beyond[parent]
    lengths = sorted(length for length, _i, _parent in links)
    return is_beyond, lengths[-1], lengths[-2]
