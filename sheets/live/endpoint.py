"""The stream itself: a small ASGI application in front of Django.

A stream holds no thread and no database connection. Code and seat are checked once, on connecting.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import parse_cookie

from sheets import limits
from sheets.keys import SEAT_COOKIE, digest
from sheets.live import hub, watch
from sheets.models import Seat, Table

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PREFIX: Final = "/live/"
CODE: Final = re.compile(r"[A-Z0-9]{1,12}")

HEARTBEAT_SECONDS: Final = 5.0
"""After how much silence a stream says its revision again: a page that hears nothing for longer
knows that it is not connected, and what it may have missed comes with the next word."""

RETRY_MS: Final = 1000
"""How soon a browser comes back after it lost the stream."""

HEAD: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


def with_live(application: App) -> App:
    """The application with the streams in front of it."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PREFIX):
            await _answer(scope, receive, send)
        else:
            await application(scope, receive, send)

    return serve


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    code = scope["path"].removeprefix(PREFIX).strip("/").upper()
    if scope["method"] != "GET":
        await _refuse(send, 405)
    elif not CODE.fullmatch(code):
        await _refuse(send, 404)
    else:
        stream = hub.Stream(code, _token_digest(scope))
        # It listens before its revision is read, so that it misses nothing in between.
        if not hub.add(stream):
            await _refuse(send, 503)
            return
        try:
            look_in = sync_to_async(_look_in, thread_sensitive=False)
            status = await look_in(stream, limits.address_of_scope(scope))
            if status == 200:
                hub.make_room_for(stream)
                watch.keep_watch()
                await _stream(stream, receive, send)
            else:
                await _refuse(send, status)
        finally:
            hub.remove(stream)


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _look_in(stream: hub.Stream, address: str) -> int:
    """Read the table's revision and whether the device sits there; gives the HTTP status."""
    try:
        stream.is_seated = (
            bool(stream.token_digest)
            and Seat.objects.filter(
                table__code=stream.code, token_digest=stream.token_digest
            ).exists()
        )
        if not stream.is_seated and limits.WRONG_CODES.is_used_up(address):
            return 429
        revision = Table.objects.filter(code=stream.code).values_list("revision", flat=True).first()
    finally:
        connection.close()
    if revision is None:
        limits.WRONG_CODES.take(address)
        return 404
    stream.tell(revision)
    return 200


async def _stream(stream: hub.Stream, receive: Receive, send: Send) -> None:
    """Send the revision now and whenever it has moved on, until the stream is over."""
    gone = asyncio.ensure_future(_end_when_gone(stream, receive))
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEAD})
        body = b"retry: %d\n\n" % RETRY_MS
        while not stream.is_over:
            sent = stream.revision
            body += b"event: revision\ndata: %d\n\n" % sent
            await send({"type": "http.response.body", "body": body, "more_body": True})
            body = b""
            if stream.revision == sent and not stream.is_over:
                await stream.wait(HEARTBEAT_SECONDS)
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await gone


async def _end_when_gone(stream: hub.Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.wake(is_over=True)


def _token_digest(scope: Scope) -> str:
    sent = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    token = parse_cookie(sent.decode("latin-1")).get(SEAT_COOKIE, "")
    return digest(token) if token else ""
