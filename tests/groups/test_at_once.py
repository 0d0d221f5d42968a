"""Two devices that give a group the same thing in one moment: it has it once."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from functools import partial
from threading import Thread

import pytest
from django.db import connection

from sheets.documents.opened import read_any
from sheets.groups import bundling, entering, from_files, keeping, players, reckoning, store
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


def test_figures_of_several_pages_are_added_up_once() -> None:
    key = store.create("Family")
    games = [
        entering.Entered(date(2025, month, 1), "Castle", (("Ana", 44), ("Ben", month)))
        for month in range(1, 13)
    ]
    entering.enter(store.find(key), games)
    group = Group.objects.get()

    def add_up() -> None:
        assert reckoning.reckon(group) == bundling.freshen(group) == 0

    assert run_at_once(*[add_up] * PHONES) == []
    assert [sums.games for sums in reckoning.sums_of(group).values()] == [12, 12]
    assert sum(bundle.sums.games for bundle in bundling.bundles_of(group)) == 12


def test_game_that_comes_while_bundles_are_added_up_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It waits until they are stored, and then they are added up again."""
    key = store.create("Family")
    entering.enter(store.find(key), [entering.Entered(DAY, "Castle", (("Ana", 44), ("Ben", 3)))])

    def enter_another() -> None:
        another = entering.Entered(DAY, "Castle", (("Ana", 5), ("Ben", 45)))
        entering.enter(store.find(key), [another])
        connection.close()

    other, bundle_of = Thread(target=enter_another), bundling.bundle_of

    def bundle_slowly(*words: object) -> object:
        monkeypatch.setattr(bundling, "bundle_of", bundle_of)
        bundle = bundle_of(*words)
        other.start()
        other.join(OTHERS_COME_S)
        return bundle

    monkeypatch.setattr(bundling, "bundle_of", bundle_slowly)
    group = Group.objects.get()
    bundling.freshen(group)
    other.join()
    bundling.freshen(group)
    assert [bundle.sums.games for bundle in bundling.bundles_of(group)] == [2]


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
