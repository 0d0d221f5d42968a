"""How long may a thread go on while another one waits for Python?"""

from __future__ import annotations

import sys
from typing import Final

TURN_S: Final = 0.0005
"""Python's own is ten times as long. The loop that sends to phones gives way with each call to the
system; beside a thread that draws a page it waited so long after each, and phones with it."""


def switch_often() -> None:
    """Let threads take short turns from now on, in this process."""
    sys.setswitchinterval(TURN_S)
