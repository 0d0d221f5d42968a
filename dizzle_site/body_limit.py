"""Limits of request bodies: their size, their speed, and the number of large ones at once.

WSGI applications read the body while they hold a thread. This middleware reads it first, so that a
slow client holds no thread, and a body that was cut off is never taken for a whole one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from tempfile import SpooledTemporaryFile
from typing import Any, Final

from django.conf import settings

Scope = Mapping[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TOO_MANY: Final = "too_many_large_bodies"
"""Key in the scope of a request whose body was dropped because of other large bodies."""

GRACE_S: Final = 20.0
"""Time limit of a body in seconds, to which each part that arrives adds (see `SLOWEST`)."""

SLOWEST: Final = 4096
"""Bytes that extend the time limit by a second. Mobile networks are faster at their worst, and a
body of 1 MiB may take four minutes."""

IN_MEMORY: Final = 65536
"""Maximum size of a body in memory; a larger one is in a temporary file without a name."""


_receiving: Final[set[asyncio.Timeout]] = set()
"""The time limits of all bodies that are being received."""


def end_receiving() -> None:
    """Answer 408 to all half-sent requests, because the server stops; call it in the event loop."""
    for limit in _receiving:
        if not limit.expired():
            limit.reschedule(0)


def max_body_bytes(path: str) -> int:
    """Return the maximum size of a request body for an address, in bytes."""
    larger = (most for end, most in settings.LARGER_BODIES.items() if path.endswith(end))
    return max(settings.MAX_BODY_BYTES, *larger, 0)


class BodyLimit:
    """ASGI middleware that calls the application once the whole body has arrived.

    A body that is too large is dropped: the application gets a Content-Length over `max_body_bytes`
    without a body, or a scope with `TOO_MANY`, and answers with a page of its own (see
    `middleware.refuse_large_bodies`). A body of unknown length is never a large one.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.places = asyncio.Semaphore(settings.MAX_LARGER_BODIES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            raise ValueError(f"The site serves HTTP, not {scope['type']}.")
        # WSGI cannot distinguish a client's X_Forwarded_For from the proxy's X-Forwarded-For.
        headers = [pair for pair in scope["headers"] if b"_" not in pair[0]]
        scope = {**scope, "headers": headers}
        length = next((int(value) for name, value in headers if name == b"content-length"), 0)
        if length > max_body_bytes(scope["path"]):
            await self.app(scope, _receive_nothing, send)
        elif length <= settings.MAX_BODY_BYTES:
            await self._handle(scope, receive, send, settings.MAX_BODY_BYTES)
        elif self.places.locked():
            await self.app({**scope, TOO_MANY: True}, _receive_nothing, send)
        else:
            async with self.places:
                await self._handle(scope, receive, send, length)

    async def _handle(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        with SpooledTemporaryFile(max_size=IN_MEMORY) as file:

            async def receive_stored() -> Message:
                part = file.read(IN_MEMORY)
                return {"type": "http.request", "body": part, "more_body": bool(part)}

            try:
                size = await _store(receive, file, most)
            except ConnectionAbortedError:
                return
            except TimeoutError:
                headers = [(b"content-length", b"0"), (b"connection", b"close")]
                await send({"type": "http.response.start", "status": 408, "headers": headers})
                await send({"type": "http.response.body", "body": b""})
                return
            if size > most:
                size = max_body_bytes(scope["path"]) + 1
                receive_stored = _receive_nothing
            rest = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
            headers = [*rest, (b"content-length", b"%d" % size)]
            await self.app({**scope, "headers": headers}, receive_stored, send)


async def _receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _store(receive: Receive, file: SpooledTemporaryFile[bytes], most: int) -> int:
    """Store a body in a file and return its size; one over ``most`` bytes is not read to its end.

    Raises:
        TimeoutError: the client is too slow.
        ConnectionAbortedError: the client has gone before the end of the body.
    """
    size, more = 0, True
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout(GRACE_S) as limit:
        _receiving.add(limit)
        try:
            while more and size <= most:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionAbortedError
                size += file.write(message.get("body", b""))
                more = message.get("more_body", False)
                limit.reschedule(began + GRACE_S + size / SLOWEST)
        finally:
            _receiving.remove(limit)
    file.seek(0)
    return size
