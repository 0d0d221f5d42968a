"""Limits of the job queue for one device and for one address."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.http import HttpResponse
from django.test import Client

from sheets.access.keys import DEVICE_COOKIE
from sheets.analysis import analyser
from sheets.http import rate_limits
from sheets.jobs import queue, requester_limits, worker
from sheets.jobs.kinds import KINDS
from sheets.jobs.requester_limits import JobRefused, Requester
from sheets.models import Job
from sheets.simulation.balance import jobs
from sheets.simulation.balance.report import PlannedGames
from sheets.workshop import store
from tests.concurrency import run_at_once
from tests.jobs.requesters import expire_leases
from tests.score_levels import GARDEN
from tests.tables.test_analysis import rolled_party

pytestmark = pytest.mark.django_db

HOME, OTHER = "192.0.2.1", "192.0.2.2"
REFUSED = 429


@pytest.fixture(autouse=True)
def _small_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "start_worker", lambda: None)
    monkeypatch.setattr(jobs, "plan_games", lambda level: [PlannedGames(1, 6)])
    monkeypatch.setattr(analyser, "GAMES_PER_CHOICE", (12, 16, 16))
    monkeypatch.setattr(analyser, "GAMES_PER_PASS", (0, 12, 12))


def device(name: str, address: str = HOME) -> Client:
    """Return a client of another device; without a name one that stores no cookie."""
    client = Client(REMOTE_ADDR=address)
    if name:
        client.cookies[DEVICE_COOKIE] = name.ljust(43, "x")
    return client


def ask(client: Client, key: str = "") -> HttpResponse:
    """Request the report of a level, of a new one without a key."""
    rate_limits.reset()
    return client.post(f"/workshop/{key or store.create(GARDEN)}/balance/", {"do": "start"})


def ask_for_look(client: Client, code: str) -> HttpResponse:
    rate_limits.reset()
    return client.post(f"/table/{code}/look/", {"do": "start"})


def test_device_has_a_maximum_and_another_one_still_gets_a_place() -> None:
    ana, ben = device("Ana"), device("Ben")
    for _job in range(requester_limits.MAX_JOBS_PER_DEVICE):
        assert ask(ana).status_code == 302
    refused = ask(ana)
    assert refused.status_code == REFUSED
    assert "You already have 3 reports or game analyses in the queue." in refused.content.decode()
    assert Job.objects.count() == requester_limits.MAX_JOBS_PER_DEVICE
    assert ask(ben).status_code == 302


def test_address_has_a_maximum_and_another_one_still_gets_a_place() -> None:
    """Cookies do not matter for this limit."""
    for number in range(requester_limits.MAX_JOBS_PER_ADDRESS):
        assert ask(device(f"{number}" if number % 2 else "")).status_code == 302
    for name in ("", "Ana"):
        refused = ask(device(name))
        assert refused.status_code == REFUSED
        page = refused.content.decode()
        assert "Your network already has 6 reports or game analyses in the queue." in page
        assert "Too many reports and game" not in page
    assert ask(device("", OTHER)).status_code == 302


def test_reports_and_analyses_count_together() -> None:
    ana, party = device("Ana"), rolled_party("Ana")
    for _job in range(requester_limits.MAX_JOBS_PER_DEVICE - 1):
        ask(ana)
    assert ask_for_look(ana, party.code).status_code == 302
    assert ask(ana).status_code == REFUSED
    refused = ask_for_look(ana, rolled_party("Ana").code)
    assert refused.status_code == REFUSED
    assert "You already have 3 reports or game analyses" in refused.content.decode()


def test_repeated_request_does_not_count_twice() -> None:
    ana, keys = (
        device("Ana"),
        [store.create(GARDEN) for _ in range(requester_limits.MAX_JOBS_PER_DEVICE)],
    )
    for key in keys * 2:
        assert ask(ana, key).status_code == 302
    assert Job.objects.count() == len(keys)


@pytest.mark.postgresql
def test_place_is_free_again_once_a_job_is_done_or_cancelled() -> None:
    ana, keys = (
        device("Ana"),
        [store.create(GARDEN) for _ in range(requester_limits.MAX_JOBS_PER_DEVICE)],
    )
    for key in keys:
        ask(ana, key)
    ana.post(f"/workshop/{keys[0]}/balance/", {"do": "cancel"})
    assert ask(ana).status_code == 302
    assert ask(ana).status_code == REFUSED
    assert worker.run_jobs(KINDS) == requester_limits.MAX_JOBS_PER_DEVICE
    assert ask(ana).status_code == 302


@pytest.mark.parametrize("how", ["done", "failed", "killed", "cancelled"])
def test_requester_is_deleted_when_a_job_leaves_the_queue(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, key = device("Ana"), store.create(GARDEN)
    ask(ana, key)
    waiting = Job.objects.get()
    assert len(waiting.address_digest) == len(waiting.device_digest) == 64
    assert HOME not in waiting.address_digest
    claimed = queue.claim("worker")
    assert claimed
    assert Job.objects.get().address_digest == waiting.address_digest
    match how:
        case "done":
            worker.run_job(claimed, KINDS[claimed.kind])
        case "failed":
            monkeypatch.setattr(worker, "TIMEOUT", timedelta(0))
            worker.run_job(claimed, KINDS[claimed.kind])
        case "killed":
            expire_leases()
            assert queue.claim("second attempt")
            expire_leases()
        case "cancelled":
            ana.post(f"/workshop/{key}/balance/", {"do": "cancel"})
    left = Job.objects.get()
    assert left.state == {"killed": Job.FAILED}.get(how, how)
    assert left.address_digest == left.device_digest == ""


def test_requester_of_cancelled_analyses_is_deleted() -> None:
    ana, party = device("Ana"), rolled_party("Ana")
    ask_for_look(ana, party.code)
    ask(ana)
    assert Job.objects.exclude(device_digest="").count() == 2
    ana.post(f"/table/{party.code}/look/", {"do": "cancel"})
    (left,) = Job.objects.exclude(device_digest="", address_digest="")
    assert left.kind == "report"


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_simultaneous_requests_stay_below_the_maximum() -> None:
    """On PostgreSQL, each request would otherwise count before the others have stored theirs."""
    count = 2 * requester_limits.MAX_JOBS_PER_ADDRESS
    owners = [store.find(store.create(GARDEN)) for _ in range(count)]
    acts: list[Callable[[], object]] = [
        partial(jobs.request_report, owner.resource, store.level_of(owner), Requester("home", ""))
        for owner in owners
    ]
    refused = run_at_once(*acts)
    assert all(isinstance(problem, JobRefused) for problem in refused)
    assert len(refused) == len(acts) - requester_limits.MAX_JOBS_PER_ADDRESS
    assert Job.objects.count() == requester_limits.MAX_JOBS_PER_ADDRESS
