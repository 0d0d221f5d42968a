"""How is a sheet without markers laid flat, and which of its fields were not seen at once?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.pixels import Grey, Picture, brightest
from sheets.scanning.straighten import Bend, Lens
from sheets.scanning.unknown.lattice import Lattice
from sheets.scanning.unknown.quads import Points

FIELD_MM: Final = 10.0
"""How wide a field is taken to be: how large it is on paper nobody knows."""

FIELD_PX: Final = 64
"""How wide a field is on the flat picture, where its picture is looked at."""

PX_PER_MM: Final = FIELD_PX / FIELD_MM
_ORDERS: Final = (2, 4)
_OFF: Final = 0.33
"""How far, in fields, a field may lie off where the bend says: corners curl most."""

_CURLED: Final = 0.08
"""How far a field lies off it at least where paper curls otherwise than smoothly."""

_MARGIN: Final = 2.0
"""Fields of paper all round, on the flat picture."""

_SEARCHED_PX: Final = 3
_LEAST_SIDE, _USUAL_SHARE, _BESIDE_GRAIN = 4.0, 0.35, 1.25
"""How strong the border of a field is on all its sides: grey values, beside the others' and beside
the grain of the paper within: noise has edges, too."""

_GRAIN: Final = 0.6
"""How much of a field's picture says how grainy it is."""

_FAR_DARKER, _AROUND = 0.6, 3.6
"""How dark fields are at most beside paper where their ground tells them from it; and how far
around each, in fields, the brightest is taken for paper."""

_WITHIN, _RIM_PX = 0.84, 5
"""The part of a field within its border; how wide a strip along that says what its ground is."""

_OUTSIDE: Final = 0.5
_TOUCHING: Final = 0.9

Place = tuple[float, float]
"""Of a field: how many to the right and down, in the lattice's own way."""


@dataclass
class Flat:
    """A sheet laid flat, at `FIELD_PX`.

    ``places`` are those of its fields, ``origin`` is the place of the picture's top left corner;
    ``inner`` is how much of the way to the next field a field is; ``seen`` is how many places were
    patches in the photo. ``turn`` is how often all of this was turned by a quarter, against the
    clock, beside the lattice and its ``bend``.
    """

    picture: Picture
    places: list[Place]
    origin: Place
    inner: tuple[float, float]
    to_photo: Points
    bend: Bend
    seen: int = 0
    turn: int = 0

    def turned(self) -> Flat:
        """The same, turned once more by a quarter against the clock."""
        wide = self.picture.shape[1] / FIELD_PX
        return Flat(
            np.ascontiguousarray(np.rot90(self.picture)),
            [(y, -x) for x, y in self.places],
            (self.origin[1], -self.origin[0] - wide),
            (self.inner[1], self.inner[0]),
            self.to_photo,
            self.bend,
            self.seen,
            (self.turn + 1) % 4,
        )

    def crop(self, place: Place, more: float = 0.0) -> Picture:
        """A field's own picture, with ``more`` fields around it."""
        left, top = ((place[i] - 0.5 - self.origin[i] - more) * FIELD_PX for i in (0, 1))
        side = round((1 + 2 * more) * FIELD_PX)
        x, y = round(left), round(top)
        return np.asarray(self.picture[y : y + side, x : x + side])

    def covers(self, place: Place) -> bool:
        """Whether the picture shows the whole of a place."""
        ends = [(place[i] - self.origin[i]) * FIELD_PX for i in (0, 1)]
        sizes = (self.picture.shape[1], self.picture.shape[0])
        half = FIELD_PX / 2
        return all(half <= end <= size - half for end, size in zip(ends, sizes, strict=True))

    def corners(self, places: Sequence[Place]) -> Points:
        """The four corners of each of N places in pixels of the photo, N × 4 × 2, clockwise from
        its top left in this way."""
        half = [0.5 if one > _TOUCHING else one / 2 for one in self.inner]
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        at_mm = ((np.array(places)[:, None] + signs * half) * FIELD_MM).reshape(-1, 2)
        for _ in range(self.turn):
            at_mm = np.stack([-at_mm[:, 1], at_mm[:, 0]], 1)
        found = cv2.perspectiveTransform(self.bend(at_mm)[None], self.to_photo)
        return np.asarray(found.reshape(-1, 4, 2))


