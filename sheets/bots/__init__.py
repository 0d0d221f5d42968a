"""Bots of Dizzle: the protocol, the random bot and the greedy bot.

Submodules have the three strengths, the search and batched play-outs. Importing this module alone
does not load NumPy; importing `strengths`, `search` or `playouts` does.
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
"""Constructors of the simple bots, by name. A bot takes all random numbers from its argument."""

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "deciding_players"]
