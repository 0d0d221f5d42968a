"""Are streams refused exactly where pages are: by strange names, and by plain HTTP in public?"""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.site.running import PATIENCE_S, serving
from tests.site.test_hosts import HOME, STRANGE

from .deployments import Deployment, deployment

pytestmark = pytest.mark.own_servers

PUBLIC = "dizzle.example.org"
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


def answer(port: int, path: str, *headers: str, method: str = "GET") -> tuple[int, dict[str, str]]:
    """The status and the headers of a raw request; ``headers`` are sent as they are."""
    lines = [f"{method} {path} HTTP/1.1", *headers, "Connection: close", "", ""]
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as client:
        client.sendall("\r\n".join(lines).encode("latin-1"))
        received = b""
        while b"\r\n\r\n" not in received and (some := client.recv(65536)):
            received += some
    first, *rest = received.decode("latin-1").partition("\r\n\r\n")[0].split("\r\n")
    found = dict(line.lower().split(": ", 1) for line in rest)
    return int(first.split()[1]), found


@pytest.mark.parametrize("host", [*HOME, *STRANGE, *MALFORMED])
def test_home_network_stream_is_answered_where_pages_are(port: int, code: str, host: str) -> None:
    page, _headers = answer(port, f"/table/{code}/", f"Host: {host}")
    stream, _headers = answer(port, f"/live/{code}/", f"Host: {host}")
    assert stream == page == (200 if host in HOME else 400)


@pytest.mark.parametrize("headers", [[], ["Host: localhost", "Host: localhost"]])
def test_host_that_is_missing_or_there_twice(port: int, code: str, headers: list[str]) -> None:
    page, _headers = answer(port, f"/table/{code}/", *headers)
    stream, _headers = answer(port, f"/live/{code}/", *headers)
    assert stream == page == 400


def test_header_of_a_proxy_means_nothing_at_home(port: int, code: str) -> None:
    sent = ["Host: localhost", f"X-Forwarded-Host: {PUBLIC}", "X-Forwarded-Proto: https"]
    assert answer(port, f"/live/{code}/", *sent)[0] == 200


@pytest.mark.parametrize("proto", ["https", "http", "", "HTTPS", "https, http", "http, https"])
@pytest.mark.parametrize("host", [PUBLIC, f"{PUBLIC}:443", "localhost", "example.org", "a b"])
def test_public_stream_is_answered_where_pages_are(
    public_port: int, code: str, host: str, proto: str
) -> None:
    sent = [f"Host: {host}", *([f"X-Forwarded-Proto: {proto}"] if proto else [])]
    page, page_headers = answer(public_port, f"/table/{code}/?a=b", *sent)
    stream, stream_headers = answer(public_port, f"/live/{code}/?a=b", *sent)
    expected = 400 if PUBLIC not in host else 200 if proto.startswith("https") else 301
    assert stream == page == expected
    if expected == 301:
        assert stream_headers["location"] == f"https://{host}/live/{code.lower()}/?a=b"
        assert page_headers["location"] == f"https://{host}/table/{code.lower()}/?a=b"


@pytest.mark.parametrize("method", ["HEAD", "POST", "OPTIONS", "DELETE", "TRACE", "ODD"])
def test_stream_is_only_ever_asked_for(port: int, code: str, method: str) -> None:
    status, headers = answer(port, f"/live/{code}/", "Host: localhost", method=method)
    assert (status, headers["allow"]) == (405, "get")
    assert answer(port, f"/live/{code}/", "Host: example.org", method=method)[0] == 400
