"""Where in a photo is a sheet whose empty one is known, and which way is up?

A filled sheet has fewer fields with four corners than an empty one, but the lattice of those that
are left goes on; which place of it is which is told by the print of all fields together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import atan2, ceil, pi
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Grey, Ink, Picture, bleached
from sheets.scanning.straighten import Bend, Lens, flatten_light
from sheets.scanning.unknown.flat import FIELD_MM
from sheets.scanning.unknown.lattice import MOST_TRIED, Lattice, find_lattices, grown
from sheets.scanning.unknown.matched import SIZES_PX, find_by_points
from sheets.scanning.unknown.pad import Pad
from sheets.scanning.unknown.quads import Points, Quads, glance_and_look, shrink

_FIELD_PX: Final = 24
"""How wide a field is in the pictures that are compared."""

_PX_PER_MM: Final = _FIELD_PX / FIELD_MM
_INSIDE: Final = 0.76
"""The part of a field whose print is compared: borders are the same everywhere."""

_INSIDE_PX: Final = round(_INSIDE * _FIELD_PX)
_LEAST_PRINT: Final = 0.03
"""How much what is darker and what is brighter has to differ, else there is no print."""

_TRIED: Final = 6
_SEARCHED_PX: Final = 4
_TELLING: Final = 40
"""So many fields say in which place the sheet lies; all of them say how much it looks like it."""

_CURL_FIELDS: Final = 25
"""With fewer fields than that nothing is said of how paper curls."""

_PERSPECTIVE_FIELDS: Final = 10
_LEAST_PX_PER_MM: Final = 0.5
_LEAST_FIELDS, _REACH = 4, 2
"""So many that are left between crosses say how the sheet lies, if they are no further apart."""

AHEAD: Final = 0.11
"""How much more a sheet looks like its print in one turn than in any other: 0.15 and more in all of
two hundred leaves, and up to 0.09 in most photos of another sheet."""

LEAST_ALIKE: Final = 0.25
_CLEARLY_ALIKE: Final = 0.5
"""So alike is nothing but the sheet: what else is in the photo need not be looked at."""

_RATHER_ALIKE, _FAR_AHEAD = 0.42, 0.15
"""Or so alike, where any other turn is so much less alike: much of its print is drawn over."""

_MOST_MORE: Final = 1.5
"""Tiles and squared paper have more fields than the sheet, times so many: they are tried last, and
not followed any further."""


@dataclass(frozen=True)
class Spot:
    """Where a sheet may be.

    ``to_photo`` and ``bend`` lead from millimetres of `Pad` to pixels; ``alike`` is how much its
    fields look like their print there, -1 to 1; ``turn`` how many quarters the photo has to be
    turned, against the clock, until the sheet stands upright. ``is_bleached``: where strokes in
    colours are left out.
    """

    to_photo: NDArray[np.float64]
    bend: Bend
    alike: float
    turn: int
    is_bleached: bool = False


def find_spots(photo: Picture, pad: Pad) -> list[Spot]:
    """Where the sheet may be and how it may lie, the likeliest first: the best of each turn.

    A glance is enough where it shows half of the fields, in their places. Where borders of fields
    do not tell, for they are too pale, in the dark or crossed out, the points of its print do.
    """
    printed = _Print.of(pad)
    spots: list[Spot] = []
    for is_quick, quads in zip((True, False), glance_and_look(photo), strict=True):
        spots = _among(photo, printed, quads, is_quick=is_quick)
        if _alike_at_best(spots) >= _CLEARLY_ALIKE:
            break
    if not _is_told(spots):
        spots = max(spots, _by_points(photo, printed), key=_alike_at_best)
    return spots


def _is_told(spots: Sequence[Spot]) -> bool:
    """Whether where the sheet lies, and how, needs no more looking."""
    best, next_best, *_ = *(spot.alike for spot in spots), -1.0, -1.0
    least = _RATHER_ALIKE if best - next_best >= _FAR_AHEAD else _CLEARLY_ALIKE
    return best >= least


def _by_points(photo: Picture, printed: _Print) -> list[Spot]:
    """As `find_spots`, by points: of all that is there, then of black print alone, for pens that
    have crossed all of it out mostly have colours."""
    pad = printed.pad
    seen, known = {False: photo}, {False: printed}
    found: list[Spot] = []
    for longest_px, is_bleached in product(SIZES_PX, (False, True)):
        if is_bleached not in seen:
            seen[True], known[True] = bleached(photo), _Print.of(pad, is_bleached=True)
        onto = find_by_points(seen[is_bleached], pad, longest_px, is_bleached=is_bleached)
        if onto is not None:
            spots = _spots(seen[is_bleached], known[is_bleached], *onto)
            spots = [replace(one, is_bleached=is_bleached) for one in _likeliest_first(spots)]
            found = max(found, spots, key=_alike_at_best)
        if _is_told(found):
            break
    return found


def _likeliest_first(spots: Iterable[Spot]) -> list[Spot]:
    return sorted(spots, key=lambda spot: -spot.alike)


def _alike_at_best(spots: Sequence[Spot]) -> float:
    return spots[0].alike if spots else -1.0


def _among(photo: Picture, printed: _Print, quads: Quads, *, is_quick: bool) -> list[Spot]:
    """As `find_spots`, among what was seen at a glance or by looking longer."""
    count = len(printed.pad.boxes)
    lattices = find_lattices(quads, _LEAST_FIELDS, _REACH)
    lattices.sort(key=lambda one: len(one.at) > _MOST_MORE * count)
    if is_quick:
        lattices = [one for one in lattices[:1] if len(one.at) >= count / 2]
    return _try_lattices(photo, printed, quads, lattices)


def _try_lattices(
    photo: Picture, printed: _Print, quads: Quads, lattices: list[Lattice]
) -> list[Spot]:
    """The best way to lay a pad on any of some lattices, one for each turn."""
    best: dict[int, Spot] = {}
    for _ in range(min(MOST_TRIED, len(lattices))):
        few = lattices.pop(0)
        lattice = grown(quads, few, round(_MOST_MORE * len(printed.pad.boxes)))
        spots = _spots(photo, printed, lattice.at, lattice.middles)
        if all(spot.alike < LEAST_ALIKE for spot in spots):
            lattices.sort(key=few.is_like)
        for spot in spots:
            if spot.turn not in best or spot.alike > best[spot.turn].alike:
                best[spot.turn] = spot
        if any(spot.alike >= _CLEARLY_ALIKE for spot in spots):
            break
    return _likeliest_first(best.values())


@dataclass(frozen=True)
class _Print:
    """How an empty sheet looks: all of it, and within those fields that have print."""

    pad: Pad
    ink: Ink
    fields: list[tuple[float, float, Ink]]
    """Each with its left and top in millimetres."""

    @classmethod
    def of(cls, pad: Pad, *, is_bleached: bool = False) -> _Print:
        """Of a pad."""
        empty = pad.look(pad.box, _PX_PER_MM)
        ink = _ink(cv2.cvtColor(bleached(empty) if is_bleached else empty, cv2.COLOR_RGB2GRAY))
        edge = (1 - _INSIDE) / 2 * FIELD_MM
        fields = []
        for x, y, _width, _height in pad.boxes.values():
            left, top = x + edge, y + edge
            px, py = (round((at - start) * _PX_PER_MM)
                      for at, start in ((left, pad.box[0]), (top, pad.box[1])))  # fmt: skip
            part = ink[py : py + _INSIDE_PX, px : px + _INSIDE_PX]
            if part.std() >= _LEAST_PRINT:
                fields.append((left, top, part))
        return cls(pad, ink, fields)


def _spots(photo: Picture, printed: _Print, at: Points, middles: Points) -> list[Spot]:
    """The best ways to lay a pad on a lattice, one for each turn."""
    to_photo = _onto(at * FIELD_MM, middles)
    if to_photo is None:
        return []
    box = printed.pad.box
    side = float(np.sqrt(abs(np.linalg.det(to_photo[:2, :2])))) * FIELD_MM
    scale = min(1.0, 1.5 * _FIELD_PX / max(side, 1.0))
    # Without the grain of the photo.
    small = shrink(photo, scale)
    grey, smaller = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.diag([scale, scale, 1.0])
    found = []
    is_shifted = any(printed.pad.level.shifts)
    for turn in range(4):
        # Rows are shifted, never columns.
        turned = _turned_homography(to_photo, turn)
        places = _turned_places(at, turn)
        if is_shifted and _has_parts(places[:, 1]):
            continue
        room = _room(places, box)
        lens = Lens(grey, smaller @ turned, _bend(places, middles, turned))
        if lens.px_per_mm(room) < _LEAST_PX_PER_MM * scale:
            continue
        seen = _ink(lens.look(room, _PX_PER_MM))
        tries = _tries(seen, printed.ink, room, box)
        if not tries:
            continue
        some = printed.fields[:: ceil(len(printed.fields) / _TELLING) or 1]
        dx, dy = max(tries, key=lambda move: _alike(seen, some, move, room))
        alike = _alike(seen, printed.fields, (dx, dy), room)
        move = np.array([[1.0, 0, dx], [0, 1, dy], [0, 0, 1]])
        moved = places - np.array([dx, dy]) / FIELD_MM
        final = turned @ move
        bend = _bend(moved, middles, final)
        found.append(Spot(final, bend, alike, _photo_turn(final, box)))
    return found


def _onto(at_mm: Points, middles: Points) -> Points | None:
    """From millimetres to pixels; a few fields do not say what perspective does further away."""
    if len(at_mm) >= _PERSPECTIVE_FIELDS:
        found, _kept = cv2.findHomography(at_mm, middles)
        return None if found is None else np.asarray(found)
    terms = np.concatenate([at_mm, np.ones((len(at_mm), 1))], 1)
    if np.linalg.matrix_rank(terms) < terms.shape[1]:
        return None
    plain = np.linalg.lstsq(terms, middles, rcond=None)[0].T
    return np.concatenate([plain, [[0.0, 0, 1]]])


def _has_parts(places: NDArray[np.float64]) -> bool:
    return bool((np.abs(places - np.round(places)) > 0.1).mean() > 0.1)


def _turned_homography(to_photo: Points, turn: int) -> Points:
    """From millimetres of a leaf that is turned, by quarters."""
    back = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    for _ in range(turn):
        to_photo = to_photo @ back
    return to_photo


def _turned_places(at: Points, turn: int) -> Points:
    for _ in range(turn):
        at = np.stack([at[:, 1], -at[:, 0]], 1)
    return at


def _bend(places: Points, middles: Points, to_photo: Points) -> Bend:
    """How the paper curls, by the middles of the fields that were seen."""
    at_mm = places * FIELD_MM
    low, size = at_mm.min(0), np.ptp(at_mm, axis=0)
    bend = Bend((float(low[0]), float(low[1]), float(size[0]), float(size[1])))
    if len(places) < _CURL_FIELDS:
        return bend
    seen = cv2.perspectiveTransform(middles[None], np.linalg.inv(to_photo))[0]
    bend.learn(at_mm, seen - at_mm, np.ones(len(at_mm)), 2)
    return bend


def _room(
    places: Points, box: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """The part of the leaf where the sheet can be: what was seen is some of its fields."""
    low, high = places.min(0) * FIELD_MM, places.max(0) * FIELD_MM
    more = np.maximum(np.array(box[2:]) - (high - low), 0) + FIELD_MM
    start, size = low - more, high - low + 2 * more
    return float(start[0]), float(start[1]), float(size[0]), float(size[1])


def _ink(grey: Grey) -> Ink:
    return flatten_light(grey, _PX_PER_MM).astype(np.float32)


def _tries(
    seen: Ink,
    print_ink: Ink,
    room: tuple[float, float, float, float],
    box: tuple[float, float, float, float],
) -> list[tuple[float, float]]:
    """Millimetres from the leaf's own places to where the sheet looks most like its print."""
    # Half as large it takes a quarter of the time; what is a pixel off is looked for afterwards.
    seen, print_ink = (
        cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        for one in (seen, print_ink)
    )
    if any(a < b for a, b in zip(seen.shape, print_ink.shape, strict=True)):
        return []
    match = cv2.matchTemplate(seen, print_ink, cv2.TM_CCOEFF_NORMED)
    tries = []
    reach, px_per_mm = _FIELD_PX // 4, _PX_PER_MM / 2
    for _ in range(_TRIED):
        _low, score, _at, (x, y) = cv2.minMaxLoc(match)
        if score <= -1:
            break
        tries.append((x / px_per_mm + room[0] - box[0], y / px_per_mm + room[1] - box[1]))
        match[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = -2
    return tries


def _alike(
    seen: Ink,
    fields: Sequence[tuple[float, float, Ink]],
    move: tuple[float, float],
    room: tuple[float, float, float, float],
) -> float:
    """How much the inside of fields looks like their print, on the average."""
    scores = []
    wide = _INSIDE_PX + 2 * _SEARCHED_PX
    for left, top, template in fields:
        sx, sy = (
            round((at + by - start) * _PX_PER_MM) - _SEARCHED_PX
            for at, by, start in zip((left, top), move, room[:2], strict=True)
        )
        window = seen[max(0, sy) : sy + wide, max(0, sx) : sx + wide]
        if min(window.shape) < _INSIDE_PX:
            scores.append(0.0)
            continue
        scores.append(float(cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED).max()))
    return float(np.mean(scores)) if scores else 0.0


def _photo_turn(to_photo: Points, box: tuple[float, float, float, float]) -> int:
    """How often the photo is turned against the clock until the sheet stands upright."""
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    ends = np.array([[(x - FIELD_MM, y), (x + FIELD_MM, y)]])
    (ax, ay), (bx, by) = cv2.perspectiveTransform(ends, to_photo)[0]
    return turn_until_upright(bx - ax, by - ay)


def turn_until_upright(across: float, down: float) -> int:
    """How many quarters, against the clock, a photo has to be turned in which the way to a sheet's
    right leads so far to the right and down."""
    return round(atan2(down, across) / (pi / 2)) % 4
