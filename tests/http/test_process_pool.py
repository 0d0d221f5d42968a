"""Process pool: limits, the queue, and killed workers."""

from __future__ import annotations

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

from sheets.http import process_pool, render_tasks
from sheets.http.process_pool import (
    BOT_MOVES,
    RENDERING,
    QueueFull,
    TaskFailed,
    TaskPool,
    TimeLimitExceeded,
)
from sheets.workshop.suggest.suggestion import CannotSuggest, SuggestionRequest
from tests.photos.task_urls import wait_for
from tests.processes import TIMEOUT_S, children, is_running
from tests.site.served_site import (
    CHECKOUT,
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


def workers(server: int) -> list[int]:
    """Return the worker processes of a server: the children of its fork server."""
    return [process for child in children(server) for process in children(child)]


def sheets(copies: int, levels: int = 2) -> str:
    """Return the address of a print of several levels; each number of copies is another task."""
    chosen = "".join(f"&level=level-{number}" for number in range(1, levels + 1))
    more = "&bw=on" if copies > 20 else ""
    return f"/print/sheets.pdf?paper=a4&copies={(copies - 1) % 20 + 1}{more}{chosen}"


def ask(site: Site, path: str) -> Answer:
    return site.ask(path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve a site for tests that do not kill its processes; each test renders other prints."""
    folder = tmp_path_factory.mktemp("site")
    with serving(started_before(folder), DRAWING_PROCESSES="2") as site:
        yield site


def test_forty_requests_at_once_are_answered_and_others_do_not_wait(site: Site) -> None:
    most = 0
    with ThreadPoolExecutor(ASKERS) as askers:
        asked = [askers.submit(ask, site, sheets(number)) for number in range(1, ASKERS + 1)]
        while any(not one.done() for one in asked):
            assert site.ask("/rules/").status == 200
            most = max(most, len(workers(site.process.pid)))
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


def test_forty_requests_for_the_same_print_share_one_task(site: Site) -> None:
    with ThreadPoolExecutor(ASKERS) as askers:
        answers = list(askers.map(partial(ask, site), [sheets(1, levels=3)] * ASKERS))
    assert {answer.status for answer in answers} <= {200, 503}
    etags = {answer.headers["etag"] for answer in answers if answer.status == 200}
    assert len(etags) == 1
    again = site.ask(sheets(1, levels=3), If_None_Match=etags.pop())
    assert again.status == 304
    assert not again.text


def test_slow_phones_do_not_block_the_gate(site: Site) -> None:
    path = sheets(1, levels=8)
    assert ask(site, path).status == 200
    with ExitStack() as phones:
        for request in (
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\n",  # and no end of the headers
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf",
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
            # Never read: more data than the buffers of the connection hold.
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50,
        ):
            phone = socket.create_connection(("127.0.0.1", site.port))
            phones.enter_context(phone)
            phone.sendall(request.encode())
        for _ in range(3):
            assert ask(site, path).status == 200


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """Suspend a process."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        if is_running(process):
            os.kill(process, signal.SIGCONT)


def warm(site: Site) -> list[int]:
    """Render something, and return the workers."""
    assert ask(site, sheets(1)).status == 200
    return workers(site.process.pid)


def test_the_site_survives_the_end_of_workers_and_fork_server(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="1") as site,
        ThreadPoolExecutor(1) as asker,
    ):
        (worker,) = warm(site)
        with stopped(worker):
            asked = asker.submit(ask, site, sheets(2))
            time.sleep(0.5)  # until the worker has the task
            os.kill(worker, signal.SIGKILL)
        assert asked.result(TIMEOUT_S).status in (200, 503)
        wait_until(lambda: ask(site, sheets(3)).status == 200)
        for process in [*workers(site.process.pid), *children(site.process.pid)]:
            os.kill(process, signal.SIGKILL)
        wait_until(lambda: ask(site, sheets(4)).status == 200)


def test_a_full_queue_is_answered_with_503(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="1", DRAWING_THREADS="2") as site,
        ThreadPoolExecutor(3) as askers,
    ):
        (worker,) = warm(site)
        with stopped(worker):
            asked = [askers.submit(ask, site, sheets(number)) for number in (2, 3, 4)]
            refused = first(asked)
            assert site.ask("/rules/").status == 200
            assert ask(site, sheets(1)).status == 200  # cached files need no place in the queue
        assert refused.status == 503
        assert CALM in refused.text
        assert refused.headers["retry-after"] == "5"
        assert sorted(one.result(TIMEOUT_S).status for one in asked) == [200, 200, 503]


def first(asked: list[Future[Answer]]) -> Answer:
    """Return the first answer."""
    done, _others = wait(asked, TIMEOUT_S, FIRST_COMPLETED)
    assert done
    return done.pop().result()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_the_server_however_it_ends(tmp_path: Path, how: signal.Signals) -> None:
    with (
        # Not the test's own folder: the path of a socket must be short.
        TemporaryDirectory(prefix="d") as folder,
        serving(started_before(tmp_path), DRAWING_PROCESSES="2", TMPDIR=folder) as site,
    ):
        found = [*warm(site), *children(site.process.pid)]
        assert os.listdir(folder)
        site.process.send_signal(how)
        if how == signal.SIGINT:  # Ctrl-C goes to all processes of the terminal
            for process in found:
                os.kill(process, signal.SIGINT)
        wait_until(lambda: not any(map(is_running, found)))
        site.process.wait(TIMEOUT_S)
        assert site.process.stdout
        assert "Traceback" not in site.process.stdout.read()
        if how != signal.SIGKILL:
            assert not os.listdir(folder)


