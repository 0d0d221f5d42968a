"""Do fields that were put together show the same shape? Laid over each other, as printed.

The network that groups fields (`alike.py`) looks at colour more than at shape: a K and four dots of
one ink lie near each other for it. Here the pictures themselves are compared, without digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.layers import Floats
from sheets.scanning.unknown.looks import (
    LEAST_INK,
    Looks,
    Mask,
    beside_grounds,
    have_digits,
    inked_share,
    inks,
    some_of,
)
from sheets.scanning.unknown.one_ink import (
    are_ink_on_other_tints,
    are_nearly_one_ink,
    are_one_ink,
    usual_colours,
)

_FAR: Final = range(-4, 5)
_SHIFTS: Final = [(x, y) for x in _FAR for y in _FAR if x * x + y * y <= 17 and (x, y) >= (0, 0)]
"""How far off a field may have been cut out beside another, in pixels of `looks.SIDE`;
one of two is moved, then the other, which is the other way."""

_RIM_PX, _FRAME = 1, 0.7
"""How wide the border is of which nothing counts; and how much of a side is printed on just within
it where a thick frame reaches in, of which that does not count either."""

_SAME, _ALONE = 0.75, 0.6
"""Fields are taken for the same shape that are as like as that, along a chain of them; one that is
like no other has to be less like, for it may be bent or blurred."""

_FIRMER: Final = (0.8, 0.84, 0.88, 0.92)
_GAP: Final = 0.08
"""Two shapes of one ink may be as like as `_SAME`; where all are printed clearly the fields of each
are still more like each other, by so much."""

_PALE, _SOME = (0.6, 0.66, 0.72), 3
"""Where nothing is printed clearly shapes are told apart if so many fields of each are as like as
that, along a chain, and half of all pairs more alike by that gap than those of two shapes."""

_COMMON: Final = 0.25
"""What two fields that are the same shape are both like, of all that one of them is like."""

_CLEAR: Final = 0.2
"""Whose shape can be told: how much the most of it differs from the ground."""

_JOINED, _SURELY_JOINED, _SAMPLE = 0.76, 0.87, 5
"""How like the fields of two groups mostly are that show one symbol, and where their ink may be
another; so many of each say so."""

_WIDER_PX, _GRAIN = 5, 0.1
"""How much around digits is left out there, and how strong the grain of paper is beside the ground:
of a pale symbol hardly more may be left behind its digit."""

_NEARLY_ALL: Final = 0.95
_MOST: Final = 0.97
_SOFT: Final = 1e-3


def split_shapes(groups: Sequence[Sequence[int]], looks: Looks) -> list[list[int]]:
    """The groups, those that show several shapes clearly in a part for each.

    What cannot be seen clearly stays with what it is most like.
    """
    found: list[list[int]] = []
    for group in groups:
        found += [[group[i] for i in part] for part in _parts(some_of(looks, np.array(group)))]
    return found


def join_shapes(groups: Sequence[Sequence[int]], looks: Looks) -> list[list[int]]:
    """The groups; those that show the same shape in the same ink are one.

    The network lays fields apart whose symbols were cut out a little differently, or in which a
    symbol is printed stronger where it stands alone.
    """
    found = [list(group) for group in groups]
    is_inked = inked_share(looks) > LEAST_INK
    clear = [[i for i in group if is_inked[i]] for group in found]
    for i in range(len(found)):
        for k in range(i):
            one, other = clear[i], clear[k]
            if one and other and _are_one(one, other, looks):
                found[i], clear[i] = found[i] + found[k], one + other
                found[k], clear[k] = [], []
    return [group for group in found if group]


def _are_one(one: Sequence[int], other: Sequence[int], looks: Looks) -> bool:
    """Whether the fields of two groups mostly show one shape in one ink."""
    a, b = (usual_colours(group, looks) for group in (one, other))
    if are_one_ink(a, b):
        return _show_one(one, other, looks)
    if are_ink_on_other_tints(a, b):
        return _show_one(one, other, looks, is_tinted=True)
    return are_nearly_one_ink(a, b) and _show_one(
        one, other, looks, is_tinted=True, least=_SURELY_JOINED
    )


def _show_one(
    one: Sequence[int],
    other: Sequence[int],
    looks: Looks,
    *,
    is_tinted: bool = False,
    least: float = _JOINED,
) -> bool:
    """Whether the fields of two groups mostly show one shape, those with a digit if both have such:
    alone a symbol may be larger, and one of another ink's digits may not be hidden.

    ``is_tinted``: whatever its colours are beside these grounds; ``least``: how like they are.
    """
    are_beside = have_digits(looks)
    beside, alone = (
        [[i for i in part if are_beside[i] == is_beside] for part in (one, other)]
        for is_beside in (True, False)
    )
    if all(beside):
        like, count = _likeness_of(beside, looks, is_tinted=is_tinted)
        return _across(like, count) > least and not _are_clearly_two(like, count)
    return any(
        _across(*_likeness_of(parts, looks, is_tinted=is_tinted)) > least
        for parts in (alone, (one, other))
        if all(parts)
    )


def _likeness_of(
    groups: Sequence[Sequence[int]], looks: Looks, *, is_tinted: bool
) -> tuple[Floats, int]:
    """How like each two of some fields of two groups are, and how many are of the first."""
    some = [part[:: max(1, len(part) // _SAMPLE)][:_SAMPLE] for part in groups]
    fields = some_of(looks, np.array([*some[0], *some[1]]))
    likes = []
    for picture, shown in _pictures(fields, _WIDER_PX):
        seen = _without_grain(picture)
        likes.append(_likeness(_along_ink(seen, inks(fields)) if is_tinted else seen, shown))
    return np.maximum(*likes), len(some[0])


def _across(like: Floats, count: int) -> float:
    """How like the fields of two groups mostly are, so many of the first."""
    return float(np.median(like[:count, count:]))


def _are_clearly_two(like: Floats, count: int) -> bool:
    """Whether each of two groups, the first of so many fields, is far more like itself."""
    parts = range(count), range(count, len(like))
    return min(map(len, parts)) > 1 and _gap(parts, like, 1 - _NEARLY_ALL) > _GAP


def _along_ink(pictures: Floats, colours: Floats) -> Floats:
    """How much of its field's ink each pixel is, N × side × side × 1."""
    lengths = np.maximum(np.linalg.norm(colours, axis=1, keepdims=True), _SOFT)
    return np.asarray(np.einsum("nyxc,nc->nyx", pictures, colours / lengths)[..., None])


