"""Which patches lie beside each other as the fields of a sheet do?

Steps from patch to patch are counted in quarters of a field: rows may be shifted against each
other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.unknown.grow import grow
from sheets.scanning.unknown.quads import Points, Quads

MOST_ROWS: Final = 26
"""As many rows and columns as a level may have."""

MOST_TRIED: Final = 4
"""So many lattices are looked at. A tiled table comes in pieces, around the sheet: what is like one
that was no sheet comes last."""

LEAST_FIELDS: Final = 8
_PIECE: Final = 5
"""So many fields of a sheet in pieces say where the others are."""

_ALIKE: Final = 0.72
_NEXT: Final = (0.93, 1.5)
_OFF: Final = 0.16
_FAR_OFF, _BESIDE = 0.14, 4
_OTHER_SIZE: Final = 0.14
_TELLING, _TELLING_ROWS, _CLEARLY = 12, 3, 0.08
"""So many fields in so many rows say how the next row lies, and that near, in fields."""

_NEAREST: Final = 40
_AT_ONCE: Final = 256
"""Of so many patches the neighbours are looked for at once: of thousands it needs much memory."""

_MOST_LATTICES, _ROUNDS = 12, 6
_AS_LARGE, _AS_TURNED, _AS_FAR = 1.5, 0.15, 0.08
"""How much larger one tile of a table is than another, how far it is turned, and how much farther
away its neighbours are, at most."""

_MOST_PITCHES, _MOST_WALKS = 3, 100

Index = NDArray[np.int64]


@dataclass
class Lattice:
    """Patches that lie as fields do.

    ``at`` are their places, N × 2, in fields to the right and down (quarters of one along the rows
    where these are shifted); ``middles`` and ``sides`` as of `Quads`, the first way along the rows.
    ``to_photo`` is the homography from such places to pixels of the photo.
    """

    at: Points
    middles: Points
    sides: Points
    to_photo: Points

    def turned(self) -> Lattice:
        """The same with rows and columns exchanged, still not mirrored."""
        at = np.stack([self.at[:, 1], -self.at[:, 0]], 1)
        sides = np.stack([self.sides[:, 1], -self.sides[:, 0]], 1)
        back = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
        return Lattice(at, self.middles, sides, self.to_photo @ back)

    def pitch(self) -> float:
        """How far it is from field to field, in fields' own sides: more than 1 with gaps."""
        to_next = [
            cv2.perspectiveTransform((self.at + step)[None], self.to_photo)[0] - self.middles
            for step in ((1.0, 0), (0, 1.0))
        ]
        return float(np.median(_lengths(np.stack(to_next, 1)) / _lengths(self.sides)))

    def places(self, middles: Points) -> Points:
        """Where on it some pixels of the photo are, N × 2, in fields."""
        back = np.linalg.inv(self.to_photo)
        return np.asarray(cv2.perspectiveTransform(middles[None], back)[0])

    def is_like(self, other: Lattice) -> bool:
        """Whether the patches of both might be tiles of one table: as large, and turned alike."""
        larger = _side(self.sides) / _side(other.sides)
        turned = abs(np.sin(2 * (_angle(self.sides) - _angle(other.sides)))) / 2
        return 1 / _AS_LARGE < larger < _AS_LARGE and bool(turned < _AS_TURNED)


def find_lattices(quads: Quads, least: int = LEAST_FIELDS, reach: int = 1) -> list[Lattice]:
    """What might be a sheet, of so many fields at least, the largest first.

    Args:
        reach: how far away a field's neighbour may be, in fields: more than 1 where many of those
            between cannot be seen.
    """
    if len(quads.middles) < least:
        return []
    near, steps, turns = _neighbours(quads)
    found: list[Lattice] = []
    for pitch in _pitches(steps, least):
        links = _links(near, steps / pitch, reach)
        counts = np.array([len(one) for one in links])
        is_taken = np.zeros(len(near), bool)
        for _ in range(_MOST_WALKS):
            order = np.where(is_taken, 0, counts)
            if order.max() < 2:
                break
            at, turned = _walk(int(order.argmax()), links, turns, is_taken)
            is_taken[list(at)] = True
            lattice = _fit(quads, at, turned, least) if len(at) >= min(least, _PIECE) else None
            if lattice and len(lattice.at) >= least:
                found.append(lattice)
    kept: list[Lattice] = []
    for one in sorted(found, key=lambda one: -len(one.at)):
        where = {tuple(middle) for middle in one.middles.tolist()}
        if not any(_is_known(one, where, other) for other in kept):
            kept.append(one)
    return _of_all_kinds(kept)


