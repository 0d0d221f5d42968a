"""Results of groups on sheets of the day: storage, refusals, malformed posts."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from sheets.daily.day import newest_day
from sheets.groups import daily_results, players, store
from sheets.models import DailyResult, Group, GroupGame
from tests.daily.played_days import played_day

pytestmark = pytest.mark.django_db

DAY = date(2026, 9, 24)


@pytest.fixture
def key() -> str:
    return store.create("Family")


def send(client: Client, key: str, **more: Any) -> Any:
    record, _ = played_day(DAY, 1)
    sent = {"id": "a" * 12, "day": str(DAY), "name": "Ana", "record": record} | more
    path = f"/groups/{key}/day/keep/"
    return client.post(path, json.dumps(sent), content_type="application/json")


def test_result_is_stored_once(client: Client, key: str) -> None:
    total = played_day(DAY, 1)[1].totals[-1]
    for again in ("a" * 12, "a" * 12, "b" * 12):
        response = send(client, key, id=again)
        assert response.status_code == 200
        assert response.json() == {"refusal": "", "results": [[1, "Ana", total]]}
    result = DailyResult.objects.get()
    assert (result.total, result.totals) == (total, played_day(DAY, 1)[1].totals)
    assert not GroupGame.objects.exists()


def test_equal_results_share_a_place(client: Client, key: str) -> None:
    for name in ("Ana", "Ben"):
        send(client, key, name=name)
    record, played = played_day(DAY, 2)
    results = send(client, key, name="Cem", record=record).json()["results"]
    totals = {1: played_day(DAY, 1)[1].totals[-1], 2: played.totals[-1]}
    assert totals[1] != totals[2]
    places = [place for place, _, _ in results]
    assert places == ([1, 1, 3] if totals[1] > totals[2] else [1, 2, 2])


def test_second_result_of_a_player_is_refused(client: Client, key: str) -> None:
    total = played_day(DAY, 1)[1].totals[-1]
    send(client, key)
    response = send(client, key, name=" ANA ", record=played_day(DAY, 2)[0])
    assert response.status_code == 422
    assert response.json()["refusal"] == f"Ana already has a result on this day: {total} points."
    assert DailyResult.objects.get().total == total


@pytest.mark.parametrize("name", ["", " ", "\u200b", "x" * 41])
def test_name_is_needed(client: Client, key: str, name: str) -> None:
    response = send(client, key, name=name)
    assert response.status_code == 422
    assert response.json()["refusal"] == "Enter your name: at most 40 letters."
    assert not DailyResult.objects.exists()


def test_full_group_takes_no_new_player(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "MAX_GROUP_PLAYERS", 1)
    send(client, key)
    response = send(client, key, name="Ben")
    assert response.status_code == 422
    assert response.json()["refusal"] == "This group has as many players as it can have."


@pytest.mark.parametrize(
    "more",
    [
        {"day": "2025-12-31"},
        {"day": "2026-02-30"},
        {"day": str(date(2999, 1, 1))},
        {"record": ""},
        {"record": "*"},
        {"record": "* z9"},
        {"record": "x" * 6001},
        {"record": None},
        {"record": ["*"]},
        {"name": 7},
        {"name": "x" * 161},
        {"name": None},
        {"id": "short"},
        {"total": 300},
    ],
    ids=lambda more: str(more)[:40],
)
def test_malformed_results_are_refused(client: Client, key: str, more: dict[str, Any]) -> None:
    assert send(client, key, **more).status_code == 400
    assert not DailyResult.objects.exists()


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"null", b"[" * 100_000])
def test_malformed_bodies_are_refused(client: Client, key: str, body: bytes) -> None:
    path = f"/groups/{key}/day/keep/"
    assert client.post(path, body, content_type="application/json").status_code == 400


def test_game_that_goes_on_after_its_end_is_refused(client: Client, key: str) -> None:
    record, _ = played_day(DAY, 1)
    assert send(client, key, record=f"{record} *").status_code == 400


def test_future_day_is_refused(client: Client, key: str) -> None:
    day = newest_day() + timedelta(days=1)
    record, _ = played_day(day, 1)
    assert send(client, key, day=str(day), record=record).status_code == 400


def test_view_link_shows_results_and_adds_none(client: Client, key: str) -> None:
    share = store.find(key).share_key
    send(client, key)
    assert send(client, share, name="Ben").status_code == 403
    for path in (f"/groups/{share}/day/", f"/groups/{share}/"):
        page = client.get(path).content.decode()
        assert "Ana" in page
        assert "/day/2026-09-24/" in page


def test_forgotten_player_has_no_results(client: Client, key: str) -> None:
    send(client, key)
    send(client, key, name="Ben")
    access = store.find(key)
    players.delete(access, 1)
    assert [result.player.name for result in DailyResult.objects.all()] == ["Ben"]
    # The name is new then.
    assert send(client, key).status_code == 200


def test_merged_players_are_one_person(client: Client, key: str) -> None:
    send(client, key)
    send(client, key, name="Benjamin", day="2026-09-23", record=played_day(date(2026, 9, 23))[0])
    access = store.find(key)
    players.merge(access, 2, 1)
    days = daily_results.latest_days(access.resource, 5)
    assert [[one.name for one in day.standings] for day in days] == [["Ana"], ["Ana"]]
    assert send(client, key, name="Benjamin", record=played_day(DAY, 2)[0]).status_code == 422


def test_latest_days_are_complete(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        for name in ("Ana", "Ben"):
            daily_results.add(store.find(key), name, DAY - timedelta(number), [number])
    monkeypatch.setattr(daily_results, "MAX_SHOWN", 5)
    days = daily_results.latest_days(store.find(key).resource, 5)
    assert [(day.day, len(day.standings)) for day in days] == [(DAY, 2), (DAY - timedelta(1), 2)]


def test_first_result_of_merged_players_counts(client: Client, key: str) -> None:
    (record, first), (better_record, better) = played_day(DAY, 3), played_day(DAY, 2)
    assert first.totals[-1] < better.totals[-1]
    send(client, key, record=record)
    send(client, key, name="Benjamin", record=better_record)
    access = store.find(key)
    players.merge(access, 2, 1)
    expected = [(1, "Ana", first.totals[-1])]
    assert daily_results.standings_of(access.resource, DAY) == expected
    (day,) = daily_results.latest_days(access.resource, 5)
    assert day.standings == expected


def test_results_are_deleted_with_the_group(client: Client, key: str) -> None:
    send(client, key)
    Group.objects.all().delete()
    assert not DailyResult.objects.exists()


def test_group_page_shows_the_latest_days(client: Client, key: str) -> None:
    for day in (DAY - timedelta(days=n) for n in range(5)):
        send(client, key, day=str(day), record=played_day(day)[0])
    assert client.get(f"/groups/{key}/").content.count(b"/day/2026-09-2") == 3
    assert client.get(f"/groups/{key}/day/").content.count(b"/day/2026-09-2") == 5


def test_results_are_not_in_the_documents_of_the_group(client: Client, key: str) -> None:
    send(client, key)
    document = client.get(f"/groups/{key}/group.json").json()
    assert "2026-09-24" not in json.dumps(document)
