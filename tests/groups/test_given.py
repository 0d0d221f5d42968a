"""What somebody gave away, game by game: looked at for a group, kept with its games, and shown."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.test import Client

from sheets.access.keys import Access, NotAllowed
from sheets.analysis import given_away, looking
from sheets.beside import line
from sheets.beside.works import WORKS
from sheets.groups import documents, given, joining, keeping, players, store
from sheets.groups.filters import ALL, Choice
from sheets.models import GivenAway, Group, GroupGame, GroupPlayer, GroupResult, Job, Table
from tests.groups import shown
from tests.groups.played_games import scored
from tests.table_games import Party
from tests.tables.table_clients import client_of, finished_party
from tests.tables.test_look import rolled_party

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Notes the workers that would have been started, and plays very few games."""
    calls: list[bool] = []
    monkeypatch.setattr(line, "start_worker", lambda: calls.append(True))
    monkeypatch.setattr(line, "BEAT_SECONDS", 0)
    monkeypatch.setattr(looking, "TIMES", (12, 24, 24))
    monkeypatch.setattr(looking, "STARTS", (0, 16, 16))
    return calls


def family() -> Access[Group]:
    return store.find(store.create("Family"))


def kept(access: Access[Group], *parties: Party) -> list[GroupGame]:
    return [keeping.keep(access, party.access().table) for party in parties]


def somebody(access: Access[Group], name: str = "Ana") -> GroupPlayer:
    return access.thing.players.get(name=name)


def page(access: Access[Group], name: str = "Ana", key: str = "", query: str = "") -> str:
    number = somebody(access, name).number
    address = f"/groups/{key or access.key}/players/{number}/{query}"
    answer = Client().get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def post(access: Access[Group], do: str, name: str = "Ana", key: str = "") -> int:
    number = somebody(access, name).number
    address = f"/groups/{key or access.key}/players/{number}/looks/"
    return Client().post(address, {"do": do}).status_code


def test_a_solo_game_is_looked_at_and_shown(started: list[bool]) -> None:
    access = family()
    kept(access, rolled_party("Ana"))
    assert "Look at the last game that was not looked at" in page(access)
    assert post(access, "start") == 302
    waiting = page(access)
    assert started
    assert "1 game of this group is being looked at." in waiting
    assert 'value="start"' not in waiting
    assert line.work(WORKS) == 1
    done = page(access)
    assert "In the one game that was looked at, Ana gave away" in done
    assert 'value="start"' not in done
    assert "Where it goes" in done
    assert " style=" not in done
    row = GivenAway.objects.get()
    assert row.engine == given_away.ENGINE
    assert row.decisions == len(Job.objects.get().report["decisions"])
