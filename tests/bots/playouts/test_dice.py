"""Games that share a source of random numbers have the same dice."""

from __future__ import annotations

from random import Random

import numpy as np

from sheets.bots.playouts.dice import CommonDice, Dice, Pools

BOTH = np.array([0, 1])


def pools_of(*throws: list[int]) -> list[int]:
    return [sum(1 << 8 * die for die in dice) for dice in throws]


def throw(dice: Dice, counts: list[int]) -> Pools:
    dice.prepare(BOTH)
    return dice.throw(BOTH, np.array(counts))


def test_games_of_one_source_each_draw_all_its_numbers() -> None:
    """This does not depend on the draws of the other game, and the source is read once."""
    random = Random(1)
    dice = Dice([random, random], 8, 70)
    numbers = Random(1)
    shown = [numbers.randint(1, 6) for _ in range(2000)]
    first = second = 0
    for step in range(400):
        counts = [1 + step % 4, 2]
        found = throw(dice, counts).tolist()
        ends = first + counts[0], second + counts[1]
        assert found == pools_of(shown[first : ends[0]], shown[second : ends[1]])
        first, second = ends


def test_dice_of_a_pass_do_not_depend_on_earlier_passes() -> None:
    random = Random(1)
    dice = CommonDice([random, random], 8, 70)
    one, other = throw(dice, [8, 3]).tolist()
    assert one != other
    dice.use_coins(BOTH, np.array([3, 40]))
    for passed in (1, 2, 30):
        dice.begin_pass(BOTH, np.array([passed, passed]))
        one, other = throw(dice, [8, 8]).tolist()
        assert one == other
        coins = dice.coins(BOTH, np.array([5, 5])).tolist()
        assert coins[0] == coins[1]
        assert dice.coins(BOTH, np.array([5, 6]))[0] != dice.coins(BOTH, np.array([5, 6]))[1]
        dice.throw(np.array([1]), np.array([5]))
