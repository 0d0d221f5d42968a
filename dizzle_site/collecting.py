"""How often Python looks for garbage that refers to itself, in a process that serves."""

from __future__ import annotations

import gc
from typing import Final

YOUNG: Final = 50_000
MIDDLE: Final = 10
OLD: Final = 5
"""Looked through are the new objects when there are 50,000 more than were given back, and all after
2.5 million: a quarter of a gigabyte if all of them were garbage, which they are not."""


def collect_rarely() -> None:
    """Look for cycles of garbage more rarely than is right for a short script.

    Python looks when 700 more objects were made than given back. A page on its way makes thousands,
    which all go by themselves when it is sent; so while it is made, what is kept of hundreds of
    tables was gone through again and again, and phones waited for that. What the site itself
    consists of is never garbage and is not gone through at all.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
