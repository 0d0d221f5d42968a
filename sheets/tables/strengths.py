"""How strong can a bot at a table be, and what plays so?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots import Bot
from sheets.bots.dice2.simple_bots import Dice2Bot
from sheets.bots.dice2.strengths import DICE2_STRENGTHS
from sheets.bots.strengths import STRENGTHS as DIZZLE_STRENGTHS

EASY: Final = "beginner"
MEDIUM: Final = "player"
HARD: Final = "expert"
"""Takes about a second for a decision: it is asked beside the server (`thinking`)."""

STRENGTHS: Final = (EASY, MEDIUM, HARD)
"""By name, weakest first."""

_NAMED_BEFORE: Final[Mapping[str, str]] = {"random": EASY, "greedy": MEDIUM}
"""What older tables, and pages that were opened before an update, call bots."""


def strength_of(bot: str) -> str:
    """How strong a bot is that is kept under a name. Raises ValueError for a name of none."""
    strength = _NAMED_BEFORE.get(bot, bot)
    if strength not in STRENGTHS:
        raise ValueError("no such bot")
    return strength


def dizzle_bot(strength: str) -> Callable[[Random], Bot]:
    """What makes a bot for Dizzle."""
    return DIZZLE_STRENGTHS[strength]


def dice2_bot(strength: str) -> Callable[[Random], Dice2Bot]:
    """What makes a bot for Dice²."""
    return DICE2_STRENGTHS[strength]
