"""Strengths of bots at a table, and the bots that play at each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots import Bot
from sheets.bots.dice2.random_bot import Dice2Bot
from sheets.bots.dice2.strengths import DICE2_STRENGTHS
from sheets.bots.strengths import STRENGTHS as DIZZLE_STRENGTHS

EASY: Final = "beginner"
"""Name of the weakest bots."""
MEDIUM: Final = "player"
"""Name of the bots that think one move ahead."""
HARD: Final = "expert"
"""Name of the strongest bots; a decision takes about a second, in the background (`thinking`)."""

STRENGTHS: Final = (EASY, MEDIUM, HARD)
"""Strengths by name, weakest first."""

_OLD_NAMES: Final[Mapping[str, str]] = {"random": EASY, "greedy": MEDIUM}
"""Names of bots at older tables, and on pages opened before an update of the site."""


def strength_of(bot: str) -> str:
    """Return the strength of the bots stored under a name. Raises ValueError if there are none."""
    strength = _OLD_NAMES.get(bot, bot)
    if strength not in STRENGTHS:
        raise ValueError("no such bot")
    return strength


def dizzle_bot(strength: str) -> Callable[[Random], Bot]:
    """Return the factory of bots for Dizzle."""
    return DIZZLE_STRENGTHS[strength]


def dice2_bot(strength: str) -> Callable[[Random], Dice2Bot]:
    """Return the factory of bots for Dice²."""
    return DICE2_STRENGTHS[strength]
