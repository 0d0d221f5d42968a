"""The worker: failing jobs, a failing database, stopping, and an expired lease."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event
from typing import Any

import pytest
from django.db import OperationalError, connection

from sheets.jobs import queue, worker
from sheets.models import Job
from sheets.simulation.balance import jobs
from sheets.simulation.balance.report import PlannedGames
from sheets.workshop import store
from tests.concurrency import run_at_once
from tests.jobs.requesters import REQUESTER, expire_leases
from tests.score_levels import GARDEN

OTHERS_COME_S = 0.2

HOLD = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""
BUSY_S = 0.05
"""SQLite's busy timeout in these tests."""


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Record the workers instead of starting them, play few games and do not wait."""
    calls: list[bool] = []
    monkeypatch.setattr(worker, "start_worker", lambda: calls.append(True))
    monkeypatch.setattr(worker, "HEARTBEAT_SECONDS", 0)
    monkeypatch.setattr(worker, "BACK_OFF_SECONDS", 0)
    monkeypatch.setattr(worker, "_stop", Event())
    monkeypatch.setattr(jobs, "plan_games", lambda level: [PlannedGames(1, 6)])
    return calls


@contextmanager
def broken_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let another process lock SQLite's file, or PostgreSQL end this thread's connection."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor, pytest.raises(OperationalError):
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        yield
        connection.close()
        return
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", BUSY_S)
    connection.close()
    name = str(connection.settings_dict["NAME"])
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin
        assert other.stdout
        assert other.stdout.readline() == b"locked\n"
        yield
        other.stdin.close()
    connection.close()


def ask() -> Job:
    owner = store.find(store.create(GARDEN))
    return jobs.request_report(owner.resource, store.level_of(owner), REQUESTER)


def state_of(job: Job) -> tuple[str, str]:
    job.refresh_from_db()
    return job.state, job.reason


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_job_whose_worker_loses_the_database_gets_a_second_attempt(
    monkeypatch: pytest.MonkeyPatch, started: list[bool]
) -> None:
    first, second = ask(), ask()

    def lose(job: Job, progress: worker.Progress) -> Mapping[str, Any]:
        with broken_database(monkeypatch):
            progress(1)
        return {}

    with pytest.raises(OperationalError):
        worker.run_jobs({"report": lose})
    connection.close()
    assert state_of(first) == (Job.RUNNING, "")
    expire_leases()
    assert state_of(first) == (Job.WAITING, "")
    assert started
    assert worker.run_jobs({"report": jobs.make_report}) == 2
    assert state_of(first) == state_of(second) == (Job.DONE, "")


@pytest.mark.django_db(transaction=True)
def test_locked_database_costs_a_waiting_job_no_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    job = ask()
    with broken_database(monkeypatch), pytest.raises(OperationalError):
        worker.run_jobs({"report": jobs.make_report})
    assert state_of(job) == (Job.WAITING, "")


@pytest.mark.django_db
@pytest.mark.postgresql
def test_worker_goes_on_with_the_next_job_after_one_failed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, sound = ask(), ask()

    def run(job: Job, progress: worker.Progress) -> Mapping[str, Any]:
        if job == broken:
            raise ZeroDivisionError("no such thing")
        return jobs.make_report(job, progress)

    with caplog.at_level(logging.ERROR):
        assert worker.run_jobs({"report": run}) == 2
    assert (state_of(broken), state_of(sound)) == ((Job.FAILED, "error"), (Job.DONE, ""))
    assert "no such thing" in caplog.text


def stop() -> None:
    worker.stop()


def stop_with_an_error_of_its_own() -> None:
    try:
        worker.stop()
    finally:
        raise OperationalError("tidying up failed")


def swallow() -> None:
    with suppress(SystemExit):
        worker.stop()


@pytest.mark.django_db
@pytest.mark.postgresql
@pytest.mark.parametrize("how", [stop, stop_with_an_error_of_its_own, swallow])
def test_worker_that_is_asked_to_stop_puts_its_job_back(how: Callable[[], None]) -> None:
    first, second = ask(), ask()

    def run(job: Job, progress: worker.Progress) -> Mapping[str, Any]:
        how()
        progress(1)
        return {}

    with pytest.raises(SystemExit):
        worker.run_jobs({"report": run})
    for job in (first, second):
        assert state_of(job) == (Job.WAITING, "")
        assert (job.worker, job.address_digest) == ("", REQUESTER.address)
    worker.stop()  # a second signal does not interrupt that


@pytest.mark.django_db
@pytest.mark.postgresql
def test_worker_whose_lease_expired_keeps_its_job_until_another_one_claims_it() -> None:
    """A lease expires while a laptop sleeps."""
    job = ask()
    states = []

    def run(job: Job, progress: worker.Progress) -> Mapping[str, Any]:
        for _ in range(2):
            expire_leases()
            states.append(state_of(job)[0])
            progress(0)
            states.append(state_of(job)[0])
        return jobs.make_report(job, progress)

    assert worker.run_jobs({"report": run}) == 1
    assert states == [Job.WAITING, Job.RUNNING] * 2
    assert state_of(job) == (Job.DONE, "")

    def run_late(late: Job, progress: worker.Progress) -> Mapping[str, Any]:
        expire_leases()
        assert queue.claim("another") == late
        return jobs.make_report(late, progress)

    job = ask()
    assert worker.run_jobs({"report": run_late}) == 1
    assert state_of(job) == (Job.RUNNING, queue.LOST)
    assert job.worker == "another"


def test_two_requests_at_once_start_one_worker_in_the_folder_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()  # the fixture replaces `start_worker`
    begun: list[dict[str, object]] = []

    class Process:
        def __init__(self, words: list[str], **options: object) -> None:
            time.sleep(OTHERS_COME_S)
            begun.append(options)

        def poll(self) -> None:
            return None

    monkeypatch.setattr(worker, "_process", None)
    monkeypatch.setattr(subprocess, "Popen", Process)
    assert run_at_once(worker.start_worker, worker.start_worker) == []
    assert len(begun) == 1
    assert "cwd" not in begun[0]  # relative paths in the environment mean the same
