"""Evenings of games in the time zone where they were played."""

from __future__ import annotations

from datetime import UTC, date, datetime
from unittest.mock import patch
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from sheets.groups import store
from sheets.groups.documents import format_group, read_group
from sheets.groups.filters import ALL_GAMES, GameFilter
from sheets.groups.group_file_import import import_group
from sheets.groups.paper_games_import import PaperGame, correct, enter
from sheets.groups.player_statistics import statistics_of
from sheets.models import GroupGame
from sheets.scoring import store as scoring_store
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db

PLACES = {
    "Los Angeles, 21:30": ("America/Los_Angeles", "2026-07-05 04:30", "2026-07-04"),
    "New York, 00:35": ("America/New_York", "2026-07-05 04:35", "2026-07-04"),
    "New York, 04:05": ("America/New_York", "2026-07-05 08:05", "2026-07-05"),
    "Auckland, 15:00": ("Pacific/Auckland", "2026-07-04 03:00", "2026-07-04"),
    "Tokyo, 12:00": ("Asia/Tokyo", "2026-07-04 03:00", "2026-07-04"),
    "Kathmandu, 03:59": ("Asia/Kathmandu", "2026-07-04 22:14", "2026-07-04"),
    # At 02:00 it becomes 03:00: only three hours after midnight it is 04:00.
    "Berlin, 04:05 when summer time begins": ("Europe/Berlin", "2026-03-29 02:05", "2026-03-29"),
    "Berlin, 03:55 when summer time begins": ("Europe/Berlin", "2026-03-29 01:55", "2026-03-28"),
    # At 03:00 it becomes 02:00: five hours after midnight it is 04:00.
    "Berlin, 03:55 when it ends": ("Europe/Berlin", "2026-10-25 02:55", "2026-10-24"),
    "Berlin, 04:05 when it ends": ("Europe/Berlin", "2026-10-25 03:05", "2026-10-25"),
    "no time zone, 03:00 in UTC": ("", "2026-07-04 03:00", "2026-07-03"),
}


def at(moment: str) -> datetime:
    return datetime.fromisoformat(moment).replace(tzinfo=UTC)


def device_in(zone: str) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.cookies["time_zone"] = zone
    return client


def keep_scoring(client: Client, moment: str, group: str = "") -> GroupGame:
    """Score a sheet without crosses on a device and add it to a group, at one moment."""
    with patch.object(timezone, "now", lambda: at(moment)):
        link = client.post("/score/new/level-1/", {"count": 1, "name-1": "Ana"}).headers["Location"]
        key = link.split("/")[2]
        scoring_store.confirm_blank(scoring_store.find(key), 1)
        client.post(f"/groups/keep/score/{key}/", {"group": group, "name": "Family"})
    return GroupGame.objects.latest("pk")


@pytest.mark.postgresql
@pytest.mark.parametrize(("zone", "moment", "evening"), PLACES.values(), ids=PLACES)
def test_scored_sheet_belongs_to_the_evening_of_its_place(
    zone: str, moment: str, evening: str
) -> None:
    game = keep_scoring(device_in(zone), moment)
    assert game.evening == date.fromisoformat(evening)


def test_game_of_a_table_belongs_to_the_evening_of_its_place_whoever_keeps_it() -> None:
    with timezone.override("America/Los_Angeles"):
        party = finished_party()
    last = party.access().table.entries.last()
    assert last
    type(last).objects.filter(pk=last.pk).update(made=at("2026-07-05 04:30"))
    tokyo = device_in("Asia/Tokyo")
    tokyo.post(f"/groups/keep/table/{party.code}/", {"name": "Family"})
    game = GroupGame.objects.get()
    assert game.played == at("2026-07-05 04:30")
    assert game.evening == date(2026, 7, 4)


def test_group_in_two_time_zones_has_each_game_on_the_evening_of_its_place() -> None:
    """In Auckland the 1st of August has begun while it is the 31st of July in Los Angeles."""
    key = store.create("Family")
    keep_scoring(device_in("Pacific/Auckland"), "2026-08-01 04:00", key)
    keep_scoring(device_in("America/Los_Angeles"), "2026-08-01 05:00", key)
    group = store.find(key).resource
    evenings = [date(2026, 8, 1), date(2026, 7, 31)]
    assert [game.evening for game in group.games.order_by("number")] == evenings
    joined = store.find(import_group(read_group(format_group(group)).group)).resource
    for one in (group, joined):
        player = one.players.get()
        for choice in (ALL_GAMES, GameFilter(year=2026)):
            evenings = [evening for evening, _total in statistics_of(one, player, choice).totals]
            assert evenings == [date(2026, 7, 31), date(2026, 8, 1)], choice


def test_corrected_day_leaves_the_month_of_its_evening() -> None:
    access = store.find(store.create("Family"))
    typed = PaperGame(date(2026, 7, 31), "", (("Ana", 30),))
    # At 20:00 in Los Angeles it is August in UTC.
    with timezone.override("America/Los_Angeles"):
        enter(access, [typed])
    player = access.resource.players.get()
    for day in (typed.day, date(2026, 9, 5)):
        correct(access, 1, typed._replace(day=day))
        found = statistics_of(access.resource, player, ALL_GAMES)
        assert [evening for evening, _total in found.totals] == [day]


@pytest.mark.parametrize(
    ("zone", "moment", "today"),
    [
        ("America/Los_Angeles", "2026-07-05 04:30", "2026-07-04"),
        ("Pacific/Auckland", "2026-11-26 18:10", "2026-11-27"),
        ("", "2026-11-26 18:10", "2026-11-26"),
    ],
)
def test_prefilled_day_is_today_where_the_device_is(zone: str, moment: str, today: str) -> None:
    with patch.object(timezone, "now", lambda: at(moment)):
        page = device_in(zone).get(f"/groups/{store.create('Family')}/enter/").text
    assert f'value="{today}"' in page


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_link_to_bg_stats_has_the_evening_of_a_typed_game_in_utc(zone: str) -> None:
    """BG Stats shows the time, which is in UTC, in the time zone of the phone."""
    key = store.create("Family")
    with timezone.override(zone):
        typed = PaperGame(date(2026, 7, 4), "Castle", (("Ana", 30), ("Ben", 20)))
        enter(store.find(key), [typed])
    game = GroupGame.objects.get()
    assert game.played.astimezone(ZoneInfo(zone)).date() == game.evening == date(2026, 7, 4)
    link = device_in(zone).get(f"/groups/{key}/evening/2026-07-04/").text
    assert quote(f'"playDate":"{game.played:%Y-%m-%d %H:%M:%S}"', safe="") in link


@pytest.mark.parametrize(
    "name", ["Nowhere/City", "America", "../etc/passwd", "/etc", "\0", "é" * 9]
)
def test_unknown_time_zone_is_ignored(name: str) -> None:
    assert keep_scoring(device_in(name), "2026-07-04 03:00").evening == date(2026, 7, 3)
