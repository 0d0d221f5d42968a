"""Lattice fitting: find quadrilaterals that lie to each other as the fields of a sheet do.

Steps between quadrilaterals are quantised to quarters of a field, because rows may be shifted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.pads.lattice_growth import extrapolate
from sheets.vision.pads.quadrilaterals import Points, Quads
from sheets.vision.quarter_turns import turn_matrix, turn_points, turn_sides, turn_step

MAX_ROWS: Final = 26
"""Maximum number of rows, and of columns, of a level."""

MAX_CANDIDATES: Final = 4
"""Maximum number of lattices that are examined."""

_MIN_FIELDS: Final = 8
"""Minimum number of fields of a lattice."""

_MIN_PIECE: Final = 5
"""Minimum number of fields of a connected piece from which a lattice is extrapolated."""

_MIN_SIDE_RATIO: Final = 0.72
"""Minimum ratio of the sides of two neighbouring quadrilaterals."""

_PITCHES: Final = (0.93, 1.5)
"""Range of the pitch, in sides of a field."""

_MAX_STEP_ERROR: Final = 0.16
"""Maximum deviation of a step from a multiple of a quarter, in fields."""

_MAX_ERROR: Final = 0.14
"""Maximum distance of a quadrilateral from its lattice position, in fields."""

_SIZE_RADIUS: Final = 4
"""Radius, in fields, within which fields determine the expected size."""

_MAX_LOG_SIZE: Final = 0.14
"""Maximum deviation of the logarithm of a side from the expected one."""

_NEIGHBOURS: Final = 40
"""Number of nearest neighbours that are examined per quadrilateral."""

_BATCH_SIZE: Final = 256
"""Number of quadrilaterals whose neighbours are searched in one batch, which bounds the memory."""

_MAX_GROWTH_ROUNDS: Final = 6
"""Maximum number of rounds in which a lattice is extended."""

_MAX_PITCHES: Final = 3
"""Maximum number of pitches that are tried."""

_MAX_WALKS: Final = 100
"""Maximum number of breadth-first searches per pitch."""

Index = NDArray[np.int64]


@dataclass
class Lattice:
    """Quadrilaterals that lie on a lattice.

    ``at`` holds their grid positions, N × 2, in fields to the right and down (multiples of a
    quarter along shifted rows). ``centres`` and ``sides`` are those of `Quads`, the first side
    along the rows. ``to_photo`` is the homography from grid positions to pixels of the photo.
    """

    at: Points
    centres: Points
    sides: Points
    to_photo: Points

    def turned(self) -> Lattice:
        """Return the lattice with rows and columns exchanged, not mirrored."""
        at, sides = turn_points(self.at, -1), turn_sides(self.sides, -1)
        return Lattice(at, self.centres, sides, self.to_photo @ turn_matrix(1))

    def positions_of(self, centres: Points) -> Points:
        """Return the grid positions, N × 2, of some pixels of the photo."""
        back = np.linalg.inv(self.to_photo)
        return np.asarray(cv2.perspectiveTransform(centres[None], back)[0])


def find_lattices(quads: Quads) -> list[Lattice]:
    """Find lattices that may be a sheet, the largest first."""
    if len(quads.centres) < _MIN_FIELDS:
        return []
    near, steps, turns = _neighbours(quads)
    found: list[Lattice] = []
    for pitch in _pitches(steps):
        links = _links(near, steps / pitch)
        counts = np.array([len(one) for one in links])
        is_taken = np.zeros(len(near), bool)
        for _ in range(_MAX_WALKS):
            order = np.where(is_taken, 0, counts)
            if order.max() < 2:
                break
            at, turned = _walk(int(order.argmax()), links, turns, is_taken)
            is_taken[list(at)] = True
            lattice = _fit(quads, at, turned) if len(at) >= _MIN_PIECE else None
            if lattice and len(lattice.at) >= _MIN_FIELDS:
                found.append(lattice)
    kept: list[Lattice] = []
    for one in sorted(found, key=lambda one: -len(one.at)):
        centres = {tuple(centre) for centre in one.centres.tolist()}
        if not any(_has_most_of(centres, other) for other in kept):
            kept.append(one)
    return kept


def _has_most_of(centres: set[tuple[float, ...]], other: Lattice) -> bool:
    """Whether a lattice has most of these centres."""
    return 2 * len(centres.intersection(map(tuple, other.centres.tolist()))) > len(centres)


def _neighbours(quads: Quads) -> tuple[Index, Points, Index]:
    """Return the nearest neighbours of each quadrilateral, the steps to them and their quarter
    turns.

    Steps are in the quadrilateral's own sides; a step to one of another size is NaN.
    """
    count = len(quads.centres)
    nearest = min(_NEIGHBOURS, count)
    near = np.concatenate([
        _nearest(quads.centres[i : i + _BATCH_SIZE], quads.centres, nearest)
        for i in range(0, count, _BATCH_SIZE)
    ])  # fmt: skip
    inverse = np.linalg.pinv(np.swapaxes(quads.sides, 1, 2))
    steps = np.einsum("nij,nkj->nki", inverse, quads.centres[near] - quads.centres[:, None])
    # A neighbour's sides in this one's coordinates: nearly unit vectors, rotated by quarter turns.
    sides = np.einsum("nij,nkaj->nkai", inverse, quads.sides[near])
    quarters = np.stack([turn_points(np.eye(2), turn) for turn in range(4)])
    off = np.abs(sides[:, :, None] - quarters).max((3, 4))
    turns = off.argmin(2)
    is_same_size = off.min(2) < 1 / _MIN_SIDE_RATIO - 1
    is_other = near != np.arange(count)[:, None]
    return near, np.where((is_same_size & is_other)[..., None], steps, np.nan), turns


def _nearest(points: Points, centres: Points, count: int) -> Index:
    """Return the indices of the ``count`` centres nearest to each of some points."""
    across, down = (centres[:, i] - points[:, i, None] for i in (0, 1))
    return np.argpartition(np.hypot(across, down), count - 1, axis=1)[:, :count]


def _pitches(steps: Points) -> list[NDArray[np.float64]]:
    """Return the likely pitches, in sides of a field, the most frequent first.

    A tiled table has another pitch than the sheet on it. Above 1 there are gaps.
    """
    found = []
    for along in (0, 1):
        far, offset = np.abs(steps[..., along]), np.abs(steps[..., 1 - along])
        with np.errstate(invalid="ignore"):
            is_next = (far > _PITCHES[0]) & (far < _PITCHES[1]) & (offset < 0.2)
        found.append(far[is_next])
    both = np.concatenate(found)
    counts, edges = np.histogram(both, 40, _PITCHES)
    pitches = []
    for _ in range(_MAX_PITCHES):
        soft = np.convolve(counts, [1, 2, 3, 2, 1], "same")
        best = int(soft.argmax())
        if soft[best] < 3 * _MIN_FIELDS:
            break
        near = [distances[np.abs(distances - edges[best]) < 0.07] for distances in found]
        usual = float(np.median(np.concatenate(near)))
        pitches.append(
            np.array(
                [float(np.median(distances)) if len(distances) > 3 else usual for distances in near]
            )
        )
        counts[max(0, best - 5) : best + 6] = 0
    return pitches


def _links(near: Index, steps: Points) -> list[list[tuple[int, int, int, int, int]]]:
    """Return the neighbours of each quadrilateral: index, step in quarters, index in ``near``."""
    quarters = np.round(steps * 4)
    with np.errstate(invalid="ignore"):
        fits = np.abs(steps - quarters / 4).max(2) < _MAX_STEP_ERROR * 0.7
        whole, part = np.abs(quarters).max(2), np.abs(quarters).min(2)
        # A step within a row or a column, or to a shifted row.
        fits &= (whole == 4) & (part < 4)
        fits |= (np.abs(steps - quarters / 4).max(2) < _MAX_STEP_ERROR) & (whole == 4) & (part == 0)
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
    """Breadth-first search: return grid positions in quarters and quarter turns of what is
    reached."""
    at, turned = {start: (0, 0)}, {start: 0}
    positions = {(0, 0)}
    for is_straight in (True, False):
        queue = list(at)
        while queue:
            i = queue.pop(0)
            for j, x, y, k, part in links[i]:
                if j in at or is_taken[j] or (is_straight and part):
                    continue
                dx, dy = turn_step((x, y), turned[i])
                position = (at[i][0] + dx, at[i][1] + dy)
                if any(
                    (position[0] + a, position[1] + b) in positions
                    for a in (-1, 0, 1)
                    for b in (-1, 0, 1)
                ):
                    continue
                at[j], turned[j] = position, (turned[i] + int(turns[i, k])) % 4
                positions.add(position)
                queue.append(j)
    return at, turned


def _fit(quads: Quads, at: dict[int, tuple[int, int]], turned: dict[int, int]) -> Lattice | None:
    """Fit a lattice to reached quadrilaterals and add those on it that were not reached."""
    chosen = np.array(list(at))
    positions = np.array([at[i] for i in chosen], float) / 4
    sides = np.stack([turn_sides(quads.sides[i], turned[i]) for i in chosen])
    if min(np.ptp(positions, axis=0)) < 1:
        return None
    lattice = _fit_homography(positions, quads.centres[chosen], sides, _MIN_PIECE)
    if lattice is None:
        return None
    if _is_fraction(lattice.at[:, 1]).sum() > _is_fraction(lattice.at[:, 0]).sum():
        lattice = lattice.turned()
    lattice = _regularise_rows(lattice)
    return lattice and (_add_inliers(quads, lattice) or lattice)


def _is_fraction(positions: Points) -> NDArray[np.bool_]:
    return np.asarray(np.abs(positions - np.round(positions)) > 0.1)


def _fit_homography(at: Points, centres: Points, sides: Points, min_fields: int) -> Lattice | None:
    """Fit a homography with RANSAC and drop outliers.

    Return None for too few inliers or a degenerate (collinear) fit.
    """
    to_photo, kept = cv2.findHomography(at, centres, cv2.RANSAC, 0.35 * _median_side(sides))
    if (
        to_photo is None
        or kept.sum() < min_fields
        or np.linalg.matrix_rank(to_photo) < len(to_photo)
    ):
        return None
    inside = kept.ravel().astype(bool)
    return Lattice(at[inside], centres[inside], sides[inside], np.asarray(to_photo))


def _lengths(steps: Points) -> Points:
    return np.hypot(steps[..., 0], steps[..., 1])


def _median_side(sides: Points) -> float:
    return float(np.median(_lengths(sides)))


def _regularise_rows(lattice: Lattice) -> Lattice | None:
    """Keep the fields of each row that share its most frequent shift; None for more rows than a
    sheet has."""
    rows = np.round(lattice.at[:, 1])
    kept = ~_is_fraction(lattice.at[:, 1])
    shifts = np.round((lattice.at[:, 0] % 1) * 4) % 4
    for row in np.unique(rows):
        here = rows == row
        (frequent, _count), *_rest = Counter(shifts[here & kept].tolist()).most_common(1) or [
            (0, 0)
        ]
        kept &= ~here | (shifts == frequent)
    if kept.sum() < _MIN_PIECE:
        return None
    at, centres, sides = lattice.at[kept], lattice.centres[kept], lattice.sides[kept]
    if max(np.ptp(at, axis=0)) >= MAX_ROWS:
        return None
    at[:, 1] = np.round(at[:, 1])
    return _fit_homography(at, centres, sides, _MIN_PIECE)


def _add_inliers(quads: Quads, lattice: Lattice) -> Lattice | None:
    """Add quadrilaterals that lie on the lattice, also beyond a hole; None if there are no more."""
    projected = lattice.positions_of(quads.centres)
    rows = np.round(projected[:, 1])
    shifts = {float(y): float(x % 1) for x, y in lattice.at}
    usual = Counter(shifts.values()).most_common(1)[0][0]
    shift = np.array([shifts.get(float(row), usual) for row in rows])
    at = np.stack([np.round(projected[:, 0] - shift) + shift, rows], 1)
    is_near = np.abs(projected - at).max(1) < _MAX_ERROR
    low, high = lattice.at.min(0) - 2.1, lattice.at.max(0) + 2.1
    is_near &= ((at >= low) & (at <= high)).all(1)
    known = {tuple(one) for one in lattice.at.tolist()}
    candidates = [i for i in np.flatnonzero(is_near) if tuple(at[i].tolist()) not in known]
    if not candidates:
        return None
    sides = _align_sides(quads.sides[candidates], lattice.sides[0])
    lengths, usual_lengths = _lengths(sides), _lengths(lattice.sides)
    chosen = []
    for k, (i, length) in enumerate(zip(candidates, lengths, strict=True)):
        nearby = np.hypot(*(lattice.at - at[i]).T) < _SIZE_RADIUS
        if tuple(at[i].tolist()) in known or not nearby.any():
            continue
        wanted = np.median(usual_lengths[nearby], axis=0)
        if np.abs(np.log(length / wanted)).max() < _MAX_LOG_SIZE:
            known.add(tuple(at[i].tolist()))
            chosen.append(k)
    if not chosen:
        return None
    more = [candidates[k] for k in chosen]
    wider = _fit_homography(
        np.concatenate([lattice.at, at[more]]),
        np.concatenate([lattice.centres, quads.centres[more]]),
        np.concatenate([lattice.sides, sides[chosen]]),
        len(lattice.at),
    )
    return wider if wider and len(wider.at) > len(lattice.at) else None


def grow_lattice(quads: Quads, lattice: Lattice) -> Lattice:
    """Extend a lattice by separate pieces of the sheet, then by local extrapolation where paper
    curls."""
    for _ in range(_MAX_GROWTH_ROUNDS):
        wider = _add_inliers(quads, lattice)
        if wider is None or max(np.ptp(wider.at, axis=0)) >= MAX_ROWS:
            break
        lattice = wider
    more, which = extrapolate(quads, lattice.at, lattice.centres, MAX_ROWS**2)
    if not which:
        return lattice
    sides = _align_sides(quads.sides[which], lattice.sides[0])
    return Lattice(
        np.concatenate([lattice.at, more]),
        np.concatenate([lattice.centres, quads.centres[which]]),
        np.concatenate([lattice.sides, sides]),
        lattice.to_photo,
    )


def _align_sides(sides: Points, wanted: Points) -> Points:
    """Rotate the sides of N quadrilaterals by quarter turns to match a reference best."""
    options = np.stack([turn_sides(sides, turn) for turn in range(4)])
    best = np.abs(options - wanted).sum((2, 3)).argmin(0)
    return np.asarray(options[best, np.arange(len(sides))])
