"""Pages of the sheet of the day."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from sheets.daily import day as days
from sheets.daily.day import FIRST_DAY, LEVELS, level_of, newest_day
from sheets.daily.page_data import page_data
from sheets.groups import store
from sheets.simulation.balance.shipped_figures import shipped_totals
from tests.web.test_weight import LIMIT_BYTES, weigh

DAY = date(2026, 9, 24)


class FixedClock(datetime):
    """Clock that stands at 30 November 2026, 11:30 UTC."""

    @classmethod
    def now(cls, tz: Any = None) -> FixedClock:
        return cls(2026, 11, 30, 11, 30, tzinfo=UTC)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Pacific/Auckland", "2026-12-01"),
        ("Europe/Berlin", "2026-11-30"),
        ("Pacific/Honolulu", "2026-11-30"),
    ],
)
def test_today_is_the_day_in_the_visitors_zone(
    client: Client, monkeypatch: pytest.MonkeyPatch, zone: str, day: str
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", FixedClock.now)
    client.cookies["time_zone"] = zone
    assert client.get("/day/").headers["Location"] == f"/day/{day}/#today"


def test_newest_day_is_that_of_the_easternmost_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "datetime", FixedClock)
    assert newest_day() == date(2026, 12, 1)


@pytest.mark.django_db
def test_future_day_has_a_clear_sentence(client: Client) -> None:
    assert client.get(f"/day/{newest_day()}/").status_code == 200
    response = client.get("/day/2999-01-02/")
    assert response.status_code == 404
    assert "Wednesday, 2 January 2999 has not begun yet." in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("day", ["2025-12-31", "0001-01-01", "2026-02-30", "2026-1-1"])
def test_days_without_a_sheet(client: Client, day: str) -> None:
    assert client.get(f"/day/{day}/").status_code == 404


@pytest.mark.django_db
def test_first_day_has_no_earlier_ones(client: Client) -> None:
    page = client.get(f"/day/{FIRST_DAY}/").content.decode()
    assert "data-played" not in page


def kit_of(client: Client, day: date) -> dict[str, Any]:
    page = client.get(f"/day/{day}/").content.decode()
    found = re.search(r'<script id="kit" type="application/json">(.*?)</script>', page)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


@pytest.mark.django_db
def test_two_sites_have_the_same_sheet(client: Client, settings: Any) -> None:
    here = kit_of(client, DAY)
    settings.SECRET_KEY = "another site"  # noqa: S105
    there = kit_of(Client(), DAY)
    assert here == there
    assert here["passes"] != kit_of(client, DAY + timedelta(days=1))["passes"]


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(8))
def test_first_load_is_small(client: Client, number: int) -> None:
    its = (FIRST_DAY + timedelta(days=n) for n in range(400))
    day = next(one for one in its if level_of(one).id == LEVELS[number])
    parts = weigh(client, f"/day/{day}/")
    assert sum(parts.values()) < LIMIT_BYTES, parts


@pytest.mark.parametrize("level_id", LEVELS)
def test_bots_have_two_thousand_games_on_each_level(level_id: str) -> None:
    days_with = (FIRST_DAY + timedelta(days=n) for n in range(400))
    day = next(one for one in days_with if level_of(one).id == level_id)
    bots = page_data(day, level_of(day))["bots"]
    assert bots["games"] == sum(bots["counts"]) == 2000
    totals = shipped_totals()[level_id][1].totals
    assert bots["least"] == min(totals)
    assert bots["least"] + len(bots["counts"]) - 1 == max(totals)


@pytest.mark.django_db
def test_page_with_groups_is_private(client: Client) -> None:
    path = f"/day/{DAY}/"
    assert "no-store" not in client.get(path).headers.get("Cache-Control", "")
    key = store.create("Family")
    client.get(f"/groups/{key}/")
    response = client.get(path)
    assert f"/groups/{key}/day/keep/" in response.content.decode()
    assert "no-store" in response.headers["Cache-Control"]
    # A link that only shows a group cannot add results.
    visitor = Client()
    visitor.get(f"/groups/{store.find(key).share_key}/")
    assert "/day/keep/" not in visitor.get(path).content.decode()
