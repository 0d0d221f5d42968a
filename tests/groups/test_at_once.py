"""Concurrent requests that add the same games or players to a group: each is stored once."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from functools import partial

import pytest

from sheets.documents.opened import read_any
from sheets.groups import entering, from_files, keeping, players, ratings, store
from sheets.levels import find_level
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult
from sheets.scoring import store as scoring_store
from tests.at_once import run_at_once
from tests.groups.played_games import scored
from tests.groups.test_from_files import game, sheets
from tests.tables.table_clients import finished_party

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

PHONES = 4
DAY = date(2025, 12, 1)
OTHERS_COME_S = 0.3
"""Time in which another connection reaches a transaction that has not ended."""


def from_phones(key: str, act: Callable[[str], object]) -> None:
    """Let several phones do the same with the group of a key; none may be refused."""
    assert run_at_once(*(partial(act, key) for _phone in range(PHONES))) == []


def test_one_result_that_several_keep_is_one_game() -> None:
    key = store.create("Family")
    scoring_key = scored({"Ana": 30, "Ben": 3})[0]
    code = finished_party("Ana", "Ben")

    def keep(key: str) -> None:
        keeping.keep(store.find(key), scoring_store.find(scoring_key).thing)
        keeping.keep(store.find(key), code.access().table)

    from_phones(key, keep)
    assert sorted(one.number for one in GroupGame.objects.all()) == [1, 2]
    assert (GroupResult.objects.count(), GroupPlayer.objects.count()) == (4, 2)


def test_one_table_that_several_paste_is_kept_once() -> None:
    key = store.create("Family")
    games = [
        entering.Entered(date(2025, 12, day), "Castle", (("Ana", 44), ("Ben", day)))
        for day in range(1, 9)
    ]
    from_phones(key, lambda key: entering.enter(store.find(key), games))
    assert sorted(one.number for one in GroupGame.objects.all()) == list(range(1, 9))
    assert GroupPlayer.objects.count() == 2


def test_one_file_that_several_bring_is_one_game_opened_or_not() -> None:
    key = store.create("Family")
    paper = read_any(sheets()).paper
    assert paper
    files = [from_files.read_file(text) for text in (sheets(), game())]

    def bring(key: str) -> None:
        from_files.take_in(store.find(key), files)
        opened = scoring_store.find(scoring_store.create_from_paper(paper))
        keeping.keep(store.find(key), opened.thing)

    from_phones(key, bring)
    assert sorted(one.kind for one in GroupGame.objects.all()) == ["sheets", "table"]
    assert GroupResult.objects.count() == 4


def test_who_is_renamed_meanwhile_is_still_one_person() -> None:
    key = store.create("Family")
    games = [entering.Entered(date(2025, 12, 1), "", (("Ana", 44), ("Ben", 3)))]
    entering.enter(store.find(key), games)
    acts: list[Callable[[], object]] = [
        partial(lambda: entering.enter(store.find(key), games)),
        partial(lambda: players.rename(store.find(key), 1, "Ana Maria")),
        partial(lambda: entering.enter(store.find(key), games)),
        partial(lambda: keeping.look_again(Group.objects.get())),
    ]
    assert run_at_once(*acts) == []
    assert (GroupGame.objects.count(), GroupPlayer.objects.count()) == (1, 2)


def test_ratings_of_several_pages_are_computed_once() -> None:
    key = store.create("Family")
    games = [
        entering.Entered(date(2025, month, 1), "Castle", (("Ana", 44), ("Ben", month)))
        for month in range(1, 13)
    ]
    entering.enter(store.find(key), games)
    group = Group.objects.get()

    def rate() -> None:
        assert ratings.update_ratings(group) == 0

    assert run_at_once(*[rate] * PHONES) == []
    courses = [ratings.course_of(player) for player in group.players.all()]
    assert [course[-1].games for course in courses] == [12, 12]


def test_people_of_a_game_that_is_over_and_of_one_that_comes_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = store.create("Family")
    # From 2020 on all has to be added up anyway, so that neither game changes the group's row.
    entering.enter(store.find(key), [entering.Entered(date(2020, 1, 1), "", (("Zoe", 5),))])
    scoring = scoring_store.find(scoring_store.create(find_level("level-1"), ["Ana", "Ben"]))
    keeping.keep(store.find(key), scoring.thing)
    for number in (1, 2):
        scoring_store.say_blank(scoring, number)
    known_as = keeping.known_as

    def known_slowly(*words: object) -> object:
        known = known_as(*words)
        time.sleep(OTHERS_COME_S)
        return known

    monkeypatch.setattr(keeping, "known_as", known_slowly)
    games = [entering.Entered(DAY, "", (("Ana", 44), ("Ben", 3)))]
    problems = run_at_once(
        lambda: keeping.look_again(store.find(key).thing),
        lambda: entering.enter(store.find(key), games),
    )
    assert problems == []
    assert not GroupGame.objects.filter(is_open=True).exists()
    assert (GroupResult.objects.count(), GroupPlayer.objects.count()) == (5, 3)
