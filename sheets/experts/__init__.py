"""How does somebody play who is new to the game, who knows it, or who thinks it through?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots import Bot, GreedyBot
from sheets.experts.beginner_bot import BeginnerBot
from sheets.experts.expert_bot import ExpertBot

STRENGTHS: Final[Mapping[str, Callable[[Random], Bot]]] = {
    "beginner": BeginnerBot,
    "player": GreedyBot,
    "expert": ExpertBot,
}
"""By name, weakest first, what makes a bot; the random numbers are all the chance it may use."""

__all__ = ["STRENGTHS", "BeginnerBot", "ExpertBot"]
