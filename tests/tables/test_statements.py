"""How often does a table ask its database? A tap takes two or three, and all are told in one."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sheets.access.keys import digest
from sheets.live.news import Looker
from sheets.models import Seat, Table
from sheets.tables import play
from sheets.tables.access import find_access, renew
from sheets.tables.views.news import news_for
from tests.dice2_tables import sit_down_for
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

JSON = {"Accept": "application/json"}


def statements(client: Client, method: str, url: str, data: dict[str, object]) -> list[str]:
    """What a request asks the database, without the marks around a transaction."""
    with CaptureQueriesContext(connection) as asked:
        answer = getattr(client, method)(url, data, headers=JSON)
    assert answer.status_code == 200
    marks = ("SAVEPOINT", "BEGIN", "COMMIT")
    return [q["sql"] for q in asked if not any(mark in q["sql"] for mark in marks)]


def test_whoever_acts_is_given_the_table_as_it_is_stored() -> None:
    party = sit_down(level=TINY)
    access = party.access(0)
    for done in (True, True, False):  # the second changes nothing
        moment = party.loaded.state.moment
        given = access = play.set_done(access, 0, done, moment=moment, request="")
        stored = party.access(0)
        assert given.seats == stored.seats
        for name in ("revision", "length", "touched"):
            assert getattr(given.table, name) == getattr(stored.table, name)


@pytest.mark.django_db(transaction=True)  # a log is cached once it is committed
@pytest.mark.parametrize("game", ["dizzle", "dice2"])
def test_a_tap_takes_two_or_three_statements_and_a_refresh_one(game: str) -> None:
    """It is stored in one on PostgreSQL, and in two on SQLite, which knows none that does both."""
    party, sent = _party(game)
    client = client_of(party)
    client.get(f"/table/{party.code}/")  # the level is read once by each process
    sent |= {"player": 0, "moment": party.loaded.state.moment, "request": "request-of-a-tap"}
    of_a_tap = 2 if connection.vendor == "postgresql" else 3
    assert len(statements(client, "post", f"/table/{party.code}/act/", sent)) == of_a_tap
    assert len(statements(client, "get", f"/table/{party.code}/now/", {})) == 1


@pytest.mark.parametrize("game", ["dizzle", "dice2"])
def test_however_many_look_a_table_is_read_once_for_them(game: str) -> None:
    party, _sent = _party(game)
    lookers = [
        Looker(digest(token) if token else "", "", "en", {}) for token in ("", *party.tokens)
    ]
    news_for(party.code, lookers)
    with CaptureQueriesContext(connection) as asked:
        assert all(news_for(party.code, lookers))
    assert len(asked) == 1


@pytest.mark.parametrize("game", ["dizzle", "dice2"])
def test_what_is_read_of_a_table_is_what_django_reads(game: str) -> None:
    party, _sent = _party(game)
    for access in (find_access(party.code), renew(find_access(party.code))):
        real = Table.objects.defer("level").get(code=party.code)
        assert read_of(access.table) == read_of(real)
        assert [*map(read_of, access.everybody)] == [*map(read_of, real.seats.all())]
        assert all(seat.table is access.table for seat in access.everybody)
        assert access.table.level == Table.objects.get(code=party.code).level


def read_of(row: Table | Seat) -> dict[str, object]:
    """All that was read of a row, with the types it came in."""
    return {name: (type(value), value) for name, value in vars(row).items() if name != "_state"}


def _party(game: str) -> tuple[Party, dict[str, object]]:
    if game == "dizzle":
        return sit_down(level=TINY), {"do": "tap", "at": "b1"}
    return sit_down_for("four-wins"), {"do": "place", "at": "e5", "die": 3}
