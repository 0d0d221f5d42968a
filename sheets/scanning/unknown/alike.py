"""Which fields look alike apart from their digit? Symbols are gathered, not guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Grey, Ink, Picture
from sheets.scanning.unknown.numbers import Number

SIDE: Final = 24
"""A symbol is compared in so many pixels."""

_RIM, _RING = 0.025, 0.09
_DARKEST: Final = 0.35
_CONTRAST, _LIGHTER, _HUE = 0.13, 0.17, 0.055
"""How a symbol differs from its field's ground: darker, brighter, or in its hue alone. Phones
sharpen: beside what is dark, paper is brighter than it is."""

_AROUND_PX: Final = 9
_LEAST_AREA, _LEAST_PIECE, _CORNER = 0.012, 0.004, 0.03
_SHAPE, _COLOUR = 0.18, 0.17
"""How much two symbols may differ: 1 less their cosine, and their colours beside the paper."""

_MOVED_PX: Final = 2

Floats = NDArray[np.float32]


class Symbol(NamedTuple):
    """What is in a field beside its digit.

    ``mask`` is SIDE × SIDE, how much of each pixel it covers; ``known`` is 0 where the digit hides
    it; ``box`` is the mask cut out and made as large as it goes, ``colour`` its red, green and blue
    beside the field's own ground, ``plain`` beside the brightest ground of the sheet.
    """

    mask: Ink
    known: Ink
    box: Ink
    colour: Floats
    plain: Floats


def group_fields(
    fields: Sequence[Picture], numbers: Sequence[Number], inner: tuple[float, float]
) -> list[list[int]]:
    """The fields that look alike, each in one group: first the largest.

    Those with nothing but a digit are a group, too, and so are those with nothing at all.
    ``inner``: how wide and how high a field is within its border, of its picture.
    """
    cuts = [_cut(field.shape[0], inner) for field in fields]
    insides = [field[cut] for field, cut in zip(fields, cuts, strict=True)]
    grounds = np.array([_ground(field) for field in insides])
    paper = np.percentile(grounds, 90, axis=0).astype(np.float32)
    found = [
        _symbol(field, ground, paper, number.blob.mask[cut] if number.blob else None)
        for field, ground, number, cut in zip(insides, grounds, numbers, cuts, strict=True)
    ]
    plain = [i for i, one in enumerate(found) if one is None and numbers[i].digit]
    bare = [i for i, one in enumerate(found) if one is None and not numbers[i].digit]
    marked = [i for i, one in enumerate(found) if one is not None]
    groups = [[marked[k] for k in group] for group in _cluster([found[i] for i in marked])]  # type: ignore[misc]
    return sorted([one for one in (plain, bare, *groups) if one], key=lambda one: (-len(one), one))


def _cut(side: int, inner: tuple[float, float]) -> tuple[slice, slice]:
    """The part of a field's picture that is within its border."""
    x, y = (round(((1 - one) / 2 + _RIM) * side) for one in inner)
    return slice(y, side - y), slice(x, side - x)


def _ground(field: Picture) -> Floats:
    """A field's own colour: just inside its border, where hardly anything is printed."""
    rim = max(2, round(_RING * field.shape[0]))
    ring = np.ones(field.shape[:2], bool)
    ring[rim:-rim, rim:-rim] = False
    return np.asarray(np.median(field[ring], axis=0), np.float32)


