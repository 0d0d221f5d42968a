"""Bots: protocol, random and greedy bot here; three strengths, search and batched play-outs below.

Importing this module alone does not load NumPy; `strengths`, `search` and `playouts` do.
"""

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
"""Constructors of the simple bots, by name. A bot draws on the given random numbers only."""

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "deciding_players"]
