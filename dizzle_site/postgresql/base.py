"""Django's PostgreSQL, for a database that may be restarted while people play.

A connection that has died in the pool is replaced within the request that asks for it. And it is
noted whether anything of a request may be stored already: if not, it can simply be repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Final

from django.db.backends.postgresql import base
from psycopg import Connection, Error
from psycopg_pool import ConnectionPool, PoolTimeout

PATIENCE_SECONDS: Final = 10.0
"""How long a request waits for a connection while all of them are in use."""

READS: Final = ("SELECT", "EXPLAIN", "SHOW", "SET")


class DatabaseWrapper(base.DatabaseWrapper):
    """The connection of one thread.

    ``may_have_stored`` says that a COMMIT, or a statement that is its own, was sent since
    `begin_request`; ``was_lost`` that the connection broke while it was in use.
    """

    pool: Any

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.execute_wrappers.append(self._note)
        self.begin_request()

    def begin_request(self) -> None:
        """Forget what was noted of the last request."""
        self.may_have_stored = False
        self.was_lost = False

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Take a living connection from the pool.

        A database that goes is heard going; where it is silent, nobody need ask whether it is there
        and wait for the answer, with each request. The pool's own check would wait a second after
        the first dead one, two after the next, and so on: after a restart of the database all of
        them are dead.

        Raises:
            psycopg.OperationalError: the database does not answer, or all connections are in use.
        """
        if not self.pool:
            return super().get_new_connection(conn_params)
        deadline = time.monotonic() + PATIENCE_SECONDS
        failed_before = self._failures()
        while True:
            try:
                connection = super().get_new_connection(conn_params)
            except PoolTimeout:
                # Either no new one can be had, or those that there are are all in use.
                if self._failures() > failed_before or time.monotonic() > deadline:
                    raise
                continue
            try:
                if _says_something(connection):
                    ConnectionPool.check_connection(connection)
            except Error:
                connection.close()
                self.pool.putconn(connection)  # which makes a new one in its place
            else:
                return connection

    def _failures(self) -> int:
        return int(self.pool.get_stats().get("connections_errors", 0))

    def _commit(self) -> None:
        self.may_have_stored = True
        super()._commit()  # type: ignore[misc]

    def _note(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        if not self.in_atomic_block and not str(sql).lstrip().upper().startswith(READS):
            self.may_have_stored = True
        try:
            return execute(sql, params, many, context)
        finally:
            if self.connection is not None and self.connection.closed:
                self.was_lost = True


def _says_something(connection: Connection) -> bool:
    """Has the database sent something, or hung up, since it was asked last?

    Raises:
        psycopg.OperationalError: this end has hung up.
    """
    with DefaultSelector() as selector:
        selector.register(connection, EVENT_READ)
        return bool(selector.select(0))