def _parts(looks: Looks) -> list[list[int]]:
    """The parts of one group."""
    pictures = _pictures(looks)
    whole, shown = pictures[0]
    strengths = np.sqrt((whole**2).sum(3))
    most = np.array(
        [
            np.quantile(one[at], _MOST) if (at := own > 0.5).any() else 0.0
            for one, own in zip(strengths, shown, strict=True)
        ]
    )
    is_clear = (most > _CLEAR) & (inked_share(looks) > LEAST_INK)
    clear = np.flatnonzero(is_clear)
    every = list(range(len(whole)))
    like = np.maximum(*(_likeness(*one) for one in pictures))
    if len(clear) < 2:
        return _pale_parts(every, like)
    parts = _chains(clear, firmly_like(like > _SAME))
    several = [part for part in parts if len(part) > 1]
    if several:
        for (one,) in (part for part in parts if len(part) == 1):
            nearest = int(np.argmax([like[one, part].max() for part in several]))
            if like[one, several[nearest]].max() > _ALONE:
                several[nearest].append(one)
            else:
                several.append([one])
        parts = several
    else:
        parts = _chains(clear, like > _ALONE)
    are_beside = have_digits(looks)
    parts = [firmer for part in parts for firmer in _firmer_parts(part, like, are_beside)]
    _add_to_likest(parts, np.flatnonzero(~is_clear).tolist(), like)
    return parts


def _pale_parts(fields: list[int], like: Floats) -> list[list[int]]:
    """The parts of a group that shows nothing clearly: only if each is far more like itself than
    like any other, mostly."""
    found = [fields]
    for least in _PALE:
        parts = _chains(np.array(fields), firmly_like(like > least))
        several = [part for part in parts if len(part) >= _SOME]
        if len(several) > 1 and _gap(several, like, 0.5) > _GAP:
            rest = [i for part in parts if len(part) < _SOME for i in part]
            _add_to_likest(several, rest, like)
            found = several
    return found


def _gap(parts: Sequence[Sequence[int]], like: Floats, share: float) -> float:
    """How much more like itself each of some parts is than like any other, but for such a share of
    the pairs within it."""
    within = min(float(np.quantile(_pairs(like, one), share)) for one in parts)
    across = max(
        float(np.quantile(like[np.ix_(one, other)], _NEARLY_ALL))
        for one, other in combinations(parts, 2)
    )
    return within - across


def _add_to_likest(parts: list[list[int]], fields: Sequence[int], like: Floats) -> None:
    for i in fields:
        parts[int(np.argmax([like[i, part].max() for part in parts]))].append(i)


