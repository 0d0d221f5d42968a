"""How is Dice² played by somebody who has just learnt it, knows it, or thinks it through?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots.dice2 import DICE2_BOTS, Dice2Bot
from sheets.experts.dice2.bots import BeginnerDice2Bot, ExpertDice2Bot, PlayerDice2Bot

DICE2_STRENGTHS: Final[Mapping[str, Callable[[Random], Dice2Bot]]] = {
    "beginner": BeginnerDice2Bot,
    "player": PlayerDice2Bot,
    "expert": ExpertDice2Bot,
}
"""By name, weakest first, what makes a bot; the random numbers are all the chance it may use."""

ALL_DICE2_BOTS: Final[Mapping[str, Callable[[Random], Dice2Bot]]] = {
    **DICE2_BOTS,
    **DICE2_STRENGTHS,
}
"""The same of those without a strength, too."""

__all__ = ["ALL_DICE2_BOTS", "DICE2_STRENGTHS"]