def lay_flat(photo: Picture, lattice: Lattice) -> Flat:
    """Lay a sheet flat by the middles of its fields, and find the fields between them."""
    to_photo = lattice.to_photo @ np.diag([1 / FIELD_MM, 1 / FIELD_MM, 1.0])
    at_mm = lattice.at * FIELD_MM
    low, high = at_mm.min(0), at_mm.max(0)
    bend = Bend((*(float(v) for v in low), *(float(v) for v in high - low)))  # type: ignore[arg-type]
    seen = cv2.perspectiveTransform(lattice.middles[None], np.linalg.inv(to_photo))[0]
    for order in _ORDERS:
        bend.learn(at_mm, seen - bend(at_mm), np.ones(len(at_mm)), order)
    rest = seen - bend(at_mm)
    if np.hypot(*rest.T).max() > _CURLED * FIELD_MM:
        bend.follow(at_mm, rest, FIELD_MM)
    off = np.hypot(*(seen - bend(at_mm)).T)
    kept = off < _OFF * FIELD_MM
    inner = _inner(lattice, to_photo)
    places = [(float(x), float(y)) for x, y in lattice.at[kept]]
    origin = (
        float(lattice.at[:, 0].min()) - 0.5 - _MARGIN,
        float(lattice.at[:, 1].min()) - 0.5 - _MARGIN,
    )
    size = (lattice.at.max(0) - lattice.at.min(0) + 1 + 2 * _MARGIN) * FIELD_MM
    box = (origin[0] * FIELD_MM, origin[1] * FIELD_MM, float(size[0]), float(size[1]))
    picture = Lens(photo, to_photo, bend).look(box, PX_PER_MM)
    flat = Flat(np.asarray(picture), places, origin, inner, to_photo, bend, len(places))
    flat.places = _with_unseen(flat)
    return flat


def cut_patches(photo: Picture, lattice: Lattice, step: int = 1) -> list[Picture]:
    """The pictures of some patches of a lattice, within their borders: one of so many."""
    found = []
    to = np.array([(0, 0), (FIELD_PX, 0), (0, FIELD_PX)], np.float32)
    for middle, (across, down) in zip(lattice.middles[::step], lattice.sides[::step], strict=True):
        ends = middle + np.array([-across - down, across - down, down - across]) / 2
        way = cv2.getAffineTransform(ends.astype(np.float32), to)
        found.append(cv2.warpAffine(photo, way, (FIELD_PX,) * 2, borderMode=cv2.BORDER_REPLICATE))
    return found


def _inner(lattice: Lattice, to_photo: Points) -> tuple[float, float]:
    """How wide and how high patches are, of the way from one to the next."""
    ends = np.stack([lattice.middles[:, None] - lattice.sides / 2,
                     lattice.middles[:, None] + lattice.sides / 2])  # fmt: skip
    flat = cv2.perspectiveTransform(ends.reshape(1, -1, 2), np.linalg.inv(to_photo))[0]
    low, high = flat.reshape(2, -1, 2, 2) / FIELD_MM
    length = np.hypot(*np.moveaxis(high - low, -1, 0))
    wide, tall = np.median(length, axis=0)
    return min(1.0, float(wide)), min(1.0, float(tall))


