"""Server-sent events (SSE): a small ASGI application in front of Django.

A stream holds no thread and no database connection. Code and seat are checked once, on connecting.
A code that people type leads to the table's own address, by the same rule as that of its pages.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Exists, OuterRef
from django.http import QueryDict, parse_cookie
from django.utils.module_loading import import_string
from django.utils.translation import get_language_from_request

from dizzle_site.hosts import is_answered
from dizzle_site.storage import failure_of, quiet_log
from sheets.access import codes
from sheets.access.keys import digest, secret_in
from sheets.http import rate_limits
from sheets.live import hub, watch
from sheets.live.news import MOST_BYTES, MOST_SHOWN, Looker
from sheets.models import Seat, Table

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PREFIX: Final = "/live/"
CODE: Final = re.compile(r"[A-Z0-9]{4,16}")

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
    """The application with the streams in front of it.

    What pages refuse for its host name, or send on to TLS, they answer here, too.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PREFIX) and _is_ours(scope):
            await _answer(scope, receive, send)
        else:
            await application(scope, receive, send)

    return serve


def _is_ours(scope: Scope) -> bool:
    return is_answered(ASGIRequest(scope, BytesIO()))


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    code = scope["path"].removeprefix(PREFIX).strip("/").upper()
    if scope["method"] != "GET":
        await _refuse(send, 405, (b"allow", b"GET"))
    elif not CODE.fullmatch(code):
        await _refuse(send, 404)
    else:
        try:
            await _find_table(code, scope, receive, send)
        except DatabaseError as problem:
            failure = failure_of(problem)
            if not failure:
                raise
            quiet_log.error(failure, problem)
            await _refuse(send, 503)  # the browser asks again by itself


async def _find_table(code: str, scope: Scope, receive: Receive, send: Send) -> None:
    find_code = sync_to_async(_find_code, thread_sensitive=False)
    try:
        address = await find_code(scope, code) if codes.is_guessable(code) else code
    except codes.UnknownTable:
        await _refuse(send, 404)
    except codes.TooManyWrongCodes as refused:
        await _refuse(send, 429, (b"retry-after", b"%d" % refused.seconds))
    else:
        if address == code:
            await _let_in(code, scope, receive, send)
        else:
            await _refuse(send, 307, (b"location", f"{PREFIX}{address}/".encode()))


async def _let_in(code: str, scope: Scope, receive: Receive, send: Send) -> None:
    stream = hub.Stream(code, _token_digest(scope), _looker(scope))
    # It listens before its revision is read, so that it misses nothing in between.
    if not hub.add(stream):
        await _refuse(send, 503)
        return
    try:
        catch_up = sync_to_async(_catch_up, thread_sensitive=False)
        if await catch_up(stream):
            hub.make_room_for(stream)
            watch.keep_watch()
            await _stream(stream, receive, send)
        else:
            await _refuse(send, 404)
    finally:
        hub.remove(stream)


async def _refuse(send: Send, status: int, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-length", b"0"), (b"cache-control", b"no-store"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _find_code(scope: Scope, code: str) -> str:
    """Where a short code leads. Raises UnknownTable, TooManyWrongCodes."""
    guesser = rate_limits.guesser_of(ASGIRequest(scope, BytesIO()))
    try:
        return codes.look_up(code, token=secret_in(_cookies(scope)), guesser=guesser)
    finally:
        connection.close()


def _catch_up(stream: hub.Stream) -> bool:
    """Read the table's revision and whether the device sits there; False without a table.

    Where bots play or an expert is asked, the site hears that somebody looks
    (`settings.LIVE_BOTS`).
    """
    try:
        stream.is_seated = (
            bool(stream.token_digest)
            and Seat.objects.filter(
                table__code=stream.code, token_digest=stream.token_digest
            ).exists()
        )
        bots = Seat.objects.filter(table=OuterRef("pk")).exclude(bot="")
        tables = Table.objects.filter(code=stream.code)
        found = tables.values_list("revision", Exists(bots), "has_advice").first()
        revision, has_bots, has_advice = found or (None, False, False)
        if has_bots or has_advice:
            see_bots: Callable[[str], None] = import_string(settings.LIVE_BOTS)
            see_bots(stream.code)
    finally:
        connection.close()
    if revision is None:
        return False
    stream.notify(revision)
    return True


async def _stream(stream: hub.Stream, receive: Receive, send: Send) -> None:
    """Send the revision or the news now and whenever it has moved on, until it is over."""
    gone = asyncio.ensure_future(_end_when_gone(stream, receive))
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEAD})
        body = b"retry: %d\n\n" % RETRY_MS
        while not stream.is_over:
            sent = stream.revision
            news = stream.take_news()
            if news:
                body += b"event: state\ndata: %b\n\n" % news.line
            else:
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


def _looker(scope: Scope) -> Looker | None:
    """The page that listens, where its stream's address has what it shows, ``?shows=``."""
    query = scope.get("query_string", b"")
    shows = QueryDict(query).get("shows") if len(query) <= MOST_BYTES else None
    if shows is None or len(shows) > MOST_SHOWN:
        return None
    language = get_language_from_request(ASGIRequest(scope, BytesIO()))
    return Looker(_token_digest(scope), shows, language, {})


def _token_digest(scope: Scope) -> str:
    token = secret_in(_cookies(scope))
    return digest(token) if token else ""


def _cookies(scope: Scope) -> dict[str, str]:
    sent = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    return parse_cookie(sent.decode("latin-1"))
