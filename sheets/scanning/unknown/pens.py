"""Lava, or a bomb that exploded? Where there are two pens they say what a field was filled for.

A thick pen fills a field whatever it means, but whoever has a second one takes it for all lava.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.scanning.kinds import EMPTY, EXPLODED, LAVA, TAKEN_BACK
from sheets.scanning.patches import Look
from sheets.scanning.reading import SURE, Likely

_DARKEST: Final = 0.1
"""The share of a patch's pixels, those that have most ink, that says what colour a pen has."""

_LEAST_KNOWN: Final = 3
"""So many fields of either kind have to be sure before pens are compared."""

_DIFFERS: Final = 0.06
"""How much the colour of one pen differs from field to field, at least."""

_APART: Final = 1.5
"""How far the colours of two pens lie apart, at least, beside how much each differs."""

_FAINT, _MOST_INK = 0.02, 0.97
"""Less ink has no colour, and more cannot be told."""

_HOW_DARK: Final = 0.1
"""How much it says how dark a pen is, beside its colour: whoever fills a field in goes over it more
than once."""

_MOST_SAID: Final = 4.0
"""What a colour says at most, as the logarithm of odds."""


def by_pens(look: Look, answers: Mapping[str, Likely]) -> dict[str, Likely]:
    """The answers, those weighed anew that may be lava or a bomb that has exploded."""
    found = dict(answers)
    asked = [name for name, likely in answers.items() if EXPLODED in likely and LAVA in likely]
    if not asked:
        return found
    colours = dict(zip(look.names, _colours(look), strict=True))
    lava: list[NDArray[np.float64]] = []
    others: list[NDArray[np.float64]] = []
    for name, likely in answers.items():
        kind = max(likely, key=likely.__getitem__)
        if likely[kind] >= SURE and kind not in (EMPTY, TAKEN_BACK):
            (lava if kind == LAVA else others).append(colours[name])
    if min(len(lava), len(others)) < _LEAST_KNOWN:
        return found
    middles = np.mean(lava, axis=0), np.mean(others, axis=0)
    spread = np.sqrt((np.var(lava, axis=0) + np.var(others, axis=0)) / 2 + _DIFFERS**2)
    apart = (middles[1] - middles[0]) / spread
    if np.hypot.reduce(apart) < _APART:
        return found
    for name in asked:
        said = ((colours[name] - np.mean(middles, axis=0)) / spread) @ apart
        found[name] = _weighed(answers[name], float(np.clip(said, -_MOST_SAID, _MOST_SAID)))
    return found


def _colours(look: Look) -> NDArray[np.float64]:
    """The colour of what was drawn in each field, where there is most of it, N × 4.

    How much of each colour ink swallows is the same in all layers of it: of that the direction, and
    how much that is in all.
    """
    drawn = (look.photo - look.printed).reshape(len(look.names), -1, 3).astype(float)
    dark = drawn.mean(2)
    most = dark >= np.quantile(dark, 1 - _DARKEST, axis=1, keepdims=True)
    ink = (drawn * most[..., None]).sum(1) / most.sum(1)[:, None]
    swallowed = _FAINT - np.log(1 - np.clip(ink, 0, _MOST_INK))
    much = np.linalg.norm(swallowed, axis=1, keepdims=True)
    return np.concatenate([swallowed / much, _HOW_DARK * np.log(much)], 1)


def _weighed(likely: Likely, said: float) -> dict[str, float]:
    """``said``: how much more its pen is that of other marks than that of lava."""
    both = likely[EXPLODED] + likely[LAVA]
    bomb, lava = likely[EXPLODED] * exp(said), likely[LAVA]
    return {**likely, EXPLODED: both * bomb / (bomb + lava), LAVA: both * lava / (bomb + lava)}