def test_a_running_task_does_not_delay_the_end_of_the_server(tmp_path: Path) -> None:
    with (
        serving(started_before(tmp_path), DRAWING_PROCESSES="1") as site,
        ThreadPoolExecutor(1) as asker,
    ):
        (worker,) = warm(site)
        with stopped(worker):
            asked = asker.submit(ask, site, sheets(2))
            time.sleep(0.5)  # until the worker has the task
            site.process.terminate()
            site.process.wait(RENDERING.time_limit_seconds / 2)
        assert asked.result(TIMEOUT_S).status == 503
        assert site.process.stdout
        assert "Traceback" not in site.process.stdout.read()


def test_drawings_never_occupy_all_of_few_threads(tmp_path: Path) -> None:
    pytest.importorskip("gunicorn")
    with (
        gunicorn(started_before(tmp_path), threads=4, DRAWING_PROCESSES="1") as site,
        ThreadPoolExecutor(8) as askers,
    ):
        assert ask(site, sheets(1)).status == 200
        (gunicorn_worker,) = children(site.process.pid)
        (worker,) = workers(gunicorn_worker)
        with stopped(worker):
            asked = [askers.submit(ask, site, sheets(number)) for number in range(2, 10)]
            wait_until(lambda: sum(one.done() for one in asked) == 5)
            assert {one.result().status for one in asked if one.done()} == {503}
            assert site.ask("/rules/").status == 200
        statuses = [one.result(TIMEOUT_S).status for one in asked]
    # On a slow machine, two of the three accepted requests may exceed their waiting time.
    assert set(statuses) == {200, 503}
    assert statuses.count(503) >= 5


@contextmanager
def gunicorn(data_dir: Path, threads: int, **variables: str) -> Iterator[Site]:
    """Serve pages by gunicorn, as docs/reference.md recommends for many users."""
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
            process.wait(TIMEOUT_S)


def slow_pid() -> bytes:
    """Return the process of a task that takes a while."""
    time.sleep(1)
    return str(os.getpid()).encode()


# Without a server --------------------------------------------------------------------------------


@pytest.fixture
def pool() -> Iterator[TaskPool]:
    pool = TaskPool(2)
    yield pool
    pool.close()


def test_a_task_that_kills_its_worker_fails(pool: TaskPool) -> None:
    with pytest.raises(TaskFailed):
        pool.run(RENDERING, partial(os._exit, 1))  # type: ignore[arg-type]
    assert pool.run(RENDERING, partial(bytes, 3)) == bytes(3)


def test_an_exception_of_a_task_reaches_the_caller(pool: TaskPool) -> None:
    with pytest.raises(ZeroDivisionError):
        pool.run(RENDERING, partial(divmod, 1, 0))  # type: ignore[arg-type]
    assert pool.run(RENDERING, partial(bytes, 3)) == bytes(3)


def test_an_exception_of_a_task_comes_back(pool: TaskPool) -> None:
    with pytest.raises(CannotSuggest) as refused:
        pool.run(RENDERING, partial(render_tasks.suggestion, SuggestionRequest(stops=2)))
    assert (refused.value.reason, refused.value.key) == ("rails", "stops")


def test_idle_workers_end_even_after_a_task_longer_than_the_idle_time(
    pool: TaskPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_pool, "IDLE_SECONDS", 0.2)
    worker = int(pool.run(RENDERING, slow_pid))
    wait_until(lambda: not is_running(worker))


def test_a_task_that_never_ends_is_killed(pool: TaskPool) -> None:
    with pytest.raises(TimeLimitExceeded):
        pool.run(RENDERING._replace(time_limit_seconds=1), partial(time.sleep, 999))  # type: ignore[arg-type]
    assert pool.run(RENDERING, partial(bytes, 3)) == bytes(3)


def test_a_kind_leaves_one_worker_to_the_others(pool: TaskPool, tmp_path: Path) -> None:
    file = tmp_path / "go-on"
    with ThreadPoolExecutor(1) as other:
        busy = other.submit(pool.run, BOT_MOVES, partial(wait_for, file), "first")
        wait_until(lambda: pool.position(BOT_MOVES, "first") == 0)
        with pytest.raises(QueueFull):
            pool.run(BOT_MOVES._replace(wait_seconds=0.1), partial(bytes, 3))
        with pytest.raises(QueueFull):
            pool.run(BOT_MOVES._replace(max_waiting=0), partial(bytes, 3))
        assert pool.run(RENDERING, partial(bytes, 3)) == bytes(3)
        file.touch()
        assert busy.result(TIMEOUT_S) == b""


def test_a_closed_pool_starts_again(pool: TaskPool) -> None:
    assert pool.run(RENDERING, partial(bytes, 3)) == bytes(3)
    pool.close()
    assert pool.run(RENDERING, partial(bytes, 3)) == bytes(3)
