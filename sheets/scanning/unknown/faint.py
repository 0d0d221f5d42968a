"""Which fields with nothing but a digit have something faint beside it, after all?

A pale letter or a hairline is less than what is taken for print (`looks`), and yet a person sees
it. By itself it could be a crease or a stain; where it stands in several fields alike it is print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Picture
from sheets.scanning.unknown.blobs import Box
from sheets.scanning.unknown.looks import Mask, within_border

_RIM: Final = 0.09
"""So much of a field, next to its border, is not looked at: blur and frames reach in there."""

_AROUND, _LEAST_FREE = 0.06, 0.3
"""How far around a digit nothing is looked for; and how much of a field has to be left then."""

_LEAST, _NOISE = 0.035, 5.0
"""How much print differs from its ground at least: beside it, and in standard deviations of the
grain of paper and photo."""

_DARKEST: Final = 40
"""A ground is taken to be so bright at least, or noise would be print on a black one."""

_PIECE, _SMALLEST, _LARGEST, _THINNEST = 0.003, 0.1, 0.62, 0.04
"""How much of a field a piece covers at least; how long all of them are, together, and how wide at
least."""

_NEAR, _LIKE, _INK = 0.07, 0.09, 0.035
"""How far apart the middles, the sizes and the inks of two that are alike may be."""


class Faint(NamedTuple):
    """What was seen in a field: its middle and its size, in fields, and its colour beside the
    ground."""

    middle: tuple[float, float]
    size: tuple[float, float]
    ink: tuple[float, float, float]


def look_for_faint(
    fields: Sequence[Picture],
    digits: Sequence[Box | None],
    inner: tuple[float, float],
    asked: Sequence[int],
) -> dict[int, Faint]:
    """What, however faint, is printed in some fields beside their digits, where anything is.

    ``fields`` and ``inner`` as of `looks.take_looks`, ``digits`` where their digits are, ``asked``
    which of them are looked at.
    """
    seen = {i: _faint(fields[i], digits[i], inner) for i in asked}
    return {i: one for i, one in seen.items() if one is not None}


def join_faint(
    seen: Mapping[int, Faint], others: Mapping[int, Faint], groups: Sequence[Sequence[int]]
) -> list[list[int]]:
    """The groups, each with those fields that have the same print as one of its own, and one more
    of any two or more others that have the same, each in one place.

    ``others``: what is printed on fields that are in groups.
    """
    found = [list(group) for group in groups]
    of = {i: group for group in found for i in group}
    known = [(one, of[i]) for i, one in others.items()]
    new: list[tuple[Faint, list[int]]] = []
    for i, one in seen.items():
        group = _same(one, known) or _same(one, new)
        if group:
            group.append(i)
        else:
            new.append((one, [i]))
    return found + [group for _first, group in new if len(group) > 1]


def _same(one: Faint, groups: Sequence[tuple[Faint, list[int]]]) -> list[int] | None:
    """The group with the print that is most like it, if it is the same."""
    like = min(groups, key=lambda group: _apart(one, group[0]), default=None)
    return like[1] if like and _apart(one, like[0]) < 1 else None


def _apart(one: Faint, other: Faint) -> float:
    """Below 1 they are the same print in the same place."""
    most = (_NEAR, _LIKE, _INK)
    return max(
        float(np.abs(np.subtract(mine, theirs)).max()) / at_most
        for mine, theirs, at_most in zip(one, other, most, strict=True)
    )


def _faint(field: Picture, digit: Box | None, inner: tuple[float, float]) -> Faint | None:
    """What stands in a field beside its digit, all of it together."""
    side = field.shape[0]
    cut = within_border(side, inner, _RIM)
    soft = cv2.GaussianBlur(np.asarray(field), (3, 3), 0)[cut].astype(np.float32)
    free = np.ones((side, side), bool)
    if digit is not None:
        left, top, wide, high = digit
        free[
            max(0, round((top - _AROUND) * side)) : round((top + high + _AROUND) * side),
            max(0, round((left - _AROUND) * side)) : round((left + wide + _AROUND) * side),
        ] = False
    free = free[cut]
    if free.mean() < _LEAST_FREE:
        return None
    ground = np.median(soft[free], axis=0)
    beside = (soft - ground) / np.maximum(ground, _DARKEST)
    off = np.abs(beside)
    grain = 1.48 * np.median(off[free], axis=0)
    differs = (off > np.maximum(_NOISE * grain, _LEAST)).any(2) & free
    found = _pieces(differs, side)
    if not found.any():
        return None
    left, top, wide, high = cv2.boundingRect(found.astype(np.uint8))
    is_long = _SMALLEST * side <= max(wide, high) <= _LARGEST * side
    if not is_long or min(wide, high) < _THINNEST * side:
        return None
    ink = np.median(beside[found], axis=0)
    rows, columns = cut
    middle = ((columns.start + left + wide / 2) / side, (rows.start + top + high / 2) / side)
    return Faint(middle, (wide / side, high / side), (float(ink[0]), float(ink[1]), float(ink[2])))


def _pieces(differs: Mask, side: int) -> Mask:
    """Without specks: what is large enough to be print."""
    mask = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    kept: NDArray[np.bool_] = stats[:, cv2.CC_STAT_AREA] >= _PIECE * side * side
    kept[0] = False
    return np.asarray(kept[labels] & (differs > 0))
