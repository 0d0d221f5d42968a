"""How does somebody play who is new to the game, who knows it, or who thinks it through?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots import BOTS, Bot, GreedyBot
from sheets.experts.beginner_bot import BeginnerBot
from sheets.experts.expert_bot import ExpertBot

STRENGTHS: Final[Mapping[str, Callable[[Random], Bot]]] = {
    "beginner": BeginnerBot,
    "player": GreedyBot,
    "expert": ExpertBot,
}
"""By name, weakest first, what makes a bot; the random numbers are all the chance it may use."""

ALL_BOTS: Final[Mapping[str, Callable[[Random], Bot]]] = {**BOTS, **STRENGTHS}
"""The same of those without a strength, too."""

__all__ = ["ALL_BOTS", "STRENGTHS", "BeginnerBot", "ExpertBot"]
