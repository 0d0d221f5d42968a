"""Can a client that is slow on purpose keep the site from answering others?"""

from __future__ import annotations

import contextlib
import errno
import itertools
import logging
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from dizzle_site import connections, patience, server
from dizzle_site.connections import Connections
from dizzle_site.server import Server
from dizzle_site.serving import listen

from .running import CAN_LIMIT_FILES, PATIENCE_S, Site, all_of, serving, started_before, wait_until

pytestmark = pytest.mark.own_servers

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
BODY = HEAD + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nx"
FLOOD = 300
FILES = 256


# A flood of half requests at a real site ---------------------------------------------------------


limits_files = pytest.mark.skipif(
    not CAN_LIMIT_FILES, reason="only Linux limits the files of another process"
)


@pytest.fixture
def cramped(tmp_path: Path) -> Iterator[Site]:
    impatient = {"DJANGO_SETTINGS_MODULE": "tests.site.impatient"}
    with serving(started_before(tmp_path), files=(FILES, FILES), **impatient) as site:
        yield site


@limits_files
@pytest.mark.parametrize("half", [HEAD, BODY, b""], ids=["headers", "body", "nothing"])
def test_site_answers_all_along_while_it_is_flooded(cramped: Site, half: bytes) -> None:
    with ExitStack() as stack:
        flood = []
        for number in range(FLOOD):
            sender = socket.create_connection(("127.0.0.1", cramped.port), PATIENCE_S)
            flood.append(stack.enter_context(closing(sender)))
            sender.sendall(half)
            if not number % 50:
                assert cramped.ask("/health/").status == 200
        for _ in range(5):
            assert cramped.ask("/health/").status == 200
        wait_until(lambda: all(is_ended(sender) for sender in flood))
        assert cramped.ask("/health/").status == 200  # who was killed hangs up as well
        cramped.process.terminate()
        assert "open files" not in cramped.process.communicate(timeout=PATIENCE_S)[0]


def is_ended(sender: socket.socket) -> bool:
    """Whether the other side has closed a connection; what it said before is thrown away."""
    if not select.select([sender], [], [], 0)[0]:
        return False
    try:
        return not sender.recv(65536)
    except ConnectionError:
        return True


# One slow client, by a short clock ---------------------------------------------------------------


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body, waits if asked to, and answers with the number of bytes it got."""
    import asyncio

    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(3)
    if scope["path"] == "/deaf":
        time.sleep(3)  # as if the machine slept: nobody is heard meanwhile
    answer = b"x" * 50_000_000 if scope["path"] == "/large" else b"%d" % size
    headers = [(b"content-length", b"%d" % len(answer))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server that is patient for a second only."""
    monkeypatch.setattr(patience, "HEAD_S", 1.0)
    monkeypatch.setattr(patience, "GRACE_S", 1.0)
    with listen("127.0.0.1", 0) as listener:
        running = Server(application, is_proxied=False, at_stop=[])
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        running.should_exit = True
        thread.join(PATIENCE_S)
    assert not running.held._count
    assert not running.held._of
    assert not running.held._waiting


