"""Filters of a group's games in the query string, and in the links of pages."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from html import unescape

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.art.svg import PREFIX, mark_ids
from sheets.groups import game_store, store
from sheets.groups.crossed_fields import Crossed, usual_marks
from sheets.groups.filters import ALL_GAMES, GameFilter
from sheets.groups.game_results import level_digest
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.statistics import read_games
from sheets.groups.year import year_of
from sheets.levels import find_level
from sheets.models import Group, GroupGame, Scoring
from sheets.rules.rails import find_routes
from sheets.scoring import store as scoring_store
from tests.groups.bot_games import add_bot_game, evening_on, move_to_evening

pytestmark = pytest.mark.django_db

BUTTERFLY = level_digest(find_level("level-1"))
RAILS = "level-8"


def create_club() -> Access[Group]:
    """Create a group with six games of Ana and Ben in 2024 and one of Ana and Ida in 2025."""
    access = store.find(store.create("Club"))
    days = [date(2024, 3, day) for day in range(1, 7)]
    enter(access, [PaperGame(day, "Butterfly", (("Ana", 9), ("Ben", day.day))) for day in days])
    _key, kept, game = add_bot_game(access, ("Ana", "Ida"), 1)
    move_to_evening(kept, game, evening_on(2025, 5, 1))
    return access


@pytest.mark.parametrize(
    ("below", "asked", "leads_to"),
    [
        ("", "?kind=sheets&year=2025", "?year=2025&kind=sheets"),
        ("", "?year=2025&level=&players=&kind=", "?year=2025"),
        ("", "?year=nineteen&level=x&players=99&kind=chess&page=0&more=1", ""),
        ("", "?page=2&year=2024", "?year=2024&page=2"),
        ("players/", "?players=02&page=2", "?players=2&page=2"),
        ("players/1/", "?year=02024", ""),
        (f"levels/{BUTTERFLY}/", f"?level={BUTTERFLY}&players=2", "?players=2"),
    ],
)
def test_a_filter_has_one_address(client: Client, below: str, asked: str, leads_to: str) -> None:
    url = f"/groups/{create_club().key}/{below}"
    answer = client.get(url + asked)
    assert (answer.status_code, answer.headers["Location"]) == (302, url + leads_to)
    assert client.get(url + leads_to).status_code == 200


def test_links_keep_the_filter_and_each_part_can_be_removed(client: Client) -> None:
    group = f"/groups/{create_club().key}/"
    chosen = "?year=2025&players=2"
    leads: dict[str, tuple[str, ...]] = {
        "": ("players/", "players/1/", f"levels/{BUTTERFLY}/"),
        "players/": ("", "players/1/"),
        "players/1/": ("", f"levels/{BUTTERFLY}/", "players/3/"),
        f"levels/{BUTTERFLY}/": ("",),
    }
    for below, others in leads.items():
        page = unescape(client.get(f"{group}{below}{chosen}").content.decode())
        for other in others:
            assert f'href="{group}{other}{chosen}"' in page, (below, other)
        for query in ("?players=2", "?year=2025", ""):
            assert f'href="{group}{below}{query}"' in page, (below, query)
        assert '<option value="2025" selected>' in page
        assert "Show all games" in page
        assert "Only these games" not in client.get(group + below).content.decode()
    on_level = f"{group}players/1/?year=2025&level={BUTTERFLY}"
    page = unescape(client.get(on_level).content.decode())
    assert f'href="{group}levels/{BUTTERFLY}/?year=2025"' in page
    assert f'href="{group}?year=2025&level={BUTTERFLY}"' in page
    page = unescape(client.get(f"{group}?year=2024").content.decode())
    assert f'href="{group}year/2024/"' in page
    page = client.get(f"{group}year/2024/").content.decode()
    assert f'href="{group}?year=2024"' in page


@pytest.mark.postgresql
def test_the_list_of_players_has_those_who_have_played(client: Client) -> None:
    access = create_club()
    url = f"/groups/{access.key}/players/?year=2025"
    for query, counts in (("", [7, 6, 1]), ("?year=2024", [6, 6]), ("?year=2025", [1, 1])):
        page = client.get(f"/groups/{access.key}/players/{query}").content.decode()
        assert [int(count) for count in re.findall(r"<p>(\d+) games?</p>", page)] == counts
    sent = {"number": 3, "do": "rename", "name": "Ada"}
    assert client.post(url, sent).headers["Location"] == url
    assert '<bdi translate="no">Ada</bdi>' in client.get(url).content.decode()
    # Players that can be edited are listed for any filter.
    refused = client.post(url, {"number": 2, "do": "rename", "name": "Ada"})
    assert refused.status_code == 400
    assert "is somebody else here already" in refused.content.decode()
    page = client.get(f"/groups/{access.key}/players/?kind=dice2").content.decode()
    assert "No game matches." in page


def test_a_level_that_was_never_played_is_not_found(client: Client) -> None:
    access = create_club()
    page = client.get(f"/groups/{access.key}/?level={'0' * 16}").content.decode()
    assert "Level not known" in page
    assert "No game matches." in page
    assert client.get(f"/groups/{access.key}/levels/{'0' * 16}/").status_code == 404


def games_by_year(group: Group) -> dict[int, int]:
    return Counter(game.evening.year for game in read_games(group, ALL_GAMES))


@pytest.mark.postgresql
def test_added_changed_and_deleted_games_are_counted() -> None:
    access = create_club()
    group = access.resource
    assert games_by_year(group) == {2024: 6, 2025: 1}
    key, kept, game = add_bot_game(access, ("Ana", "Ben", "Tom"), 2)
    move_to_evening(kept, game, evening_on(2024, 1, 1))
    assert games_by_year(group) == {2024: 7, 2025: 1}
    assert [len(one.seats) for one in read_games(group, GameFilter(2024, players=3))][:1] == [3]
    scoring = scoring_store.find(key)
    scoring.resource.sheets.get(number=1).marks.all().delete()
    Scoring.objects.filter(pk=scoring.resource.pk).update(revision=99)
    game_store.update_changed_games(group)
    assert games_by_year(group) == {2024: 6, 2025: 1}
    for number in list(group.games.values_list("number", flat=True)):
        store.delete_game(access, number)
    assert games_by_year(group) == {}


def test_open_games_have_neither_players_nor_bots_to_choose() -> None:
    access = store.find(store.create("Club"))
    key, _kept, _game = add_bot_game(access, ("Ana", "Ben"), 1)
    scoring_store.find(key).resource.sheets.get(number=1).marks.all().delete()
    Scoring.objects.update(revision=99)
    game_store.update_changed_games(access.resource)
    for choice, count in (
        (GameFilter(players=2), 0),
        (GameFilter(bots="without"), 0),
        (ALL_GAMES, 1),
    ):
        assert access.resource.games.filter(choice.games()).count() == count


def test_a_filter_with_few_games_allows_no_conclusion(client: Client) -> None:
    access = create_club()
    for below in ("players/1/", f"levels/{BUTTERFLY}/"):
        page = client.get(f"/groups/{access.key}/{below}").content.decode()
        assert "On average" in page
        page = client.get(f"/groups/{access.key}/{below}?year=2025").content.decode()
        assert not re.search(r"<t?d[^>]*>\d+[.,]\d", page)
        assert "figure-totals" not in page


def test_the_typical_rail_sheet_has_tracks_that_join(client: Client) -> None:
    access = store.find(store.create("Club"))
    games = [add_bot_game(access, ("Ana", "Ben"), seed, RAILS)[2] for seed in range(6)]
    year = GroupGame.objects.all()[0].evening.year
    favourite = year_of(access.resource, year).favourite
    assert favourite
    assert favourite.crossed
    level, sheets = games[0].level, [sheet for game in games for sheet in game.sheets]
    often = {
        field.name
        for index, field in enumerate(level.fields)
        if 2 * sum(sheet.crosses >> index & 1 for sheet in sheets) >= len(sheets)
    }
    assert set(favourite.usual) == often - set(level.printed_tracks)
    assert all(mark in ("NS", "EW", "NE", "ES", "SW", "NW") for (mark,) in favourite.usual.values())
    page = client.get(f"/groups/{access.share_key}/year/{year}/").content.decode()
    assert "they are drawn so that they join" in page
    for (shape,) in favourite.usual.values():
        assert all(f'id="{PREFIX}{id}"' in page for id in mark_ids([shape]))
    assert client.get(f"/groups/{access.share_key}/year/{year}/year.png").status_code == 200


def test_a_track_that_all_players_drew_is_on_the_typical_sheet() -> None:
    level = find_level(RAILS)
    drawn = ("a1", "b1", "c1", "c2", "c3", "b3", "a3", "a2")
    counts = [9 if field.name in drawn else 0 for field in level.fields]
    usual = usual_marks(Crossed(level, False, 9, 9, counts), drawn)
    tracks = {level.index[name]: shape for name, (shape,) in usual.items()}
    assert len(tracks) == len(drawn)
    routes = find_routes(level, tracks)
    assert len(routes) == 1
