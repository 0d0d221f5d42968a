"""The worker while storage fails, while jobs fail, and after it was taken for killed."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from dizzle_site.storage import QuietLog
from sheets.beside import line
from sheets.models import Job
from sheets.simulation.balance import jobs
from sheets.simulation.balance.report import Setting
from sheets.workshop import store
from tests.beside.requesters import SOMEBODY
from tests.score_levels import GARDEN

HOLD = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""
BUSY_S = 0.05
"""SQLite's busy timeout in these tests."""


class HeardLog(QuietLog):
    """The log of failures of the storage, and whether it has said anything."""

    def __init__(self) -> None:
        super().__init__()
        self.has_said = threading.Event()

    def error(self, *args: Any) -> None:
        super().error(*args)
        self.has_said.set()


@pytest.fixture(autouse=True)
def _small_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "start_worker", lambda: None)
    monkeypatch.setattr(line, "quiet_log", HeardLog())
    monkeypatch.setattr(line, "STORAGE_RETRY_SECONDS", 0.05)
    monkeypatch.setattr(line, "BEAT_SECONDS", 0)
    monkeypatch.setattr(jobs, "plan", lambda level: [Setting(1, 6)])


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let SQLite itself wait for a moment only."""
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", BUSY_S)
        connection.close()
    yield
    connection.close()


@contextmanager
def locked(until: threading.Event) -> Iterator[None]:
    """Let another process lock SQLite's file until something has happened, or the block ends."""
    name = str(connection.settings_dict["NAME"])
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin
        assert other.stdout
        assert other.stdout.readline() == b"locked\n"
        let_go = threading.Thread(target=lambda: (until.wait(), other.stdin.close()))
        let_go.start()
        try:
            yield
        finally:
            until.set()
            let_go.join()


def hang_up() -> None:
    """Let PostgreSQL end the connection of this thread."""
    connection.ensure_connection()
    found = connection.connection.info.backend_pid

    def terminate() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [found])
        connection.close()

    other = threading.Thread(target=terminate)
    other.start()
    other.join()


class Breaking:
    """Does the jobs as usual, and breaks the storage at one moment of it, once."""

    def __init__(self, moment: str) -> None:
        self.moment = moment
        self.stack = ExitStack()

    def reach(self, moment: str) -> None:
        if moment == self.moment:
            self.moment = ""
            if connection.vendor == "sqlite":
                self.stack.enter_context(locked(line.quiet_log.has_said))
            else:
                hang_up()

    def do(self, job: Job, progress: line.Progress) -> Mapping[str, Any]:
        self.reach("play")
        report = jobs.make_report(job, progress)
        self.reach("finish")
        return report

    def after(self, job: Job) -> object:
        self.reach("after")
        return jobs.REPORT.after(job)


def ask() -> Job:
    owner = store.find(store.create(GARDEN))
    return jobs.ask(owner.thing, store.level_of(owner), SOMEBODY)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
@pytest.mark.parametrize("moment", ["claim", "play", "finish", "after"])
@pytest.mark.usefixtures("_impatient")
def test_job_is_done_though_storage_fails_for_longer_than_the_busy_timeout(
    moment: str, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite is locked by another process; PostgreSQL hangs up."""
    first, second = ask(), ask()
    breaking = Breaking(moment)
    with breaking.stack:
        breaking.reach("claim")
        assert line.work({"report": line.Work(breaking.do, breaking.after)}) == 2
    for job in (first, second):
        job.refresh_from_db()
        assert (job.state, job.reason) == (Job.DONE, "")
    told = "locked" if connection.vendor == "sqlite" else "does not answer"
    assert told in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_impatient")
def test_worker_ends_after_a_bounded_time_where_storage_stays_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line, "STORAGE_TIMEOUT", line.timedelta(seconds=0.2))
    ask()
    with locked(threading.Event()), pytest.raises(line.Error, match="locked"):
        line.work({"report": jobs.REPORT})


@pytest.mark.django_db
@pytest.mark.postgresql
def test_worker_goes_on_with_the_next_job_after_one_failed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whatever it was; also if cleaning up after it fails."""
    broken, unclean, sound = ask(), ask(), ask()

    def do(job: Job, progress: line.Progress) -> Mapping[str, Any]:
        if job == broken:
            raise ZeroDivisionError("no such thing")
        return jobs.make_report(job, progress)

    def after(job: Job) -> None:
        if job == unclean:
            raise ZeroDivisionError("not that either")

    with caplog.at_level(logging.ERROR):
        assert line.work({"report": line.Work(do, after)}) == 3
    for job in (broken, unclean, sound):
        job.refresh_from_db()
    assert (broken.state, broken.reason) == (Job.FAILED, "error")
    assert (unclean.state, sound.state) == (Job.DONE, Job.DONE)
    assert "no such thing" in caplog.text
    assert "not that either" in caplog.text


@pytest.mark.django_db
def test_job_of_a_worker_that_is_asked_to_end_waits_again() -> None:
    job = ask()

    def do(job: Job, progress: line.Progress) -> Mapping[str, Any]:
        raise SystemExit(143)

    with pytest.raises(SystemExit):
        line.work({"report": line.Work(do, lambda job: None)})
    job.refresh_from_db()
    assert (job.state, job.worker) == (Job.WAITING, "")
    assert job.address_digest == SOMEBODY.address


@pytest.mark.django_db
@pytest.mark.postgresql
def test_worker_that_was_marked_as_killed_goes_on_as_soon_as_it_gives_a_sign() -> None:
    """As after a machine slept, or a database was locked for longer than the silence allowed."""
    job = ask()
    states = []

    def do(job: Job, progress: line.Progress) -> Mapping[str, Any]:
        line.keep_going(timezone.now() + 2 * line.SILENCE)
        for games in (0, 0):
            states.append(Job.objects.get(pk=job.pk).state)
            progress(games)
        return jobs.make_report(job, progress)

    assert line.work({"report": line.Work(do, lambda job: None)}) == 1
    assert states == [Job.FAILED, Job.RUNNING]
    job.refresh_from_db()
    assert (job.state, job.reason) == (Job.DONE, "")


@pytest.mark.django_db
@pytest.mark.postgresql
def test_worker_finds_the_job_that_it_claimed_without_hearing_of_it() -> None:
    first, _second = ask(), ask()
    assert line.claim("worker") == first
    assert line.claim("worker") == first
    assert line.claim("another") is None
