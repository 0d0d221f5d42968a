"""What ends a command before its work is done, besides a broken rule?"""

from __future__ import annotations


class CommandRefused(Exception):
    """A file that cannot be read or written, or options that do not go together: one line why."""
