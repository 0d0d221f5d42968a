"""Batched play-outs of Dice²: policies play many games to their end at once, in NumPy arrays.

With the same random numbers a game has the same moves alone and in a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

import numpy as np

from sheets.bots.dice2.playouts.batch_state import Lanes
from sheets.bots.dice2.playouts.chance import Chance, CommonChance, OwnChance
from sheets.bots.dice2.playouts.greedy import GreedyPolicy
from sheets.bots.playouts.arrays import Floats, Ints, first_of_rows, where
from sheets.rules.dice2 import Dice2Game

__all__ = [
    "CommonChance",
    "GreedyPolicy",
    "Lanes",
    "OwnChance",
    "Policy",
    "choose",
    "play_out",
    "play_to_end",
    "step",
]


class Policy(Protocol):
    """Protocol of policies: each player moves to the position with the highest value for them."""

    def lanes(self, games: Sequence[Dice2Game]) -> Lanes:
        """Return positions of one kind of game, with the same number of players, as a batch."""
        ...

    def values(self, after: Lanes, players: Ints) -> Floats:
        """Return the values of positions for the players who have just moved there."""
        ...


def play_out(games: Sequence[Dice2Game], randoms: Sequence[Random]) -> Lanes:
    """Let greedy bots play games to their end, and return the final positions.

    Args:
        games: positions of one kind of game, with the same number of players.
        randoms: the random numbers of each game's dice and bots.
    """
    policy = GreedyPolicy()
    lanes = policy.lanes(games)
    play_to_end(lanes, OwnChance(randoms), policy)
    return lanes


def play_to_end(lanes: Lanes, chance: Chance, policy: Policy) -> None:
    """Play games to their end."""
    while step(lanes, chance, policy):
        pass


def step(lanes: Lanes, chance: Chance, policy: Policy) -> bool:
    """Throw and place a die in each game that is not over; return whether there was one."""
    going = where(~lanes.is_over)
    if not going.size:
        return False
    dice = chance.throw(going)
    rows, fields = lanes.choices(going, dice)
    is_able = np.zeros(len(going), np.bool_)
    is_able[rows] = True
    chosen = choose(lanes, going, dice, rows, fields, chance, policy)
    lanes.skip(going[~is_able])
    lanes.place(going[rows[chosen]], fields[chosen], dice[rows[chosen]])
    return True


def choose(
    lanes: Lanes, going: Ints, dice: Ints, rows: Ints, fields: Ints, chance: Chance, policy: Policy
) -> Ints:
    """Return for each lane with a legal placement the index of the best one; ties are random.

    ``rows`` and ``fields`` are the legal placements of ``dice`` in the lanes ``going``, as
    `Lanes.choices` returns them. ``policy`` values the positions after them.
    """
    if not rows.size:
        return rows
    at = going.take(rows)
    after = lanes.taken(at)
    after.place(np.arange(len(at)), fields, dice.take(rows))
    values = policy.values(after, lanes.player.take(at))
    firsts = first_of_rows(rows)
    counts = np.diff(firsts, append=len(rows))
    best = where(values == np.maximum.reduceat(values, firsts).repeat(counts))
    firsts = first_of_rows(rows[best])
    counts = np.diff(firsts, append=len(best))
    picked: Ints = best[firsts + chance.pick(at[best[firsts]], counts)]
    return picked
