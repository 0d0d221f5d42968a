"""How often does Python look for garbage that refers to itself?

By itself it looks when 700 more objects were made than given back. Modules that are loaded make a
hundred thousand which stay: to look among them took a fifth of a start. A page on its way makes
thousands, of which nearly all go by themselves when it is sent; while it was made, what is kept of
hundreds of tables was gone through again and again, and phones waited for that.

Where it looks rarely, each look takes long, and everybody who is served by the process waits for
it. So what serves looks at what is new more often, but as rarely at what has been there for long.
"""

from __future__ import annotations

import gc
from typing import Final

LOADING: Final = (50_000, 10, 5)
"""Looked through are the new objects when there are 50,000 more than were given back, and all after
2.5 million: a quarter of a gigabyte if all of them were garbage, which they are not."""

SERVING: Final = (5_000, 10, 50)
"""The new ones are looked through after 5,000, in half a millisecond instead of eight; those that
were still in use then after 50,000, in eight instead of 150; all after 2.5 million, as before."""


def collect_rarely() -> None:
    """Look for garbage rarely from now on, in this process."""
    gc.set_threshold(*LOADING)


def leave_alone() -> None:
    """Never look through what there is by now: what the site consists of is no garbage.

    From now on looks are short: people are served.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SERVING)
