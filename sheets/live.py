"""How does a phone learn at once that its table has changed?

A small ASGI endpoint in front of Django streams nothing but "revision N", also at once on
connecting; the page then fetches its fresh sheet. A stream holds no thread and no database
connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db import connection

from sheets.keys import digest
from sheets.models import Table

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PREFIX: Final = "/live/"
SEAT_COOKIE: Final = "dizzle_seat"
HEARTBEAT_SECONDS: Final = 15.0
"""How often a silent stream sends a comment, so that nothing on the way closes it."""


class Stream:
    """One phone that listens: to a table's code, with the digest of its token."""

    def __init__(self, code: str, token_digest: str) -> None:
        self.code = code
        self.token_digest = token_digest
        self.loop = asyncio.get_running_loop()
        self.changed = asyncio.Event()
        self.revision = 0
        self.is_over = False

    def tell(self, revision: int) -> None:
        """Wake the stream with a revision; safe from any thread."""
        self.loop.call_soon_threadsafe(self._wake, revision, False)

    def end(self) -> None:
        """End the stream; safe from any thread."""
        self.loop.call_soon_threadsafe(self._wake, 0, True)

    def _wake(self, revision: int, is_over: bool) -> None:
        self.revision = max(self.revision, revision)
        self.is_over = self.is_over or is_over
        self.changed.set()


_streams: dict[str, set[Stream]] = {}


def publish(code: str, revision: int) -> None:
    """Tell every phone at a table that it has a new revision; called after the commit."""
    for stream in tuple(_streams.get(code, ())):
        stream.tell(revision)


def revoke(code: str, token_digest: str) -> None:
    """End the streams of a device that has lost its seat."""
    for stream in tuple(_streams.get(code, ())):
        if stream.token_digest == token_digest:
            stream.end()


def with_live(application: App) -> App:
    """The application with the streams in front of it."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PREFIX):
            await _stream(scope, receive, send)
        else:
            await application(scope, receive, send)

    return serve


async def _stream(scope: Scope, receive: Receive, send: Send) -> None:
    code = scope["path"].removeprefix(PREFIX).strip("/").upper()
    token_digest = _token_digest(scope)
    revision = await sync_to_async(_revision_of, thread_sensitive=False)(code)
    if revision is None or scope["method"] != "GET":
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    stream = Stream(code, token_digest)
    _streams.setdefault(code, set()).add(stream)
    gone = asyncio.ensure_future(_until_gone(receive))
    gone.add_done_callback(lambda _: stream._wake(0, True))
    try:
        await _send_head(send)
        await _send_revisions(stream, revision, send)
    finally:
        gone.cancel()
        _streams[code].discard(stream)
        if not _streams[code]:
            del _streams[code]


async def _send_head(send: Send) -> None:
    headers = [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _send_revisions(stream: Stream, revision: int, send: Send) -> None:
    """Send the revision now and whenever it has moved on, until the stream is over."""
    stream.revision = max(stream.revision, revision)
    sent = -1
    body = b"retry: 1000\n\n"
    while not stream.is_over:
        if stream.revision != sent:
            sent = stream.revision
            body += b"event: revision\ndata: %d\n\n" % sent
        await send({"type": "http.response.body", "body": body or b":\n\n", "more_body": True})
        body = b""
        stream.changed.clear()
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                await stream.changed.wait()
        except TimeoutError:
            continue
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _token_digest(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                cookies = SimpleCookie(value.decode("latin-1"))
            except CookieError:
                return ""
            return digest(cookies[SEAT_COOKIE].value) if SEAT_COOKIE in cookies else ""
    return ""


def _revision_of(code: str) -> int | None:
    """The table's revision now; the connection is given back at once."""
    try:
        return Table.objects.filter(code=code).values_list("revision", flat=True).first()
    finally:
        connection.close()
