"""Level and dice of a day. The date is the seed, so all sites have the same sheet on a day.

Never change this module's results, nor the levels of `LEVELS`: people compare their results with
those of other sites and releases, and devices store begun games as lists of fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

from sheets.dice_sequence import FACES, dice
from sheets.levels import find_level
from sheets.rules import Level

FIRST_DAY: Final = date(2026, 1, 1)
"""First day with a sheet."""

LEVELS: Final = tuple(f"level-{number}" for number in range(1, 9))
"""Ids of the shipped levels among which the date chooses."""

DICE_PER_PASS: Final = 240
"""Number of dice of a pass; after them, the pass continues with its first die again.

A pass needs at most 24 dice without rerolls. One that needs more than 240 is practically
impossible.
"""

_EASTERNMOST: Final = timedelta(hours=14)
"""Difference to UTC of the time zone in which a day begins first."""

_PAIRS: Final = FACES**2 - FACES**2 % len(LEVELS)
"""Number of pairs of dice that choose a level; the others are skipped, so no level is favoured."""


def newest_day() -> date:
    """Return the newest day that has begun anywhere on earth."""
    return (datetime.now(UTC) + _EASTERNMOST).date()


def level_of(day: date) -> Level:
    """Return the level of a day."""
    return find_level(LEVELS[next(_pairs(day)) % len(LEVELS)])


def dice_of_pass(day: date, number: int) -> tuple[int, ...]:
    """Return the dice of a pass, counted from 1, in the order in which they are thrown.

    Each pass has its own dice, so a player's choices do not change the dice of later passes.
    """
    return tuple(islice(dice(_seed(day), f"pass {number}"), DICE_PER_PASS))


def _pairs(day: date) -> Iterator[int]:
    """Yield numbers below `_PAIRS`, each made of two dice."""
    thrown = dice(_seed(day), "level")
    for high, low in zip(thrown, thrown, strict=False):
        number = (high - 1) * FACES + low - 1
        if number < _PAIRS:
            yield number


def _seed(day: date) -> bytes:
    return f"dizzle sheet of the day {day.isoformat()}".encode()
