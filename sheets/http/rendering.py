"""Responses with rendered files: cache, ETag, rate limit, and the queue of the process pool.

Pictures, previews, PDFs and suggestions are rendered here only (`tests/http/test_rendering.py`). A
result is cached in memory, a file also by browsers. Requests for the same result share one task.
"""

from __future__ import annotations

import json
import logging
import pickle
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from hashlib import sha256
from threading import BoundedSemaphore, Lock
from typing import Any, Final, TypeVar

from cachetools import LRUCache
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dizzle_site.errors import RETRY_AFTER_SECONDS, try_again_page
from dizzle_site.release_fingerprint import release
from dizzle_site.single_instance import one_per_process
from sheets.http import process_pool
from sheets.http.process_pool import RENDERING, QueueFull, TaskFailed, Work
from sheets.http.rate_limits import PICTURES, READS, Limit, address_of, refuse
from sheets.http.render_gate import leave_gate
from sheets.rules import Level, format_level

CACHE_BYTES: Final = 16 * 1024 * 1024
"""Size of the cache of one server process: about 80 pictures."""

MAX_REQUESTS: Final = 18
"""Maximum number of requests that render a file or wait for one, in a server with many threads:
enough for all pages of a print."""

MAX_REQUESTS_OF_FEW_THREADS: Final = 3
"""Value of `MAX_REQUESTS` for a server with four threads: one thread is left for moves."""

IMMUTABLE: Final = "private, max-age=31536000, immutable"
"""Cache-Control of a file whose address names its version (see `file_version`)."""

