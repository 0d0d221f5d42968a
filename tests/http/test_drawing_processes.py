"""Drawing is done beside the server, so many at once as it may; whatever happens, it goes on."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sheets.http.processes import DRAWINGS, Broken, NoneFree, NotDrawn, Processes
from tests.processes import children, is_running
from tests.site.running import (
    CHECKOUT,
    PATIENCE_S,
    Answer,
    Site,
    environment,
    serving,
    started_before,
    wait_until,
)

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc"),
]

ASKERS = 40
CALM = "Try again in a few seconds."


def drawing(server: int) -> list[int]:
    """The processes that draw for a server: those that its fork server has made."""
    return [process for child in children(server) for process in children(child)]


def sheets(copies: int, levels: int = 2) -> str:
    """The address of a print of so many levels; each number of copies has to be drawn anew."""
    chosen = "".join(f"&level=level-{number}" for number in range(1, levels + 1))
    more = "&bw=on" if copies > 20 else ""
    return f"/print/sheets.pdf?paper=a4&copies={(copies - 1) % 20 + 1}{more}{chosen}"


def ask(site: Site, path: str) -> Answer:
    return site.ask(path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site for tests that leave its processes alive, each of which has other prints drawn."""
    folder = tmp_path_factory.mktemp("site")
    with serving(started_before(folder), DRAWING_PROCESSES="2") as site:
        yield site


def test_forty_askers_at_once_are_all_answered_and_nobody_else_waits(site: Site) -> None:
    most = 0
    with ThreadPoolExecutor(ASKERS) as askers:
        asked = [askers.submit(ask, site, sheets(number)) for number in range(1, ASKERS + 1)]
        while any(not one.done() for one in asked):
            assert site.ask("/rules/").status == 200
            most = max(most, len(drawing(site.process.pid)))
            time.sleep(0.2)
    answers = [one.result() for one in asked]
    statuses = {answer.status for answer in answers}
    assert 200 in statuses
    assert statuses <= {200, 429, 503}
    for answer in answers:
        if answer.status != 200:
            assert int(answer.headers["retry-after"]) > 0
            assert 'role="alert"' in answer.text
    assert 1 <= most <= 2
    assert ask(site, sheets(1)).status in (200, 429)


def test_forty_who_ask_for_the_same_have_it_drawn_once(site: Site) -> None:
    with ThreadPoolExecutor(ASKERS) as askers:
        answers = list(askers.map(partial(ask, site), [sheets(1, levels=3)] * ASKERS))
    assert {answer.status for answer in answers} <= {200, 503}
    etags = {answer.headers["etag"] for answer in answers if answer.status == 200}
    assert len(etags) == 1
    again = site.ask(sheets(1, levels=3), If_None_Match=etags.pop())
    assert again.status == 304
    assert not again.text


