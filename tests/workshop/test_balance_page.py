"""Page of the balance report, and the queue of reports."""

from __future__ import annotations

import json
import re
import threading
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from sheets.access.keys import delete_resource
from sheets.http import rate_limits
from sheets.jobs import queue, requester_limits, worker
from sheets.jobs.kinds import KINDS
from sheets.models import Job
from sheets.rules import parse_level
from sheets.simulation.balance import jobs
from sheets.simulation.balance import report as balance
from sheets.simulation.balance.report import PlannedGames
from sheets.workshop import store
from sheets.workshop.acts import read_batch
from tests.jobs.requesters import REQUESTER
from tests.page_text import unmarked
from tests.score_levels import GARDEN
from tests.web.test_weight import LIMIT_BYTES, weigh

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Record the workers instead of starting them, and play very few games."""
    calls: list[bool] = []
    monkeypatch.setattr(worker, "start_worker", lambda: calls.append(True))
    monkeypatch.setattr(jobs, "plan_games", lambda level: [PlannedGames(1, 6), PlannedGames(2, 6)])
    monkeypatch.setattr(worker, "HEARTBEAT_SECONDS", 0)
    return calls


@pytest.fixture
def key() -> str:
    return store.create(GARDEN)


def url(key: str, more: str = "") -> str:
    return f"/workshop/{key}/balance/{more}"


def post(client: Client, key: str, do: str) -> HttpResponse:
    return client.post(url(key), {"do": do})


def job_of(key: str) -> Job:
    return Job.objects.filter(level=store.find(key).resource).latest("pk")


def make_all(client: Client, key: str) -> None:
    assert post(client, key, "start").status_code == 302
    assert worker.run_jobs(KINDS) == 1


@pytest.mark.postgresql
def test_report_is_requested_computed_and_shown(
    client: Client, key: str, started: list[bool]
) -> None:
    assert "Make the report" in client.get(url(key)).content.decode()
    assert not started
    assert post(client, key, "start").headers["Location"] == url(key)
    page = client.get(url(key)).content.decode()
    assert started
    assert "0 of 12 games are played." in page
    assert '<progress class="progress" max="12" value="0"' in page
    assert worker.run_jobs(KINDS) == 1
    page = client.get(url(key)).content.decode()
    assert "In three sentences" in page
    names = ["scores", "crossed", "seats", "grades", "pays"]
    for players in (1, 2):
        names += [f"heat-{players}", f"heat-{players}-beside", f"beside-{players}"]
    for name in names:
        assert f'id="figure-{name}"' in page
    assert page.count('class="plot"') == page.count("<summary>As a table</summary>") == len(names)
    assert " style=" not in page
    assert "<script>" not in page


def test_report_is_rendered_once_and_has_a_rate_limit(client: Client, key: str) -> None:
    make_all(client, key)
    while rate_limits.PICTURES.hit("127.0.0.1"):
        pass
    assert client.get(url(key)).status_code == 429
    rate_limits.reset()
    assert client.get(url(key)).status_code == 200
    while rate_limits.PICTURES.hit("127.0.0.1"):
        pass
    assert client.get(url(key)).status_code == 200
    assert client.get(url(key), {"beside": "level-7"}).status_code == 429


def test_report_is_translated_to_german(client: Client, key: str) -> None:
    make_all(client, key)
    page = client.get(url(key), headers={"accept-language": "de"}).content.decode()
    assert "In drei Sätzen" in page
    assert "Sitz 2" in page
    assert "Platz" not in page
    assert "In three sentences" not in page


def test_reader_chooses_the_level_to_compare_with(client: Client, key: str) -> None:
    make_all(client, key)
    page = unmarked(client.get(url(key)))
    assert '<option value="level-5" selected>By the lake</option>' in page
    page = unmarked(client.get(url(key), {"beside": "level-7"}))
    assert '<option value="level-7" selected>Fire mountain</option>' in page
    assert page.count(" selected>") == 1
    assert "Crossed fields (Fire mountain): 2 players" in page
    assert "Crossed fields (By the lake)" not in page


@pytest.mark.parametrize("wish", ["level-99", "garden", "<b>", "\0", "x" * 5000])
def test_unknown_level_to_compare_with_is_ignored(client: Client, key: str, wish: str) -> None:
    make_all(client, key)
    response = client.get(url(key), {"beside": wish})
    assert response.status_code == 400
    page = response.content.decode()
    assert "There is no such level to compare with." in page
    assert "<b>" not in page
    assert "In three sentences" in page


@pytest.mark.parametrize("size", [None, 26])
def test_first_load_stays_small(
    client: Client, monkeypatch: pytest.MonkeyPatch, size: int | None
) -> None:
    """This includes a level for six, the largest sheet, and a page during a new report."""
    document: dict[str, Any] = GARDEN
    if size:
        rows = [" ".join(str((x + 2 * y) % 6 + 1) for x in range(size)) for y in range(size)]
        rows[0] = "1x" + rows[0][1:]
        document = {"format": "dizzle-level/1", "id": "huge", "name": "Huge", "grid": rows}
    document = document | {"dice": {"5": 16, "6": 19}, "rounds": {"5": 2, "6": 2}}
    counts = parse_level(document).player_counts
    monkeypatch.setattr(
        jobs, "plan_games", lambda level: [PlannedGames(count, 3) for count in counts]
    )
    key = store.create(document)
    make_all(client, key)
    job, random = job_of(key), Random(1)
    for setting in job.report["settings"]:
        # After many games all fields differ, which makes the page larger.
        setting["fields"] = {name: round(random.random(), 4) for name in setting["fields"]}
    job.save()
    parts = weigh(client, url(key))
    assert sum(parts.values()) < LIMIT_BYTES, parts
    post(client, key, "start")
    parts = weigh(client, url(key))
    assert sum(parts.values()) < LIMIT_BYTES, parts


def test_same_level_has_the_same_report(client: Client, key: str) -> None:
    reports = []
    for _ in range(2):
        make_all(client, key)
        reports.append(job_of(key).report)
    assert reports[0] == reports[1]


def test_progress_is_shown_until_the_page_is_reloaded(client: Client, key: str) -> None:
    post(client, key, "start")
    answer = client.get(url(key, "state/"))
    assert 'id="_balance_progress"' in answer.content.decode()
    assert 'hx-trigger="every 1s"' in answer.content.decode()
    assert "HX-Refresh" not in answer.headers
    worker.run_jobs(KINDS)
    answer = client.get(url(key, "state/"))
    assert answer.headers["HX-Refresh"] == "true"
    assert "hx-trigger" not in answer.content.decode()


def test_cancelled_report_is_not_computed(client: Client, key: str) -> None:
    post(client, key, "start")
    claimed = queue.claim("worker")
    assert claimed
    assert post(client, key, "cancel").status_code == 302
    worker.run_job(claimed, KINDS[claimed.kind])
    assert job_of(key).state == Job.CANCELLED
    assert job_of(key).report is None
    page = client.get(url(key)).content.decode()
    assert "The report was cancelled." in page
    assert "Make the report again" in page


def test_finished_report_is_kept_until_there_is_a_newer_one(client: Client, key: str) -> None:
    before = "Below is the report that was made before."
    make_all(client, key)
    assert before not in client.get(url(key)).content.decode()
    first = job_of(key)
    post(client, key, "start")
    page = client.get(url(key)).content.decode()
    assert "0 of 12 games are played." in page
    post(client, key, "cancel")
    page = client.get(url(key)).content.decode()
    assert "The report was cancelled." in page
    assert before in page
    assert "In three sentences" in page
    post(client, key, "ratings")
    document = store.find(key).resource.document
    assert document["ratings"] == first.report["ratings"]
    make_all(client, key)
    assert job_of(key) != first
    assert before not in client.get(url(key)).content.decode()


def test_report_that_is_cancelled_at_its_end_leaves_the_one_before(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_all(client, key)
    first = job_of(key)
    post(client, key, "start")
    claimed = queue.claim("worker")
    assert claimed
    post(client, key, "cancel")
    # The worker sends no heartbeat meanwhile, so it notices only when it stores the report.
    monkeypatch.setattr(worker, "HEARTBEAT_SECONDS", 99)
    worker.run_job(claimed, KINDS[claimed.kind])
    assert jobs.finished_report(store.find(key).resource) == first


@pytest.mark.postgresql
def test_report_of_a_killed_worker_gets_a_second_attempt_and_no_third(
    client: Client, key: str, started: list[bool]
) -> None:
    post(client, key, "start")
    for attempt in ("first", "second"):
        assert queue.claim(attempt)
        started.clear()
        Job.objects.update(beat=timezone.now() - queue.LEASE + timedelta(seconds=10))
        client.get(url(key))
        assert (job_of(key).state, started) == (Job.RUNNING, [])
        Job.objects.update(beat=timezone.now() - queue.LEASE - timedelta(seconds=1))
        page = client.get(url(key)).content.decode()
        assert ("0 of 12 games are played." in page, len(started)) == (
            (True, 1) if attempt == "first" else (False, 0)
        )
    assert "The report was interrupted" in page
    make_all(client, key)
    assert job_of(key).state == Job.DONE


def test_worker_whose_job_was_requested_again_changes_nothing(client: Client, key: str) -> None:
    post(client, key, "start")
    late = queue.claim("late")
    assert late
    post(client, key, "start")
    worker.run_job(late, KINDS[late.kind])
    assert job_of(key).state == Job.WAITING


def test_one_report_is_computed_at_a_time_and_others_are_queued(client: Client) -> None:
    first, second = store.create(GARDEN), store.create(GARDEN)
    post(client, first, "start")
    post(client, second, "start")
    claimed = queue.claim("one")
    assert claimed == job_of(first)
    assert queue.claim("two") is None
    assert "1 other report is made first." in client.get(url(second)).content.decode()
    worker.run_job(claimed, KINDS[claimed.kind])
    assert queue.claim("two") == job_of(second)


def test_queue_has_a_maximum_length(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requester_limits, "MAX_WAITING", 2)
    for _ in range(2):
        post(client, store.create(GARDEN), "start")
    response = post(client, key, "start")
    assert response.status_code == 503
    assert "Too many reports and game analyses are in the queue." in response.content.decode()
    assert Job.objects.count() == 2


def test_repeated_request_leaves_one_report(client: Client, key: str) -> None:
    post(client, key, "start")
    post(client, key, "start")
    assert Job.objects.count() == 1


def test_page_reports_a_changed_level_but_not_changed_grades(client: Client, key: str) -> None:
    make_all(client, key)
    changed = "The level has changed since"
    assert changed not in client.get(url(key)).content.decode()
    post(client, key, "ratings")
    document = store.find(key).resource.document
    assert document["ratings"] == job_of(key).report["ratings"]
    page = client.get(url(key)).content.decode()
    assert changed not in page
    assert "Take these grades" not in page
    acts = {"acts": [{"do": "squares", "put": {"b1": {"number": "6"}}}]}
    client.post(f"/workshop/{key}/acts/", acts, content_type="application/json")
    assert changed in client.get(url(key)).content.decode()


def test_failure_is_shown(client: Client, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    post(client, key, "start")
    monkeypatch.setattr(worker, "TIMEOUT", timedelta(0))
    assert worker.run_jobs(KINDS) == 1
    assert job_of(key).reason == "too-long"
    assert "take too long for a report" in client.get(url(key)).content.decode()


def test_report_of_an_unplayable_level_fails_with_a_sentence(client: Client, key: str) -> None:
    post(client, key, "start")
    Job.objects.update(document={"format": "dizzle-level/1", "id": "x", "name": "X",
                                        "grid": ["9"]})  # fmt: skip
    assert worker.run_jobs(KINDS) == 1
    assert job_of(key).state == Job.FAILED


def test_viewer_reads_the_report_but_starts_none(client: Client, key: str) -> None:
    shared = store.find(key).share_key
    assert post(client, shared, "start").status_code == 403
    assert "Nobody has made a report yet." in client.get(url(shared)).content.decode()
    make_all(client, key)
    page = client.get(url(shared)).content.decode()
    assert "In three sentences" in page
    assert 'name="do"' not in page
    assert client.get(url(shared, "state/")).status_code == 200


def test_strangers_and_wrong_methods_are_refused(client: Client, key: str) -> None:
    assert client.get(url("x" * 32)).status_code == 404
    assert client.get(url("x" * 32, "state/")).status_code == 404
    assert client.put(url(key)).status_code == 405
    assert client.post(url(key, "state/")).status_code == 405
    assert post(client, key, "steal").status_code == 400
    assert client.get(url(key)).headers["X-Robots-Tag"].startswith("noindex")


def test_unfinished_level_has_no_report_but_shows_what_it_lacks(client: Client) -> None:
    key = store.create_blank({"en": "New"}, 4, 4)
    page = client.get(url(key))
    assert page.status_code == 409
    assert page.content.count(b"<text") == len("abcd1234")
    assert page.context["ringed"] == set()
    assert post(client, key, "start").status_code == 409
    short = {"format": "dizzle-level/1", "id": "own-1", "name": "New", "grid": ["3x 5 ?", "2 ? 6"]}
    page = client.get(url(store.create(short)))
    assert {*re.findall("[abc][12]", page.context["errors"][0])} == {"b2", "c1"}
    assert page.context["ringed"] == {"b2", "c1"}


def test_report_is_deleted_with_its_level(client: Client, key: str) -> None:
    make_all(client, key)
    delete_resource(store.find(key))
    assert not Job.objects.exists()


def test_reports_of_huge_levels_have_fewer_games() -> None:
    rows = [" ".join(str((x + 2 * y) % 6 + 1) for x in range(26)) for y in range(26)]
    huge: dict[str, Any] = {
        "format": "dizzle-level/1",
        "id": "huge",
        "name": "Huge",
        "grid": rows,
        "dice": {"1": 30},
        "rounds": {"1": 50},
    }
    usual = balance.plan_games(parse_level(GARDEN))
    assert usual[0] == (1, balance.SOLO_GAMES)
    assert balance.plan_games(parse_level(huge))[0] == (1, balance.MIN_GAMES)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_only_one_of_simultaneous_workers_claims_the_job() -> None:
    for _ in range(3):
        own = store.find(store.create(GARDEN))
        jobs.request_report(own.resource, store.level_of(own), REQUESTER)
    together = threading.Barrier(4)
    claimed: list[Job | None] = []

    def come(name: str) -> None:
        together.wait()
        try:
            claimed.append(queue.claim(name))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=come, args=(f"worker {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == 4
    assert sum(job is not None for job in claimed) == 1
    assert Job.objects.filter(state=Job.RUNNING).count() == 1


def test_level_is_compared_with_itself_before_a_change(client: Client, key: str) -> None:
    make_all(client, key)
    assert "Before the change" not in client.get(url(key)).content.decode()
    assert client.get(url(key), {"beside": "before"}).status_code == 400
    first = job_of(key).report
    # A repeated report of an unchanged level has no predecessor.
    make_all(client, key)
    access = store.find(key)
    act = {"do": "arrange", "how": "mirror", "row": 1}
    store.act(access, read_batch(json.dumps({"acts": [act]}).encode()).acts)
    counts = []
    for _again in range(3):
        make_all(client, key)
        counts.append(access.resource.balance_jobs.count())
    assert counts == [2, 3, 3]  # the new one, the last one, and the one before the change
    for asked in ({}, {"beside": "before"}):
        page = client.get(url(key), asked)
        assert page.status_code == 200
        assert page.context["chosen_name"] == "Before the change"
    assert client.get(url(key), {"beside": "level-3"}).context["chosen_id"] == "level-3"
    assert '<option value="before" selected' in page.content.decode()
    solo = next(panel for players, _words, panel in page.context["panels"] if players == 1)
    (boxes,) = [figure for figure in solo if figure.name == "beside-1"]
    (own,) = [row for row in boxes.rows if row[0] == "Before the change"]
    assert own[4] == str(first["settings"][0]["scores"]["median"])
    assert any(figure.name == "heat-1-beside" for figure in solo)


def test_two_own_levels_are_compared(client: Client, key: str) -> None:
    other = store.create(GARDEN | {"name": "Orchard"})
    make_all(client, key)
    for link in ("nonsense", "a" * 32):
        refused = client.post(url(key), {"do": "beside", "link": link})
        assert refused.status_code == 400
        assert "There is no such level to compare with." in refused.content.decode()
    refused = client.post(url(key), {"do": "beside", "link": other})
    assert refused.status_code == 409
    assert "“Orchard” has no report yet. Make it, and then compare." in unmarked(refused)
    assert f'href="{url(other)}"' in refused.content.decode()
    make_all(client, other)
    for link in (other, f"/workshop/{other}/", f"https://example.org/workshop/{other}/guide/done/"):
        page = client.post(url(key), {"do": "beside", "link": link})
        assert page.status_code == 200
        assert page.context["chosen_name"] == "Orchard"
        marked = '<bdi translate="no">Orchard</bdi>'
        assert f"<h3>Crossed fields ({marked}): " in page.content.decode()
        assert f'<th scope="col">{marked}</th>' in page.content.decode()


def test_report_shows_what_is_printed_on_the_fields_and_how_hard_it_is(
    client: Client, key: str
) -> None:
    make_all(client, key)
    page = client.get(url(key)).content.decode()
    heat = page.split('id="figure-heat-1"')[1].split("</svg>")[0]
    level = parse_level(GARDEN)
    symbols = [f for f in level.fields if f.symbol and f.symbol != "volcano"]
    assert heat.count("<use ") == len(symbols)
    for id in set(re.findall(r'href="#([\w-]+)"', heat)):
        assert f'id="{id}"' in page, "it is drawn on the page"
    assert "Difficulty: about" in page
    assert "Skill: playing alone" in page
