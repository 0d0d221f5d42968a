"""Detection of areas and arrows on a rectified photo of a pad.

An area consists of the fields inside an outline. An arrow is recognised by the number printed at
the end of its row or column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheets.vision.pads.connected_components import Box, find_blobs
from sheets.vision.pads.digit_classifier import CLASSES, classify
from sheets.vision.pads.rectification import FIELD_PX, GridPosition, RectifiedGrid

_HALF_STRIP_PX: Final = 11
"""Half width of the strip across a border, in pixels: no line is thicker."""

_HALF_LENGTH: Final = 0.3
"""Half length of that strip along the border, in fields."""

_MIN_DARKNESS: Final = 0.1
"""Minimum darkness of a line relative to its background."""

_TINGE_PX: Final = 5
"""Distance from a line's centre within which its colour is summed, in pixels."""

_MIN_FIELDS: Final = 2
"""Minimum number of fields of an area."""

_MIN_OUTLINE: Final = 0.9
"""Minimum share of an area's outer borders that are outlined."""

_LUMA: Final = np.array((0.299, 0.587, 0.114), np.float32)
"""Weights of red, green and blue in the brightness."""

_MIN_CONFIDENCE: Final = 0.95
"""Minimum probability of a digit at the end of a row or column."""

_MAX_HEIGHT_DIFFERENCE: Final = 0.3
"""Maximum difference in height of the figures of a number, in heights of a figure."""

_MAX_VERTICAL_OFFSET: Final = 0.2
"""Maximum vertical offset of their centres, in heights of a figure."""

_MAX_GAP: Final = 0.6
"""Maximum gap between them, in heights of a figure."""

