"""uvicorn for pages and streams, by plain HTTP and by TLS, with time limits for slow clients.

uvicorn has no time limit for the headers of a request (slowloris), nor for a client that does not
read its answer, so such connections are closed here. This reads undocumented attributes of
uvicorn's connections: docs/dependencies.md lists them. The limits of bodies are in `body_limit`.
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

from dizzle_site.body_limit import App

MAX_FILES: Final = 16384
"""Maximum number of open files that the process requests from the system."""

STALLED_S: Final = 10
"""How long a client may pause in sending headers or in reading an answer, in seconds; it is checked
at this interval, so that the pause may be twice as long."""

STOP_S: Final = 2
"""How long requests in progress may take when the site stops, in seconds."""

CROWDED_STALLED_S: Final = 1
"""Value of `STALLED_S` while many connections bring the process near its limit of open files."""

TICK_S: Final = 0.1
"""Interval between two calls of ``at_stop``, in seconds."""

Listener = tuple[socket.socket, ssl.SSLContext | None]
"""A socket, and the context of TLS if it is for TLS."""


def run(
    listeners: Sequence[Listener],
    application: App | str = "dizzle_site.asgi:application",
    at_stop: Sequence[Callable[[], None]] = (),
) -> None:
    """Serve an application until the process gets a signal to stop.

    Then the functions in ``at_stop`` end requests that would stay open, such as streams. All of
    them are called again every `TICK_S` until all requests are over.
    """
    config = uvicorn.Config(
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
        limit_concurrency=raise_file_limit() * 3 // 4,
    )
    server = Server(config, listeners, at_stop)
    asyncio.run(server.serve([listener for listener, _ in listeners]))


class Server(uvicorn.Server):
    """uvicorn's server with sockets for plain HTTP and for TLS, which closes stalled connections.

    A connection is stalled if its client stops sending headers, or stops reading an answer.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        listeners: Sequence[Listener],
        at_stop: Sequence[Callable[[], None]],
    ) -> None:
        super().__init__(config)
        self.listeners, self.at_stop = listeners, at_stop
        self.waiting: dict[Any, tuple[Any, int]] = {}
        self.checked = time.monotonic()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the server, but do not raise the signal again afterwards, as uvicorn would."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen on all sockets, each with its own TLS context; uvicorn has one context for all."""
        servers = []
        for listener, context in self.listeners:
            self.config.ssl = context
            await super().startup([listener])
            servers += self.servers
        self.servers = servers

    async def on_tick(self, counter: int) -> bool:
        """Close stalled connections every `STALLED_S`; uvicorn calls this method every 0.1 s."""
        is_crowded = len(self.server_state.connections) >= (self.config.limit_concurrency or 0)
        if time.monotonic() >= self.checked + (CROWDED_STALLED_S if is_crowded else STALLED_S):
            self.close_stalled()
            self.checked = time.monotonic()
        return await super().on_tick(counter)

    def close_stalled(self) -> None:
        """Close the connections that have made no progress since the previous call."""
        before, self.waiting = self.waiting, {}
        connection: Any  # that of HTTP/1.1: uvicorn's type allows others as well
        for connection in tuple(self.server_state.connections):
            request, unsent = connection.cycle, connection.transport.get_write_buffer_size()
            is_answered = request is None or request.response_complete
            if not unsent and (not is_answered or connection.timeout_keep_alive_task):
                continue
            request_before, unsent_before = before.get(connection, (None, -1))
            if request is request_before and unsent >= unsent_before >= 0:
                connection.transport.abort()
            self.waiting[connection] = request, unsent

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Call the functions of ``at_stop`` until all requests are over."""
        ending = asyncio.create_task(self._end())
        await super().shutdown(sockets)
        ending.cancel()

    async def _end(self) -> None:
        while True:
            for end in self.at_stop:
                end()
            await asyncio.sleep(TICK_S)


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
