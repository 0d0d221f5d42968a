"""Suggestions that few games are played on, for tests of all else about them.

However long they take: a test finds the same on a busy machine.
"""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import Final

import pytest

from sheets.workshop.suggest import trying, tuning

LITTLE: Final[dict[tuple[ModuleType, str], int]] = {
    (trying, "CANDIDATES"): 3,
    (trying, "RAIL_CANDIDATES"): 3,
    (trying, "GAMES"): 4,
    (trying, "RAIL_GAMES"): 2,
    (tuning, "SAMPLE"): 8,
    (tuning, "TRIALS"): 2,
}
"""How few, by where and as what it is written."""

_IN_FULL: Final = {place: getattr(*place) for place in LITTLE}


def try_little(patch: pytest.MonkeyPatch) -> None:
    """Play as few."""
    for place, count in LITTLE.items():
        patch.setattr(*place, count)
    patch.setattr(trying, "ENOUGH_SECONDS", inf)


def try_in_full(patch: pytest.MonkeyPatch) -> None:
    """Play as many as on a site."""
    for place, count in _IN_FULL.items():
        patch.setattr(*place, count)
    patch.setattr(trying, "ENOUGH_SECONDS", inf)
