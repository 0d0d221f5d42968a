"""Quotas of the job queue: what one device, one address and one group may have in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.http import HttpResponse
from django.test import Client

from sheets.access.keys import SEAT_COOKIE, Access
from sheets.analysis import looking
from sheets.groups import given, keeping
from sheets.groups import store as group_store
from sheets.http import rate_limits
from sheets.jobs import queue, requester_limits, worker
from sheets.jobs.kinds import KINDS
from sheets.jobs.requester_limits import JobRefused, Requester
from sheets.models import Group, Job
from sheets.simulation.balance import jobs
from sheets.simulation.balance.report import Setting
from sheets.workshop import store
from tests.at_once import run_at_once
from tests.jobs.requesters import expire_leases
from tests.score_levels import GARDEN
from tests.tables.test_look import rolled_party

pytestmark = pytest.mark.django_db

HOME, OTHER = "192.0.2.1", "192.0.2.2"
REFUSED = 429


@pytest.fixture(autouse=True)
def _small_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "start_worker", lambda: None)
    monkeypatch.setattr(jobs, "plan", lambda level: [Setting(1, 6)])
    monkeypatch.setattr(looking, "TIMES", (12, 16, 16))
    monkeypatch.setattr(looking, "STARTS", (0, 12, 12))


def device(name: str, address: str = HOME) -> Client:
    """A browser of its own; without a name one that keeps no cookie."""
    client = Client(REMOTE_ADDR=address)
    if name:
        client.cookies[SEAT_COOKIE] = name.ljust(43, "x")
    return client


def ask(client: Client, key: str = "") -> HttpResponse:
    """Ask for the report of a level, of a new one without its key."""
    rate_limits.reset()
    return client.post(f"/workshop/{key or store.create(GARDEN)}/balance/", {"do": "start"})


def ask_for_look(client: Client, code: str) -> HttpResponse:
    rate_limits.reset()
    return client.post(f"/table/{code}/look/", {"do": "start"})


def group_with(games: int) -> Access[Group]:
    """A group that has played several games."""
    access = group_store.find(group_store.create("Family"))
    for _game in range(games):
        keeping.keep(access, rolled_party("Ana").access().table)
    return access


def ask_for_group(client: Client, access: Access[Group], do: str = "start") -> HttpResponse:
    rate_limits.reset()
    number = access.thing.players.get().number
    return client.post(f"/groups/{access.key}/players/{number}/looks/", {"do": do})


def test_device_has_no_more_than_its_share_and_another_one_still_gets_a_place() -> None:
    ana, ben = device("Ana"), device("Ben")
    for _job in range(requester_limits.MAX_PER_DEVICE):
        assert ask(ana).status_code == 302
    refused = ask(ana)
    assert refused.status_code == REFUSED
    assert "You already have 3 reports or game analyses in the queue." in refused.content.decode()
    assert Job.objects.count() == requester_limits.MAX_PER_DEVICE
    assert ask(ben).status_code == 302


def test_address_has_no_more_than_its_share_and_another_one_still_gets_a_place() -> None:
    """Whatever the cookies are."""
    for number in range(requester_limits.MAX_PER_ADDRESS):
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
    for _job in range(requester_limits.MAX_PER_DEVICE - 1):
        ask(ana)
    assert ask_for_look(ana, party.code).status_code == 302
    assert ask(ana).status_code == REFUSED
    refused = ask_for_look(ana, rolled_party("Ana").code)
    assert refused.status_code == REFUSED
    assert "You already have 3 reports or game analyses" in refused.content.decode()


def test_asking_again_for_the_same_does_not_count_twice() -> None:
    ana, keys = (
        device("Ana"),
        [store.create(GARDEN) for _ in range(requester_limits.MAX_PER_DEVICE)],
    )
    for key in keys * 2:
        assert ask(ana, key).status_code == 302
    assert Job.objects.count() == len(keys)


@pytest.mark.postgresql
def test_place_is_free_again_once_a_job_is_done_or_cancelled() -> None:
    ana, keys = (
        device("Ana"),
        [store.create(GARDEN) for _ in range(requester_limits.MAX_PER_DEVICE)],
    )
    for key in keys:
        ask(ana, key)
    ana.post(f"/workshop/{keys[0]}/balance/", {"do": "cancel"})
    assert ask(ana).status_code == 302
    assert ask(ana).status_code == REFUSED
    assert worker.run_jobs(KINDS) == requester_limits.MAX_PER_DEVICE
    assert ask(ana).status_code == 302


@pytest.mark.postgresql
def test_group_has_no_more_than_its_share_from_whichever_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(requester_limits, "MAX_PER_GROUP", 2)
    first, second = group_with(4), group_with(1)
    assert ask_for_group(device("Ana"), first).status_code == 302
    assert first.thing.looks.count() == 2  # as many as fit
    refused = ask_for_group(device("Ben", OTHER), first)
    assert refused.status_code == REFUSED
    assert "This group already has 2 game analyses in the queue." in refused.content.decode()
    assert ask_for_group(device("Ben", OTHER), second).status_code == 302


def test_address_has_no_more_than_its_share_of_analyses_for_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(requester_limits, "MAX_GROUPS_PER_ADDRESS", 2)
    first, second = group_with(2), group_with(1)
    assert ask_for_group(device("Ana"), first).status_code == 302
    refused = ask_for_group(device("Ben"), second)
    assert refused.status_code == REFUSED
    assert "Your network already has 2 reports" in refused.content.decode()
    assert ask_for_group(device("Cem", OTHER), second).status_code == 302
    # Who waits at a page waits before groups, and is not kept from it by them.
    assert ask(device("Ana")).status_code == 302


def test_group_gets_all_that_its_button_says_in_an_empty_queue() -> None:
    assert given.AT_ONCE <= requester_limits.MAX_PER_GROUP
    assert given.AT_ONCE <= requester_limits.MAX_GROUPS_PER_ADDRESS
    assert given.AT_ONCE <= requester_limits.MAX_WAITING - requester_limits.RESERVED


@pytest.mark.parametrize("how", ["done", "failed", "killed", "cancelled"])
def test_who_asked_is_forgotten_once_a_job_leaves_the_queue(
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


def test_who_asked_for_cancelled_analyses_is_forgotten() -> None:
    ana, party, access = device("Ana"), rolled_party("Ana"), group_with(2)
    ask_for_look(ana, party.code)
    ask_for_group(ana, access)
    assert Job.objects.exclude(device_digest="").count() == 3
    ana.post(f"/table/{party.code}/look/", {"do": "cancel"})
    ask_for_group(ana, access, "cancel")
    assert not Job.objects.exclude(device_digest="", address_digest="").exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_requests_at_once_get_no_more_than_their_share() -> None:
    """On PostgreSQL each would count before the others have stored theirs."""
    owners = [store.find(store.create(GARDEN)) for _ in range(2 * requester_limits.MAX_PER_ADDRESS)]
    acts: list[Callable[[], object]] = [
        partial(jobs.ask, owner.thing, store.level_of(owner), Requester("home", ""))
        for owner in owners
    ]
    refused = run_at_once(*acts)
    assert all(isinstance(problem, JobRefused) for problem in refused)
    assert len(refused) == len(acts) - requester_limits.MAX_PER_ADDRESS
    assert Job.objects.count() == requester_limits.MAX_PER_ADDRESS
