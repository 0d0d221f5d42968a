"""Day of a game on the pages and pictures of its result."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.utils import timezone

from sheets.groups import game_store, store
from sheets.models import Entry, Scoring, Tally
from tests.groups.played_games import create_scoring
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 28)
ENGLISH, GERMAN = "Saturday, 28 November 2026", "Samstag, 28. November 2026"
TALLY = {"players": "2", "p0-crosses": "4", "p1-crosses": "5", "p0-nothing": "on"}


def end_at(code: str, *moment: int) -> None:
    when = timezone.make_aware(datetime(*moment))
    Entry.objects.filter(table__code=code).update(made=when)


def forget_creation() -> None:
    """Make scorings and tallies older than the field that says when they were created."""
    Scoring.objects.update(created=None)
    Tally.objects.update(created=None)


def file_name(client: Client, path: str, kind: str = "image/png") -> str:
    answer = client.get(path)
    assert answer.headers["Content-Type"] == kind
    return answer.headers["Content-Disposition"]


def table_name(client: Client, path: str) -> str:
    return file_name(client, f"{path}scores.csv", "text/csv; charset=utf-8")


def test_result_of_a_table_shows_the_evening_on_which_it_ended(client: Client) -> None:
    code = finished_party().code
    end_at(code, 2026, 11, 29, 0, 35)
    assert ENGLISH in client.get(f"/table/{code}/").text
    assert (
        ENGLISH
        in client.get(f"/table/{code}/?stage=over", headers={"HX-Request": "true"}).content.decode()
    )
    assert GERMAN in client.get(f"/table/{code}/", headers={"accept-language": "de"}).text
    for path, name in (("result", "2026-11-28"), ("0", "2026-11-28-1")):
        drawn = f"/table/{code}/{path}.png"
        assert file_name(client, drawn) == f'inline; filename="dizzle-garden-{name}.png"'
    assert table_name(client, f"/table/{code}/") == (
        'attachment; filename="dizzle-garden-2026-11-28.csv"'
    )
    before = [client.get(f"/table/{code}/{path}.png").content for path in ("result", "0")]
    end_at(code, 2026, 11, 29, 20, 0)
    after = [client.get(f"/table/{code}/{path}.png").content for path in ("result", "0")]
    assert all(old != new for old, new in zip(before, after, strict=True))


def test_result_of_sheets_shows_the_evening_of_their_group(client: Client) -> None:
    key, scoring = create_scoring({"Ana": 30, "Ben": 3})
    forget_creation()
    path = f"/score/{key}/"
    assert not re.search(r" \d{4}</p>", client.get(path).text)
    assert file_name(client, f"{path}result.png") == 'inline; filename="dizzle-butterfly.png"'
    assert table_name(client, path) == 'attachment; filename="dizzle-butterfly.csv"'
    assert file_name(client, f"{path}2/sheet.png") == 'inline; filename="dizzle-butterfly-2.png"'
    undated = [client.get(f"{path}{name}.png").content for name in ("result", "2/sheet")]
    game = game_store.add_game(store.find(store.create("Family")), scoring)
    type(game).objects.update(evening=DAY)
    assert ENGLISH in client.get(path).text
    dated = [client.get(f"{path}{name}.png").content for name in ("result", "2/sheet")]
    assert all(old != new for old, new in zip(undated, dated, strict=True))
    assert 'dizzle-butterfly-2026-11-28.png"' in file_name(client, f"{path}result.png")
    assert 'dizzle-butterfly-2026-11-28.csv"' in table_name(client, path)


def test_result_of_sheets_in_no_group_shows_the_evening_on_which_they_were_scored(
    client: Client,
) -> None:
    url = begin(client, GARDEN)
    Scoring.objects.update(
        created=datetime(2026, 11, 29, 7, tzinfo=UTC), time_zone="America/Los_Angeles"
    )
    assert ENGLISH in client.get(url).text
    forget_creation()
    assert "2026" not in client.get(url).text.partition("<h1")[2].partition("</header>")[0]


def test_result_of_a_tally_shows_the_evening_of_its_group(client: Client) -> None:
    path = client.post("/tally/new/", TALLY).headers["Location"]
    forget_creation()
    undated = [client.get(f"{path}result.{kind}").content for kind in ("png", "pdf")]
    game = game_store.add_game(store.find(store.create("Family")), Tally.objects.get())
    assert not game.is_open
    type(game).objects.update(evening=DAY)
    assert ENGLISH in client.get(path).text
    dated = [client.get(f"{path}result.{kind}").content for kind in ("png", "pdf")]
    assert all(old != new for old, new in zip(undated, dated, strict=True))
    assert file_name(client, f"{path}result.png") == (
        'inline; filename="dizzle-tally-2026-11-28.png"'
    )
    assert table_name(client, path) == 'attachment; filename="dizzle-tally-2026-11-28.csv"'