def test_slow_phones_hold_up_nobody_at_the_gate(site: Site) -> None:
    path = sheets(1, levels=8)
    assert ask(site, path).status == 200
    with ExitStack() as phones:
        for request in (
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\n",  # and no end of the headers
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf",
            # Never read: more answers than fit into the buffers on the way.
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50,
        ):
            phone = socket.create_connection(("127.0.0.1", site.port))
            phones.enter_context(phone)
            phone.sendall(request.encode())
        for _ in range(3):
            assert ask(site, path).status == 200


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """Keep a process from doing anything."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        if is_running(process):
            os.kill(process, signal.SIGCONT)


def warm(site: Site) -> int:
    """Have something drawn; gives the one process that did it."""
    assert ask(site, sheets(1)).status == 200
    (found,) = drawing(site.process.pid)
    return found


def test_a_killed_drawing_process_costs_nobody_their_drawing(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="2") as site,
        ThreadPoolExecutor(1) as asker,
    ):
        process = warm(site)
        with stopped(process):
            asked = asker.submit(ask, site, sheets(2))
            # It takes what it is to draw only once it goes on, and that it never does.
            time.sleep(0.5)
            os.kill(process, signal.SIGKILL)
        assert asked.result(PATIENCE_S).status == 200
        wait_until(lambda: not is_running(process))
        # And so does everything that they are started by.
        everything = [*drawing(site.process.pid), *children(site.process.pid)]
        for process in everything:
            os.kill(process, signal.SIGKILL)
        assert ask(site, sheets(3)).status == 200


def test_a_fork_server_that_is_killed_at_work_costs_nobody_their_drawing(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="2") as site,
        ThreadPoolExecutor(1) as asker,
    ):
        process = warm(site)
        with ExitStack() as all_stopped:
            starters = children(site.process.pid)
            for starter in starters:
                all_stopped.enter_context(stopped(starter))
            os.kill(process, signal.SIGKILL)
            wait_until(lambda: not is_running(process))
            asked = asker.submit(ask, site, sheets(2))
            # Now the site waits for the stopped fork server to start a process.
            time.sleep(0.5)
            for starter in starters:
                os.kill(starter, signal.SIGKILL)
        assert asked.result(PATIENCE_S).status == 200


def test_whoever_finds_no_place_in_line_is_asked_to_come_back(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="1", DRAWING_THREADS="2") as site,
        ThreadPoolExecutor(3) as askers,
    ):
        with stopped(warm(site)):
            asked = [askers.submit(ask, site, sheets(number)) for number in (2, 3, 4)]
            refused = first(asked)
            assert site.ask("/rules/").status == 200
            assert ask(site, sheets(1)).status == 200  # what is there needs no place
        assert refused.status == 503
        assert CALM in refused.text
        assert refused.headers["retry-after"] == "5"
        assert sorted(one.result(PATIENCE_S).status for one in asked) == [200, 200, 503]


def first(asked: list[Future[Answer]]) -> Answer:
    """The answer that comes first."""
    done, _others = wait(asked, PATIENCE_S, FIRST_COMPLETED)
    assert done
    return done.pop().result()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_the_server_however_it_ends(tmp_path: Path, how: signal.Signals) -> None:
    with (
        # Not the test's own folder: the path of a socket must be short.
        TemporaryDirectory(prefix="d") as folder,
        serving(started_before(tmp_path), DRAWING_PROCESSES="2", TMPDIR=folder) as site,
    ):
        found = [warm(site), *children(site.process.pid)]
        assert os.listdir(folder)
        site.process.send_signal(how)
        if how == signal.SIGINT:  # Ctrl-C goes to everybody at the terminal
            for process in found:
                os.kill(process, signal.SIGINT)
        wait_until(lambda: not any(map(is_running, found)))
        site.process.wait(PATIENCE_S)
        assert site.process.stdout
        assert "Traceback" not in site.process.stdout.read()
        assert not os.listdir(folder)


def test_few_threads_are_never_all_taken_by_drawings(tmp_path: Path) -> None:
    pytest.importorskip("gunicorn")
    with (
        gunicorn(started_before(tmp_path), threads=4, DRAWING_PROCESSES="1") as site,
        ThreadPoolExecutor(8) as askers,
    ):
        assert ask(site, sheets(1)).status == 200
        (worker,) = children(site.process.pid)
        (drawer,) = drawing(worker)
        with stopped(drawer):
            asked = [askers.submit(ask, site, sheets(number)) for number in range(2, 10)]
            wait_until(lambda: sum(one.done() for one in asked) == 5)
            assert {one.result().status for one in asked if one.done()} == {503}
            assert site.ask("/rules/").status == 200
        statuses = [one.result(PATIENCE_S).status for one in asked]
    # Of the three that were let in, a slow machine may keep two waiting for longer than they may.
    assert set(statuses) == {200, 503}
    assert statuses.count(503) >= 5


@contextmanager
def gunicorn(data_dir: Path, threads: int, **variables: str) -> Iterator[Site]:
    """The server for pages that docs/reference.md recommends for many users."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        words = ["--bind", f"fd://{listener.fileno()}", "--worker-class", "gthread"]
        words += ["--threads", str(threads), "--no-control-socket", "--log-level", "error"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "dizzle_site.wsgi", *words],
            cwd=CHECKOUT,
            env=environment({"DATA_DIR": str(data_dir)} | variables),
            stdin=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
        )
        try:
            yield Site(process, listener.getsockname()[1])  # type: ignore[arg-type]
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def test_prints_never_wait_for_suggestions_of_which_one_is_tried_at_a_time(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="1") as site,
        ThreadPoolExecutor(1) as asker,
    ):
        warm(site)
        wish = asker.submit(ask, site, "/workshop/suggest/?seed=3")
        wait_until(lambda: len(drawing(site.process.pid)) == 2)
        with stopped(max(drawing(site.process.pid))):
            assert ask(site, sheets(2)).status == 200
            assert ask(site, "/workshop/suggest/?gems=99").status == 400
            other = ask(site, "/workshop/suggest/?seed=4")
            assert len(drawing(site.process.pid)) == 2
        assert wish.result(PATIENCE_S).status == 200
    assert other.status == 503
    assert int(other.headers["retry-after"]) > 0
    assert "trying somebody else’s wish" in other.text
    assert "Show them" in other.text


def test_servers_of_one_machine_share_its_cores(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="1") as one,
        serving(tmp_path, DRAWING_PROCESSES="1") as other,
        ThreadPoolExecutor(1) as asker,
    ):
        drawers = warm(one), warm(other)
        assert ask(one, "/print/page-1.svg?level=level-1").status == 200
        with (tmp_path / "drawing-0.lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # as if somebody else were drawing
            asked = asker.submit(ask, other, sheets(2))
            time.sleep(0.5)
            assert not asked.done()
            assert all(map(is_running, drawers))
        assert asked.result(PATIENCE_S).status == 200


# Without a server --------------------------------------------------------------------------------


@pytest.fixture
def processes() -> Processes:
    return Processes(1)


def test_a_drawing_that_kills_its_process_is_given_up(processes: Processes) -> None:
    with pytest.raises(NotDrawn):
        processes.draw(partial(os._exit, 1), 1)  # type: ignore[arg-type]
    assert processes.draw(partial(bytes, 3), 1) == bytes(3)


def test_a_drawing_that_fails_tells_why(processes: Processes) -> None:
    with pytest.raises(Broken, match="ZeroDivisionError"):
        processes.draw(partial(divmod, 1, 0), 1)  # type: ignore[arg-type]
    assert processes.draw(partial(bytes, 3), 1) == bytes(3)


def test_a_drawing_that_never_ends_is_given_up() -> None:
    processes = Processes(1, DRAWINGS._replace(longest_seconds=1))
    with pytest.raises(NotDrawn):
        processes.draw(partial(time.sleep, 999), 1)  # type: ignore[arg-type]


def test_who_waits_too_long_is_told(processes: Processes) -> None:
    with ThreadPoolExecutor(1) as other:
        busy = other.submit(processes.draw, partial(time.sleep, 2), 1)  # type: ignore[arg-type]
        wait_until(lambda: processes._busy)
        with pytest.raises(NoneFree):
            processes.draw(partial(bytes, 3), 0.1)
        busy.result(PATIENCE_S)
