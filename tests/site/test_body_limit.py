"""Limits of request bodies: complete bodies and the proxy's headers, or a refusal."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from dizzle_site.asgi import make_application
from tests.event_loop import run


def echo(request: HttpRequest) -> HttpResponse:
    seen = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return HttpResponse(request.body[::-1] + seen.encode())


urlpatterns = [path("echo/", echo)]


async def ask(*messages: dict[str, Any], headers: list[tuple[bytes, bytes]]) -> tuple[int, bytes]:
    """Return the status and the body of the answer; 0 if there is none."""
    scope = {
        "type": "http", "http_version": "1.1", "method": "POST", "path": "/echo/",
        "query_string": b"", "headers": [(b"host", b"localhost"), *headers],
    }  # fmt: skip
    waiting, sent = list(messages), list[dict[str, Any]]()

    async def receive() -> dict[str, Any]:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[]):
        await make_application()(scope, receive, send)
    return (sent[0]["status"] if sent else 0), b"".join(part.get("body", b"") for part in sent)


def part(body: bytes, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


GONE = {"type": "http.disconnect"}


@pytest.mark.parametrize("headers", [[(b"content-length", b"6")], []], ids=["length", "chunked"])
def test_body_in_parts_arrives_whole(headers: list[tuple[bytes, bytes]]) -> None:
    assert run(ask(part(b"abc", more=True), part(b"def"), headers=headers)) == (200, b"fedcba")


def test_body_larger_than_memory_arrives_whole() -> None:
    large = bytes(range(256)) * 1024
    headers = [(b"content-length", b"%d" % len(large))]
    assert run(ask(part(large), headers=headers)) == (200, large[::-1])


def test_form_that_was_cut_off_is_not_handled() -> None:
    headers = [(b"content-length", b"6")]
    assert run(ask(part(b"abc", more=True), GONE, headers=headers)) == (0, b"")


def test_client_cannot_set_the_header_of_the_proxy_with_underscores() -> None:
    headers = [(b"x_forwarded_for", b"evil"), (b"x-forwarded-for", b"proxy")]
    assert run(ask(part(b""), headers=headers)) == (200, b"proxy")
