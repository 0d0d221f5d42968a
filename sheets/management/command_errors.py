"""Exception for commands that cannot do their work."""

from __future__ import annotations


class CommandRefused(Exception):
    """Unreadable or unwritable file, or contradictory options; the message is one line."""
