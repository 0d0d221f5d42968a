"""What becomes of games of Dice² when bots play what is left of them, many games at once?

With the same random numbers a game takes the same course as with `GreedyDice2Bot` and the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

import numpy as np

from sheets.bots.dice2.playouts.chance import Chance, CommonChance, OwnChance
from sheets.bots.dice2.playouts.greedy import GreedyPolicy
from sheets.bots.dice2.playouts.lanes import Lanes
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
    "step",
]


class Policy(Protocol):
    """How those play who play games out."""

    def lanes(self, games: Sequence[Dice2Game]) -> Lanes:
        """Positions of one kind of game, of as many players, with all that is asked of them."""
        ...

    def worths(self, after: Lanes, players: Ints) -> Floats:
        """What positions are worth to the players who have just moved there."""
        ...


def play_out(games: Sequence[Dice2Game], randoms: Sequence[Random]) -> Lanes:
    """The ends of games that greedy bots play on.

    Args:
        games: positions of one kind of game, of as many players.
        randoms: for each game the numbers that its dice and bots draw on.
    """
    policy = GreedyPolicy()
    lanes = policy.lanes(games)
    chance = OwnChance(randoms)
    while step(lanes, chance, policy):
        pass
    return lanes


def step(lanes: Lanes, chance: Chance, policy: Policy) -> bool:
    """One throw in each game that is not over, and what its player does; whether there was any."""
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
    """For each lane with a choice the best of its pairs, by what the policy thinks of it."""
    if not rows.size:
        return rows
    at = going.take(rows)
    after = lanes.taken(at)
    after.place(np.arange(len(at)), fields, dice.take(rows))
    worths = policy.worths(after, lanes.player.take(at))
    firsts = first_of_rows(rows)
    counts = np.diff(firsts, append=len(rows))
    best = where(worths == np.maximum.reduceat(worths, firsts).repeat(counts))
    firsts = first_of_rows(rows[best])
    counts = np.diff(firsts, append=len(best))
    picked: Ints = best[firsts + chance.pick(at[best[firsts]], counts)]
    return picked
