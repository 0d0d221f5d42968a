"""What of a name do we keep, whoever typed it and wherever it is shown?"""

from __future__ import annotations

import re
from typing import Final

INVISIBLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
    "\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\N{WORD JOINER}\N{SOFT HYPHEN}"
    "\N{ARABIC LETTER MARK}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}"
    # what turns the direction of whatever stands after the name
    "\N{LEFT-TO-RIGHT EMBEDDING}-\N{RIGHT-TO-LEFT OVERRIDE}"
    "\N{LEFT-TO-RIGHT ISOLATE}-\N{POP DIRECTIONAL ISOLATE}"
    "\ud800-\udfff]"
)
"""What is in no name. Joiners are: scripts and emoji of several parts need them."""


def clean_name(name: str) -> str:
    """A name in one line, without what nobody sees.

    >>> clean_name("  Anna\\tMaria \\u202e ")
    'Anna Maria'
    """
    return " ".join(INVISIBLE.sub(" ", name).split())
