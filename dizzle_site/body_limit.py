"""How much may one request send?

Django reads a whole body, to disk if it is large, before any of its own limits can look at it.
This wrapper stands before it and lets no more than the limit through.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def limit_body(app: App, max_bytes: int) -> App:
    """Wrap an ASGI application so that it sees an empty body in place of one that is too large.

    The Content-Length then tells more than `max_bytes`, also when the request had none, so that
    the application can refuse it with a page of its own (see `middleware.refuse_large_bodies`).
    """

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": list(scope["headers"])}
            receive = _LimitedBody(scope, receive, max_bytes)
        await app(scope, receive, send)

    return limited


class _LimitedBody:
    """The receiving end of one request: its body, or nothing once it is too large."""

    def __init__(self, scope: Scope, receive: Receive, max_bytes: int) -> None:
        self.headers: list[tuple[bytes, bytes]] = scope["headers"]
        self.receive = receive
        self.max_bytes = max_bytes
        self.left = max_bytes
        self.is_over = False
        announced = dict(self.headers).get(b"content-length", b"")
        self.is_announced_too_large = announced.isdigit() and int(announced) > max_bytes

    async def __call__(self) -> Message:
        if self.is_over:
            return await self._wait_for_disconnect()
        if not self.is_announced_too_large:
            message = await self.receive()
            self.left -= len(message.get("body", b""))
            if self.left >= 0:
                return message
            self._announce(-self.left)
        self.is_over = True
        return {"type": "http.request", "body": b"", "more_body": False}

    def _announce(self, excess: int) -> None:
        kept = [pair for pair in self.headers if pair[0] != b"content-length"]
        self.headers[:] = [*kept, (b"content-length", b"%d" % (self.max_bytes + excess))]

    async def _wait_for_disconnect(self) -> Message:
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                return message
