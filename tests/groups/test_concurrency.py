"""Concurrent requests that add the same games or players to a group: each is stored once."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from functools import partial

import pytest

from sheets.documents.opened import read_any
from sheets.groups import game_files_import, game_store, paper_games_import, players, ratings, store
from sheets.levels import find_level
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult
from sheets.scoring import store as scoring_store
from tests.concurrency import run_at_once
from tests.groups.played_games import create_scoring
from tests.groups.test_game_files_import import game, sheets
from tests.tables.table_clients import finished_party

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

PHONES = 4
DAY = date(2025, 12, 1)
OTHERS_COME_S = 0.3
"""Time in which another connection reaches a transaction that has not ended."""


def run_on_phones(key: str, act: Callable[[str], object]) -> None:
    """Let several phones do the same with the group of a key; none may be refused."""
    assert run_at_once(*(partial(act, key) for _phone in range(PHONES))) == []


def test_a_result_added_concurrently_is_one_game() -> None:
    key = store.create("Family")
    scoring_key = create_scoring({"Ana": 30, "Ben": 3})[0]
    code = finished_party("Ana", "Ben")

    def keep(key: str) -> None:
        game_store.add_game(store.find(key), scoring_store.find(scoring_key).resource)
        game_store.add_game(store.find(key), code.access().table)

    run_on_phones(key, keep)
    assert sorted(one.number for one in GroupGame.objects.all()) == [1, 2]
    assert (GroupResult.objects.count(), GroupPlayer.objects.count()) == (4, 2)


def test_a_table_pasted_concurrently_is_added_once() -> None:
    key = store.create("Family")
    games = [
        paper_games_import.PaperGame(date(2025, 12, day), "Castle", (("Ana", 44), ("Ben", day)))
        for day in range(1, 9)
    ]
    run_on_phones(key, lambda key: paper_games_import.enter(store.find(key), games))
    assert sorted(one.number for one in GroupGame.objects.all()) == list(range(1, 9))
    assert GroupPlayer.objects.count() == 2


def test_a_file_imported_concurrently_is_one_game_opened_or_not() -> None:
    key = store.create("Family")
    paper = read_any(sheets()).paper
    assert paper
    files = [game_files_import.read_file(text) for text in (sheets(), game())]

    def bring(key: str) -> None:
        game_files_import.import_games(store.find(key), files)
        opened = scoring_store.find(scoring_store.create_from_paper(paper))
        game_store.add_game(store.find(key), opened.resource)

    run_on_phones(key, bring)
    assert sorted(one.kind for one in GroupGame.objects.all()) == ["sheets", "table"]
    assert GroupResult.objects.count() == 4


def test_a_player_renamed_concurrently_stays_one_player() -> None:
    key = store.create("Family")
    games = [paper_games_import.PaperGame(date(2025, 12, 1), "", (("Ana", 44), ("Ben", 3)))]
    paper_games_import.enter(store.find(key), games)
    acts: list[Callable[[], object]] = [
        partial(lambda: paper_games_import.enter(store.find(key), games)),
        partial(lambda: players.rename(store.find(key), 1, "Ana Maria")),
        partial(lambda: paper_games_import.enter(store.find(key), games)),
        partial(lambda: game_store.update_changed_games(Group.objects.get())),
    ]
    assert run_at_once(*acts) == []
    assert (GroupGame.objects.count(), GroupPlayer.objects.count()) == (1, 2)


def test_ratings_of_several_pages_are_computed_once() -> None:
    key = store.create("Family")
    games = [
        paper_games_import.PaperGame(date(2025, month, 1), "Castle", (("Ana", 44), ("Ben", month)))
        for month in range(1, 13)
    ]
    paper_games_import.enter(store.find(key), games)
    group = Group.objects.get()

    def rate() -> None:
        assert ratings.update_ratings(group) == 0

    assert run_at_once(*[rate] * PHONES) == []
    courses = [ratings.course_of(player) for player in group.players.all()]
    assert [course[-1].games for course in courses] == [12, 12]


def test_a_game_that_ends_and_a_new_game_share_their_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = store.create("Family")
    # From 2020 on all has to be added up anyway, so that neither game changes the group's row.
    paper_games_import.enter(
        store.find(key), [paper_games_import.PaperGame(date(2020, 1, 1), "", (("Zoe", 5),))]
    )
    scoring = scoring_store.find(scoring_store.create(find_level("level-1"), ["Ana", "Ben"]))
    game_store.add_game(store.find(key), scoring.resource)
    for number in (1, 2):
        scoring_store.confirm_blank(scoring, number)
    match_players = game_store.match_players

    def known_slowly(*words: object) -> object:
        known = match_players(*words)
        time.sleep(OTHERS_COME_S)
        return known

    monkeypatch.setattr(game_store, "match_players", known_slowly)
    games = [paper_games_import.PaperGame(DAY, "", (("Ana", 44), ("Ben", 3)))]
    problems = run_at_once(
        lambda: game_store.update_changed_games(store.find(key).resource),
        lambda: paper_games_import.enter(store.find(key), games),
    )
    assert problems == []
    assert not GroupGame.objects.filter(is_open=True).exists()
    assert (GroupResult.objects.count(), GroupPlayer.objects.count()) == (5, 3)
