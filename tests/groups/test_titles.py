"""Distinct and stable titles of levels with the same name, on all pages."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import keeping, store
from sheets.groups.filters import ALL, level_names
from sheets.groups.one_player import last_alone
from sheets.groups.played import level_digest
from sheets.groups.statistics import read_games, solo_in
from sheets.levels import find_level
from sheets.models import Group
from sheets.rules import Level, format_level, parse_level
from sheets.scoring import store as scoring_store

pytestmark = pytest.mark.django_db

FIRST = find_level("level-1")
SECOND = parse_level({**format_level(FIRST), "rounds": {"1": 3, "2": 3}})
NAMES = {level_digest(FIRST): "Butterfly", level_digest(SECOND): "Butterfly, version 2"}


def play(access: Access[Group], level: Level, *names: str) -> None:
    key = scoring_store.create(level, list(names))
    scoring = scoring_store.find(key)
    for sheet in scoring.thing.sheets.all():
        scoring_store.say_blank(scoring, sheet.number)
    keeping.keep(access, scoring_store.find(key).thing)


def versions() -> Access[Group]:
    access = store.find(store.create("Family"))
    for level in (FIRST, SECOND):
        play(access, level, "Ana", "Ben")
    return access


@pytest.mark.postgresql
def test_names_stay_when_one_more_game_is_played() -> None:
    access = versions()
    assert level_names(access.thing) == NAMES
    for level in (FIRST, SECOND, FIRST):
        play(access, level, "Ana", "Ben")
        assert level_names(access.thing) == NAMES


def test_the_evenings_tell_them_apart(client: Client) -> None:
    access = versions()
    page = client.get(f"/groups/{access.share_key}/").content.decode()
    assert "<b>Butterfly</b>" in page
    assert "<b>Butterfly, version 2</b>" in page


def test_the_games_alone_and_the_year_tell_them_apart(client: Client) -> None:
    access = versions()
    for _time in range(5):
        play(access, SECOND, "Ana")
    solo = solo_in(read_games(access.thing, ALL))
    shown = last_alone(access.thing, level_names(access.thing), solo)
    assert {one.title for one in shown} == {"Butterfly, version 2"}
    year = access.thing.games.first().evening.year
    page = client.get(f"/groups/{access.share_key}/year/{year}/").content.decode()
    assert "Butterfly, version 2, 6 games" in page


def test_the_table_of_all_results_tells_levels_and_games_apart(client: Client) -> None:
    access = versions()
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
