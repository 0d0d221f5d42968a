"""What do endings share that are worked out layer by layer, each position once?"""

from __future__ import annotations

from typing import Final

import numpy as np

from sheets.bots.playouts.arrays import Sets

MIXER: Final = np.uint64(0xFF51AFD7ED558CCD)
"""Odd, with bits all over (the finisher of MurmurHash3)."""


class TooLarge(Exception):
    """There are more positions than may be looked at."""


def hashes(rows: Sets) -> Sets:
    """A word for each row; that two different rows share one is not to be expected."""
    found = np.zeros(len(rows), np.uint64)
    for word in rows.T:
        found = (found ^ word) * MIXER
        found ^= found >> np.uint64(32)
    return found
