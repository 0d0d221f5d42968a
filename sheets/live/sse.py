"""Endpoint of the streams (server-sent events, SSE): a small ASGI application before Django.

A stream holds no thread and no database connection. Code and seat are checked once, when it opens.
A stream sends ``revision`` events: the page then fetches its state. The page of a running game gets
its new state itself, as ``fragments`` events with HTML: all data, and those fragments that differ
from the ones that this stream has sent before. One thread renders them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import Error as DatabaseError
from django.db import connection
from django.http import QueryDict
from django.utils.translation import get_language_from_request, override

from dizzle_site.database_errors import failure_of, log_thread_error, throttled_log
from dizzle_site.hosts import is_answered
from sheets.access import codes
from sheets.access.keys import digest, secret_in
from sheets.http import rate_limits
from sheets.live import bus, hub
from sheets.tables.access import TableAccess, UnknownTable, access_of, find_access
from sheets.tables.event_writer import resume_thinking
from sheets.tables.page_state import PageState, is_running, page_state, parse_query

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PREFIX: Final = "/live/"
"""Path of the streams; the code of a table follows."""

CODE: Final = re.compile(r"[A-Z0-9]{4,16}")
"""Form of a table's code in the path of a stream."""

HEARTBEAT_SECONDS: Final = 5.0
"""Silence after which a stream sends its revision again: a page that hears nothing for longer knows
that it is not connected."""

RETRY_MS: Final = 1000
"""Time after which a browser connects again when it has lost the stream."""

CROWDED_RETRY_MS: Final = 30_000
"""Time after which a browser connects again when a newer stream has displaced its stream.

After `RETRY_MS`, the two would displace one another every second. Until then, the page fetches its
state every few seconds.
"""

IDLE_SECONDS: Final = 5.0
"""Time without news after which the rendering thread closes its database connection."""

MAX_QUERY: Final = 800
"""Maximum length of a stream's query in bytes; a longer one is ignored.

So short a query cannot have more fields than Django allows, 1000.
"""

STREAM_HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]

log = logging.getLogger(__name__)


def with_streams(application: App) -> App:
    """Return an ASGI application that answers requests for streams, and passes on all others.

    It also passes on requests whose host name Django refuses or redirects to TLS.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PREFIX):
            request = ASGIRequest(scope, BytesIO())
            if is_answered(request):
                await _respond(request, receive, send)
                return
        await application(scope, receive, send)

    return serve


async def _respond(request: ASGIRequest, receive: Receive, send: Send) -> None:
    code = request.path.removeprefix(PREFIX).strip("/").upper()
    if request.method != "GET":
        await _respond_without_body(send, 405, (b"allow", b"GET"))
    elif not CODE.fullmatch(code):
        await _respond_without_body(send, 404)
    else:
        try:
            await _open_or_redirect(code, request, receive, send)
        except DatabaseError as problem:
            failure = failure_of(problem)
            if not failure:
                raise
            throttled_log.error(failure, problem)
            await _respond_without_body(send, 503)  # the page opens a new stream


async def _open_or_redirect(code: str, request: ASGIRequest, receive: Receive, send: Send) -> None:
    """Open a stream, or redirect from a table's short code to its own address."""
    look_up = sync_to_async(_look_up, thread_sensitive=False)
    try:
        address = await look_up(request, code) if codes.is_guessable(code) else code
    except codes.UnknownTable:
        await _respond_without_body(send, 404)
    except codes.TooManyWrongCodes as refused:
        await _respond_without_body(send, 429, (b"retry-after", b"%d" % refused.seconds))
    else:
        if address == code:
            await _open(_stream_of(code, request), receive, send)
        else:
            location = f"{PREFIX}{address}/?{request.META['QUERY_STRING']}".rstrip("?")
            await _respond_without_body(send, 307, (b"location", location.encode("latin-1")))


def _look_up(request: ASGIRequest, code: str) -> str:
    customer_address = rate_limits.customer_address_of(request)
    try:
        return codes.look_up(
            code, token=secret_in(request.COOKIES), customer_address=customer_address
        )
    finally:
        connection.close()


async def _open(stream: hub.Stream, receive: Receive, send: Send) -> None:
    # It is registered before its revision is read, so that it misses nothing in between.
    if not hub.add(stream):
        await _respond_without_body(send, 503)
        return
    try:
        if await sync_to_async(_catch_up, thread_sensitive=False)(stream):
            hub.make_room_for(stream)
            bus.listener.keep_running()
            renderer.keep_running()
            await _send_events(stream, receive, send)
        else:
            await _respond_without_body(send, 404)
    finally:
        hub.remove(stream)