def _of_all_kinds(lattices: list[Lattice]) -> list[Lattice]:
    """The first `_MOST_LATTICES`, but of what is alike no more than are looked at before others.

    A chequered cloth comes in more pieces, larger than the sheet, than all of them.
    """
    rounds = [
        sum(other.is_like(one) for other in lattices[:i]) // MOST_TRIED
        for i, one in enumerate(lattices)
    ]
    chosen = sorted(range(len(lattices)), key=lambda i: rounds[i])[:_MOST_LATTICES]
    return [lattices[i] for i in sorted(chosen)]


def _is_known(one: Lattice, where: set[tuple[float, ...]], other: Lattice) -> bool:
    """Whether a lattice with these middles is a part of another one, or of the same tiled table.

    A patch of the sheet may happen to lie where a tile of the table would; tiles are as far apart
    in all of its pieces.
    """
    common = len(where.intersection(map(tuple, other.middles.tolist())))
    if common > len(where) / 2:
        return True
    is_as_far = common > 0 and abs(np.log(one.pitch() / other.pitch())) < _AS_FAR
    return bool(is_as_far) and other.is_like(one)


def _neighbours(quads: Quads) -> tuple[Index, Points, Index]:
    """Of each patch the nearest ones, the steps to them in its own sides, and how they are turned.

    A step to a patch of another size is not a number.
    """
    count = len(quads.middles)
    nearest = min(_NEAREST, count)
    near = np.concatenate([
        _nearest(quads.middles[i : i + _AT_ONCE], quads.middles, nearest)
        for i in range(0, count, _AT_ONCE)
    ])  # fmt: skip
    inverse = np.linalg.pinv(np.swapaxes(quads.sides, 1, 2))
    steps = np.einsum("nij,nkj->nki", inverse, quads.middles[near] - quads.middles[:, None])
    # A neighbour's sides, in this one's: nearly the unit vectors, turned by quarters.
    sides = np.einsum("nij,nkaj->nkai", inverse, quads.sides[near])
    quarters = np.array(
        [[[1.0, 0], [0, 1]], [[0, 1], [-1, 0]], [[-1, 0], [0, -1]], [[0, -1], [1, 0]]]
    )
    off = np.abs(sides[:, :, None] - quarters).max((3, 4))
    turns = off.argmin(2)
    is_alike = off.min(2) < 1 / _ALIKE - 1
    is_other = near != np.arange(count)[:, None]
    return near, np.where((is_alike & is_other)[..., None], steps, np.nan), turns


def _nearest(some: Points, middles: Points, count: int) -> Index:
    """Of each of some places so many of the middles that are the nearest to it."""
    across, down = (middles[:, i] - some[:, i, None] for i in (0, 1))
    return np.argpartition(np.hypot(across, down), count - 1, axis=1)[:, :count]


def _pitches(steps: Points, least: int) -> list[NDArray[np.float64]]:
    """How far it may be from field to field in their own sides: more than 1 where there are gaps.

    The usual one first; a tiled table has another than the sheet on it.
    """
    found = []
    for along in (0, 1):
        far, beside = np.abs(steps[..., along]), np.abs(steps[..., 1 - along])
        with np.errstate(invalid="ignore"):
            is_next = (far > _NEXT[0]) & (far < _NEXT[1]) & (beside < 0.2)
        found.append(far[is_next])
    both = np.concatenate(found)
    counts, edges = np.histogram(both, 40, _NEXT)
    pitches = []
    for _ in range(_MOST_PITCHES):
        soft = np.convolve(counts, [1, 2, 3, 2, 1], "same")
        best = int(soft.argmax())
        if soft[best] < 3 * least:
            break
        near = [some[np.abs(some - edges[best]) < 0.07] for some in found]
        usual = float(np.median(np.concatenate(near)))
        pitches.append(
            np.array([float(np.median(some)) if len(some) > 3 else usual for some in near])
        )
        counts[max(0, best - 5) : best + 6] = 0
    return pitches


def _links(near: Index, steps: Points, reach: int) -> list[list[tuple[int, int, int, int, int]]]:
    """Of each patch those beside it: who, where in quarters of fields, and which of `near`."""
    quarters = np.round(steps * 4)
    with np.errstate(invalid="ignore"):
        fits = np.abs(steps - quarters / 4).max(2) < _OFF * 0.7
        whole, part = np.abs(quarters).max(2), np.abs(quarters).min(2)
        # Straight on within a row or a column, or into a row that is shifted.
        fits &= (whole == 4) & (part < 4)
        fits |= (np.abs(steps - quarters / 4).max(2) < _OFF) & (whole == 4) & (part == 0)
        # Beyond some fields that were not seen.
        fits |= (
            (np.abs(steps - quarters / 4).max(2) < _OFF)
            & (reach > 1)
            & (whole <= 4 * reach)
            & (quarters % 4 == 0).all(2)
        )
    rows, columns = np.nonzero(fits)
    links: list[list[tuple[int, int, int, int, int]]] = [[] for _ in near]
    for i, k in zip(rows.tolist(), columns.tolist(), strict=True):
        x, y = (int(v) for v in quarters[i, k])
        links[i].append((int(near[i, k]), x, y, k, min(abs(x), abs(y))))
    for one in links:
        one.sort(key=lambda link: link[4])
    return links


