"""Dice that a seed determines: HMAC-SHA256 in counter mode.

Block *i* of a sequence is HMAC-SHA256 of the text ``LABEL:i`` (UTF-8, *i* decimal from 0), with
the seed as the key. Each byte of the blocks, in order, is one die: its remainder modulo 6, plus 1.
Bytes of 252 and more are skipped, else 1 to 4 would be more frequent than 5 and 6. Never change
this: people verify old games with it, and two sites must have the same sheet of the day.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from itertools import count
from typing import Final

SEED_BYTES: Final = 32
"""Length of a seed in bytes, the size of a SHA-256 digest."""

FACES: Final = 6
"""Number of faces of a die."""

_LIMIT: Final = 256 - 256 % FACES
"""Smallest byte that is skipped: 252."""


def dice(seed: bytes, label: str) -> Iterator[int]:
    """Yield the dice of the sequence with this label, without end.

    >>> from itertools import islice
    >>> list(islice(dice(b"seed", "label"), 8))
    [2, 3, 1, 5, 1, 5, 5, 1]
    """
    for number in count():
        block = hmac.digest(seed, f"{label}:{number}".encode(), "sha256")
        yield from (byte % FACES + 1 for byte in block if byte < _LIMIT)
