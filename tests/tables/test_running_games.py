"""Tests of the list of a device's games on the start page."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from sheets.models import Entry, GameFile, Seat, Table
from sheets.tables import event_loader, game_files, seating
from sheets.tables.access import find_access
from tests.page_text import unmarked
from tests.table_games import sit_down
from tests.tables.table_clients import SHORT, client_of, finished_party

pytestmark = pytest.mark.django_db


def age(code: str, **ago: int) -> None:
    Table.objects.filter(code=code).update(touched=timezone.now() - timedelta(**ago))


def test_running_games_are_one_tap_away(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    page = client_of(party, 1).get("/").content.decode()
    assert f'href="/table/{party.code}/"' in page
    assert "Ana and Ben" in page
    assert "Round 1 of 2" in page
    plain = client.get("/")
    assert party.code not in plain.content.decode()
    assert plain["Cache-Control"] == "private, no-cache"
    assert "no-store" in client_of(party, 1).get("/")["Cache-Control"]


def test_the_start_page_says_that_a_player_is_awaited() -> None:
    party = sit_down(("Ana", "Ben"), "level-1", "rolled")
    assert "Your turn" in client_of(party, 0).get("/").content.decode()
    assert "Your turn" not in client_of(party, 1).get("/").content.decode()


def test_a_finished_game_stays_listed_with_its_result() -> None:
    party = finished_party()
    ana = client_of(party)
    age(party.code, days=2)
    page = unmarked(ana.get("/"))
    assert re.search(r"Results: \w+ −?\d+, \w+ −?\d+<", page)


def test_an_unused_table_is_listed_for_a_day() -> None:
    party = sit_down(("Ana", "Ben"), SHORT, start=False)
    ana = client_of(party)
    assert "Not begun yet" in ana.get("/").content.decode()
    age(party.code, days=2)
    assert party.code not in ana.get("/").content.decode()


@pytest.mark.postgresql
def test_only_the_latest_games_are_listed() -> None:
    party = sit_down(("Ana",), SHORT)
    for _ in range(8):
        other = sit_down(("Ana",), SHORT)
        Seat.objects.filter(table__code=other.code).update(
            token_digest=Seat.objects.get(table__code=party.code).token_digest
        )
    page = client_of(party).get("/").content.decode()
    assert page.count('class="card game"') == 3
    assert party.code not in page


def test_home_joins_by_code(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    assert 'action="/table/"' in client.get("/").content.decode()
    answer = client.post("/table/", {"code": party.code.lower()})
    assert answer.headers["Location"] == f"/table/{party.code}/"


@pytest.mark.postgresql
def test_prune_deletes_unused_tables_and_files() -> None:
    old, kept = finished_party(), finished_party(seed=2)
    game_files.store_game(event_loader.record_of(old.access()))
    key = game_files.store_game(event_loader.record_of(kept.access()))
    old_file = GameFile.objects.order_by("pk").first()
    assert old_file
    GameFile.objects.filter(pk=old_file.pk).update(touched=timezone.now() - timedelta(days=40))
    age(old.code, days=40)
    out = StringIO()
    call_command("prune", "--days=30", stdout=out)
    assert (
        out.getvalue()
        == "Deleted 0 scorings, 0 tallies, 1 tables, 1 game files, 0 levels, 0 groups.\n"
    )
    assert Table.objects.get().code == kept.code
    assert set(Entry.objects.values_list("table__code", flat=True)) == {kept.code}
    assert game_files.find(key).players == ("Ana", "Ben")


def test_a_game_whose_next_one_was_deleted_can_have_another() -> None:
    party = finished_party()
    code = seating.open_rematch(party.access())
    age(code, days=40)
    call_command("prune", "--days=30", stdout=StringIO())
    again = seating.open_rematch(party.access())
    assert again != code
    assert find_access(again)


def test_a_visited_file_is_not_pruned(client: Client) -> None:
    key = game_files.store_game(event_loader.record_of(finished_party().access()))
    GameFile.objects.update(touched=timezone.now() - timedelta(days=29))
    assert client.get(f"/table/file/{key}/").status_code == 200
    call_command("prune", "--days=28", stdout=StringIO())
    assert GameFile.objects.count() == 1
