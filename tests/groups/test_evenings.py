"""Evenings with many games: pages of an evening, and the excerpt on the group's page."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from itertools import chain

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sheets.groups import paper_games_import, store
from sheets.groups.documents import FORMAT, GameFile, GroupFile, PlayerFile, ResultFile
from sheets.groups.evenings import GAMES_PER_PAGE, MAX_GAMES_SHOWN
from sheets.groups.group_file_import import import_group
from tests.page_text import unmarked

pytestmark = pytest.mark.django_db

EVENING = date(2026, 1, 17)


def create_group(games: int) -> str:
    """Create a group with games on one evening, game N worth N points; return its address."""
    begin = datetime(2026, 1, 17, 10, tzinfo=UTC)
    results = [[ResultFile(1, 0, points=n), ResultFile(2, 1, points=0)] for n in range(games)]
    played = [
        GameFile(begin + timedelta(minutes=n), EVENING, "sheets", of, {"en": "Moon"})
        for n, of in enumerate(results)
    ]
    people = [PlayerFile("Ana"), PlayerFile("Ben")]
    return f"/groups/{import_group(GroupFile(FORMAT, 'Club', people, [], played))}/"


def points_of_ana(page: str) -> list[int]:
    """Return Ana's points in the games of a page, in their order."""
    return [int(points) for points in re.findall(r"<bdi translate=\"no\">Ana</bdi> (\d+)", page)]


@pytest.mark.postgresql
def test_pages_of_an_evening_have_each_game_once_the_latest_first(client: Client) -> None:
    count = 2 * GAMES_PER_PAGE + 7
    url = f"{create_group(count)}evening/{EVENING}/"
    pages = [client.get(url).content.decode()]
    while older := re.search(r'href="([^"]*)">Older<', pages[-1]):
        pages.append(client.get(url + older[1]).content.decode())
    assert [len(points_of_ana(page)) for page in pages] == [GAMES_PER_PAGE, GAMES_PER_PAGE, 7]
    assert [*chain.from_iterable(map(points_of_ana, pages))] == [*range(count)][::-1]
    assert f"51 to 100 of {count}, the latest first." in pages[1]
    assert 'href="?page=2">Newer<' in pages[2]
    assert points_of_ana(client.get(f"{url}?page=x").content.decode()) == points_of_ana(pages[0])


def test_short_evening_has_one_page(client: Client) -> None:
    page = client.get(f"{create_group(GAMES_PER_PAGE)}evening/{EVENING}/").content.decode()
    assert len(points_of_ana(page)) == GAMES_PER_PAGE
    assert "Older" not in page
    assert "the latest first" not in page


@pytest.mark.postgresql
def test_group_page_shows_the_latest_games_of_an_evening_and_leads_to_all(client: Client) -> None:
    url = create_group(MAX_GAMES_SHOWN + 3)
    page = client.get(url).content.decode()
    assert points_of_ana(page) == [*range(3, MAX_GAMES_SHOWN + 3)][::-1]
    assert f"from {MAX_GAMES_SHOWN + 3} games with others" in page
    assert f'href="{url}evening/{EVENING}/"' in page
    assert "All games of 17 Jan 2026" in page
    short = client.get(create_group(MAX_GAMES_SHOWN)).content.decode()
    assert len(points_of_ana(short)) == MAX_GAMES_SHOWN
    assert "All games of" not in short


def test_view_link_leads_to_all_games_of_an_evening(client: Client) -> None:
    looking = f"/groups/{store.find(create_group(MAX_GAMES_SHOWN + 3).split('/')[2]).share_key}/"
    assert f'href="{looking}evening/{EVENING}/"' in client.get(looking).content.decode()
    page = client.get(f"{looking}evening/{EVENING}/").content.decode()
    assert len(points_of_ana(page)) == MAX_GAMES_SHOWN + 3
    assert "Save" not in page


def test_the_shown_games_decide_who_has_won_the_evening(client: Client) -> None:
    access = store.find(store.create("Club"))
    won = {"Moon": ("Ana", "Ben"), "Sun": ("Ben", "Ana")}
    paper_games_import.enter(
        access,
        [
            paper_games_import.PaperGame(EVENING, level, ((first, 9 + n), (second, 1)))
            for level, (first, second) in won.items()
            for n in range(2)
        ],
    )
    assert winners_on(client, f"/groups/{access.key}/") == "Ana, Ben"
    (digest,) = {game.level_digest for game in access.resource.games.filter(level_name__en="Sun")}
    assert winners_on(client, f"/groups/{access.key}/?level={digest}") == "Ben"


def winners_on(client: Client, url: str) -> str:
    """Return who has won the only evening of a page."""
    (winners,) = re.findall(r"Winner of the evening:\s*<b>(.+?)</b>", unmarked(client.get(url)))
    return winners


@pytest.mark.parametrize("below", ["", f"evening/{EVENING}/"])
def test_page_size_does_not_depend_on_games_that_are_not_shown(client: Client, below: str) -> None:
    sizes, queries = set(), set()
    for count in (GAMES_PER_PAGE + 10, 4 * GAMES_PER_PAGE):
        url = create_group(count)
        client.get(url)  # adds up the new games, and notes the visit
        with CaptureQueriesContext(connection) as captured:
            sizes.add(len(client.get(url + below).content) // 1000)
        queries.add(len(captured))
    assert len(queries) == 1
    assert max(sizes) - min(sizes) <= 1