def _firmer_parts(part: list[int], like: Floats, are_beside: Mask) -> list[list[int]]:
    """A part in several, where each of them is clearly more like itself than like any other.

    Only symbols beside a digit say so: alone in its field the same one may be larger.
    """
    found = [part]
    beside = [i for i in part if are_beside[i]]
    for least in _FIRMER:
        parts = _chains(np.array(beside), like > least)
        if len(parts) < 2 or min(map(len, parts)) < 2:
            continue
        if _gap(parts, like, 1 - _NEARLY_ALL) > _GAP:
            _add_to_likest(parts, [i for i in part if not are_beside[i]], like)
            found = parts
    return found


def _pairs(like: Floats, part: Sequence[int]) -> Floats:
    """How like each two fields of a part are."""
    return like[np.ix_(part, part)][np.triu_indices(len(part), 1)]


def firmly_like(is_like: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of N fields are like which others, N × N, without pairs that are so by chance.

    In such a pair hardly any field that one of them is like is like the other, too; it would chain
    two shapes together.
    """
    others = is_like & ~np.eye(len(is_like), dtype=bool)
    common = others.astype(np.int64) @ others
    own = np.diag(common)
    least = _COMMON * (np.minimum(own[:, None], own) - 1)
    return np.asarray(is_like & (common >= least))


def _chains(fields: NDArray[np.int64], is_like: NDArray[np.bool_]) -> list[list[int]]:
    """The fields in parts; each is like another one of its part."""
    left = [int(i) for i in fields]
    parts = []
    while left:
        part = [left.pop()]
        for i in part:
            part += [k for k in left if is_like[i, k]]
            left = [k for k in left if not is_like[i, k]]
        parts.append(part)
    return parts


def _pictures(looks: Looks, around: int = 3) -> list[tuple[Floats, Floats]]:
    """Each field as it is and what stands out in it: N × side × side × 3 beside the ground, and
    what share of each pixel shows neither a digit nor the border, N × side × side.

    ``around``: how wide, in pixels, what lies around a digit's pixels counts as its own.
    """
    found = []
    for picture in (looks.whole, looks.near):
        near = np.ones((around,) * 2, np.uint8)
        digits = np.stack([cv2.dilate(one, near) for one in picture[..., 3]])
        found.append((beside_grounds(looks, picture), 1 - digits / np.float32(255)))
    whole, shown = found[0]
    found[0] = whole, shown * _within_frames(whole)
    return found


def _within_frames(pictures: Floats) -> Floats:
    """1 where neither a border nor a frame of N fields is, N × side × side."""
    within = np.zeros(pictures.shape[:3], np.float32)
    within[:, _RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX] = 1
    is_printed = np.abs(pictures).max(3) > _GRAIN
    for i in (_RIM_PX, -1 - _RIM_PX):
        within[is_printed[:, i].mean(1) > _FRAME, i] = 0
        within[is_printed[:, :, i].mean(1) > _FRAME, :, i] = 0
    return within


def _likeness(pictures: Floats, shown: Floats) -> Floats:
    """How like each two pictures are at most, moved a little, N × N: the cosine where both show
    what is printed; 1 is the same in all but how strong it is."""
    count = len(pictures)
    ink, squares = pictures * shown[..., None], (pictures**2).sum(3) * shown
    rows = [one.reshape(count, -1) for one in (ink, squares, shown)]
    best = np.full((count, count), -1, np.float32)
    for dx, dy in _SHIFTS:
        moved = [_moved(one, dx, dy).reshape(count, -1) for one in (ink, squares, shown)]
        norm = (rows[1] @ moved[2].T) * (rows[2] @ moved[1].T)
        best = np.maximum(best, rows[0] @ moved[0].T / np.sqrt(norm + _SOFT))
    return np.asarray(np.maximum(best, best.T))


def _without_grain(pictures: Floats) -> Floats:
    """Each pixel less strong by what grain may be of it."""
    strengths = np.sqrt((pictures**2).sum(3, keepdims=True))
    kept = np.maximum(0, 1 - _GRAIN / np.maximum(strengths, _GRAIN))
    return np.asarray(pictures * kept, np.float32)


def _moved(pictures: Floats, dx: int, dy: int) -> Floats:
    """To the right and down; 0 where nothing comes from."""
    high, wide = pictures.shape[1:3]
    found = np.zeros_like(pictures)
    into = slice(max(0, dy), high + min(0, dy)), slice(max(0, dx), wide + min(0, dx))
    of = slice(max(0, -dy), high + min(0, -dy)), slice(max(0, -dx), wide + min(0, -dx))
    found[:, into[0], into[1]] = pictures[:, of[0], of[1]]
    return found
