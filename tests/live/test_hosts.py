"""Host names of streams: refused, redirected and answered exactly as those of pages.

The rules are tested in this process, the parsing of headers with real servers.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import override_settings

from dizzle_site.body_limit import App
from tests.event_loop import run
from tests.live.deployments import Deployment, deployment
from tests.processes import TIMEOUT_S
from tests.site.served_site import serving
from tests.site.test_hosts import HOME, STRANGE

PUBLIC = "dizzle.example.org"
AS_IN_PUBLIC = {
    "SITE_URL": f"https://{PUBLIC}",
    "ALLOWED_HOSTS": [PUBLIC],
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
    "SECURE_SSL_REDIRECT": True,
}
"""Settings derived from SITE_URL that affect host names."""

MALFORMED = [
    "local host",
    "localhost:port",
    "[::1",
    "a/b",
    "a@localhost",
    "a,b",
    "\xe9",
    "[]",
    ":80",
]
METHODS = ["HEAD", "POST", "OPTIONS", "DELETE", "TRACE", "ODD"]
"""Methods that a stream refuses before it reads the database."""


@pytest.fixture(scope="module")
def make_application() -> Callable[[], App]:
    from dizzle_site import asgi  # which starts threads

    return asgi.make_application


def answer(
    application: App, path: str, *headers: tuple[str, str], method: str = "GET"
) -> tuple[int, str]:
    """Return the status of a request to an ASGI application, and its Location or Allow header."""
    path, _, query = path.partition("?")
    scope = {
        **{"type": "http", "http_version": "1.1", "method": method, "scheme": "http"},
        **{"path": path, "raw_path": path.encode(), "query_string": query.encode()},
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        **{"server": ("127.0.0.1", 80), "client": ("127.0.0.1", 5000)},
    }
    bodies = [{"type": "http.request", "body": b"", "more_body": False}]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if not bodies:
            await asyncio.sleep(TIMEOUT_S)  # the client neither sends more nor hangs up
        return bodies.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    run(application(scope, receive, send))
    found = {name.lower(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found.get(b"location", found.get(b"allow", ""))


def test_stream_at_home_is_answered_for_the_same_hosts_as_pages(
    make_application: Callable[[], App],
) -> None:
    application = make_application()
    wrong = []
    for host in [*HOME, *STRANGE, *MALFORMED]:
        page, _ = answer(application, "/tally/", ("host", host))
        stream, _ = answer(application, "/live/ABCD/", ("host", host), method="OPTIONS")
        if (page, stream) != ((200, 405) if host in HOME else (400, 400)):
            wrong.append((host, page, stream))
    assert wrong == []


def test_public_stream_is_answered_for_the_same_hosts_as_pages(
    make_application: Callable[[], App],
) -> None:
    hosts = [PUBLIC, f"{PUBLIC}:443", "localhost", "example.org", "a b"]
    protocols = ["https", "http", "", "HTTPS", "https, http", "http, https"]
    wrong = []
    with override_settings(**AS_IN_PUBLIC):
        application = make_application()
        for host, proto in ((host, proto) for host in hosts for proto in protocols):
            sent = [("host", host), *([("x-forwarded-proto", proto)] if proto else [])]
            page = answer(application, "/tally/?a=b", *sent)
            stream = answer(application, "/live/ABCD/?a=b", *sent, method="OPTIONS")
            if PUBLIC not in host:
                expected = (400, ""), (400, "")
            elif proto.startswith("https"):
                expected = (200, ""), (405, "GET")
            else:
                expected = tuple(
                    (301, f"https://{host}{path}?a=b") for path in ("/tally/", "/live/ABCD/")
                )
            if (page, stream) != expected:
                wrong.append((host, proto, page, stream))
    assert wrong == []


def test_stream_accepts_only_get(make_application: Callable[[], App]) -> None:
    application = make_application()
    found = {
        method: (
            answer(application, "/live/ABCD/", ("host", "localhost"), method=method),
            answer(application, "/live/ABCD/", ("host", "example.org"), method=method)[0],
        )
        for method in METHODS
    }
    assert found == dict.fromkeys(METHODS, ((405, "GET"), 400))


# Over real servers --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    with deployment("sqlite", tmp_path_factory.mktemp("home"), has_tables=True) as home:
        yield home


@pytest.fixture(scope="module")
def port(home: Deployment) -> Iterator[int]:
    with serving(home.data_dir, **home.variables) as site:
        yield site.port


@pytest.fixture(scope="module")
def public_port(home: Deployment, port: int) -> Iterator[int]:  # which prepares it
    variables = home.variables | {"SITE_URL": f"https://{PUBLIC}"}
    with serving(home.data_dir, "--prepared", **variables) as site:
        yield site.port


@pytest.fixture(scope="module")
def code(home: Deployment) -> str:
    return home.table(2)


def answer_of_server(port: int, path: str, *headers: str) -> tuple[int, dict[str, str]]:
    """Return status and headers of a raw request; ``headers`` are sent as they are."""
    lines = [f"GET {path} HTTP/1.1", *headers, "Connection: close", "", ""]
    with socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as client:
        client.sendall("\r\n".join(lines).encode("latin-1"))
        received = b""
        while b"\r\n\r\n" not in received and (some := client.recv(65536)):
            received += some
    first, *rest = received.decode("latin-1").partition("\r\n\r\n")[0].split("\r\n")
    found = dict(line.lower().split(": ", 1) for line in rest)
    return int(first.split()[1]), found


@pytest.mark.own_servers
def test_server_at_home_answers_streams_for_the_same_hosts_as_pages(port: int, code: str) -> None:
    proxy = [f"X-Forwarded-Host: {PUBLIC}", "X-Forwarded-Proto: https"]
    cases = [
        (200, ["Host: localhost"]),
        (200, ["Host: [::1]:8000"]),
        (200, ["Host: localhost", *proxy]),  # which mean nothing at home
        (400, ["Host: example.org"]),
        (400, ["Host: local host"]),
        (400, ["Host: \xe9"]),
        (400, ["Host: "]),
        (400, []),
        (400, ["Host: localhost", "Host: localhost"]),
    ]
    wrong = []
    for expected, headers in cases:
        page, _ = answer_of_server(port, f"/table/{code}/", *headers)
        stream, _ = answer_of_server(port, f"/live/{code}/", *headers)
        if not stream == page == expected:
            wrong.append((headers, page, stream))
    assert wrong == []


@pytest.mark.own_servers
def test_public_server_answers_streams_for_the_same_hosts_as_pages(
    public_port: int, code: str
) -> None:
    cases = [
        (200, [f"Host: {PUBLIC}", "X-Forwarded-Proto: https"]),
        (301, [f"Host: {PUBLIC}", "X-Forwarded-Proto: http"]),
        (400, ["Host: example.org", "X-Forwarded-Proto: https"]),
    ]
    wrong = []
    for expected, headers in cases:
        page, page_headers = answer_of_server(public_port, f"/table/{code}/?a=b", *headers)
        stream, stream_headers = answer_of_server(public_port, f"/live/{code}/?a=b", *headers)
        if not stream == page == expected:
            wrong.append((headers, page, stream))
        if expected == 301:
            code = code.lower()
            assert stream_headers["location"] == f"https://{PUBLIC}/live/{code}/?a=b"
            assert page_headers["location"] == f"https://{PUBLIC}/table/{code}/?a=b"
    assert wrong == []
