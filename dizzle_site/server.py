"""uvicorn for pages and streams, by plain HTTP and by TLS, with time limits for slow clients.

uvicorn has no time limit for the headers of a request, nor for a client that does not read its
answer, so such connections are closed here. This reads attributes of uvicorn's connections that it
does not document: docs/dependencies.md names them. The limits of bodies are in `body_limit`.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Final

import uvicorn

from .body_limit import App

MAX_FILES: Final = 16384
"""Maximum number of open files that the process requests from the system."""

STALLED_S: Final = 10
"""How long a client may pause in sending headers or in reading an answer, in seconds; it is checked
at this interval, so that the pause may be twice as long."""

STOP_S: Final = 2
"""How long requests in progress may take when the site stops, in seconds."""

TICK_S: Final = 0.1
"""Interval between two checks for a signal to stop, in seconds."""

Listener = tuple[socket.socket, ssl.SSLContext | None]
"""A socket, and the context of TLS if it is for TLS."""


class Server(uvicorn.Server):
    """uvicorn's server, which just returns after a signal to stop."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; uvicorn would also raise the signal again afterwards."""
        self.should_exit = True


def run(
    listeners: Sequence[Listener],
    application: App | str = "dizzle_site.asgi:application",
    at_stop: Sequence[Callable[[], None]] = (),
) -> None:
    """Serve an application until the process gets a signal to stop.

    Functions in ``at_stop`` end what would stay open; each is called until all requests are over.
    """
    asyncio.run(_serve(listeners, application, at_stop))


async def _serve(
    listeners: Sequence[Listener], application: App | str, at_stop: Sequence[Callable[[], None]]
) -> None:
    max_connections = raise_file_limit() * 3 // 4
    servers = [_server(application, context, max_connections) for _, context in listeners]
    running = {
        asyncio.create_task(server.serve([listener]))
        for server, (listener, _) in zip(servers, listeners, strict=True)
    }
    stalled = StalledConnections(servers)
    checked = time.monotonic()
    while running:
        ended, running = await asyncio.wait(running, timeout=TICK_S)
        is_crowded = stalled.count() >= max_connections
        if ended or any(server.should_exit for server in servers):
            for server in servers:
                server.should_exit = True
            for end in at_stop:
                end()
        elif is_crowded or time.monotonic() >= checked + STALLED_S:
            stalled.close()
            checked = time.monotonic()
        for task in ended:
            task.result()  # raises what has ended it


def _server(application: App | str, context: ssl.SSLContext | None, max_connections: int) -> Server:
    tls: dict[str, Any] = {"ssl_context_factory": lambda *_: context} if context else {}
    return Server(
        uvicorn.Config(
            application,
            http="h11",
            ws="none",
            lifespan="off",
            # Its warnings are about malformed requests only. Errors go to the handlers of the
            # settings, which mask keys.
            log_config=None,
            log_level="error",
            access_log=False,
            # Django trusts the proxy's headers where SITE_URL says that there is a proxy.
            proxy_headers=False,
            server_header=False,
            # Phones pause between two taps; a new connection each time costs a round trip.
            timeout_keep_alive=75,
            timeout_graceful_shutdown=STOP_S,
            limit_concurrency=max_connections,
            **tls,
        )
    )


class StalledConnections:
    """Connections that wait for their clients: for the headers, or until an answer is read."""

    def __init__(self, servers: Sequence[uvicorn.Server]) -> None:
        self.states = [server.server_state for server in servers]
        self.waiting: dict[Any, tuple[Any, int]] = {}

    def count(self) -> int:
        """Return the number of all connections."""
        return sum(len(state.connections) for state in self.states)

    def close(self) -> None:
        """Close the connections that have made no progress since the previous call."""
        before, self.waiting = self.waiting, {}
        for state in self.states:
            connection: Any  # that of HTTP/1.1: uvicorn's type allows others as well
            for connection in tuple(state.connections):
                request, unsent = connection.cycle, connection.transport.get_write_buffer_size()
                is_answered = request is None or request.response_complete
                if not unsent and (not is_answered or connection.timeout_keep_alive_task):
                    continue
                request_before, unsent_before = before.get(connection, (None, -1))
                if request is request_before and unsent >= unsent_before >= 0:
                    connection.transport.abort()
                self.waiting[connection] = request, unsent


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as allowed and needed, and return it."""
    if sys.platform == "win32":
        return MAX_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (ValueError, OSError):  # a system with a limit below the one it names
        return soft
    return most
