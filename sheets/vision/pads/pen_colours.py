"""Pen colours: distinguish lava from exploded bombs where a player uses two pens.

A thick pen fills a field whatever it means; a second pen is used for all lava.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.vision.mark_kinds import EMPTY, EXPLODED, LAVA, TAKEN_BACK
from sheets.vision.patches import SheetPatches
from sheets.vision.reading import MIN_CONFIDENCE, Probabilities

_INK_SHARE: Final = 0.1
"""Share of a patch's pixels, those with most ink, that determine the pen's colour."""

_MIN_KNOWN: Final = 3
"""Minimum number of confident fields of each kind."""

_MIN_SPREAD: Final = 0.06
"""Minimum standard deviation of a pen's colour between fields."""

_MIN_SEPARATION: Final = 1.5
"""Minimum distance of two pens' colours in standard deviations."""

_MIN_INK: Final = 0.02
"""Offset that limits the influence of little ink, which has no colour."""

_MAX_INK: Final = 0.97
"""Maximum ink that is distinguished."""

_DARKNESS_WEIGHT: Final = 0.1
"""Weight of the darkness relative to the colour; low because filled fields have several layers."""

_MAX_LOG_ODDS: Final = 4.0
"""Maximum log odds of a pen's colour."""


def reweigh_by_pen(
    look: SheetPatches, answers: Mapping[str, Probabilities]
) -> dict[str, Probabilities]:
    """Use the pen's colour to decide between lava and an exploded bomb.

    ``answers`` are the classifier's probabilities for each field. They stay as they are if the
    confident fields do not show two different pens.
    """
    found = dict(answers)
    ambiguous = [name for name, likely in answers.items() if EXPLODED in likely and LAVA in likely]
    if not ambiguous:
        return found
    colours = dict(zip(look.names, _pen_colours(look), strict=True))
    lava: list[NDArray[np.float64]] = []
    other_marks: list[NDArray[np.float64]] = []
    for name, likely in answers.items():
        kind = max(likely, key=likely.__getitem__)
        if likely[kind] >= MIN_CONFIDENCE and kind not in (EMPTY, TAKEN_BACK):
            (lava if kind == LAVA else other_marks).append(colours[name])
    if min(len(lava), len(other_marks)) < _MIN_KNOWN:
        return found
    centres = np.mean(lava, axis=0), np.mean(other_marks, axis=0)
    spread = np.sqrt((np.var(lava, axis=0) + np.var(other_marks, axis=0)) / 2 + _MIN_SPREAD**2)
    separation = (centres[1] - centres[0]) / spread
    if np.hypot.reduce(separation) < _MIN_SEPARATION:
        return found
    for name in ambiguous:
        log_odds = ((colours[name] - np.mean(centres, axis=0)) / spread) @ separation
        found[name] = _reweigh(
            answers[name], float(np.clip(log_odds, -_MAX_LOG_ODDS, _MAX_LOG_ODDS))
        )
    return found


def _pen_colours(look: SheetPatches) -> NDArray[np.float64]:
    """Return the pen colour of each field where it is darkest, N × 4.

    The direction of absorption is the same in all layers of an ink; the last column is its amount.
    """
    drawn = (look.photo - look.printed).reshape(len(look.names), -1, 3).astype(float)
    dark = drawn.mean(2)
    most = dark >= np.quantile(dark, 1 - _INK_SHARE, axis=1, keepdims=True)
    ink = (drawn * most[..., None]).sum(1) / most.sum(1)[:, None]
    absorbed = _MIN_INK - np.log(1 - np.clip(ink, 0, _MAX_INK))
    amount = np.linalg.norm(absorbed, axis=1, keepdims=True)
    return np.concatenate([absorbed / amount, _DARKNESS_WEIGHT * np.log(amount)], 1)


def _reweigh(likely: Probabilities, log_odds: float) -> dict[str, float]:
    """Shift probability between bomb and lava by log odds in favour of other marks."""
    both = likely[EXPLODED] + likely[LAVA]
    bomb, lava = likely[EXPLODED] * exp(log_odds), likely[LAVA]
    return {**likely, EXPLODED: both * bomb / (bomb + lava), LAVA: both * lava / (bomb + lava)}