def _walk(
    start: int,
    links: list[list[tuple[int, int, int, int, int]]],
    turns: Index,
    is_taken: NDArray[np.bool_],
) -> tuple[dict[int, tuple[int, int]], dict[int, int]]:
    """All patches that can be reached from one, in quarters of fields, and how each is turned."""
    at, turned = {start: (0, 0)}, {start: 0}
    places = {(0, 0)}
    queue = [start]
    for _straight in (True, False):
        queue = list(at)
        while queue:
            i = queue.pop(0)
            for j, x, y, k, part in links[i]:
                if j in at or is_taken[j] or (_straight and part):
                    continue
                dx, dy = _turn((x, y), turned[i])
                place = (at[i][0] + dx, at[i][1] + dy)
                if any(
                    (place[0] + a, place[1] + b) in places for a in (-1, 0, 1) for b in (-1, 0, 1)
                ):
                    continue
                at[j], turned[j] = place, (turned[i] + int(turns[i, k])) % 4
                places.add(place)
                queue.append(j)
    return at, turned


def _turn(step: tuple[int, int], turn: int) -> tuple[int, int]:
    """A step in the sides of a patch that is turned by quarters, in those of the first."""
    x, y = step
    for _ in range(turn):
        x, y = -y, x
    return x, y


def _fit(
    quads: Quads, at: dict[int, tuple[int, int]], turned: dict[int, int], least: int
) -> Lattice | None:
    """The lattice through some patches, and those on it that were not reached."""
    chosen = np.array(list(at))
    places = np.array([at[i] for i in chosen], float) / 4
    sides = np.stack([_turned_sides(quads.sides[i], turned[i]) for i in chosen])
    if min(np.ptp(places, axis=0)) < 1:
        return None
    least = min(least, _PIECE)
    lattice = _through(places, quads.middles[chosen], sides, least)
    if lattice is None:
        return None
    if _is_fraction(lattice.at[:, 1]).sum() > _is_fraction(lattice.at[:, 0]).sum():
        lattice = lattice.turned()
    lattice = _settle_rows(lattice, least)
    return lattice and (_gather(quads, lattice) or lattice)


def _turned_sides(sides: Points, turn: int) -> Points:
    """The sides of patches, … × 2 × 2, as the first one's way would have them."""
    x, y = sides[..., 0, :], sides[..., 1, :]
    for _ in range(turn):
        x, y = -y, x
    return np.stack([x, y], -2)


def _is_fraction(places: Points) -> NDArray[np.bool_]:
    return np.asarray(np.abs(places - np.round(places)) > 0.1)


def _through(at: Points, middles: Points, sides: Points, least: int) -> Lattice | None:
    """The homography through most of some places; what is far off it is left out.

    None where they are too few, or all in a line, along which everything would be laid.
    """
    to_photo, kept = cv2.findHomography(at, middles, cv2.RANSAC, 0.35 * _side(sides))
    if to_photo is None or kept.sum() < least or np.linalg.matrix_rank(to_photo) < len(to_photo):
        return None
    inside = kept.ravel().astype(bool)
    return Lattice(at[inside], middles[inside], sides[inside], np.asarray(to_photo))


def _lengths(steps: Points) -> Points:
    return np.hypot(steps[..., 0], steps[..., 1])


def _side(sides: Points) -> float:
    return float(np.median(_lengths(sides)))


def _angle(sides: Points) -> float:
    """Which way the rows go, in radians."""
    x, y = np.median(sides[:, 0], axis=0)
    return float(np.arctan2(y, x))