def _with_unseen(flat: Flat) -> list[Place]:
    """All places with a border on all four sides, beside those that were seen."""
    edges = brightest(cv2.morphologyEx(flat.picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    found = set(flat.places)
    usual = float(np.median([_sides(flat, edges, place).min() for place in found]))
    least = max(_LEAST_SIDE, _USUAL_SHARE * usual)
    tried: set[Place] = set()
    for ring in (0, 1, 1):
        asked = {one for one in between(found, ring) - tried if flat.covers(one)}
        for one in asked:
            weakest = _sides(flat, edges, one).min()
            if weakest >= least and weakest >= _BESIDE_GRAIN * _grain(flat, edges, one):
                found.add(one)
        tried |= asked
    found |= _dark_places(flat, found)
    return sorted(found, key=lambda place: (place[1], place[0]))


def _dark_places(flat: Flat, found: set[Place]) -> set[Place]:
    """Places between fields that are far darker than paper is, where fields are.

    Between black fields hardly a line is seen, and at the edge of the sheet they have none. Light
    falls off: so each is compared with the brightest around it, which may be a hole.
    """
    grounds = {one: _ground(flat, one) for one in found}
    others = {one: _ground(flat, one) for one in between(found, 1) if flat.covers(one)}
    paper = float(np.median(list(others.values()) or [0.0]))
    if np.median(list(grounds.values())) > _FAR_DARKER * paper:
        return set()
    at, bright = (np.array(list(one)) for one in (grounds | others, (grounds | others).values()))
    return {
        one
        for one in between(found, 0) & others.keys()
        if others[one] < _FAR_DARKER * bright[np.abs(at - one).max(1) < _AROUND].max()
    }


def _ground(flat: Flat, place: Place) -> float:
    """How bright a place mostly is along its border, within it."""
    x, y = ((place[i] - flat.origin[i]) * FIELD_PX for i in (0, 1))
    wide, high = (_WITHIN * one * FIELD_PX / 2 for one in flat.inner)
    top, low, left, right = (int(end) for end in (y - high, y + high, x - wide, x + wide))
    part = cv2.cvtColor(flat.picture[top:low, left:right], cv2.COLOR_RGB2GRAY)
    rim = _RIM_PX
    ends = (part[:rim].ravel(), part[-rim:].ravel(), part[:, :rim].ravel(), part[:, -rim:].ravel())
    return float(np.median(np.concatenate(ends)))


def between(found: set[Place], ring: int) -> set[Place]:
    """Places in the rows and columns of some others, and in so many more all round."""
    shifts = {y: x % 1 for x, y in found}
    left, right = min(x for x, _ in found) - ring, max(x for x, _ in found) + ring
    top, bottom = min(shifts) - ring, max(shifts) + ring
    others = set()
    for y in np.arange(top, bottom + 1).tolist():
        # Rows that are shifted take turns.
        shift = shifts.get(y, shifts.get(y + 2, shifts.get(y - 2, shifts.get(y - 1, 0.0))))
        columns = np.arange(np.floor(left) - 1, right + 2) + shift
        others |= {(x, y) for x in columns.tolist() if left - _OUTSIDE <= x <= right + _OUTSIDE}
    return others - found


def _sides(flat: Flat, edges: Grey, place: Place) -> NDArray[np.float64]:
    """How strong the border is on each of the four sides, where it is weakest but for a fifth."""
    half = [one * FIELD_PX / 2 for one in flat.inner]
    x, y = ((place[i] - flat.origin[i]) * FIELD_PX for i in (0, 1))
    found = []
    for along, across, size in ((0, 1, half[1]), (1, 0, half[0])):
        for sign in (-1, 1):
            middle = (x, y)[across] + sign * (size + 1)
            low, high = (int(middle + by) for by in (-_SEARCHED_PX, _SEARCHED_PX + 1))
            start, end = (int((x, y)[along] + by * 0.75 * half[along]) for by in (-1, 1))
            strip = edges[low:high, start:end] if along == 0 else edges[start:end, low:high].T
            strong = np.sort(strip.max(0)) if strip.size else np.zeros(1)
            found.append(float(strong[len(strong) // 5]))
    return np.array(found, np.float64)


def _grain(flat: Flat, edges: Grey, place: Place) -> float:
    """How strong edges mostly are within a place, where hardly anything is printed."""
    half = _GRAIN * FIELD_PX / 2
    (left, right), (top, bottom) = (
        [int((place[i] - flat.origin[i]) * FIELD_PX + by * half) for by in (-1, 1)] for i in (0, 1)
    )
    return float(np.median(edges[top:bottom, left:right]))
