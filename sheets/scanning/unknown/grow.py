"""Which more patches go on a lattice, where paper curls so much that no homography says it?"""

from __future__ import annotations

from math import floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.scanning.unknown.quads import Points, Quads

_NEAR, _ENOUGH = 2.6, 4
"""How far away, in fields, fields say where their neighbour must be, and how many at least."""

_ENOUGH_TO_TURN: Final = 8
"""So many say how rows turn from one to the next, too."""

_WHOLE: Final = 0.9
"""Fields of one row lie no nearer to each other than that."""

_OFF: Final = 0.11
_OTHER_SIZE: Final = 0.2
_ROUNDS: Final = 26
_ROW_STEPS: Final = (0.0, 0.5, 0.25, 0.75)

Place = tuple[float, float]


def grow(quads: Quads, at: Points, middles: Points, most: int) -> tuple[Points, list[int]]:
    """Places next to known ones where a patch lies just where its neighbours say.

    Args:
        at: the known places, N × 2 as of `Lattice`; ``middles`` are theirs in pixels.
        most: no more are looked for where there are more than that, known ones and new.

    Returns:
        The places that are new, and which patches lie there.
    """
    known = {(float(x), float(y)): middle for (x, y), middle in zip(at, middles, strict=True)}
    count = len(known)
    room = np.zeros((len(quads.middles), 2))
    places = np.concatenate([np.array(list(known)), room])
    seen = np.concatenate([np.array(list(known.values())), room])
    sizes = np.sqrt(np.abs(np.linalg.det(quads.sides)))
    new: dict[Place, int] = {}
    tried: dict[Place, int] = {}
    for _ in range(_ROUNDS):
        if count > most:
            break
        before = len(new)
        for place in sorted(_asked({*known, *new})):
            near = _near(places[:count], place)
            if tried.get(place) == len(near):
                continue
            tried[place] = len(near)
            said = _said(places[near] - place, seen[near])
            if said is None:
                continue
            middle, sides = said
            size = float(np.sqrt(abs(np.linalg.det(sides))))
            off = np.hypot(*(quads.middles - middle).T)
            i = int(off.argmin())
            fits = size and off[i] < _OFF * size and size * 0.55 < sizes[i] < size * 1.1
            if fits and i not in new.values():
                new[place] = i
                places[count], seen[count] = place, quads.middles[i]
                count += 1
        if len(new) == before:
            break
    return np.array(list(new), float).reshape(-1, 2), list(new.values())


def _asked(known: set[Place]) -> set[Place]:
    """Places beside known ones; a row that has none may be shifted in any way."""
    shifts = {y: x % 1 for x, y in known}
    asked = set()
    for x, y in known:
        asked |= {(x - 1, y), (x + 1, y)}
        for row in (y - 1, y + 1):
            steps = (shifts[row],) if row in shifts else _ROW_STEPS
            asked |= {(floor(x) + step + by, row) for step in steps for by in (-1, 0, 1)}
    return asked - known


def _near(places: Points, place: Place) -> NDArray[np.int64]:
    """Which of some places say where another one is; none if one of them lies on it."""
    across, down = np.abs(places - place).T
    if ((down == 0) & (across < _WHOLE)).any():
        return np.zeros(0, np.int64)
    return np.flatnonzero((across < _NEAR) & (down < _NEAR))


def _said(steps: Points, middles: Points) -> tuple[Points, Points] | None:
    """Where a place is by the fields around, and how far it is there from field to field each way.

    ``steps`` lead to these fields from there.
    """
    if len(steps) < _ENOUGH:
        return None
    terms = np.concatenate([np.ones((len(steps), 1)), steps], 1)
    if len(steps) >= _ENOUGH_TO_TURN:
        terms = np.concatenate([terms, steps[:, :1] * steps[:, 1:]], 1)
    weight = np.exp(-(steps**2).sum(1) / 4)[:, None]
    found, _rest, rank, _values = np.linalg.lstsq(terms * weight, middles * weight, rcond=None)
    return (found[0], found[1:3]) if rank == terms.shape[1] else None
