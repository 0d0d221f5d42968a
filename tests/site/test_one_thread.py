"""Is a request worked at in one thread, beside others, and to its end?"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import signals
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from django.utils import translation

from dizzle_site.one_thread import OneThread
from tests.own_loop import run

pair = threading.Barrier(2, timeout=20)
threads: list[tuple[str, int]] = []


def note(what: str) -> None:
    threads.append((what, threading.get_ident()))


def tell(request: HttpRequest) -> HttpResponse:
    note("view")
    return HttpResponse(request.body[::-1])


def flow(_request: HttpRequest) -> StreamingHttpResponse:
    def parts() -> Iterator[bytes]:
        for part in (b"one ", b"two ", b"three"):
            note("part")
            yield part

    return StreamingHttpResponse(parts())


def tear(_request: HttpRequest) -> StreamingHttpResponse:
    def parts() -> Iterator[bytes]:
        yield b"one "
        raise RuntimeError("on purpose")

    return StreamingHttpResponse(parts())


def meet(_request: HttpRequest) -> HttpResponse:
    pair.wait()
    return HttpResponse(b"met")


def speak(request: HttpRequest) -> HttpResponse:
    before = translation.get_language()
    translation.activate(request.GET["then"])
    return HttpResponse(before)


def fail(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError("on purpose")


urlpatterns = [
    path("tell/", tell),
    path("flow/", flow),
    path("tear/", tear),
    path("meet/", meet),
    path("speak/", speak),
    path("fail/", fail),
]


@pytest.fixture
def handler(settings: Any) -> Iterator[OneThread]:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
    settings.ALLOWED_HOSTS = ["testserver"]
    threads.clear()

    def started(**_more: Any) -> None:
        note("started")

    def finished(**_more: Any) -> None:
        note("finished")

    signals.request_started.connect(started)
    signals.request_finished.connect(finished)
    yield OneThread(most=2)
    signals.request_started.disconnect(started)
    signals.request_finished.disconnect(finished)


async def ask(handler: OneThread, address: str, *body: bytes) -> tuple[int, bytes]:
    """The status and the body of the answer; a body that ends in an empty part is never whole."""
    url, _, query = address.partition("?")
    scope = {
        "type": "http", "method": "POST" if body else "GET", "path": url, "root_path": "",
        "query_string": query.encode(), "headers": [(b"host", b"testserver")],
    }  # fmt: skip
    last = len(body) - 1
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": part, "more_body": number < last}
        if part
        else {"type": "http.disconnect"}
        for number, part in enumerate(body or (b" ",))
    ]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await handler(scope, receive, send)
    if not sent:
        return 0, b""
    assert not sent[-1].get("more_body")
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def test_all_of_a_request_is_done_in_one_thread(handler: OneThread) -> None:
    assert run(ask(handler, "/tell/", b"abc", b"def")) == (200, b"fedcba")
    assert [what for what, _ in threads] == ["started", "view", "finished"]
    assert len({thread for _, thread in threads} - {threading.get_ident()}) == 1


def test_what_comes_in_parts_is_made_in_that_thread_too(handler: OneThread) -> None:
    assert run(ask(handler, "/flow/")) == (200, b"one two three")
    assert [what for what, _ in threads] == ["started", "part", "part", "part", "finished"]
    assert len({thread for _, thread in threads} - {threading.get_ident()}) == 1


def test_what_breaks_among_its_parts_ends_its_request(handler: OneThread) -> None:
    with pytest.raises(RuntimeError, match="on purpose"):
        run(ask(handler, "/tear/"))
    assert [what for what, _ in threads] == ["started", "finished"]


def test_threads_are_kept_and_several_work_at_once(handler: OneThread) -> None:
    async def both() -> list[tuple[int, bytes]]:
        return await asyncio.gather(ask(handler, "/meet/"), ask(handler, "/meet/"))

    for _ in range(3):
        assert run(both()) == [(200, b"met"), (200, b"met")]
    assert len({thread for _, thread in threads}) == 2


def test_nothing_is_left_behind_for_the_next_request(handler: OneThread) -> None:
    # Of three requests one at least has the thread of another one.
    answers = [run(ask(handler, f"/speak/?then={then}")) for then in ("de", "fr", "de")]
    assert answers == [(200, b"en")] * 3


def test_a_view_that_breaks_ends_its_request(handler: OneThread, settings: Any) -> None:
    settings.DEBUG = False
    assert run(ask(handler, "/fail/"))[0] == 500
    assert [what for what, _ in threads] == ["started", "finished"]


def test_a_body_that_does_not_come_whole_is_not_worked_at(handler: OneThread) -> None:
    assert run(ask(handler, "/tell/", b"abc", b"")) == (0, b"")
    assert threads == []
