"""Games added to a group: once each, retained after their sheets, matched with players."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from sheets.access.keys import Access, NotAllowed, delete_resource
from sheets.groups import game_store, players, store
from sheets.groups.game_results import level_digest
from sheets.levels import find_level
from sheets.models import Group, GroupGame, GroupResult, Scoring, Table
from sheets.rules import format_level, parse_level
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.scoring.score_view import score
from sheets.tables.access import find_access
from tests.concurrency import run_at_once
from tests.dice2_tables import sit_down_for
from tests.groups.page_parsers import tonight
from tests.groups.played_games import create_scoring
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db


def create_family() -> Access[Group]:
    return store.find(store.create("Family"))


def names(game: GroupGame) -> list[str]:
    return [str(row.player) for row in game.results.order_by("seat")]


@pytest.mark.postgresql
def test_a_scoring_is_stored_as_numbers() -> None:
    group, (key, scoring) = create_family(), create_scoring({"Ana": 40, "Ben": 10})
    game = game_store.add_game(group, scoring)
    assert not game.is_open
    first, second = game.results.order_by("seat")
    scores = score(scoring).result.scores
    assert [first.total, second.total] == [score.total for score in scores]
    assert first.parts == {name: points for name, points in scores[0].by_category.items() if points}
    assert (first.won + second.won, game.players) == (1.0, 2)
    assert {first.place, second.place} == {1, 2}
    assert game.level_name["de"]
    assert game.level_digest == level_digest(find_level("level-1"))
    delete_resource(scoring_store.find(key))
    game.refresh_from_db()
    assert game.scoring is None
    assert names(game) == ["Ana", "Ben"]


def test_two_devices_add_one_game_once() -> None:
    group, (_key, scoring) = create_family(), create_scoring({"Ana": 5})
    assert game_store.add_game(group, scoring) == game_store.add_game(group, scoring)
    assert (GroupGame.objects.count(), GroupResult.objects.count()) == (1, 1)
    assert game_store.add_game(create_family(), scoring)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_devices_that_add_a_game_at_the_same_time_add_it_once() -> None:
    group, (_key, scoring) = create_family(), create_scoring({"Ana": 5, "Ben": 3})
    assert run_at_once(*[lambda: game_store.add_game(group, scoring)] * 4) == []
    assert (GroupGame.objects.count(), GroupResult.objects.count()) == (1, 2)
    assert group.resource.players.count() == 2


def test_an_open_game_gets_its_results_when_it_ends() -> None:
    group = create_family()
    key = scoring_store.create(find_level("level-1"), ["Ana", "Ben"])
    access = scoring_store.find(key)
    game = game_store.add_game(group, access.resource)
    assert game.is_open
    for sheet in access.resource.sheets.all():
        scoring_store.confirm_blank(access, sheet.number)
    game_store.update_changed_games(group.resource)
    game.refresh_from_db()
    assert not game.is_open
    assert [row.won for row in game.results.all()] == [0.5, 0.5]
    # A player's name is corrected afterwards.
    scoring_store.rename(access, {1: "Ida"})
    game_store.update_changed_games(group.resource)
    assert names(game) == ["Ida", "Ben"]


def test_tables_of_both_games_and_tallies_are_added() -> None:
    group = create_family()
    party = finished_party("Ana", "Ben")
    game = game_store.add_game(group, find_access(party.code).table)
    assert (game.kind, game.is_open) == ("table", False)
    assert game.played == party.access().table.entries.order_by("number").last().made  # type: ignore[union-attr]
    dice2 = sit_down_for("square")
    table = find_access(dice2.code).table
    assert game_store.add_game(group, table).is_open
    while not dice2.game.is_finished:
        sitting = dice2.game
        assert sitting.game
        if sitting.phase == "throw":
            dice2.act("throw", sitting.player or 0)
            continue
        legal = sitting.game.legal()
        die = sitting.thrown or next((die for die in range(1, 7) if legal[die]), 1)
        at = next(iter(legal[die]), "")
        dice2.act("place" if at else "skip", sitting.player or 0, at, die=die)
    game_store.update_changed_games(group.resource)
    kept = GroupGame.objects.get(table=table)
    assert (kept.kind, kept.level_id, kept.is_open) == ("dice2", "square", False)
    assert kept.results.get().points == dice2.game.game.points[0]  # type: ignore[union-attr]
    typed = {"players": "2", "p0-name": "Ana", "p0-crosses": "9", "p1-nothing": "on"}
    tally = tally_store.find(tally_store.create(typed))
    assert game_store.add_game(group, tally.resource).kind == "tally"


def test_names_are_matched_and_people_without_one_stay_anonymous() -> None:
    group = create_family()
    game_store.add_game(group, create_scoring({"Ana": 5, "": 3})[1])
    game = game_store.add_game(group, create_scoring({"ANA ": 5, "Аna": 3, "Player 3": 1})[1])
    assert names(game)[0] == "Ana"
    assert group.resource.players.filter(name="Ana").count() == 1
    rows = list(GroupResult.objects.filter(player=None))
    assert [row.label for row in rows] == [""] * len(rows)


def test_two_players_are_merged_and_separated_again() -> None:
    group = create_family()
    first = game_store.add_game(group, create_scoring({"Ana": 5, "Ben": 3})[1])
    second = game_store.add_game(group, create_scoring({"Anna": 5, "Ben": 3})[1])
    ana, anna = group.resource.players.get(name="Ana"), group.resource.players.get(name="Anna")
    players.merge(group, anna.number, ana.number)
    assert names(second) == ["Ana", "Ben"]
    third = game_store.add_game(group, create_scoring({"anna": 5})[1])
    assert names(third) == ["Ana"]
    players.split_merged(group, anna.number)
    assert [names(game) for game in (first, second, third)] == [
        ["Ana", "Ben"],
        ["Anna", "Ben"],
        ["Anna"],
    ]


def test_a_forgotten_player_is_shown_as_someone() -> None:
    group = create_family()
    game = game_store.add_game(group, create_scoring({"Ana": 5, "Ben": 3})[1])
    players.delete(group, group.resource.players.get(name="Ana").number)
    assert names(game) == ["None", "Ben"]
    assert "Ana" not in str(list(GroupResult.objects.values()))
    assert "someone" in Client().get(f"/groups/{group.key}/").content.decode()


@pytest.mark.postgresql
def test_a_forgotten_player_does_not_come_back_when_a_game_changes() -> None:
    group = create_family()
    key, scoring = create_scoring({"Ana": 5, "Ben": 3})
    game = game_store.add_game(group, scoring)
    access = scoring_store.find(scoring_store.create(find_level("level-1"), ["ANA", "Ida"]))
    is_open = game_store.add_game(group, access.resource)
    number = group.resource.players.get(name="Ana").number
    players.rename(group, number, "Ana Maria")
    players.delete(group, number)
    # Another tap on sheets that were added already, and others that are ready only now.
    first = scoring_store.find(key)
    first.resource.sheets.get(number=1).marks.all().delete()
    scoring_store.confirm_blank(first, 1)
    Scoring.objects.filter(pk=scoring.pk).update(revision=99)
    for sheet in access.resource.sheets.all():
        scoring_store.confirm_blank(access, sheet.number)
    game_store.update_changed_games(group.resource)
    game.refresh_from_db()
    assert game.revision == 100
    assert names(game) == ["None", "Ben"]
    assert names(is_open) == ["None", "Ida"]
    assert sorted(one.name for one in group.resource.players.all()) == ["Ben", "Ida"]
    assert "ana" not in str(list(group.resource.forgotten.values())).casefold()
    # A player who uses that name from now on is a new one, without the old games.
    assert names(game_store.add_game(group, create_scoring({"Ana": 7})[1])) == ["Ana"]
    Scoring.objects.filter(pk=scoring.pk).update(revision=101)
    game_store.update_changed_games(group.resource)
    assert names(game) == ["None", "Ben"]


def test_a_renamed_player_is_also_known_by_the_old_name() -> None:
    group = create_family()
    _key, scoring = create_scoring({"Ana": 5, "Ben": 3})
    game = game_store.add_game(group, scoring)
    ana, ben = group.resource.players.order_by("number")
    players.rename(group, ana.number, "Ana Maria")
    assert names(game_store.add_game(group, create_scoring({"ana": 5})[1])) == ["Ana Maria"]
    Scoring.objects.filter(pk=scoring.pk).update(revision=99)
    game_store.update_changed_games(group.resource)
    assert names(game) == ["Ana Maria", "Ben"]
    assert group.resource.players.count() == 2
    # No other player gets that name, but its former owner may take it again.
    with pytest.raises(players.NameTaken) as taken:
        players.rename(group, ben.number, "Ana")
    assert taken.value.player == ana
    ben.refresh_from_db()
    assert ben.name == "Ben"
    players.rename(group, ana.number, "Ana")
    ana.refresh_from_db()
    assert (ana.name, ana.also) == ("Ana", ["Ana Maria"])


def test_a_viewer_adds_nothing() -> None:
    group = create_family()
    looker = store.find(group.share_key)
    with pytest.raises(NotAllowed):
        game_store.add_game(looker, create_scoring({"Ana": 5})[1])
    assert GroupGame.objects.count() == 0


def test_an_edited_level_is_another_level() -> None:
    level = find_level("level-1")
    document = dict(format_level(level))
    renamed = parse_level({**document, "name": {"en": "Mine"}})
    changed = parse_level({**document, "rounds": {"1": 3, "2": 3}})
    assert level_digest(renamed) == level_digest(level) != level_digest(changed)


@pytest.mark.postgresql
def test_games_stay_when_tables_and_sheets_are_pruned() -> None:
    group, party = create_family(), finished_party("Ana", "Ben")
    table = find_access(party.code).table
    game_store.add_game(group, create_scoring({"Ana": 5, "Ben": 3})[1])
    # It was opened for the group, and no page of the group was opened after its end.
    GroupGame.objects.create(
        group=group.resource,
        number=99,
        kind="table",
        table=table,
        played=timezone.now(),
        evening=tonight(),
    )
    long_ago = timezone.now() - timedelta(days=400)
    Scoring.objects.update(touched=long_ago)
    Table.objects.update(touched=long_ago)
    call_command("prune", "--days=365", stdout=StringIO())
    assert (Scoring.objects.count(), Table.objects.count()) == (0, 0)
    assert [names(game) for game in GroupGame.objects.order_by("number")] == [["Ana", "Ben"]] * 2


def test_a_group_is_pruned_after_two_years_and_warns_before() -> None:
    group = create_family()
    Group.objects.update(touched=timezone.now() - timedelta(days=720))
    call_command("prune", "--days=365", stdout=StringIO())
    page = Client().get(f"/groups/{group.key}/").content.decode()
    assert "almost two years" in page
    assert "almost two years" not in Client().get(f"/groups/{group.key}/").content.decode()
    Group.objects.update(touched=timezone.now() - timedelta(days=731))
    out = StringIO()
    call_command("prune", "--days=365", stdout=out)
    assert out.getvalue().endswith("1 groups.\n")
    assert Group.objects.count() == 0
