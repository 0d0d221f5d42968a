"""How does the server process watch over its connections, and how does it end?"""

from __future__ import annotations

import asyncio
import errno
import functools
import logging
import math
import signal
import socket
import ssl
import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Final

import uvicorn

from .connections import Connections, most_for
from .patience import HEAD_S, PatientProtocol

log = logging.getLogger(__name__)

MOST_FILES: Final = 16384
"""Open files that the process allows itself, where the system lets it have so many."""

QUEUE: Final = 2048
"""How many new connections the system may keep for us."""

AT_ONCE: Final = 16
"""How many of them are taken before the ones that are too many are closed."""

STOP_S: Final = 2
"""How long requests that are being answered at the end may take."""

LATE_S: Final = 1.0
"""From how late on nobody's client is to blame: the machine slept, or had too much else to do."""

AGAIN_S: Final = 0.1
"""How often streams are ended while the server ends: one may have come in meanwhile."""

NO_MORE_FILES: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class Server(uvicorn.Server):
    """uvicorn with time limits for clients and a bound of connections, and an end in order.

    ``at_stop`` are called when the process is asked to end: they end what would stay open.
    ``secure`` is where it listens besides, and what it shows those who want TLS.
    """

    def __init__(
        self,
        application: str,
        *,
        is_proxied: bool,
        at_stop: Sequence[Callable[[], None]],
        secure: tuple[socket.socket, ssl.SSLContext] | None = None,
    ):
        self.held = Connections(most_for(raise_file_limit()))
        self.at_stop = at_stop
        self.secure = secure
        self.last_tick = math.inf
        protocol: Any = functools.partial(PatientProtocol, held=self.held, is_proxied=is_proxied)
        super().__init__(
            uvicorn.Config(
                application,
                http=protocol,
                ws="none",
                # Its warnings tell of strangers' garbled requests only. Errors go to the
                # handlers of the settings, which mask keys.
                log_config=None,
                log_level="error",
                access_log=False,
                lifespan="off",
                # Django trusts the proxy's header where SITE_URL says that there is a proxy.
                proxy_headers=False,
                server_header=False,
                # Phones pause between two taps; a new connection each time costs a round trip.
                timeout_keep_alive=75,
                timeout_graceful_shutdown=STOP_S,
                backlog=AT_ONCE,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(_OncePerMinute())
        await super().startup(sockets)
        if self.secure:
            listener, context = self.secure
            self.servers.append(await self._listen_for_tls(listener, context))
            sockets = [*(sockets or ()), listener]
        # asyncio takes as many connections at once as it lets wait, and raises the alarm for each
        # of them when no file is left: it was given a small number, the system keeps more.
        for listener in sockets or ():
            listener.listen(QUEUE)

    async def _listen_for_tls(
        self, listener: socket.socket, context: ssl.SSLContext
    ) -> asyncio.Server:
        """Serve the same by TLS: uvicorn knows TLS on all of its sockets, or on none."""

        def protocol() -> asyncio.Protocol:
            made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )
            return made

        return await asyncio.get_running_loop().create_server(
            protocol,
            sock=listener,
            ssl=context,
            backlog=AT_ONCE,
            ssl_handshake_timeout=HEAD_S,
            ssl_shutdown_timeout=STOP_S,
        )

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # each second, if this process is let
            now = asyncio.get_running_loop().time()
            late, self.last_tick = now - self.last_tick - 1, now
            for connection in tuple(self.server_state.connections):
                if isinstance(connection, PatientProtocol):
                    connection.tick(now, late if late > LATE_S else 0)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        ending = asyncio.ensure_future(self._end_what_stays_open())
        await asyncio.sleep(0)
        await super().shutdown(sockets)
        ending.cancel()

    async def _end_what_stays_open(self) -> None:
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, PatientProtocol) and connection.is_half_sent:
                connection.make_way()
        while True:
            for end in self.at_stop:
                end()
            await asyncio.sleep(AGAIN_S)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order; uvicorn would raise the signal again afterwards."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


class _OncePerMinute:
    """What asyncio calls when something went wrong: tells of used-up files in one line a minute."""

    def __init__(self) -> None:
        self.silent_until = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        problem = context.get("exception")
        if not isinstance(problem, OSError) or problem.errno not in NO_MORE_FILES:
            loop.default_exception_handler(context)
        elif time.monotonic() >= self.silent_until:
            self.silent_until = time.monotonic() + 60
            log.warning("New connections have to wait: %s", problem.strerror)


def raise_file_limit() -> int:
    """Let this process open as many files as it may and needs; gives how many that are."""
    if sys.platform == "win32":
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (ValueError, OSError):  # a system with a limit below the one it names
        return soft
    return most
