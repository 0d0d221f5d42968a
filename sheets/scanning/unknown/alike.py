"""Which fields look alike apart from their digit? Symbols are gathered, not guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Ink, Picture
from sheets.scanning.unknown.numbers import Number

SIDE: Final = 24
"""A symbol is compared in so many pixels."""

_RIM: Final = 0.12
_CONTRAST: Final = 0.13
_LEAST_AREA: Final = 0.012
_SHAPE, _COLOUR = 0.25, 0.17
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


def group_fields(fields: Sequence[Picture], numbers: Sequence[Number]) -> list[list[int]]:
    """The fields that look alike, each in one group: first the largest.

    Those with nothing but a digit are a group, too, and so are those with nothing at all.
    """
    grounds = np.array([_ground(field) for field in fields])
    paper = np.percentile(grounds, 90, axis=0)
    found = [
        _symbol(field, ground, paper, number)
        for field, ground, number in zip(fields, grounds, numbers, strict=True)
    ]
    plain = [i for i, one in enumerate(found) if one is None and numbers[i].digit]
    bare = [i for i, one in enumerate(found) if one is None and not numbers[i].digit]
    marked = [i for i, one in enumerate(found) if one is not None]
    groups = [[marked[k] for k in group] for group in _cluster([found[i] for i in marked])]  # type: ignore[misc]
    return sorted([one for one in (plain, bare, *groups) if one], key=lambda one: (-len(one), one))


def _ground(field: Picture) -> Floats:
    """A field's own colour: just inside its border, where hardly anything is printed."""
    side = field.shape[0]
    rim, end = round(0.09 * side), round(0.17 * side)
    ring = np.ones((side, side), bool)
    ring[end:-end, end:-end] = False
    ring[:rim] = ring[-rim:] = ring[:, :rim] = ring[:, -rim:] = False
    return np.asarray(np.median(field[ring], axis=0), np.float32)


def _symbol(field: Picture, ground: Floats, paper: Floats, number: Number) -> Symbol | None:
    """What is printed in a field beside its digit, if there is anything."""
    side = field.shape[0]
    rim = round(_RIM * side)
    soft = cv2.medianBlur(field, 3).astype(np.float32) / np.maximum(ground, 8)
    mask = (np.abs(soft - 1).max(2) > _CONTRAST).astype(np.uint8)
    known = np.ones((side, side), np.uint8)
    if number.blob:
        known = 1 - cv2.dilate(number.blob.mask.astype(np.uint8), np.ones((7, 7), np.uint8))
    inside = np.zeros((side, side), np.uint8)
    inside[rim:-rim, rim:-rim] = 1
    mask = cv2.morphologyEx(mask * known * inside, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if mask.sum() < _LEAST_AREA * side * side:
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
