"""Slow clients (slowloris): time limits, limits of connections, and answers for others."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from dizzle_site import body_limit, server
from dizzle_site.body_limit import BodyLimit
from dizzle_site.serving import listen
from tests.processes import TIMEOUT_S
from tests.site.served_site import CAN_LIMIT_FILES, all_of, serving, started_before, wait_until

pytestmark = pytest.mark.own_servers

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
BODY = HEAD + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nx"
FLOOD = 1200


# A flood of half requests at a real site ---------------------------------------------------------


limits_files = pytest.mark.skipif(
    not CAN_LIMIT_FILES, reason="only Linux limits the files of another process"
)


@limits_files
@pytest.mark.parametrize("half", [HEAD, BODY, b""], ids=["headers", "body", "nothing"])
def test_site_answers_during_a_flood(tmp_path: Path, half: bytes) -> None:
    impatient = {"DJANGO_SETTINGS_MODULE": "tests.site.settings_short_timeouts"}
    with serving(started_before(tmp_path), **impatient) as site, ExitStack() as stack:
        server.raise_file_limit()  # of this process, which has the clients' ends
        flood = []
        for number in range(FLOOD):
            sender = socket.create_connection(("127.0.0.1", site.port), TIMEOUT_S)
            flood.append(stack.enter_context(closing(sender)))
            sender.sendall(half)
            if not number % 100:
                assert site.ask("/health/").status == 200
        wait_until(lambda: all(is_ended(sender) for sender in flood))
        assert site.ask("/health/").status == 200  # a killed site would close the connections, too


@limits_files
def test_site_with_few_files_answers_again_when_it_has_closed_half_requests(
    tmp_path: Path,
) -> None:
    crowded = {"DJANGO_SETTINGS_MODULE": "tests.site.settings_few_connections"}
    with (
        serving(started_before(tmp_path), files=(256, 256), **crowded) as site,
        ExitStack() as stack,
    ):
        for _ in range(240):
            sender = socket.create_connection(("127.0.0.1", site.port), TIMEOUT_S)
            stack.enter_context(closing(sender)).sendall(HEAD)
        wait_until(lambda: site.ask("/health/").status == 200)


def is_ended(sender: socket.socket) -> bool:
    """Return whether the other side has closed a connection; received bytes are discarded."""
    poll = select.poll()
    poll.register(sender, select.POLLIN)
    if not poll.poll(0):
        return False
    try:
        return not sender.recv(65536)
    except ConnectionError:
        return True


# One slow client, with short time limits ---------------------------------------------------------


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Read the body, wait if the path says so, and answer with the number of bytes."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(3)
    answer = b"x" * 50_000_000 if scope["path"] == "/large" else b"%d" % size
    headers = [(b"content-length", b"%d" % len(answer))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


@contextlib.contextmanager
def serving_on(monkeypatch: pytest.MonkeyPatch, number: int = 1) -> Iterator[list[int]]:
    """Serve on a number of sockets, and yield their ports."""
    started: list[server.Server] = []

    class Noted(server.Server):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            started.append(self)

    monkeypatch.setattr(server, "Server", Noted)
    with ExitStack() as stack:
        listeners = [stack.enter_context(listen("127.0.0.1", 0)) for _ in range(number)]
        pairs = [(one, None) for one in listeners]
        thread = threading.Thread(target=server.run, args=(pairs, BodyLimit(application)))
        thread.start()
        try:
            yield [one.getsockname()[1] for one in listeners]
        finally:
            for one in started:
                one.should_exit = True
            thread.join(TIMEOUT_S)
    assert not thread.is_alive()


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Start a server with time limits of about a second; yield its port."""
    monkeypatch.setattr(server, "STALLED_S", 1.0)
    monkeypatch.setattr(body_limit, "GRACE_S", 1.0)
    with serving_on(monkeypatch) as (port,):
        yield port


