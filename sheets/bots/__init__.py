"""Players made of code: each is asked with a game and a seat and answers with an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sheets.bots.greedy_bot import GreedyBot
from sheets.bots.protocol import Bot, deciding_players
from sheets.bots.random_bot import RandomBot

BOTS: Final[Mapping[str, Callable[[Random], Bot]]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
}
"""By name, what makes a bot; the random numbers are all the chance it may use."""

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "deciding_players"]
