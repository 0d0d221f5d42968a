"""PostgreSQL passes on what one process tells the others: NOTIFY here, LISTEN there.

What is told in a transaction is heard after its commit, or never. Behind a pooler that hands
connections from one transaction to the next nothing is heard, so nobody may rely on it alone.
"""

from __future__ import annotations

from typing import Final

import psycopg
from django.db import connection

CHANNEL: Final = "dizzle_live"
"""Each database has its own channel of this name."""


class Listening:
    """A connection beside the pool, which does nothing but listen.

    Raises:
        django.db.Error: it cannot be had, or it broke, then or later. It is of no use any more.
    """

    def __init__(self) -> None:
        with connection.wrap_database_errors:
            parameters = connection.get_connection_params()
            self._connection = psycopg.connect(**parameters, autocommit=True)
            self._connection.execute(f"LISTEN {CHANNEL}")

    def wait(self, seconds: float) -> list[bytes]:
        """Wait for something to be told, so long at most, and give all that has come."""
        with connection.wrap_database_errors:
            told = self._connection.notifies(timeout=seconds, stop_after=1)
            return [one.payload.encode() for one in told]

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
