"""Sets of fields of many sheets as rows of 64-bit words.

An array of shape ``(sheets, words)`` has one set for each sheet. The bits of a set are in eight
groups of the same width, one for each number (0: fields without a number; the last group is empty).
So a set has a field with the number *n* if its group *n* is not 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

Sets = NDArray[np.uint64]
"""One set per row."""

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

GROUPS: Final = 8
"""Number of groups in a set."""

WIDTHS: Final = {16: np.uint16, 32: np.uint32, 64: np.uint64}
"""NumPy types by the width of a group in bits."""


def has_fields(sets: Sets) -> Bools:
    """Return which of the sets are not empty."""
    return has_some(sets.T)


def count_fields(sets: Sets) -> Ints:
    """Return how many fields each set has."""
    return count_all(sets.T)


def has_some(words: Iterable[Sets]) -> Bools:
    """Return for each element whether it is not 0 in one of the ``words``.

    `np.any` is slow over the short axis of the words of a set.
    """
    found: Bools = reduce(np.bitwise_or, words) != 0
    return found


def count_all(words: Iterable[Sets]) -> Ints:
    """Return for each element how many bits it has in all ``words`` together."""
    found: Ints = reduce(np.add, (np.bitwise_count(word).astype(np.intp) for word in words))
    return found


def members(sets: Sets) -> tuple[Ints, Ints]:
    """Return the row and the bit of each field of all sets, ordered by row and bit."""
    bits = np.unpackbits(sets.view(np.uint8).ravel(), bitorder="little")
    found = where(bits.view(np.bool_))
    return np.divmod(found, 64 * sets.shape[1])


def groups_in(sets: Sets) -> Bytes:
    """Return for each set a byte whose bit *n* is set if it has a field with the number *n*."""
    width = sets.shape[1] * 64 // GROUPS
    present = sets.view(WIDTHS[width]) != 0
    return np.packbits(present.ravel(), bitorder="little")


def where(found: Bools) -> Ints:
    """Return the indexes of the true elements."""
    return found.nonzero()[0]


def first_of_rows(rows: Ints) -> Ints:
    """Return the first index of each row in ascending ``rows``, such as those of `members`."""
    is_first = np.empty(len(rows), np.bool_)
    is_first[:1] = True
    np.not_equal(rows[1:], rows[:-1], out=is_first[1:])
    return where(is_first)


def share_best(standings: Ints) -> Floats:
    """Return each player's share of the win, by game; players with the highest standing share it.

    For one game with known winners, use `sheets.rules.scoring.share_win`.
    """
    is_best = standings == standings.max(axis=1)[:, None]
    shares: Floats = is_best / is_best.sum(axis=1)[:, None]
    return shares
