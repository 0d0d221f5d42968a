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
"""ASGI scope key of a request whose body was dropped, because too many large bodies arrive."""

GRACE_S: Final = 20.0
"""Time limit of a body in seconds. Each part that arrives extends it by `MIN_BYTES_PER_SECOND`."""

MIN_BYTES_PER_SECOND: Final = 4096
"""Minimum average rate of a body: this number of bytes extends its time limit by a second.

Even slow mobile networks are faster. A body of 1 MiB may take 276 seconds.
"""

MAX_MEMORY_BYTES: Final = 65536
"""Maximum size of a body in memory; a larger one is stored in a temporary file."""


_receiving: Final[set[asyncio.Timeout]] = set()
"""The time limits of all bodies that are being received."""


def end_receiving() -> None:
    """Answer 408 to all half-sent requests, because the server stops; call it in the event loop."""
    for limit in _receiving:
        if not limit.expired():
            limit.reschedule(0)


def max_body_bytes(path: str) -> int:
    """Return the maximum size of a request body for a URL path, in bytes."""
    larger = (max_bytes for end, max_bytes in settings.LARGER_BODIES.items() if path.endswith(end))
    return max(settings.MAX_BODY_BYTES, *larger, 0)


class BodyLimit:
    """ASGI middleware that calls the application once the whole body has arrived.

    A body that is too large is dropped: the application gets an empty body with a Content-Length
    over `max_body_bytes`. If the process already receives too many large bodies, the application
    gets an empty body, and `TOO_MANY` in the scope. It answers with an error page (see
    `middleware.refuse_large_bodies`). A body without Content-Length may have ``MAX_BODY_BYTES`` at
    most, even where larger bodies are allowed.
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

    async def _handle(self, scope: Scope, receive: Receive, send: Send, max_bytes: int) -> None:
        with SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES) as file:

            async def receive_stored() -> Message:
                part = file.read(MAX_MEMORY_BYTES)
                return {"type": "http.request", "body": part, "more_body": bool(part)}

            try:
                size = await _store(receive, file, max_bytes)
            except ConnectionAbortedError:
                return
            except TimeoutError:
                headers = [(b"content-length", b"0"), (b"connection", b"close")]
                await send({"type": "http.response.start", "status": 408, "headers": headers})
                await send({"type": "http.response.body", "body": b""})
                return
            if size > max_bytes:
                size = max_body_bytes(scope["path"]) + 1
                receive_stored = _receive_nothing
            rest = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
            headers = [*rest, (b"content-length", b"%d" % size)]
            await self.app({**scope, "headers": headers}, receive_stored, send)


async def _receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _store(receive: Receive, file: SpooledTemporaryFile[bytes], max_bytes: int) -> int:
    """Store a body in a file and return its size; reading stops above ``max_bytes``.

    Raises:
        TimeoutError: the client is too slow.
        ConnectionAbortedError: the client has gone before the end of the body.
    """
    size, more = 0, True
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout(GRACE_S) as limit:
        _receiving.add(limit)
        try:
            while more and size <= max_bytes:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionAbortedError
                size += file.write(message.get("body", b""))
                more = message.get("more_body", False)
                limit.reschedule(began + GRACE_S + size / MIN_BYTES_PER_SECOND)
        finally:
            _receiving.remove(limit)
    file.seek(0)
    return size
