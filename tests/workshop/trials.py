"""Low limits for the search for suggested levels, for the fixture `few_trials`."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from sheets.workshop.suggest import trying, tuning

FEW: Final[dict[tuple[ModuleType, str], int]] = {
    (trying, "CANDIDATES"): 3,
    (trying, "RAIL_CANDIDATES"): 3,
    (trying, "GAMES"): 4,
    (trying, "RAIL_GAMES"): 2,
    (tuning, "SAMPLE"): 8,
    (tuning, "TRIALS"): 2,
}
"""The value for each constant, by its module and name."""
