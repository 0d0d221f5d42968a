"""May this be drawn now, later, or need it not be drawn at all? The one place that decides.

Everything costly goes through here: pictures, previews, PDFs and suggestions. What was drawn lately
is given again, and whoever has it already is told so (ETag, 304). Who asks for what is being drawn
waits for that. Else one address may have only so much drawn; as many things are drawn at once as
there are processes for it; a few more requests wait, for seconds at most; all others read that
they should come back (503). What is asked for again counts as a look, of which there are many.
What takes long is drawn in a lane of its own and may fill only a part of the line.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Hashable
from contextlib import ExitStack
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dizzle_site.errors import RETRY_AFTER_SECONDS, try_again_page
from dizzle_site.once import one_per_process
from sheets.http.gate import let_next_in
from sheets.http.kept import Kept
from sheets.http.limits import PICTURES, READS, Limit, address_of, refuse
from sheets.http.processes import (
    DRAWINGS,
    LONGEST_SECONDS,
    Lane,
    NoneFree,
    NotDrawn,
    Processes,
    Work,
)
from sheets.rules import Level, format_level

WAIT_SECONDS: Final = 10
"""So long a request waits until its drawing is begun."""

IN_LINE: Final = 16
"""So many requests wait in a process that has a thread for each: all pages of a print at once."""

MOST_OF_FEW_THREADS: Final = 3
"""So many requests draw or wait in a process that has few threads: one is left for moves."""

SHARE_OF_A_LANE: Final = 4
"""A lane for what takes long has one of so many places in line, but one at least."""

KEPT: Final = "private, max-age=31536000, immutable"
"""What browsers are told of a drawing whose address names its edition."""

kept: Final = Kept()
_TOLD: Final = Limit("drawings-refused", "1/minute")
_log = logging.getLogger(__name__)


class TooOften(Exception):
    """The address has had too much drawn."""


def answer(
    request: HttpRequest,
    key: Hashable,
    prepare: Callable[[], Work],
    respond: Callable[[bytes], HttpResponse],
    *,
    limit: Limit = PICTURES,
) -> HttpResponse:
    """Answer with a drawing that a browser may keep, if it asks each time whether it still holds.

    It need not ask where the address says which edition of the drawing is wanted (see `edition`).

    Args:
        request: by somebody who may see the drawing.
        key: what the drawing shows, whatever the language; of things that change with a revision.
        prepare: gives the work; called only if it has to be done.
        respond: makes the answer of what was drawn.
        limit: how much of this kind one address may have drawn.
    """
    etag = _etag(key)
    response = page(request, key, prepare, respond, limit=limit, etag=etag)
    if response.status_code in (200, 304):
        response.headers["ETag"] = etag
        is_named = request.GET.get("as") == edition(key)
        response.headers["Cache-Control"] = KEPT if is_named else "private, no-cache"
    return response


def edition(key: Hashable) -> str:
    """Names what a drawing with this key shows now: with ``as=`` and this, its address never
    leads to anything else, and a browser need not ask again."""
    return _etag(key)[1:13]


def page(
    request: HttpRequest,
    key: Hashable,
    prepare: Callable[[], Work],
    respond: Callable[[bytes], HttpResponse],
    *,
    limit: Limit = PICTURES,
    etag: str | None = None,
    lane: Lane = DRAWINGS,
    has_words: bool = True,
    busy: Callable[[], HttpResponse] | None = None,
) -> HttpResponse:
    """The same for a page or an act, of which nothing is kept but what was drawn for it.

    Args:
        etag: with it whoever has the answer already is told so.
        lane: whose processes draw it.
        has_words: whether what is drawn depends on the language.
        busy: makes the answer (503) where nothing can be drawn just now, in place of a page.
    """
    if not READS.take(address_of(request)):
        return refuse(request)
    if etag and (known := get_conditional_response(request, etag=etag)):
        return known
    key = (key, get_language() if has_words else None, settings.SITE_URL)
    drawn = kept.find(key)
    if drawn is None:
        with ExitStack() as taken:
            for room in _rooms(request, lane):
                if not room.acquire(blocking=False):
                    return _ask_to_come_back(request, busy)
                taken.callback(room.release)
            try:
                drawn = _draw(request, key, prepare, limit, lane)
            except TooOften:
                return refuse(request)
            except (NoneFree, NotDrawn, TimeoutError) as problem:
                if isinstance(problem, NotDrawn):
                    # Not its address, which may hold a key.
                    what = request.resolver_match and request.resolver_match.view_name
                    _log.warning("A drawing was given up (%s).", what)
                return _ask_to_come_back(request, busy)
    return respond(drawn)


def content_of(*levels: Level) -> str:
    """A key for what is on levels: equal for equal ones."""
    documents = json.dumps([format_level(level) for level in levels], sort_keys=True)
    return sha256(documents.encode()).hexdigest()


def _draw(
    request: HttpRequest, key: Hashable, prepare: Callable[[], Work], limit: Limit, lane: Lane
) -> bytes:
    address = address_of(request)

    def make() -> bytes:
        if not limit.take(address):
            raise TooOften(address)
        work = prepare()
        let_next_in(request)
        if not settings.DRAWING_PROCESSES:
            return work()
        let_go_of_the_database()
        return _processes(settings.DRAWING_PROCESSES, lane).draw(work, WAIT_SECONDS)

    let_go_of_the_database()
    while True:
        try:
            longest = WAIT_SECONDS + LONGEST_SECONDS
            return kept.make(key, make, longest, partial(let_next_in, request))
        except TooOften as refused:
            # Another address may have begun this drawing, and not been allowed to.
            if refused.args == (address,):
                raise


def let_go_of_the_database() -> None:
    """Whoever waits for a drawing needs no connection, of which there are few."""
    if not connection.in_atomic_block:
        connection.close()


def most_at_once(request: HttpRequest) -> int:
    """How many requests of this process may draw or wait for a drawing."""
    if settings.DRAWING_THREADS:
        return int(settings.DRAWING_THREADS)
    if has_few_threads(request):
        return MOST_OF_FEW_THREADS
    return int(settings.DRAWING_PROCESSES) + IN_LINE


def has_few_threads(request: HttpRequest) -> bool:
    """Whether requests that wait keep threads from others: `dizzle_site.asgi` has many of them."""
    return "asgi.scope" not in request.META


def _ask_to_come_back(
    request: HttpRequest, busy: Callable[[], HttpResponse] | None = None
) -> HttpResponse:
    """503, on the page for what went wrong if there is no ``busy`` one."""
    if busy:
        response = busy()
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    else:
        response = try_again_page(
            request,
            503,
            _("One moment, please"),
            _("A lot is being drawn here just now. Try again in a few seconds."),
            after_seconds=RETRY_AFTER_SECONDS,
        )
    # One line in the log tells of all of them.
    response._has_been_logged = True  # type: ignore[attr-defined]
    if _TOLD.take("this site"):
        _log.warning("More is to be drawn than can be: some are asked to come back later.")
    return response


def _etag(key: Hashable) -> str:
    """It tells nobody what it was made of: not the key, and not how many there are."""
    shown = repr((key, get_language(), settings.SITE_URL, _edition()))
    return f'"{salted_hmac(__name__, shown, algorithm="sha256").hexdigest()[:32]}"'


@cache
def _edition() -> str:
    """The program that draws: another one draws other pictures of the same things."""
    digest = sha256()
    for folder in (Path(__file__).parents[1], *settings.LOCALE_PATHS):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".ttf", ".json", ".mo"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _rooms(request: HttpRequest, lane: Lane) -> list[BoundedSemaphore]:
    """Where a request must find a place to draw or wait."""
    most = most_at_once(request)
    if lane.most is None:
        return [room(most)]
    return [_room_of(lane, max(1, most // SHARE_OF_A_LANE)), room(most)]


@one_per_process
def room(most: int) -> BoundedSemaphore:
    """What all who draw or wait in this process have a place of."""
    return BoundedSemaphore(most)


@one_per_process
def _room_of(lane: Lane, most: int) -> BoundedSemaphore:
    return BoundedSemaphore(most)


@one_per_process
def _processes(most: int, lane: Lane) -> Processes:
    return Processes(most, lane)
