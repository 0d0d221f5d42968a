"""How many points can Square Dice still bring, worked out to the end?

All boards with as many dice are a layer, and worked out together: forwards to what each die can
lead, each board once, and backwards what that is worth.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sheets.bots.dice2.layers import TooLarge, hashes
from sheets.bots.dice2.playouts import Lanes
from sheets.bots.dice2.search import Options
from sheets.bots.playouts.arrays import Floats, Ints, first_of_rows, where
from sheets.rules.dice2.game import DIE_NUMBERS

MOST_DICE: Final = 7
"""With more dice left, endings are not worked out …"""

MOST_POSITIONS: Final = 40_000
"""… nor with more boards than these."""


class Throws(NamedTuple):
    """What can be done with each number on each board of a layer.

    ``worths`` are the points if nothing is done, by board and number; ``groups`` says for each
    choice its place among those, in ascending order, ``next`` its board in the following layer.
    """

    worths: Floats
    groups: Ints
    next: Ints


def expected_points(lanes: Lanes, most: int) -> Floats:
    """What games of Square Dice end with on average, played as well as can be.

    Args:
        lanes: before a throw, all with as many dice on the board, and with what they show.
        most: how many boards may be looked at.

    Raises:
        TooLarge: there are more.
    """
    layer, asked = _different(lanes)
    layer.promises = None
    seen = 0
    steps = []
    while len(layer):
        seen += len(layer)
        if seen > most:
            raise TooLarge
        throws, layer = _throws(layer)
        steps.append(throws)
    later = np.zeros(0)
    for throws in reversed(steps):
        worths = throws.worths.copy()
        if throws.groups.size:
            firsts = first_of_rows(throws.groups)
            best = np.maximum.reduceat(later[throws.next], firsts)
            worths.reshape(-1)[throws.groups[firsts]] = best
        later = worths.mean(axis=1)
    return np.asarray(later[asked])


def _different(lanes: Lanes) -> tuple[Lanes, Ints]:
    """The different boards, and for each lane its place among them."""
    _, firsts, places = np.unique(hashes(lanes.shown), return_index=True, return_inverse=True)
    return lanes.taken(firsts), places


def _throws(layer: Lanes) -> tuple[Throws, Lanes]:
    """What can be done on each board, and the layer to which that leads."""
    count = len(DIE_NUMBERS)
    going = where(~layer.is_over)
    dice = np.tile(DIE_NUMBERS, len(going))
    found, fields = layer.choices(going.repeat(count), dice)
    rows = going[found // count]
    after = layer.taken(rows)
    after.place(np.arange(len(rows)), fields, dice[found])
    following, places = _different(after)
    worths = layer.points.repeat(count, axis=1).astype(np.float64)
    return Throws(worths, rows * count + found % count, places), following


def best_option(options: Options) -> int | None:
    """The best option of one decision, or None where that would take too long to work out."""
    if options.after.dice_left[0, 0] > MOST_DICE:
        return None
    try:
        return int(expected_points(options.after, MOST_POSITIONS).argmax())
    except TooLarge:
        return None
