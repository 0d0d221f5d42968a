"""Tests of the number of database queries of a table: two or three for a tap."""

from __future__ import annotations

import asyncio
from threading import Thread

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sheets.access.keys import digest
from sheets.live import hub, sse
from sheets.models import Seat, Table
from sheets.tables import acts
from sheets.tables.access import find_access, renew
from sheets.tables.event_loader import load
from sheets.tables.page_state import PageState
from tests.dice2_tables import sit_down_for
from tests.table_fragments import FROM_SCRIPT
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def statements(client: Client, method: str, url: str, data: dict[str, object]) -> list[str]:
    """Return the queries of a request, without the statements of transactions."""
    with CaptureQueriesContext(connection) as asked:
        answer = getattr(client, method)(url, data, headers=FROM_SCRIPT)
    assert answer.status_code == 200
    marks = ("SAVEPOINT", "BEGIN", "COMMIT")
    return [q["sql"] for q in asked if not any(mark in q["sql"] for mark in marks)]


def test_an_act_returns_the_table_as_it_is_stored() -> None:
    party = sit_down(level=TINY)
    access = party.access(0)
    for done in (True, True, False):  # the second changes nothing
        moment = party.loaded.state.moment
        given = access = acts.set_done(access, 0, done, moment=moment, request="")
        stored = party.access(0)
        assert given.seats == stored.seats
        for name in ("revision", "length", "touched"):
            assert getattr(given.table, name) == getattr(stored.table, name)


@pytest.mark.django_db(transaction=True)  # a log is cached once it is committed
@pytest.mark.parametrize("game", ["dizzle", "dice2"])
def test_a_tap_takes_two_or_three_statements_and_a_refresh_one(game: str) -> None:
    """PostgreSQL stores it with one statement, SQLite with two."""
    party, sent = _party(game)
    client = client_of(party)
    client.get(f"/table/{party.code}/")  # the level is read once by each process
    sent |= {"player": 0, "moment": party.loaded.state.moment, "request": "request-of-a-tap"}
    of_a_tap = 2 if connection.vendor == "postgresql" else 3
    assert len(statements(client, "post", f"/table/{party.code}/act/", sent)) == of_a_tap
    assert len(statements(client, "get", f"/table/{party.code}/", {})) == 1


@pytest.mark.parametrize("game", ["dizzle", "dice2"])
def test_one_read_of_a_table_serves_all_its_streams(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, _sent = _party(game)
    streams: list[hub.Stream] = []

    async def open_streams() -> None:
        for token in ("", *party.tokens):
            streams.append(hub.Stream(party.code, digest(token) if token else "", "", "en"))

    # In a thread of its own: browser tests before it have a loop in this one.
    thread = Thread(target=asyncio.run, args=(open_streams(),))
    thread.start()
    thread.join()
    told: list[hub.News] = []
    monkeypatch.setattr(hub, "streams_at", lambda _code: streams)
    access = party.access()
    load(access)  # the level is read once by each process
    monkeypatch.setattr(hub, "send", told.extend)
    with CaptureQueriesContext(connection) as asked:
        sse.render(party.code, access.table.revision)
    assert len(asked) == 1
    assert [isinstance(news.state, PageState) for news in told] == [True] * len(streams)


@pytest.mark.parametrize("game", ["dizzle", "dice2"])
def test_compiled_queries_read_the_same_values_as_django(game: str) -> None:
    party, _sent = _party(game)
    for access in (find_access(party.code), renew(find_access(party.code))):
        real = Table.objects.defer("level").get(code=party.code)
        assert read_of(access.table) == read_of(real)
        assert [*map(read_of, access.all_seats)] == [*map(read_of, real.seats.all())]
        assert all(seat.table is access.table for seat in access.all_seats)
        assert access.table.level == Table.objects.get(code=party.code).level


def read_of(row: Table | Seat) -> dict[str, object]:
    """Return all values that were read of a row, with their types."""
    return {name: (type(value), value) for name, value in vars(row).items() if name != "_state"}


def _party(game: str) -> tuple[Party, dict[str, object]]:
    if game == "dizzle":
        return sit_down(level=TINY), {"do": "tap", "at": "b1"}
    return sit_down_for("four-wins"), {"do": "place", "at": "e5", "die": 3}
