"""Bots of Dizzle by strength: beginner, player and expert."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots import BOTS, Bot, GreedyBot
from sheets.bots.beginner_bot import BeginnerBot
from sheets.bots.expert_bot import ExpertBot

STRENGTHS: Final[Mapping[str, Callable[[Random], Bot]]] = {
    "beginner": BeginnerBot,
    "player": GreedyBot,
    "expert": ExpertBot,
}
"""Constructors of the bots offered at tables, by strength, the weakest first."""

ALL_BOTS: Final[Mapping[str, Callable[[Random], Bot]]] = {**BOTS, **STRENGTHS}
"""Constructors of all bots of Dizzle, by name."""
