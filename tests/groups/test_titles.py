"""Distinct and stable titles of levels with the same name, on all pages."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import game_store, store
from sheets.groups.filters import ALL_GAMES, level_names
from sheets.groups.game_results import level_digest
from sheets.groups.player_statistics import latest_solo_games
from sheets.groups.statistics import read_games, solo_in
from sheets.levels import find_level
from sheets.models import Group
from sheets.rules import Level, format_level, parse_level
from sheets.scoring import store as scoring_store
from tests.page_text import unmarked

pytestmark = pytest.mark.django_db

FIRST = find_level("level-1")
SECOND = parse_level({**format_level(FIRST), "rounds": {"1": 3, "2": 3}})
NAMES = {level_digest(FIRST): "Butterfly", level_digest(SECOND): "Butterfly, version 2"}


def play(access: Access[Group], level: Level, *names: str) -> None:
    key = scoring_store.create(level, list(names))
    scoring = scoring_store.find(key)
    for sheet in scoring.resource.sheets.all():
        scoring_store.confirm_blank(scoring, sheet.number)
    game_store.add_game(access, scoring_store.find(key).resource)


def create_versions() -> Access[Group]:
    access = store.find(store.create("Family"))
    for level in (FIRST, SECOND):
        play(access, level, "Ana", "Ben")
    return access


@pytest.mark.postgresql
def test_titles_stay_when_another_game_is_played() -> None:
    access = create_versions()
    assert level_names(access.resource) == NAMES
    for level in (FIRST, SECOND, FIRST):
        play(access, level, "Ana", "Ben")
        assert level_names(access.resource) == NAMES


def test_evenings_distinguish_levels_of_the_same_name(client: Client) -> None:
    access = create_versions()
    page = unmarked(client.get(f"/groups/{access.share_key}/"))
    assert "<b>Butterfly</b>" in page
    assert "<b>Butterfly, version 2</b>" in page


def test_solo_games_and_the_year_distinguish_levels_of_the_same_name(client: Client) -> None:
    access = create_versions()
    for _time in range(5):
        play(access, SECOND, "Ana")
    solo = solo_in(read_games(access.resource, ALL_GAMES))
    shown = latest_solo_games(access.resource, level_names(access.resource), solo)
    assert {one.title for one in shown} == {"Butterfly, version 2"}
    year = access.resource.games.first().evening.year
    page = unmarked(client.get(f"/groups/{access.share_key}/year/{year}/"))
    assert "Butterfly, version 2, 6 games" in page


def test_the_table_of_all_results_distinguishes_levels_and_games(client: Client) -> None:
    access = create_versions()
    play(access, SECOND, "Ana")
    text = client.get(f"/groups/{access.share_key}/results.csv").content.decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head[-2:] == ["Kind", "Game number"]
    assert [(row[1], *row[-2:]) for row in rows] == [
        ("Butterfly", "Scored sheets", "1"),
        ("Butterfly", "Scored sheets", "1"),
        ("Butterfly, version 2", "Scored sheets", "2"),
        ("Butterfly, version 2", "Scored sheets", "2"),
        ("Butterfly, version 2", "Scored sheets", "3"),
    ]
