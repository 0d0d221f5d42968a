"""How much may one request send?

Django reads a whole body, to disk if it is large, before any of its own limits can look at it.
This wrapper stands before it and lets no more than the limit through, and only so many at once of
those that may be larger than others. What Django has on disk meanwhile has no name there: it is
gone when the process is.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TOO_MANY: Final = "too_many_large_bodies"
"""In the scope of a request whose body was thrown away because others had large ones."""


def most_bytes(path: str) -> int:
    """How large the body of a request for an address may be."""
    larger = (most for end, most in settings.LARGER_BODIES.items() if path.endswith(end))
    return max(settings.MAX_BODY_BYTES, *larger, 0)


class InMemory(MemoryFileUploadHandler):
    """Django's, whatever a file's size: no body is larger than `most_bytes`."""

    def handle_raw_input(self, *args: Any, **more: Any) -> None:
        """Begin a form."""
        self.activated = True


class _Room:
    """For how many large bodies there is still room."""

    def __init__(self, bodies: int) -> None:
        self.left = bodies


def limit_body(app: App) -> App:
    """Wrap an ASGI application so that it sees an empty body in place of one that is too large.

    The Content-Length then tells more than `most_bytes`, also when the request had none, so that
    the application can refuse it with a page of its own (see `middleware.refuse_large_bodies`). So
    does one for which there is no room, with `TOO_MANY` in its scope.
    """
    room = _Room(settings.LARGER_BODIES_AT_ONCE)

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        scope = {**scope, "headers": list(scope["headers"])}
        body = _LimitedBody(scope, receive, room)
        try:
            await app(scope, body, send)
        finally:
            body.make_room()

    return limited


class _LimitedBody:
    """The receiving end of one request: its body, or nothing once it is too large."""

    def __init__(self, scope: Scope, receive: Receive, room: _Room) -> None:
        self.scope = scope
        self.headers: list[tuple[bytes, bytes]] = scope["headers"]
        self.receive = receive
        self.max_bytes = most_bytes(scope["path"])
        self.room = room
        self.has_room = False
        self.got = 0
        self.is_over = False
        announced = dict(self.headers).get(b"content-length", b"")
        self.announced = int(announced) if announced.isdigit() else 0

    async def __call__(self) -> Message:
        if self.is_over:
            return await self._wait_for_disconnect()
        if self._may_have(self.announced):
            message = await self.receive()
            self.got += len(message.get("body", b""))
            if self._may_have(self.got):
                return message
            self._announce(max(self.got, self.max_bytes + 1))
        self.is_over = True
        return {"type": "http.request", "body": b"", "more_body": False}

    def make_room(self) -> None:
        """Called at the end of the request."""
        if self.has_room:
            self.has_room = False
            self.room.left += 1

    def _may_have(self, size: int) -> bool:
        if size > self.max_bytes:
            return False
        if size <= settings.MAX_BODY_BYTES or self.has_room:
            return True
        self.has_room = self.room.left > 0
        self.room.left -= self.has_room
        if not self.has_room:
            self.scope[TOO_MANY] = True
        return self.has_room

    def _announce(self, size: int) -> None:
        kept = [pair for pair in self.headers if pair[0] != b"content-length"]
        self.headers[:] = [*kept, (b"content-length", b"%d" % size)]

    async def _wait_for_disconnect(self) -> Message:
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                return message