_SIDES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps to the four neighbours."""


def find_areas(rectified: RectifiedGrid, positions: Sequence[GridPosition]) -> list[list[int]]:
    """Find fields enclosed by a line of unusual width, darkness or colour, as lists of indices.

    A line around the whole sheet does not count.
    """
    there = {position: i for i, position in enumerate(positions)}
    edges = {_edge(position, side): (position, side) for position in positions for side in _SIDES}
    lines = {edge: line for edge, one in edges.items() if (line := _measure_line(rectified, *one))}
    if len(lines) < len(positions) / 2:
        return []
    # An inner edge has the borders of two fields, an outer edge only one.
    inner = {edge for edge in lines if _neighbour(*edges[edge]) in there}
    kinds = [kind for kind in (inner, set(lines) - inner) if kind]
    found: list[list[int]] = []
    for criterion in _CRITERIA:
        marked = {edge for kind in kinds for edge in _outliers(lines, kind, criterion)}
        if len(marked) > len(lines) / 2:
            continue
        known = {i for one in found for i in one}
        found += [one for one in _enclosed_areas(positions, there, marked) if known.isdisjoint(one)]
    return sorted(found)


def _outliers(
    lines: Mapping[GridPosition, _Line], kind: set[GridPosition], criterion: _Criterion
) -> set[GridPosition]:
    """Return the edges of a class whose line deviates from the median of the class.

    The limit adapts to the spread within the class, which depends on illumination and print.
    """
    edges = sorted(kind)
    values = np.array([criterion.of(lines[edge]) for edge in edges]).reshape(len(edges), -1)
    usual = np.median(values, axis=0)
    deviations = values - usual
    distances = np.abs(deviations).max(1)
    least = max(
        criterion.least + criterion.part * float(usual.max()),
        criterion.times * float(np.median(distances)),
    )
    off = deviations.max(1) if criterion.is_more else distances
    return {edge for edge, one in zip(edges, off.tolist(), strict=True) if one > least}


def _enclosed_areas(
    positions: Sequence[GridPosition], there: Mapping[GridPosition, int], marked: set[GridPosition]
) -> list[list[int]]:
    """Return the areas that marked edges enclose."""
    if not marked:
        return []
    found, left = [], set(positions)
    while left:
        piece = _flood_fill(left.pop(), there, marked)
        left -= piece
        around = [
            _edge(one, side) in marked
            for one in piece
            for side in _SIDES
            if _neighbour(one, side) not in piece
        ]
        if _MIN_FIELDS <= len(piece) < len(positions) / 2 and np.mean(around) >= _MIN_OUTLINE:
            found.append(sorted(there[one] for one in piece))
    return found


def _neighbour(position: GridPosition, side: tuple[int, int]) -> GridPosition:
    return position[0] + side[0], position[1] + side[1]


def _edge(position: GridPosition, side: tuple[int, int]) -> GridPosition:
    """Return the centre of the edge between a position and its neighbour."""
    return position[0] + side[0] / 2, position[1] + side[1] / 2


def _flood_fill(
    start: GridPosition, there: Mapping[GridPosition, int], marked: set[GridPosition]
) -> set[GridPosition]:
    """Return all fields that can be reached without crossing a marked edge."""
    found, ahead = {start}, [start]
    while ahead:
        one = ahead.pop()
        for side in _SIDES:
            other = _neighbour(one, side)
            if other in there and other not in found and _edge(one, side) not in marked:
                found.add(other)
                ahead.append(other)
    return found


class _Line(NamedTuple):
    """Line of an edge: width in pixels, maximum darkness, colour of the ink, and colour cast.

    ``colour`` is the share of red, green and blue in the darkness. ``tinge`` is the darkness in
    each colour beyond grey, summed across the line.
    """

    width: float
    dark: float
    colour: NDArray[np.float32]
    tinge: NDArray[np.float32]


class _Criterion(NamedTuple):
    """Property of a line with the limit of its deviation from the median.

    The limit is the larger of ``least`` plus ``part`` of the median, and ``times`` the median
    absolute deviation.
    """

    of: Callable[[_Line], float | NDArray[np.float32]]
    least: float
    part: float
    times: float
    is_more: bool = False
    """Whether only larger values are outliers."""


_CRITERIA: Final = (
    _Criterion(lambda line: line.width, 0.3, 0.12, 6, is_more=True),
    _Criterion(lambda line: line.colour, 0.1, 0, 3),
    _Criterion(lambda line: line.dark, 0.12, 0, 5),
    _Criterion(lambda line: line.tinge, 0.3, 0, 8),
)
"""Criteria in the order in which they are applied."""


def _measure_line(
    rectified: RectifiedGrid, position: GridPosition, side: tuple[int, int]
) -> _Line | None:
    """Measure the line of an edge; None if there is none."""
    x, y = (
        (at - origin) * FIELD_PX
        for at, origin in zip(_edge(position, side), rectified.origin, strict=True)
    )
    far = round(_HALF_LENGTH * FIELD_PX)
    ends = (far, _HALF_STRIP_PX) if side[1] else (_HALF_STRIP_PX, far)
    left, top = round(x) - ends[0], round(y) - ends[1]
    strip = rectified.picture[
        max(0, top) : round(y) + ends[1] + 1, max(0, left) : round(x) + ends[0] + 1
    ].astype(np.float32)
    if min(strip.shape[:2]) < _HALF_STRIP_PX:
        return None
    strip = strip if side[1] else strip.swapaxes(0, 1)
    background = np.minimum(np.median(strip[:3], axis=0), np.median(strip[-3:], axis=0))
    absorbed = np.median(1 - strip / np.maximum(background, 1), axis=1)
    dark = absorbed @ _LUMA
    darkest = float(dark.max())
    if darkest <= _MIN_DARKNESS:
        return None
    # Sharpening brightens the surroundings of a line in other colours: only its core is measured.
    core = np.maximum(absorbed[dark > darkest / 2].mean(0), 0)
    width = float(np.clip(dark / darkest, 0, 1).sum())
    return _Line(width, darkest, core / core.sum(), _tinge(strip, int(dark.argmax())))


def _tinge(strip: NDArray[np.float32], at: int) -> NDArray[np.float32]:
    """Return how much more of each colour than of grey a line absorbs.

    It is a sum across the line, which is invariant to blur. Each half is measured relative to the
    background on its own side, because the fields may have different tints.

    Args:
        at: row of the strip in which the line is darkest.
    """
    first, last = (np.median(end, axis=(0, 1)) for end in (strip[:3], strip[-3:]))
    background = np.where(np.arange(len(strip))[:, None] < at, first, last)
    background[at] = np.minimum(first, last)
    absorbed = 1 - np.median(strip, axis=1) / np.maximum(background, 1)
    near = absorbed[max(0, at - _TINGE_PX) : at + _TINGE_PX + 1]
    more: NDArray[np.float32] = (near - near.mean(1, keepdims=True)).sum(0)
    return more


def find_end_numbers(
    rectified: RectifiedGrid, positions: Sequence[GridPosition]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the numbers at the ends of rows and of columns, by the index of the last field.

    A number lies right of a row or below a column, else left of or above it. Only a single clear
    digit from 1 to 6 counts. A number in a corner may belong to either and is left out.
    """
    rows, columns = (_end_numbers(rectified, positions, axis) for axis in (0, 1))
    corners = {at for at, _single_digit in rows.values()} & {
        at for at, _single_digit in columns.values()
    }
    of_rows, of_columns = (
        {i: digit for i, (at, digit) in ends.items() if at not in corners}
        for ends in (rows, columns)
    )
    return of_rows, of_columns


