"""Faint print next to digits: pale letters and hairlines below the thresholds of `field_features`.

A single occurrence may be a crease or a stain; the same print in several fields is a symbol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.pads.connected_components import Box
from sheets.vision.pads.field_features import Mask, interior
from sheets.vision.pixels import Picture

_RIM: Final = 0.09
"""Margin inside the border that is ignored for blur and frames, as a share of the field's side."""

_DIGIT_MARGIN: Final = 0.06
"""Margin around a digit that is ignored, in fields."""

_MIN_FREE: Final = 0.3
"""Minimum share of a field that has to remain."""

_MIN_CONTRAST: Final = 0.035
"""Minimum contrast of print relative to its background."""

_MIN_Z_SCORE: Final = 5.0
"""Minimum contrast in standard deviations of the grain of paper and photo."""

_MIN_BACKGROUND: Final = 40
"""Lower bound of the background, in grey values, which limits noise on black fields."""

_MIN_COMPONENT: Final = 0.003
"""Minimum area of a component, as a share of the field."""

_MIN_LENGTH: Final = 0.1
"""Minimum length of all components together, in fields."""

_MAX_LENGTH: Final = 0.62
"""Maximum length of all components together, in fields."""

_MIN_WIDTH: Final = 0.04
"""Minimum width of all components together, in fields."""

_MAX_OFFSET: Final = 0.07
"""Maximum distance of the centres of equal print, in fields."""

_MAX_SIZE_DIFFERENCE: Final = 0.09
"""Maximum difference of their sizes, in fields."""

_MAX_INK_DIFFERENCE: Final = 0.035
"""Maximum difference of their colours relative to the background."""


class FaintPrint(NamedTuple):
    """Faint print of a field: centre and size in fields, colour relative to the background."""

    centre: tuple[float, float]
    size: tuple[float, float]
    ink: tuple[float, float, float]


def find_faint_print(
    fields: Sequence[Picture],
    digits: Sequence[Box | None],
    inner: tuple[float, float],
    indices: Sequence[int],
) -> dict[int, FaintPrint]:
    """Return the print next to the digits of some fields, where there is any.

    Args:
        fields: pictures of all fields.
        digits: bounding boxes of their digits.
        inner: as in `extract_features`.
        indices: those of the fields to search.
    """
    found_print = {i: _measure_field(fields[i], digits[i], inner) for i in indices}
    return {i: one for i, one in found_print.items() if one is not None}


def merge_faint_print(
    found_print: Mapping[int, FaintPrint],
    others: Mapping[int, FaintPrint],
    groups: Sequence[Sequence[int]],
) -> list[list[int]]:
    """Add fields to the group with the same print, and group other fields with the same print.

    ``others`` is the print of fields that are in groups.
    """
    found = [list(group) for group in groups]
    of = {i: group for group in found for i in group}
    known = [(one, of[i]) for i, one in others.items()]
    new: list[tuple[FaintPrint, list[int]]] = []
    for i, one in found_print.items():
        group = _matching_group(one, known) or _matching_group(one, new)
        if group:
            group.append(i)
        else:
            new.append((one, [i]))
    return found + [group for _first, group in new if len(group) > 1]


def _matching_group(
    one: FaintPrint, groups: Sequence[tuple[FaintPrint, list[int]]]
) -> list[int] | None:
    """Return the group with the most similar print if it is the same."""
    nearest = min(groups, key=lambda group: _distance(one, group[0]), default=None)
    return nearest[1] if nearest and _distance(one, nearest[0]) < 1 else None


def _distance(one: FaintPrint, other: FaintPrint) -> float:
    """Return the distance of two prints: below 1 they are the same print at the same position."""
    most = (_MAX_OFFSET, _MAX_SIZE_DIFFERENCE, _MAX_INK_DIFFERENCE)
    return max(
        float(np.abs(np.subtract(mine, theirs)).max()) / at_most
        for mine, theirs, at_most in zip(one, other, most, strict=True)
    )


def _measure_field(
    field: Picture, digit: Box | None, inner: tuple[float, float]
) -> FaintPrint | None:
    """Measure all print next to a field's digit together."""
    side = field.shape[0]
    cut = interior(side, inner, _RIM)
    soft = cv2.GaussianBlur(np.asarray(field), (3, 3), 0)[cut].astype(np.float32)
    free = np.ones((side, side), bool)
    if digit is not None:
        left, top, wide, high = digit
        free[
            max(0, round((top - _DIGIT_MARGIN) * side)) : round(
                (top + high + _DIGIT_MARGIN) * side
            ),
            max(0, round((left - _DIGIT_MARGIN) * side)) : round(
                (left + wide + _DIGIT_MARGIN) * side
            ),
        ] = False
    free = free[cut]
    if free.mean() < _MIN_FREE:
        return None
    background = np.median(soft[free], axis=0)
    relative = (soft - background) / np.maximum(background, _MIN_BACKGROUND)
    off = np.abs(relative)
    grain = 1.48 * np.median(off[free], axis=0)
    differs = (off > np.maximum(_MIN_Z_SCORE * grain, _MIN_CONTRAST)).any(2) & free
    found = _remove_specks(differs, side)
    if not found.any():
        return None
    left, top, wide, high = cv2.boundingRect(found.astype(np.uint8))
    is_long = _MIN_LENGTH * side <= max(wide, high) <= _MAX_LENGTH * side
    if not is_long or min(wide, high) < _MIN_WIDTH * side:
        return None
    ink = np.median(relative[found], axis=0)
    rows, columns = cut
    centre = ((columns.start + left + wide / 2) / side, (rows.start + top + high / 2) / side)
    return FaintPrint(
        centre, (wide / side, high / side), (float(ink[0]), float(ink[1]), float(ink[2]))
    )


def _remove_specks(differs: Mask, side: int) -> Mask:
    """Keep components that are large enough for print."""
    mask = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    kept: NDArray[np.bool_] = stats[:, cv2.CC_STAT_AREA] >= _MIN_COMPONENT * side * side
    kept[0] = False
    return np.asarray(kept[labels] & (differs > 0))