async def _respond_without_body(send: Send, status: int, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-length", b"0"), (b"cache-control", b"no-store"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _catch_up(stream: hub.Stream) -> bool:
    """Send a new stream the table's revision, and set whether its device has a seat.

    Return False if there is no such table.
    """
    try:
        access = access_of(find_access(stream.code).all_seats, stream.device)
        stream.is_seated = bool(access.seats)
        resume_thinking(access)
        hub.send([hub.News(stream, access.table.revision)])
    except UnknownTable:
        return False
    else:
        return True
    finally:
        connection.close()


async def _send_events(stream: hub.Stream, receive: Receive, send: Send) -> None:
    """Send the news of a stream, and a heartbeat, until it is over."""
    disconnect = asyncio.ensure_future(_end_on_disconnect(stream, receive))
    sent: Mapping[str, str] = {}
    try:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        body = b"retry: %d\n\n" % RETRY_MS
        while not stream.is_over:
            revision, state = stream.revision, stream.take_state()
            if isinstance(state, PageState):
                body += _state_event(stream, state, sent)
                sent = state.fragments
            else:
                body += b"event: revision\ndata: %d\n\n" % revision
            await send({"type": "http.response.body", "body": body, "more_body": True})
            body = b""
            if stream.revision == revision and not stream.is_over:
                await stream.wait(HEARTBEAT_SECONDS)
        body = b"retry: %d\n\n" % CROWDED_RETRY_MS if stream.is_displaced else b""
        await send({"type": "http.response.body", "body": body, "more_body": False})
    finally:
        disconnect.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await disconnect


def _state_event(stream: hub.Stream, state: PageState, sent: Mapping[str, str]) -> bytes:
    changed = {name: html for name, html in state.fragments.items() if sent.get(name) != html}
    text = state._replace(fragments=changed).as_html(shows=stream.query)
    lines = b"".join(b"data: %b\n" % line for line in text.encode().splitlines())
    return b"event: fragments\n%b\n" % lines


async def _end_on_disconnect(stream: hub.Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.wake(hub.News(stream, is_over=True))


def _stream_of(code: str, request: ASGIRequest) -> hub.Stream:
    """Make the stream of a request. ``?shows=`` is the query of the address that the page shows."""
    secret = secret_in(request.COOKIES)
    is_short = len(request.META["QUERY_STRING"]) <= MAX_QUERY
    shows = request.GET.get("shows") if is_short else None
    language = get_language_from_request(request)
    return hub.Stream(code, digest(secret) if secret else "", shows, language)


# Rendering -----------------------------------------------------------------------------------


def _render_changes(is_needed: Callable[[], bool]) -> None:
    try:
        while is_needed():
            if change := hub.next_to_render(IDLE_SECONDS):
                render(*change)
            else:
                connection.close()
    finally:
        connection.close()


renderer: Final = hub.StreamThread("live-render", _render_changes)
"""Thread that renders new states of tables for their streams."""


def render(code: str, revision: int) -> None:
    """Render the states of a table's pages and send them to the streams that lack the revision.

    A stream whose page cannot be rendered gets the revision alone; the page then fetches its state.
    """
    behind = [
        one for one in hub.streams_at(code) if one.query is not None and one.announced < revision
    ]
    states: list[PageState | None] = [None] * len(behind)
    try:
        if behind:
            states = _states_for(find_access(code), behind)
    except UnknownTable:
        pass
    except DatabaseError as problem:
        log_thread_error(problem)
        connection.close()
    except Exception:  # the thread renders the other tables
        log.exception("a table could not be rendered")
    hub.send(
        hub.News(one, state.revision, state)
        if state and state.revision >= revision  # the table may have moved on since
        else hub.News(one, revision)
        for one, state in zip(behind, states, strict=True)
    )


def _states_for(access: TableAccess, streams: list[hub.Stream]) -> list[PageState | None]:
    resume_thinking(access)
    if not is_running(access):
        return [None] * len(streams)
    return [_state_for(access, stream) for stream in streams]


def _state_for(access: TableAccess, stream: hub.Stream) -> PageState | None:
    query = parse_query(QueryDict((stream.query or "").removeprefix("?")))
    try:
        with override(stream.language):
            return page_state(access_of(access.all_seats, stream.device), query)
    except DatabaseError:
        raise
    except Exception:  # the other pages get their state
        log.exception("a page of table %s could not be rendered", access.table.pk)
        return None
