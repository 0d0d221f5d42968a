"""Reports in worker processes, and the end of servers, pages and workers meanwhile."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

import pytest

from sheets.workshop.level_codes import format_code
from tests.processes import TIMEOUT_S, is_running
from tests.site.served_site import Site, serving, started_before, wait_until

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at /proc"),
]

LEVEL = {
    "format": "dizzle-level/1",
    "id": "threes",
    "name": "Threes",
    "grid": ["3x 1 2 4 5 6 3 3 3 3 3 3 3 3 3"] * 8,
}
"""Level with too many fields of one number for batches. Its games are played one by one, so slowly
that the tests can interrupt them."""


class Visitor:
    """Client of a browser without script."""

    def __init__(self, port: int) -> None:
        self.home = f"http://127.0.0.1:{port}"
        self.opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        with self.opener.open(self.home + path, timeout=TIMEOUT_S) as answer:
            return str(answer.read().decode())

    def post(self, path: str, page: str, **fields: str) -> str:
        """Post a form of a page; return the path of the redirect."""
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(page))
        assert found
        sent = urlencode({"csrfmiddlewaretoken": found[1], **fields}).encode()
        with self.opener.open(self._request(path, sent), timeout=TIMEOUT_S) as answer:
            return str(answer.url).removeprefix(self.home)

    def _request(self, path: str, sent: bytes) -> Request:
        return Request(self.home + path, sent)  # noqa: S310  always http

    def begin(self) -> str:
        """Copy the level and request its report; return the path of the report."""
        code = format_code(LEVEL)
        own = self.post("/open/use/", "/open/", do="copy", code=code)
        report = f"{own}balance/"
        assert self.post(report, report, do="start") == report
        return report


def workers(data_dir: Path) -> list[int]:
    """Return the worker processes of this data folder, including their helpers."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and b"balance_worker" in (folder / "cmdline").read_bytes():
                environment = (folder / "environ").read_bytes().split(b"\0")
                if f"DATA_DIR={data_dir}".encode() in environment:
                    found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    yield started_before(tmp_path)
    for worker in workers(tmp_path):
        os.kill(worker, signal.SIGKILL)


def games(page: str) -> int:
    found = re.search(r"(\d+) of \d+ games are played", page)
    return int(found[1]) if found else -1


def test_report_outlives_its_server(data_dir: Path) -> None:
    with serving(data_dir) as site:
        report = Visitor(site.port).begin()
        wait_until(lambda: games(Visitor(site.port).get(report)) > 0)
        site.process.kill()
    assert workers(data_dir)
    with serving(data_dir) as site:
        visitor = Visitor(site.port)
        wait_until(lambda: "In three sentences" in visitor.get(report))
    wait_until(lambda: not workers(data_dir))


def test_report_stops_with_the_site_and_is_made_after_its_next_start(data_dir: Path) -> None:
    """No process leaves a log next to the database file, in any order of termination."""
    report = ""
    for first in ("server", "worker", "both"):
        with serving(data_dir) as site:
            report = report or Visitor(site.port).begin()
            wait_until_made(site, report, data_dir)
            if first != "server":
                for worker in workers(data_dir):
                    with suppress(ProcessLookupError):  # one ends with the one that started it
                        os.kill(worker, signal.SIGTERM)
            if first == "worker":
                wait_until(lambda: not any(map(is_running, workers(data_dir))))
            said = site.stop(signal.SIGTERM)
            # CPython 3.11 may close the pipe of a process pool twice if the pool and its process
            # end at once, and prints that.
            assert said.count("Traceback") <= said.count("thread_wakeup.wakeup()"), first
            wait_until(lambda: not workers(data_dir))
            assert [path.name for path in data_dir.glob("dizzle.sqlite3-*")] == [], first
    with serving(data_dir) as site:
        visitor = Visitor(site.port)
        wait_until(lambda: "In three sentences" in visitor.get(report))


def wait_until_made(site: Site, report: str, data_dir: Path) -> None:
    """Wait until a worker of the site has played some of a report's games."""
    visitor = Visitor(site.port)
    wait_until(lambda: games(visitor.get(report)) > 0 and workers(data_dir))


def test_cancelled_report_ends_its_worker(data_dir: Path) -> None:
    with serving(data_dir) as site:
        visitor = Visitor(site.port)
        report = visitor.begin()
        wait_until(lambda: games(visitor.get(report)) > 0)
        assert workers(data_dir)
        visitor.post(report, report, do="cancel")
        wait_until(lambda: not workers(data_dir))
        assert "The report was cancelled." in visitor.get(report)


def test_killed_worker_leaves_no_process_behind_and_its_report_is_made_by_another(
    data_dir: Path,
) -> None:
    with serving(data_dir) as site:
        visitor = Visitor(site.port)
        report = visitor.begin()
        wait_until(lambda: games(visitor.get(report)) > 0)
        os.kill(min(workers(data_dir)), signal.SIGKILL)
        wait_until(lambda: not any(map(is_running, workers(data_dir))))
        expire_lease(data_dir)
        wait_until(lambda: "In three sentences" in visitor.get(report))


def expire_lease(data_dir: Path) -> None:
    """Move the last heartbeat back by an hour."""
    with closing(sqlite3.connect(data_dir / "dizzle.sqlite3")) as database, database:
        database.execute("UPDATE sheets_job SET beat = datetime(beat, '-1 hour')")
