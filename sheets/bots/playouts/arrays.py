"""How are sets of fields kept for many sheets at once, and what can be asked of them?

A set is a row of 64-bit words, so that an array of shape ``(sheets, words)`` holds one set for each
sheet. Bits stand in eight groups of the same width, one for each number (0: fields without one; the
last is empty): whether a number occurs in a set is whether a part of a word is not 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

Sets = NDArray[np.uint64]
"""One set a row."""

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

GROUPS: Final = 8
"""Groups of a set."""

WIDTHS: Final = {16: np.uint16, 32: np.uint32, 64: np.uint64}
"""How many fields a group can have room for."""


def some(sets: Sets) -> Bools:
    """Which of the sets are not empty."""
    return has_some(sets.T)


def sizes(sets: Sets) -> Ints:
    """How many fields each set has."""
    return count_all(sets.T)


def has_some(words: Iterable[Sets]) -> Bools:
    """Where one of the words is not 0: reductions over so short an axis would be slow."""
    found: Bools = reduce(np.bitwise_or, words) != 0
    return found


def count_all(words: Iterable[Sets]) -> Ints:
    """How many bits the words have together."""
    found: Ints = reduce(np.add, (np.bitwise_count(word).astype(np.intp) for word in words))
    return found


def members(sets: Sets) -> tuple[Ints, Ints]:
    """All fields of all sets: the row each is in, and its bit, by rows and then by bits."""
    bits = np.unpackbits(sets.view(np.uint8).ravel(), bitorder="little")
    found = where(bits.view(np.bool_))
    return np.divmod(found, 64 * sets.shape[1])


def groups_in(sets: Sets) -> Bytes:
    """For each set a byte whose bit *n* says whether it has a field with the number *n*."""
    width = sets.shape[1] * 64 // GROUPS
    present = sets.view(WIDTHS[width]) != 0
    return np.packbits(present.ravel(), bitorder="little")


def where(found: Bools) -> Ints:
    """The places of what is true."""
    return found.nonzero()[0]


def first_of_rows(rows: Ints) -> Ints:
    """Where each row begins in what `members` gives."""
    is_first = np.empty(len(rows), np.bool_)
    is_first[:1] = True
    np.not_equal(rows[1:], rows[:-1], out=is_first[1:])
    return where(is_first)