@pytest.fixture
def client(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as client:
        yield client


def end_of(client: socket.socket) -> bytes:
    """Return the remaining bytes until the server resets the connection."""
    try:
        return all_of(client)
    except ConnectionResetError:
        return b""


def ask(client: socket.socket, path: str = "/", body: bytes = b"") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    client.sendall(head.encode() + body)
    found = b""
    while not found.partition(b"\r\n\r\n")[2]:
        found += client.recv(65536)
    return found


def test_connection_without_a_request_is_closed_silently(client: socket.socket) -> None:
    assert end_of(client) == b""


def test_headers_must_come_in_time(client: socket.socket) -> None:
    client.sendall(HEAD)
    assert end_of(client) == b""


def test_trickling_headers_are_not_awaited(client: socket.socket) -> None:
    client.sendall(HEAD)
    end = time.monotonic() + TIMEOUT_S
    while not is_ended(client):
        assert time.monotonic() < end
        with contextlib.suppress(ConnectionError):
            client.sendall(b"X: y\r\n")
        time.sleep(0.1)


def test_headers_of_the_second_request_must_come_in_time_too(client: socket.socket) -> None:
    assert ask(client).startswith(b"HTTP/1.1 200 ")
    time.sleep(2.5)  # pauses between two requests are allowed
    assert ask(client).startswith(b"HTTP/1.1 200 ")
    client.sendall(HEAD)
    assert end_of(client) == b""


def test_body_must_come_in_time(client: socket.socket) -> None:
    client.sendall(BODY)
    assert all_of(client).startswith(b"HTTP/1.1 408 ")


def test_slow_but_steady_body_is_accepted(
    client: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_limit, "MIN_BYTES_PER_SECOND", 1000)
    client.sendall(HEAD + b"Content-Length: 12000\r\n\r\n")
    for _ in range(12):
        client.sendall(b"x" * 1000)
        time.sleep(0.25)
    assert client.recv(65536).endswith(b"12000")


def test_pipelined_requests_are_answered_and_an_incomplete_one_is_dropped(
    client: socket.socket,
) -> None:
    whole = HEAD + b"Content-Length: 3\r\n\r\nabc"
    client.sendall(whole * 3 + BODY)
    answers = all_of(client)
    assert answers.count(b"HTTP/1.1 200 ") == 3
    assert b"HTTP/1.1 408 " in answers


def test_slow_view_is_not_interrupted(client: socket.socket) -> None:
    assert ask(client, "/slow").startswith(b"HTTP/1.1 200 ")


def test_unread_answer_is_aborted(client: socket.socket) -> None:
    assert ask(client, "/large").startswith(b"HTTP/1.1 200 ")
    time.sleep(4)
    assert len(end_of(client)) < 40_000_000


def test_slow_reader_gets_the_whole_answer(client: socket.socket) -> None:
    size = len(ask(client, "/large"))
    while size < 50_000_000:
        size += len(client.recv(1_000_000))
        time.sleep(0.03)


# Many connections --------------------------------------------------------------------------------


def test_limit_of_connections_counts_all_sockets_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "raise_file_limit", lambda: 8)
    with serving_on(monkeypatch, 2) as ports, ExitStack() as stack:
        answers = []
        for number in range(6):
            client = socket.create_connection(("127.0.0.1", ports[number % 2]), TIMEOUT_S)
            answers.append(ask(stack.enter_context(client)).split()[1])
    assert answers == [*[b"200"] * 5, b"503"]


def test_clients_may_pause_for_a_moment_even_with_too_many_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "raise_file_limit", lambda: 2)
    with (
        serving_on(monkeypatch) as (port,),
        socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as client,
    ):
        client.sendall(HEAD)
        time.sleep(0.5)
        client.sendall(b"Content-Length: 0\r\n\r\n")
        assert client.recv(65536).startswith(b"HTTP/1.1 503 ")
        client.sendall(HEAD)
        assert end_of(client) == b""


# Files ------------------------------------------------------------------------------------------


@limits_files
def test_limit_of_files_is_raised_to_the_allowed_maximum(tmp_path: Path) -> None:
    with serving(started_before(tmp_path), files=(200, 1000)) as site:
        assert site.ask("/health/").status == 200
        shown = Path(f"/proc/{site.process.pid}/limits").read_text("ascii")
    (line,) = [line for line in shown.splitlines() if line.startswith("Max open files")]
    assert line.split()[3] == "1000"
