"""Bounded pages of groups with many players and levels, from which all can be reached."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sheets.groups.documents import FORMAT, GameFile, GroupFile, PlayerFile, ResultFile
from sheets.groups.filters import MAX_LEVELS
from sheets.groups.group_file_import import import_group
from sheets.groups.views.players import PLAYERS_PER_PAGE

pytestmark = pytest.mark.django_db

BEGIN = datetime(2026, 1, 17, 10, tzinfo=UTC)
MAX_BYTES = 300_000


def create_group(people: int, levels: int) -> str:
    """Create a group of ``people`` players, with a game of two on each level; return its URL."""
    games = [
        GameFile(
            BEGIN + timedelta(minutes=n),
            BEGIN.date(),
            "sheets",
            [
                ResultFile(1, n % people, points=30, won=1),
                ResultFile(2, (n + 1) % people, points=20),
            ],
            {"en": "Moon"},
            digest=f"{n:016x}",
        )
        for n in range(levels)
    ]
    names = [PlayerFile(f"Player {n:03}") for n in range(people)]
    return f"/groups/{import_group(GroupFile(FORMAT, 'Club', names, [], games))}/"


def players_on(page: str) -> list[str]:
    return re.findall(r'/players/\d+/"><bdi translate="no">([^<]+)', page)


def test_pages_of_players_have_each_player_once(client: Client) -> None:
    url = f"{create_group(200, 200)}players/"
    pages = [client.get(url).content.decode()]
    while further := re.search(r'href="([^"]*)">Further players<', pages[-1]):
        pages.append(client.get(url + further[1]).content.decode())
    assert {len(players_on(page)) for page in pages[:-1]} == {PLAYERS_PER_PAGE}
    assert [name for page in pages for name in players_on(page)] == [
        f"Player {n:03}" for n in range(200)
    ]
    assert max(len(page.encode()) for page in pages) < MAX_BYTES
    assert f'href="{url}">Earlier players<' in pages[1]


def test_player_of_a_refused_form_is_on_the_page_in_the_response(client: Client) -> None:
    url = f"{create_group(PLAYERS_PER_PAGE + 1, 30)}players/"
    last = PLAYERS_PER_PAGE + 1
    answer = client.post(url, {"number": last, "do": "rename", "name": "Player 000"})
    assert answer.status_code == 400
    assert players_on(answer.content.decode()) == [f"Player {PLAYERS_PER_PAGE:03}"]
    assert "is somebody else here already" in answer.content.decode()
    here = f"{url}?page=2"
    answer = client.post(here, {"number": last, "do": "rename", "name": "Zoe"})
    assert answer.headers["Location"] == here
    assert players_on(client.get(here).content.decode()) == ["Zoe"]


@pytest.mark.postgresql
def test_group_page_lists_the_levels_that_were_played_last(client: Client) -> None:
    count = MAX_LEVELS + 5
    url = create_group(2, count)
    page = client.get(url).content.decode()
    links = re.findall(rf'href="{url}levels/(\w+)/"', page)
    assert {int(digest, 16) for digest in links} == set(range(5, count))
    assert f"The {MAX_LEVELS} levels that were played last." in page
    on_first = client.get(f"{url}?level={0:016x}").content.decode()
    assert ">Moon <span" in on_first.partition("Only these games:")[2]
    few = client.get(create_group(2, MAX_LEVELS)).content.decode()
    assert "played last" not in few


@pytest.mark.slow
@pytest.mark.parametrize("below", ["", "players/1/", f"levels/{0:016x}/", "players/1/?players=2"])
def test_pages_of_a_group_with_many_levels_are_small(client: Client, below: str) -> None:
    assert len(client.get(f"{create_group(2, 800)}{below}").content) < MAX_BYTES / 2


@pytest.mark.parametrize("below", ["", f"evening/{BEGIN.date()}/"])
def test_titles_of_levels_take_one_query_a_page(client: Client, below: str) -> None:
    url = create_group(2, 5)
    client.get(url)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url + below).status_code == 200
    assert sum('MIN("sheets_groupgame"."number")' in one["sql"] for one in queries) == 1