def _symbol(
    field: Picture, ground: Floats, paper: Floats, digit: NDArray[np.bool_] | None
) -> Symbol | None:
    """What is printed in a field beside its digit, if there is anything."""
    soft = cv2.GaussianBlur(field, (3, 3), 0).astype(np.float32)
    # On a dark ground the least difference would be a great one, beside the ground.
    beside = np.maximum(ground, _DARKEST * paper + 1)
    soft = 1 + (soft - ground) / beside
    hue = np.abs(soft - soft.mean(2, keepdims=True)).max(2)
    differs = ((1 - soft).max(2) > _CONTRAST) | ((soft - 1).max(2) > _LIGHTER) | (hue > _HUE)
    mask = differs.astype(np.uint8)
    known = np.ones_like(mask)
    if digit is not None:
        known = 1 - cv2.dilate(digit.astype(np.uint8), np.ones((_AROUND_PX,) * 2, np.uint8))
    mask = _without_specks(mask * known)
    if mask.sum() < _LEAST_AREA * mask.size:
        return None
    colour = np.median(soft[mask > 0], axis=0)
    size = (SIDE, SIDE)
    x, y, wide, high = cv2.boundingRect(mask)
    box = cv2.resize(
        mask[y : y + high, x : x + wide].astype(np.float32), size, interpolation=cv2.INTER_AREA
    )
    return Symbol(
        cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA),
        cv2.resize(known.astype(np.float32), size, interpolation=cv2.INTER_AREA),
        box,
        np.asarray(colour, np.float32),
        np.asarray(colour * ground / np.maximum(paper, 8), np.float32),
    )


def _without_specks(mask: Grey) -> Grey:
    """Without what is too small to be printed, lies along the border or rounds its corner."""
    high, wide = mask.shape
    _count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    x, y, across, down, area = stats.T
    at_side, at_end = (x == 0) | (x + across == wide), (y == 0) | (y + down == high)
    is_along = (at_side | at_end) & (np.minimum(across, down) <= 5)
    is_along |= at_side & at_end & (area < _CORNER * mask.size)
    kept = (area >= _LEAST_PIECE * mask.size) & ~is_along
    kept[0] = False
    return np.asarray(kept[labels], np.uint8)


def _differences(symbols: Sequence[Symbol]) -> NDArray[np.float64]:
    """How unlike symbols are, N × N; those above 1 are not taken for the same."""
    colour = np.minimum(
        *(
            np.abs(some[:, None] - some[None]).max(2)
            for some in (
                np.array([one.colour for one in symbols]), np.array([one.plain for one in symbols])
            )
        )
    )  # fmt: skip
    masks = np.array([one.mask for one in symbols])
    known = np.array([one.known for one in symbols])
    moves = range(-_MOVED_PX, _MOVED_PX + 1)
    alike = np.max(
        [
            _alike(masks, known, *(np.roll(some, (dy, dx), (1, 2)) for some in (masks, known)))
            for dx in moves
            for dy in moves
        ],
        axis=0,
    )
    boxes = np.array([one.box for one in symbols])
    every = np.ones_like(boxes)
    alike = np.maximum(alike, _alike(boxes, every, boxes, every))
    found = np.maximum(colour / _COLOUR, (1 - alike) / _SHAPE).astype(np.float64)
    return np.asarray(np.maximum(found, found.T), np.float64)


def _alike(masks: Floats, known: Floats, others: Floats, theirs: Floats) -> Floats:
    """The cosines between masks where both are known, N × N: 1 for the same, 0 for nothing in
    common."""
    a, k, b, m = (some.reshape(len(some), -1) for some in (masks, known, others, theirs))
    common = (a * k) @ (b * m).T
    return np.asarray(
        common / np.sqrt(((a * a * k) @ m.T) * (k @ (b * b * m).T) + 1e-6), np.float32
    )


def _cluster(symbols: Sequence[Symbol]) -> list[list[int]]:
    """Groups whose members differ little on the average.

    The two nearest are joined, again and again.
    """
    if not symbols:
        return []
    apart = _differences(symbols)
    np.fill_diagonal(apart, np.inf)
    groups: list[list[int]] = [[i] for i in range(len(symbols))]
    while True:
        i, k = (int(v) for v in np.unravel_index(apart.argmin(), apart.shape))
        if not apart[i, k] < 1:
            return [group for group in groups if group]
        mine, theirs = len(groups[i]), len(groups[k])
        joined = (apart[i] * mine + apart[k] * theirs) / (mine + theirs)
        apart[i], apart[:, i] = joined, joined
        apart[i, i] = np.inf
        apart[k], apart[:, k] = np.inf, np.inf
        groups[i], groups[k] = groups[i] + groups[k], []
