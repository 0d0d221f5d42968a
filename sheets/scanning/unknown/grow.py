"""Which more patches go on a lattice, where paper curls so much that no homography says it?"""

from __future__ import annotations

from typing import Final

import numpy as np

from sheets.scanning.unknown.quads import Points, Quads

_NEAR, _ENOUGH = 2.6, 4
"""How far away, in fields, fields say where their neighbour must be, and how many at least."""

_OFF: Final = 0.11
_OTHER_SIZE: Final = 0.2
_ROUNDS: Final = 26
_ROW_STEPS: Final = (0.0, 0.5, 0.25, 0.75)


def grow(quads: Quads, at: Points, middles: Points) -> tuple[Points, list[int]]:
    """Places next to known ones where a patch lies just where its neighbours say.

    Args:
        at: the known places, N × 2 as of `Lattice`; ``middles`` are theirs in pixels.

    Returns:
        The places that are new, and which patches lie there.
    """
    known = {(float(x), float(y)): middle for (x, y), middle in zip(at, middles, strict=True)}
    sizes = np.sqrt(np.abs(np.linalg.det(quads.sides)))
    new: dict[tuple[float, float], int] = {}
    tried: dict[tuple[float, float], int] = {}
    for _ in range(_ROUNDS):
        before = len(new)
        for place in sorted(_asked(known)):
            said = _said(known, place)
            if said is None or tried.get(place) == said[2]:
                continue
            tried[place] = said[2]
            middle, sides, _count = said
            size = float(np.sqrt(abs(np.linalg.det(sides))))
            off = np.hypot(*(quads.middles - middle).T)
            i = int(off.argmin())
            fits = size and off[i] < _OFF * size and size * 0.55 < sizes[i] < size * 1.1
            if fits and i not in new.values():
                known[place], new[place] = quads.middles[i], i
        if len(new) == before:
            break
    return np.array(list(new), float).reshape(-1, 2), list(new.values())


def _asked(known: dict[tuple[float, float], Points]) -> set[tuple[float, float]]:
    """Places beside known ones; a row that has none may be shifted in any way."""
    shifts = {y: x % 1 for x, y in known}
    asked = set()
    for x, y in known:
        asked |= {(x - 1, y), (x + 1, y)}
        for row in (y - 1, y + 1):
            steps = (shifts[row],) if row in shifts else _ROW_STEPS
            asked |= {(np.floor(x) + step + by, row) for step in steps for by in (-1, 0, 1)}
    return {(float(x), y) for x, y in asked} - known.keys()


def _said(
    known: dict[tuple[float, float], Points], place: tuple[float, float]
) -> tuple[Points, Points, int] | None:
    """Where a place is by the fields around, how far it is there from field to field each way, and
    how many fields say so."""
    x, y = place
    near = [
        (one, middle) for one, middle in known.items()
        if abs(one[0] - x) < _NEAR and abs(one[1] - y) < _NEAR
    ]  # fmt: skip
    if any(one[1] == y and abs(one[0] - x) < 0.9 for one, _middle in near):
        return None
    if len(near) < _ENOUGH:
        return None
    steps = np.array([one for one, _middle in near]) - place
    terms = np.concatenate([np.ones((len(near), 1)), steps], 1)
    if len(near) >= 8:
        terms = np.concatenate([terms, steps[:, :1] * steps[:, 1:]], 1)
    if np.linalg.matrix_rank(terms) < terms.shape[1]:
        return None
    weight = np.exp(-(steps**2).sum(1) / 4)[:, None]
    found = np.linalg.lstsq(
        terms * weight, np.array([middle for _one, middle in near]) * weight, rcond=None
    )[0]
    return found[0], found[1:3], len(near)