def _settle_rows(lattice: Lattice, least: int) -> Lattice | None:
    """Of each row what is shifted as most of it is, and as many rows as a sheet has."""
    rows = np.round(lattice.at[:, 1])
    kept = ~_is_fraction(lattice.at[:, 1])
    shifts = np.round((lattice.at[:, 0] % 1) * 4) % 4
    for row in np.unique(rows):
        here = rows == row
        (most, _count), *_rest = Counter(shifts[here & kept].tolist()).most_common(1) or [(0, 0)]
        kept &= ~here | (shifts == most)
    if kept.sum() < least:
        return None
    at, middles, sides = lattice.at[kept], lattice.middles[kept], lattice.sides[kept]
    if max(np.ptp(at, axis=0)) >= MOST_ROWS:
        return None
    at[:, 1] = np.round(at[:, 1])
    for end in at[:, 1].min(), at[:, 1].max():
        is_end = at[:, 1] == end
        at[is_end, 0] += _said_by_others(at, middles, sides, is_end)
    return _through(at, middles, sides, least)


def _said_by_others(at: Points, middles: Points, sides: Points, is_end: NDArray[np.bool_]) -> float:
    """How much farther to the right a row at the end lies by what all others say together, in
    fields: 0 unless it is clearly so many quarters. One patch seen askew may have led there."""
    if (~is_end).sum() < _TELLING or len(np.unique(at[~is_end, 1])) < _TELLING_ROWS:
        return 0.0
    others = _through(at[~is_end], middles[~is_end], sides[~is_end], _TELLING)
    if others is None:
        return 0.0
    off = others.places(middles[is_end])[:, 0] - at[is_end, 0]
    quarters = float(np.round(4 * np.median(off)) / 4)
    return quarters if np.abs(off - quarters).max() < _CLEARLY else 0.0


def _gather(quads: Quads, lattice: Lattice) -> Lattice | None:
    """Add patches that lie on the lattice, beyond a hole say; None where there are no more."""
    flat = lattice.places(quads.middles)
    rows = np.round(flat[:, 1])
    shifts = {float(y): float(x % 1) for x, y in lattice.at}
    usual = Counter(shifts.values()).most_common(1)[0][0]
    shift = np.array([shifts.get(float(row), usual) for row in rows])
    at = np.stack([np.round(flat[:, 0] - shift) + shift, rows], 1)
    is_near = np.abs(flat - at).max(1) < _FAR_OFF
    low, high = lattice.at.min(0) - 2.1, lattice.at.max(0) + 2.1
    is_near &= ((at >= low) & (at <= high)).all(1)
    known = {tuple(one) for one in lattice.at.tolist()}
    asked = [i for i in np.flatnonzero(is_near) if tuple(at[i].tolist()) not in known]
    if not asked:
        return None
    sides = _sides_like(quads.sides[asked], lattice.sides[0])
    lengths, usual_lengths = _lengths(sides), _lengths(lattice.sides)
    chosen = []
    for k, (i, length) in enumerate(zip(asked, lengths, strict=True)):
        beside = np.hypot(*(lattice.at - at[i]).T) < _BESIDE
        if tuple(at[i].tolist()) in known or not beside.any():
            continue
        wanted = np.median(usual_lengths[beside], axis=0)
        if np.abs(np.log(length / wanted)).max() < _OTHER_SIZE:
            known.add(tuple(at[i].tolist()))
            chosen.append(k)
    if not chosen:
        return None
    more = [asked[k] for k in chosen]
    wider = _through(
        np.concatenate([lattice.at, at[more]]),
        np.concatenate([lattice.middles, quads.middles[more]]),
        np.concatenate([lattice.sides, sides[chosen]]),
        len(lattice.at),
    )
    return wider if wider and len(wider.at) > len(lattice.at) else None


def grown(quads: Quads, lattice: Lattice, most: int = MOST_ROWS**2) -> Lattice:
    """Add pieces of the sheet that lie further off, and patches that lie where their neighbours
    say, though paper curls away from the lattice.

    Args:
        most: with more fields it is no sheet but a table's tiles, say, and not followed further.
    """
    for _ in range(_ROUNDS):
        wider = _gather(quads, lattice) if len(lattice.at) <= most else None
        if wider is None or max(np.ptp(wider.at, axis=0)) >= MOST_ROWS:
            break
        lattice = wider
    more, which = grow(quads, lattice.at, lattice.middles, most)
    if not which:
        return lattice
    sides = _sides_like(quads.sides[which], lattice.sides[0])
    return Lattice(
        np.concatenate([lattice.at, more]),
        np.concatenate([lattice.middles, quads.middles[which]]),
        np.concatenate([lattice.sides, sides]),
        lattice.to_photo,
    )


def _sides_like(sides: Points, wanted: Points) -> Points:
    """The sides of N patches, each turned by quarters until they are most like another's."""
    ways = np.stack([_turned_sides(sides, turn) for turn in range(4)])
    best = np.abs(ways - wanted).sum((2, 3)).argmin(0)
    return np.asarray(ways[best, np.arange(len(sides))])
