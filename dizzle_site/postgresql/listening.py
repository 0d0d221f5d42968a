"""Messages from other processes by PostgreSQL's NOTIFY and LISTEN.

A message that was sent in a transaction arrives after its commit, or never. It does not arrive
through a pooler that shares connections between transactions, so no caller may rely on it alone.
"""

from __future__ import annotations

from typing import Final

import psycopg
from django.db import connection

CHANNEL: Final = "dizzle_live"
"""The channel's name; each database has its own."""


class Listening:
    """A connection outside the pool that only listens.

    Raises:
        django.db.Error: it cannot be opened, or it broke, then or later.
    """

    def __init__(self) -> None:
        with connection.wrap_database_errors:
            parameters = connection.get_connection_params()
            self._connection = psycopg.connect(**parameters, autocommit=True)
            self._connection.execute(f"LISTEN {CHANNEL}")

    def wait(self, seconds: float) -> list[bytes]:
        """Wait for a message, at most this long, and return all that have come."""
        with connection.wrap_database_errors:
            messages = self._connection.notifies(timeout=seconds, stop_after=1)
            return [message.payload.encode() for message in messages]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
