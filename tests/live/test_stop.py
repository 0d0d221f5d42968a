"""Clean stop of the site at any moment, with the database complete in one file."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.live.deployments import KINDS, Deployment, deployment
from tests.live.moves import CSRF, ask
from tests.live.phones import Phone
from tests.processes import TIMEOUT_S
from tests.site.served_site import CHECKOUT, Site, all_of, environment, serving, start

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(os.name == "nt", reason="Windows knows no such signals"),
]

SIGNALS = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
SLOW_PAGE = "/print/sheets.pdf?paper=a4&copies=3&level=level-1&level=level-8"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Deployment]:
    with deployment("sqlite", tmp_path) as home:
        yield home


def check_whole(home: Deployment, *codes: str) -> None:
    """Assert that a copy of the one file contains these tables, and that there is no log."""
    assert [path.name for path in home.data_dir.glob("dizzle.sqlite3?*")] == []
    copy = home.data_dir / "copied elsewhere"
    shutil.copyfile(home.data_dir / "dizzle.sqlite3", copy)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = {code for (code,) in database.execute("SELECT code FROM sheets_table")}
    assert set(codes) <= found


def opened(site: Site) -> str:
    """Open a table; return its code."""
    form = {"level": "level-1", "players": "4", "dice": "table", "name": "Ana"}
    body = urlencode(form | {"csrfmiddlewaretoken": CSRF})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = ask(site.port, "POST", "/table/new/", body, kind)
    assert answer.status == 302, answer.body
    return answer.headers["location"].split("/")[2]


def check_quiet(said: str) -> None:
    assert not any(word in said for word in ("ERROR", "Cancel", "Traceback", "Warning")), said


@SIGNALS
def test_stopped_site_is_one_whole_file(home: Deployment, number: int) -> None:
    with serving(home.data_dir, **home.variables) as site:
        code = opened(site)
        assert site.ask(f"/table/{code}/").status == 200
        check_quiet(site.stop(number))
        check_whole(home, code)


@pytest.mark.parametrize("kind", KINDS)
def test_open_streams_end_cleanly_and_without_log_lines(tmp_path: Path, kind: str) -> None:
    with (
        deployment(kind, tmp_path, has_tables=True) as home,
        serving(home.data_dir, **home.variables) as site,
        ExitStack() as stack,
    ):
        codes = [home.table(4) for _ in range(2)]
        phones = [stack.enter_context(Phone(site.port, code)) for code in codes * 25]
        for phone in phones:
            phone.next_revision()
        raw = stack.enter_context(stream_of(site, codes[0]))
        check_quiet(site.stop(signal.SIGTERM))
        assert all(phone.is_over() for phone in phones)
        assert all_of(raw).endswith(b"\r\n0\r\n\r\n")
        if kind == "sqlite":
            check_whole(home, *codes)


def stream_of(site: Site, code: str) -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", site.port), TIMEOUT_S)
    raw.sendall(f"GET /live/{code}/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert raw.recv(15) == b"HTTP/1.1 200 OK"
    return raw


def test_request_in_progress_is_answered(home: Deployment) -> None:
    with (
        serving(home.data_dir, **home.variables) as site,
        closing(socket.create_connection(("127.0.0.1", site.port), TIMEOUT_S)) as raw,
    ):
        code = opened(site)
        raw.sendall(f"GET {SLOW_PAGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.3)
        site.stop(signal.SIGTERM)
        check_whole(home, code)


def test_half_sent_requests_are_dropped_without_log_lines(home: Deployment) -> None:
    half = b"POST /open/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nabc"
    with ExitStack() as senders, serving(home.data_dir, **home.variables) as site:
        for _ in range(3):
            sender = socket.create_connection(("127.0.0.1", site.port), TIMEOUT_S)
            senders.enter_context(closing(sender)).sendall(half)
        assert site.ask("/rules/").status == 200
        check_quiet(site.stop(signal.SIGTERM))


@pytest.mark.parametrize("made", ["dizzle.sqlite3", "dizzle.sqlite3-wal", "static"])
def test_site_that_is_stopped_while_it_prepares_leaves_no_log(tmp_path: Path, made: str) -> None:
    process = start(tmp_path)
    try:
        end = time.monotonic() + TIMEOUT_S
        while not (tmp_path / made).exists() and time.monotonic() < end:
            time.sleep(0.002)
        process.terminate()
        said, _nothing = process.communicate(timeout=TIMEOUT_S)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, said
    check_quiet(said)
    assert [path.name for path in tmp_path.glob("dizzle.sqlite3-*")] == []
    with serving(tmp_path) as site:
        assert site.ask("/health/").status == 200


def test_command_stopped_while_its_workers_start_ends(tmp_path: Path) -> None:
    """Half started workers would wait for tasks, and the command for the workers."""
    simulate = ("simulate", "level-1", "--games", "100")
    begun = subprocess.run(
        [sys.executable, "-c", ASKED_WHILE_HELPERS_START, "manage.py", *simulate],
        cwd=CHECKOUT,
        env=environment({"DATA_DIR": str(tmp_path)}),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert begun.returncode == 128 + signal.SIGTERM, begun.stderr
    check_quiet(begun.stdout + begun.stderr)


ASKED_WHILE_HELPERS_START = """
import os, runpy, signal, sys
from concurrent.futures import process
os.cpu_count = lambda: 2
start = process._ExecutorManagerThread.start
def asked(thread):
    signal.raise_signal(signal.SIGTERM)
    start(thread)
process._ExecutorManagerThread.start = asked
sys.argv = sys.argv[1:]
sys.path[0] = os.getcwd()
runpy.run_path("manage.py", run_name="__main__")
"""


def test_second_server_of_the_file_keeps_it_whole(home: Deployment) -> None:
    """The last server to stop removes the log; before that, the file contains all data, too."""
    with (
        serving(home.data_dir, **home.variables) as one,
        serving(home.data_dir, "--prepared", **home.variables) as other,
    ):
        code = opened(one)
        assert one.ask(f"/table/{code}/").status == 200
        check_quiet(one.stop(signal.SIGTERM))
        with closing(sqlite3.connect(f"file:{copy_of(home)}?immutable=1", uri=True)) as database:
            assert (code,) in database.execute("SELECT code FROM sheets_table").fetchall()
        assert other.ask(f"/table/{code}/").status == 200
        check_quiet(other.stop(signal.SIGTERM))
        check_whole(home, code)


def copy_of(home: Deployment) -> Path:
    return Path(shutil.copyfile(home.data_dir / "dizzle.sqlite3", home.data_dir / "copy"))


def test_log_of_a_killed_server_is_in_the_file_after_the_next_stop(home: Deployment) -> None:
    code = home.ask("open", "4")
    player = home.player("play", code, "0", "9999", "a")
    assert player.stdout
    player.stdout.readline()
    player.kill()
    player.communicate(timeout=TIMEOUT_S)
    assert (home.data_dir / "dizzle.sqlite3-wal").stat().st_size
    with serving(home.data_dir, **home.variables) as site:
        check_quiet(site.stop(signal.SIGTERM))
    check_whole(home, code)
