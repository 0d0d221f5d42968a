"""Which field turns out best when the rest of the game is played out many times after each?

Each round plays the same number of games after every option still in question, with the same dice
for all, and keeps the better part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from sheets.playouts.arrays import Floats, Ints
from sheets.playouts.dice2 import CommonChance, Lanes, Policy, step


class Round(NamedTuple):
    """So many games are played after each option, once only so many options are kept."""

    keeps: int
    games: int


Rounds = Sequence[Round]

AT_ONCE: Final = 4000
"""So many games are played at once: more would cost more each."""


def mean_values(after: Lanes, players: Ints, policy: Policy, games: int, seed: int) -> Floats:
    """What positions bring the players in question: their part of the win, alone their points.

    Args:
        after: the positions, a lane each.
        players: whose view it is, by position.
        policy: how everybody plays on.
        games: how many are played from each position.
        seed: names their dice, which are the same for all positions.
    """
    values = np.zeros(len(after))
    size = max(AT_ONCE // games, 1)
    for first in range(0, len(after), size):
        part = np.arange(first, min(first + size, len(after)))
        lanes = after.taken(part.repeat(games))
        chance = CommonChance(seed, games)
        while step(lanes, chance, policy):
            pass
        results = lanes.points if lanes.layout.players == 1 else lanes.wins
        own = results[np.arange(len(lanes)), players[part].repeat(games)]
        values[part] = own.reshape(-1, games).mean(axis=1)
    return values


def best_of(after: Lanes, players: Ints, policy: Policy, rounds: Rounds, seed: int) -> int:
    """The best of some options of one decision.

    Args:
        after: the positions that they lead to.
        players: who decides, for each of them.
        policy: how everybody plays on.
        rounds: how often.
        seed: names all dice.
    """
    kept = np.arange(len(after))
    sums = np.zeros(len(after))
    for number, part in enumerate(rounds):
        if len(kept) == 1:
            break
        kept = kept[np.argsort(-sums[kept], kind="stable")[: part.keeps]]
        values = mean_values(after.taken(kept), players[kept], policy, part.games, seed + number)
        sums[kept] += part.games * values
    return int(kept[np.argmax(sums[kept])])