_LOG_BUSY: Final = Limit("renderings-refused", "1/minute")
"""Rate of log lines about a full queue."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


def _size_of(rendered: object) -> int:
    return len(rendered if isinstance(rendered, bytes) else pickle.dumps(rendered))


_cache: Final[LRUCache[Hashable, Any]] = LRUCache(CACHE_BYTES, getsizeof=_size_of)
_in_flight: Final[dict[Hashable, Future[Any]]] = {}
"""The tasks that are queued or running, by cache key."""

_lock: Final = Lock()
"""Guards the cache and the tasks in flight."""


class RateLimitReached(Exception):
    """The address has reached its rate limit."""


def file_response(
    request: HttpRequest,
    key: Hashable,
    prepare: Callable[[], Work],
    respond: Callable[[bytes], HttpResponse],
    *,
    limit: Limit = PICTURES,
) -> HttpResponse:
    """Return a rendered file that a browser caches, and revalidates with its ETag.

    If the address names the version of the file (`file_version`), the browser need not revalidate.

    Args:
        request: a request whose sender may see the file.
        key: cache key: all that determines the file, such as ids and revisions. The language is
            added.
        prepare: returns the task; called if the file is not in the cache.
        respond: makes the response from the rendered file.
        limit: rate limit of an address for new files of this kind.
    """
    etag = _etag(key)
    response = page_response(request, key, prepare, respond, limit=limit, etag=etag)
    if response.status_code in (200, 304):
        response.headers["ETag"] = etag
        is_named = request.GET.get("as") == file_version(key)
        response.headers["Cache-Control"] = IMMUTABLE if is_named else "private, no-cache"
    return response


def file_version(key: Hashable) -> str:
    """Return the version of the file with a cache key, a part of its ETag.

    An address with this version in ``as=`` always returns the same file.
    """
    return _etag(key)[1:13]


def page_response(
    request: HttpRequest,
    key: Hashable,
    prepare: Callable[[], Callable[[], T]],
    respond: Callable[[T], HttpResponse],
    *,
    limit: Limit = PICTURES,
    etag: str | None = None,
    has_words: bool = True,
) -> HttpResponse:
    """Return a response made from the result of a task, such as a page; browsers do not cache it.

    ``respond`` must not change the result of the task, which is cached. Other arguments are those
    of `file_response`.

    Args:
        etag: ETag of the response, or None. A browser that has it gets 304.
        has_words: whether the result depends on the language.

    Raises:
        Exception: what the task itself raises.
    """
    if not READS.hit(address_of(request)):
        return refuse(request)
    if etag and (known := get_conditional_response(request, etag=etag)):
        return known
    key = (key, get_language() if has_words else None, settings.SITE_URL)
    try:
        with _lock:
            rendered = _cache.get(key)
        if rendered is None:
            rendered = _render(request, key, prepare, limit)
    except RateLimitReached:
        return refuse(request)
    except TaskFailed as problem:
        # The name of the view, because the address may contain a key.
        view = request.resolver_match and request.resolver_match.view_name
        _log.warning("A rendering task failed (%s: %r).", view, problem)
        return _ask_to_come_back(request)
    except QueueFull:
        if _LOG_BUSY.hit("this site"):
            _log.warning("Too many requests wait for rendering: some were answered with 503.")
        return _ask_to_come_back(request)
    return respond(rendered)


def level_cache_key(*levels: Level) -> str:
    """Return a cache key for the content of levels."""
    documents = json.dumps([format_level(level) for level in levels], sort_keys=True)
    return sha256(documents.encode()).hexdigest()


def _render(
    request: HttpRequest, key: Hashable, prepare: Callable[[], Callable[[], T]], limit: Limit
) -> T:
    """Return a result from the cache or a new task. Raises RateLimitReached, QueueFull, TaskFailed.

    Requests for the same key wait for the first one, and share its result or exception. But if the
    address of the first one has reached its rate limit, a request from another address runs a task.
    """
    address = address_of(request)

    def make() -> T:
        if not limit.hit(address):
            raise RateLimitReached(address)
        work = prepare()
        release_connection()
        return process_pool.run(RENDERING, work)

    with request_slot(request):
        leave_gate(request)
        release_connection()
        while True:
            try:
                return _cached(key, make)
            except RateLimitReached as refused:
                if refused.args == (address,):
                    raise


def _cached(key: Hashable, make: Callable[[], T]) -> T:
    """Return the result of a key from the cache, or from ``make``.

    Threads that need the same key at the same time share one call of ``make``, also its exception.
    """
    with _lock:
        if key in _cache:
            cached: T = _cache[key]
            return cached
        future: Future[T] | None = _in_flight.get(key)
        if is_first := future is None:
            future = _in_flight[key] = Future()
    if not is_first:
        return future.result()  # the queue and the time limit of the task bound the wait
    try:
        rendered = make()
    except BaseException as problem:
        with _lock:
            del _in_flight[key]
        future.set_exception(problem)
        raise
    with _lock:
        del _in_flight[key]
        with suppress(ValueError):  # larger than the cache
            _cache[key] = rendered
    future.set_result(rendered)
    return rendered


def clear_cache() -> None:
    """Empty the cache of results."""
    with _lock:
        _cache.clear()


def release_connection() -> None:
    """Return the connection to PostgreSQL's pool before a long wait.

    More requests may wait than the pool has connections. SQLite's connection is kept: it has no
    pool.
    """
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        connection.close()


@contextmanager
def request_slot(request: HttpRequest) -> Iterator[None]:
    """Count a request that renders a file or waits for one. Raises QueueFull if there are too many.

    A server with a few threads (gunicorn) keeps one free for moves.
    """
    few = "asgi.scope" not in request.META
    max_requests = settings.DRAWING_THREADS or (
        MAX_REQUESTS_OF_FEW_THREADS if few else MAX_REQUESTS
    )
    slots = request_slots(max_requests)
    if not slots.acquire(blocking=False):
        raise QueueFull
    try:
        yield
    finally:
        slots.release()


@one_per_process
def request_slots(max_requests: int) -> BoundedSemaphore:
    """Return the semaphore of `request_slot`, one for all threads of the process."""
    return BoundedSemaphore(max_requests)


def _ask_to_come_back(request: HttpRequest) -> HttpResponse:
    return try_again_page(
        request,
        503,
        _("One moment, please"),
        _("A lot is being drawn here just now. Try again in a few seconds."),
        after_seconds=RETRY_AFTER_SECONDS,
    )


def _etag(key: Hashable) -> str:
    """Return an ETag that does not reveal the key."""
    shown = repr((key, get_language(), settings.SITE_URL, release()))
    return f'"{salted_hmac(__name__, shown, algorithm="sha256").hexdigest()[:32]}"'
