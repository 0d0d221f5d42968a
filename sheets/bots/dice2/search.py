"""Search of the expert bot of Dice²: play the rest of the game out after each field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheets.bots.dice2.playouts import CommonChance, Lanes, Policy, play_to_end
from sheets.bots.halving import Halving, Round


def find_best(after: Lanes, player: int, policy: Policy, rounds: Sequence[Round], seed: int) -> int:
    """Return the index of the best option for a player.

    Args:
        after: the positions to which the options lead, at least one.
        player: the player who decides.
        policy: how all players are expected to go on.
        rounds: the rounds of the search.
        seed: seed of the random numbers.
    """
    halving = Halving(len(after), rounds)
    while batch := halving.next_batch():
        games = len(batch.numbers)
        lanes = after.taken(np.repeat(batch.options, games))
        play_to_end(lanes, CommonChance((seed, batch.numbers.start), games), policy)
        ends = lanes.points if lanes.layout.players == 1 else lanes.wins
        for option, values in zip(batch.options, ends[:, player].reshape(-1, games), strict=True):
            halving.add(option, values)
    return halving.ranking[0]
