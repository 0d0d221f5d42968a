"""What is printed around fields? Thick or coloured lines around some, numbers beyond the ends of
rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheets.scanning.unknown.blobs import Box, find_blobs
from sheets.scanning.unknown.digits import KINDS, judge
from sheets.scanning.unknown.flat import FIELD_PX, Flat, Place

_ACROSS: Final = 11
"""So many pixels on each side of a border are looked at: a line is no thicker."""

_ALONG: Final = 0.3
"""Of a border its middle part: so much of a field on each side of its middle."""

_LEAST_DARK: Final = 0.1
_TINGED_PX: Final = 5
_LEAST_FIELDS: Final = 2
_AROUND: Final = 0.9
"""The share of the borders around an area that must have such a line."""

_GREY: Final = np.array((0.299, 0.587, 0.114), np.float32)
_SURE: Final = 0.95
_AS_HIGH, _IN_LINE, _NEXT_TO = 0.3, 0.2, 0.6
"""How much the figures of one number differ in height, how far the middle of one lies above that
of the other, and how wide the gap between them is: in heights of a figure."""

_SIDES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))


def find_areas(flat: Flat, places: Sequence[Place]) -> list[list[int]]:
    """Which fields a line runs around that is wider, paler or darker than others, or has another
    colour; each area by their places in ``places``.

    Only what is closed in is told; of lines that run around all of the sheet nothing.
    """
    there = {place: i for i, place in enumerate(places)}
    edges = {_between(place, side): (place, side) for place in places for side in _SIDES}
    lines = {edge: line for edge, one in edges.items() if (line := _line(flat, *one))}
    if len(lines) < len(places) / 2:
        return []
    # Between two fields are the borders of both, at the end of one there is its own.
    inner = {edge for edge in lines if _beside(*edges[edge]) in there}
    kinds = [kind for kind in (inner, set(lines) - inner) if kind]
    found: list[list[int]] = []
    for look in _LOOKS:
        marked = {edge for kind in kinds for edge in _unlike(lines, kind, look)}
        if len(marked) > len(lines) / 2:
            continue
        known = {i for one in found for i in one}
        found += [one for one in _closed_in(places, there, marked) if known.isdisjoint(one)]
    return sorted(found)


def _unlike(lines: Mapping[Place, _Line], kind: set[Place], look: _Look) -> set[Place]:
    """The borders of a kind whose lines are not as its lines mostly are.

    How far they differ from each other is up to the light and the print: what is off is told beside
    that.
    """
    edges = sorted(kind)
    seen = np.array([look.of(lines[edge]) for edge in edges]).reshape(len(edges), -1)
    usual = np.median(seen, axis=0)
    more = seen - usual
    far = np.abs(more).max(1)
    least = max(look.least + look.part * float(usual.max()), look.times * float(np.median(far)))
    off = more.max(1) if look.is_more else far
    return {edge for edge, one in zip(edges, off.tolist(), strict=True) if one > least}


def _closed_in(
    places: Sequence[Place], there: Mapping[Place, int], marked: set[Place]
) -> list[list[int]]:
    """The areas that some borders run around."""
    if not marked:
        return []
    found, left = [], set(places)
    while left:
        piece = _joined(left.pop(), there, marked)
        left -= piece
        around = [
            _between(one, side) in marked
            for one in piece
            for side in _SIDES
            if _beside(one, side) not in piece
        ]
        if _LEAST_FIELDS <= len(piece) < len(places) / 2 and np.mean(around) >= _AROUND:
            found.append(sorted(there[one] for one in piece))
    return found


def _beside(place: Place, side: tuple[int, int]) -> Place:
    return place[0] + side[0], place[1] + side[1]


def _between(place: Place, side: tuple[int, int]) -> Place:
    """The middle of a border."""
    return place[0] + side[0] / 2, place[1] + side[1] / 2


def _joined(start: Place, there: Mapping[Place, int], marked: set[Place]) -> set[Place]:
    """All fields that can be reached from one without crossing such a line."""
    found, ahead = {start}, [start]
    while ahead:
        one = ahead.pop()
        for side in _SIDES:
            other = _beside(one, side)
            if other in there and other not in found and _between(one, side) not in marked:
                found.add(other)
                ahead.append(other)
    return found


class _Line(NamedTuple):
    """Of a border: how wide its line is in pixels; how much of the light it takes where it is
    darkest; which share of that is red, green and blue; and how much more of each it takes than a
    grey one, across all of it."""

    width: float
    dark: float
    colour: NDArray[np.float32]
    tinge: NDArray[np.float32]


class _Look(NamedTuple):
    """What of a line may be other than of most, and how far it is off at least: so much, and so
    many parts of what is usual, and so many times how far half of all lines are."""

    of: Callable[[_Line], float | NDArray[np.float32]]
    least: float
    part: float
    times: float
    is_more: bool = False
    """Only what is more counts."""


_LOOKS: Final = (
    _Look(lambda line: line.width, 0.3, 0.12, 6, is_more=True),
    _Look(lambda line: line.colour, 0.1, 0, 3),
    _Look(lambda line: line.dark, 0.12, 0, 5),
    _Look(lambda line: line.tinge, 0.3, 0, 8),
)


def _line(flat: Flat, place: Place, side: tuple[int, int]) -> _Line | None:
    """The line of a border, if it has one."""
    x, y = (
        (at - origin) * FIELD_PX
        for at, origin in zip(_between(place, side), flat.origin, strict=True)
    )
    far = round(_ALONG * FIELD_PX)
    ends = (far, _ACROSS) if side[1] else (_ACROSS, far)
    left, top = round(x) - ends[0], round(y) - ends[1]
    strip = flat.picture[
        max(0, top) : round(y) + ends[1] + 1, max(0, left) : round(x) + ends[0] + 1
    ].astype(np.float32)
    if min(strip.shape[:2]) < _ACROSS:
        return None
    strip = strip if side[1] else strip.swapaxes(0, 1)
    ground = np.minimum(np.median(strip[:3], axis=0), np.median(strip[-3:], axis=0))
    taken = np.median(1 - strip / np.maximum(ground, 1), axis=1)
    dark = taken @ _GREY
    most = float(dark.max())
    if most <= _LEAST_DARK:
        return None
    # Beside its middle what phones sharpen is brighter, in other colours than the line's.
    core = np.maximum(taken[dark > most / 2].mean(0), 0)
    width = float(np.clip(dark / most, 0, 1).sum())
    return _Line(width, most, core / core.sum(), _tinge(strip, int(dark.argmax())))


def _tinge(strip: NDArray[np.float32], at: int) -> NDArray[np.float32]:
    """How much more than grey the line in the middle of a strip takes of each colour.

    A sum: a blurred line takes as much in all as a sharp one. Beside the ground on its own side:
    the fields may have two tints.

    Args:
        at: the row in which the line is darkest.
    """
    first, last = (np.median(end, axis=(0, 1)) for end in (strip[:3], strip[-3:]))
    ground = np.where(np.arange(len(strip))[:, None] < at, first, last)
    ground[at] = np.minimum(first, last)
    taken = 1 - np.median(strip, axis=1) / np.maximum(ground, 1)
    near = taken[max(0, at - _TINGED_PX) : at + _TINGED_PX + 1]
    more: NDArray[np.float32] = (near - near.mean(1, keepdims=True)).sum(0)
    return more


def find_ends(flat: Flat, places: Sequence[Place]) -> tuple[dict[int, int], dict[int, int]]:
    """Return the numbers at the ends of rows and of columns, each by the index of its last field.

    A number stands right of a row or below a column, or else left of or above it. Only one clear
    digit from 1 to 6 counts: of more, or of others, nothing is known; nor of one in a corner, where
    it may belong to a row or to a column.
    """
    rows, columns = (_ends(flat, places, axis) for axis in (0, 1))
    corners = {at for at, _digit in rows.values()} & {at for at, _digit in columns.values()}
    of_rows, of_columns = (
        {i: digit for i, (at, digit) in ends.items() if at not in corners}
        for ends in (rows, columns)
    )
    return of_rows, of_columns


def _ends(flat: Flat, places: Sequence[Place], axis: int) -> dict[int, tuple[Place, int]]:
    """The numbers at the ends of rows (axis 0) or columns (1), and where each stands."""
    step = (1, 0) if axis == 0 else (0, 1)
    lanes: dict[float, list[int]] = {}
    for i in sorted(range(len(places)), key=lambda i: places[i][axis]):
        lanes.setdefault(places[i][1 - axis], []).append(i)
    found = {}
    for lane in lanes.values():
        first, last = places[lane[0]], places[lane[-1]]
        for at in (_beside(last, step), _beside(first, (-step[0], -step[1]))):
            if digit := _end(flat, places, at):
                found[lane[-1]] = at, digit
                break
    return found


def _end(flat: Flat, places: Sequence[Place], at: Place) -> int:
    """The digit of `_digit`, unless fields of a shifted row reach into that place."""
    if any(abs(x - at[0]) < 1 and abs(y - at[1]) < 1 for x, y in places):
        return 0
    return _digit(flat, at)


def _digit(flat: Flat, place: Place) -> int:
    """The one digit at a place outside the fields; 0 without one, or with several."""
    if not flat.covers(place):
        return 0
    blobs = find_blobs(flat.crop(place), (1.0, 1.0))
    if not blobs:
        return 0
    likely = judge(np.stack([blob.patch for blob in blobs]))[:, 1:]
    best = int(likely.max(1).argmax())
    if likely[best].max() < _SURE:
        return 0
    others = [blob.box for i, blob in enumerate(blobs) if i != best]
    if any(_is_next_figure(blobs[best].box, box) for box in others):
        return 0
    return KINDS[int(likely[best].argmax()) + 1] or 0


def _is_next_figure(digit: Box, other: Box) -> bool:
    """Whether something next to a digit may be a figure of the same number.

    It is about as high and stands on the same line; the grain of paper does so hardly ever.
    """
    (x, y, wide, high), (left, top, across, tall) = digit, other
    gap = max(left - x - wide, x - left - across)
    return (
        abs(tall - high) < _AS_HIGH * high
        and abs(top + tall / 2 - y - high / 2) < _IN_LINE * high
        and gap < _NEXT_TO * high
    )