def _end_numbers(
    rectified: RectifiedGrid, positions: Sequence[GridPosition], axis: int
) -> dict[int, tuple[GridPosition, int]]:
    """Return number and position for rows (axis 0) or columns (1)."""
    step = (1, 0) if axis == 0 else (0, 1)
    lanes: dict[float, list[int]] = {}
    for i in sorted(range(len(positions)), key=lambda i: positions[i][axis]):
        lanes.setdefault(positions[i][1 - axis], []).append(i)
    found = {}
    for lane in lanes.values():
        first, last = positions[lane[0]], positions[lane[-1]]
        for at in (_neighbour(last, step), _neighbour(first, (-step[0], -step[1]))):
            if digit := _end_number(rectified, positions, at):
                found[lane[-1]] = at, digit
                break
    return found


def _end_number(
    rectified: RectifiedGrid, positions: Sequence[GridPosition], at: GridPosition
) -> int:
    """Return the digit at a position, or 0 if fields of a shifted row overlap it."""
    if any(abs(x - at[0]) < 1 and abs(y - at[1]) < 1 for x, y in positions):
        return 0
    return _single_digit(rectified, at)


def _single_digit(rectified: RectifiedGrid, position: GridPosition) -> int:
    """Return the only digit at a position outside the fields; 0 for none or several."""
    if not rectified.covers(position):
        return 0
    blobs = find_blobs(rectified.crop(position), (1.0, 1.0))
    if not blobs:
        return 0
    likely = classify(np.stack([blob.patch for blob in blobs]))[:, 1:]
    best = int(likely.max(1).argmax())
    if likely[best].max() < _MIN_CONFIDENCE:
        return 0
    others = [blob.box for i, blob in enumerate(blobs) if i != best]
    if any(_is_next_figure(blobs[best].box, box) for box in others):
        return 0
    return CLASSES[int(likely[best].argmax()) + 1] or 0


def _is_next_figure(digit: Box, other: Box) -> bool:
    """Whether another blob may be a further figure of the same number.

    It has about the same height and baseline; paper grain hardly ever has.
    """
    (x, y, wide, high), (left, top, across, tall) = digit, other
    gap = max(left - x - wide, x - left - across)
    return (
        abs(tall - high) < _MAX_HEIGHT_DIFFERENCE * high
        and abs(top + tall / 2 - y - high / 2) < _MAX_VERTICAL_OFFSET * high
        and gap < _MAX_GAP * high
    )
