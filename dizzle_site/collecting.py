"""How often does Python look for garbage that refers to itself?

By itself it looks when 700 more objects were made than given back. Modules that are loaded make a
hundred thousand which stay: to look among them took a fifth of a start. A page on its way makes
thousands, which all go by themselves when it is sent; while it was made, what is kept of hundreds
of tables was gone through again and again, and phones waited for that.
"""

from __future__ import annotations

import gc
from typing import Final

YOUNG: Final = 50_000
MIDDLE: Final = 10
OLD: Final = 5
"""Looked through are the new objects when there are 50,000 more than were given back, and all after
2.5 million: a quarter of a gigabyte if all of them were garbage, which they are not."""


def collect_rarely() -> None:
    """Look for garbage rarely from now on, in this process."""
    gc.set_threshold(YOUNG, MIDDLE, OLD)


def leave_alone() -> None:
    """Never look through what there is by now: what the site consists of is no garbage."""
    gc.collect()
    gc.freeze()