@pytest.fixture
def client(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as client:
        yield client


def ask(client: socket.socket, path: str = "/", body: bytes = b"") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    client.sendall(head.encode() + body)
    found = b""
    while not found.partition(b"\r\n\r\n")[2]:
        found += client.recv(65536)
    return found


def test_client_that_never_asks_is_hung_up_on_without_a_word(client: socket.socket) -> None:
    assert all_of(client) == b""


def test_headers_must_come_in_time(client: socket.socket) -> None:
    client.sendall(HEAD)
    assert all_of(client).startswith(b"HTTP/1.1 408 ")


def test_headers_that_trickle_are_not_waited_for(client: socket.socket) -> None:
    client.sendall(HEAD)
    end = time.monotonic() + PATIENCE_S
    while not is_ended(client):
        assert time.monotonic() < end
        with contextlib.suppress(ConnectionError):
            client.sendall(b"X: y\r\n")
        time.sleep(0.1)


def test_headers_of_the_second_request_must_come_in_time_too(client: socket.socket) -> None:
    assert ask(client).startswith(b"HTTP/1.1 200 ")
    time.sleep(2.5)  # a pause between two requests is no sin
    assert ask(client).startswith(b"HTTP/1.1 200 ")
    client.sendall(HEAD)
    assert all_of(client).startswith(b"HTTP/1.1 408 ")


def test_body_must_come_in_time(client: socket.socket) -> None:
    client.sendall(BODY)
    assert all_of(client).startswith(b"HTTP/1.1 408 ")


def test_slow_but_steady_body_is_taken(
    client: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "SLOWEST", 1000)
    client.sendall(HEAD + b"Content-Length: 12000\r\n\r\n")
    for _ in range(12):
        client.sendall(b"x" * 1000)
        time.sleep(0.25)
    assert client.recv(65536).endswith(b"12000")


def test_requests_in_one_go_are_answered_and_half_of_one_is_not_waited_for(
    client: socket.socket,
) -> None:
    whole = HEAD + b"Content-Length: 3\r\n\r\nabc"
    client.sendall(whole * 3 + BODY)
    answers = all_of(client)
    assert answers.count(b"HTTP/1.1 200 ") == 3
    assert b"HTTP/1.1 408 " in answers


def test_site_may_take_its_time(client: socket.socket) -> None:
    assert ask(client, "/slow").startswith(b"HTTP/1.1 200 ")


def test_while_nobody_is_heard_nobody_is_late(
    client: socket.socket, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "HEAD_S", 2.0)
    client.sendall(HEAD)
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as other:
        assert ask(other, "/deaf").startswith(b"HTTP/1.1 200 ")
    time.sleep(1.1)  # the next tick is over
    client.sendall(b"Content-Length: 0\r\n\r\n")
    assert client.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_answer_that_nobody_reads_is_given_up(
    client: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "SLOWEST", 100_000_000)
    assert ask(client, "/large").startswith(b"HTTP/1.1 200 ")
    time.sleep(4)
    assert len(all_of(client)) < 40_000_000


def test_slow_reader_gets_it_all(client: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SLOWEST", 5_000_000)
    size = len(ask(client, "/large"))
    while size < 50_000_000:
        size += len(client.recv(1_000_000))
        time.sleep(0.03)


# Who has to go ----------------------------------------------------------------------------------


class Held:
    def __init__(self, name: str, address: str) -> None:
        self.name, self.address, self.is_closed = name, address, False

    def make_way(self) -> None:
        self.is_closed = True


def closed(some: list[Held]) -> str:
    return "".join(held.name for held in some if held.is_closed)


def test_who_has_been_silent_longest_goes_first() -> None:
    held = Connections(3)
    a, b, c, d, e = some = [Held(name, name) for name in "abcde"]
    for one in (a, b, c):
        held.add(one)
    held.waits(a)
    held.add(d)
    assert closed(some) == "b"
    held.waits(c, is_silent=True)
    held.add(e)
    assert closed(some) == "bc"


def test_who_is_answered_stays_and_the_new_one_goes_if_all_are() -> None:
    held = Connections(2)
    a, b, c = some = [Held(name, name) for name in "abc"]
    for one in (a, b):
        held.add(one)
        held.works(one)
    held.add(c)
    assert closed(some) == "c"


def test_one_address_takes_half_of_what_there_is_and_no_more() -> None:
    held = Connections(4)
    mine, others = [Held(name, "mine") for name in "abcd"], [Held(name, name) for name in "xy"]
    for one in [*others, *mine]:
        held.add(one)
    assert closed([*others, *mine]) == "ab"
    assert not closed(others)


def test_one_address_waits_with_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WAITING_OF_ONE_ADDRESS", 2)
    held = Connections(100)
    a, b, c, d = some = [Held(name, "mine") for name in "abcd"]
    held.add(a)
    held.works(a)
    for one in (b, c, d):
        held.add(one)
    assert closed(some) == "b"


def test_behind_a_proxy_only_the_whole_is_bounded() -> None:
    held = Connections(4)
    some = [Held(name, "") for name in "abcde"]
    for one in some:
        held.add(one)
    assert closed(some) == "a"


def test_nothing_is_remembered_of_who_is_gone() -> None:
    held = Connections(2)
    some = [Held(name, name) for name in "abc"]
    for one in some:
        held.add(one)
    for one in [*some, *some]:
        held.waits(one)
        held.remove(one)
    assert not held._count
    assert not held._of
    assert not held._waiting
    assert not held._waiting_of


# Files ------------------------------------------------------------------------------------------


def test_used_up_files_are_told_once_a_minute(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(1000.0, 0.5)
    monkeypatch.setattr(server.time, "monotonic", lambda: next(clock))
    tell = server._OncePerMinute()
    context = {"message": "socket.accept()", "exception": OSError(errno.EMFILE, "Too many files")}
    with caplog.at_level(logging.WARNING):
        for _ in range(100):
            tell(None, context)  # type: ignore[arg-type]
    assert [record.getMessage() for record in caplog.records] == [
        "New connections have to wait: Too many files"
    ]


@limits_files
def test_limit_of_files_is_raised_to_what_is_allowed(tmp_path: Path) -> None:
    with serving(started_before(tmp_path), files=(200, 1000)) as site:
        assert site.ask("/health/").status == 200
        shown = Path(f"/proc/{site.process.pid}/limits").read_text("ascii")
    (line,) = [line for line in shown.splitlines() if line.startswith("Max open files")]
    assert line.split()[3] == "1000"
