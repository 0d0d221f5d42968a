"""Strengths of bots at a table, and their constructors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots import Bot
from sheets.bots.dice2.random_bot import Dice2Bot
from sheets.bots.dice2.strengths import DICE2_STRENGTHS
from sheets.bots.strengths import STRENGTHS as DIZZLE_STRENGTHS

BEGINNER: Final = "beginner"
USUAL: Final = "player"
THINK: Final = "expert"
"""Takes about a second for a decision: it is asked beside the server (`thinking`)."""

STRENGTHS: Final = (BEGINNER, USUAL, THINK)
"""By name, weakest first."""

_NAMED_BEFORE: Final[Mapping[str, str]] = {"random": BEGINNER, "greedy": USUAL}
"""Strengths by the names that older tables and pages opened before an update use."""


def strength_of(bot: str) -> str:
    """Return the strength of a bot by its stored name. Raises ValueError for an unknown name."""
    strength = _NAMED_BEFORE.get(bot, bot)
    if strength not in STRENGTHS:
        raise ValueError("no such bot")
    return strength


def dizzle_bot(strength: str) -> Callable[[Random], Bot]:
    """Return the constructor of a bot for Dizzle."""
    return DIZZLE_STRENGTHS[strength]


def dice2_bot(strength: str) -> Callable[[Random], Dice2Bot]:
    """Return the constructor of a bot for Dice²."""
    return DICE2_STRENGTHS[strength]
