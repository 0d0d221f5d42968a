"""Import of a file of an existing group: merged, each game once, or as a new group."""

from __future__ import annotations

import html
import json
import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import game_store, paper_games_import, players, store
from sheets.groups.documents import format_group, read_group
from sheets.groups.game_results import level_digest
from sheets.groups.group_file_import import import_group, import_into_group, preview_import
from sheets.groups.level_statistics import on_level
from sheets.groups.paper_games_import import ImportCounts, PaperGame
from sheets.levels import find_level
from sheets.models import Group, GroupGame, GroupResult
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from tests.dice2_tables import sit_down_for
from tests.groups.bot_games import add_bot_game
from tests.groups.played_games import create_scoring
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db


def create_group(client: Client, name: str = "Family") -> Access[Group]:
    """Create a group on the device."""
    url = client.post("/groups/new/", {"name": name}).headers["Location"]
    client.get(url)
    return store.find(url.split("/")[2])


def add_typed_game(
    access: Access[Group], day: int, *totals: tuple[str, int], level: str = ""
) -> ImportCounts:
    return paper_games_import.enter(access, [PaperGame(date(2025, 5, day), level, totals)])


def totals_by_game(access: Access[Group]) -> list[list[tuple[str, int | None]]]:
    """Return the totals by player, game by game in the order of play."""
    games = access.resource.games.filter(is_open=False).order_by("played", "number")
    return [
        sorted(
            (one.player.name if one.player else one.label, one.points) for one in game.results.all()
        )
        for game in games
    ]


def open_file(client: Client, content: bytes, **more: str) -> str:
    """Return the page after a file was opened."""
    sent = {"document": SimpleUploadedFile("g.json", content), **more}
    return client.post("/groups/file/", sent, follow=True).content.decode()


def answer_question(client: Client, page: str, **more: str) -> str:
    """Return the page after the question on a page was answered."""
    (sealed,) = re.findall('name="sealed" value="([^"]+)"', page)
    sent = {"sealed": html.unescape(sealed), **more}
    return client.post("/groups/file/", sent, follow=True).content.decode()


def add_games_of_each_kind(access: Access[Group]) -> None:
    dice2 = sit_down_for("last-man")
    dice2.play_on()
    tally = tally_store.create({"players": "2", "p0-gems": "3", "p1-gems": "1"})
    add_bot_game(access, ("Ana", "Ben"), 1)
    game_store.add_game(access, finished_party("Ana", "Ben").access().table)
    game_store.add_game(access, dice2.access().table)
    game_store.add_game(access, tally_store.find(tally).resource)
    add_typed_game(access, 1, ("Ana", 44), ("Ben", 51), level="Castle")
    add_typed_game(access, 1, ("Ana", 44), ("Ben", 51))


@pytest.mark.postgresql
def test_a_group_merged_with_its_own_file_stays_unchanged(client: Client) -> None:
    access = create_group(client)
    add_games_of_each_kind(access)
    before, content = totals_by_game(access), format_group(access.resource)
    page = open_file(client, content)
    assert "0 games would be added." in page
    assert "are there already." in page
    assert 'name="into"' not in page
    count = len(before)
    assert import_into_group(access, read_group(content).group) == ImportCounts(0, count)
    assert (totals_by_game(access), Group.objects.count()) == (before, 1)
    assert format_group(access.resource) == content


def test_two_diverged_groups_have_all_games_once_after_a_merge(client: Client) -> None:
    ours = create_group(client)
    add_games_of_each_kind(ours)
    theirs = store.find(import_group(read_group(format_group(ours.resource)).group))
    add_bot_game(ours, ("Ana", "Cleo"), 2)
    add_bot_game(theirs, ("Ben", "Dora"), 3)
    add_typed_game(theirs, 2, ("Ana", 7), ("Dora", 9))
    store.describe(theirs, date(2025, 5, 2), "At Dora's", "")
    theirs_too = [game for game in totals_by_game(theirs) if game not in totals_by_game(ours)]
    union = sorted([*totals_by_game(ours), *theirs_too], key=str)
    page = open_file(client, format_group(theirs.resource))
    assert "2 games would be added." in page
    assert '<bdi translate="no">Dora</bdi>' in page
    assert '<bdi translate="no">Cleo</bdi>' not in page
    kept = answer_question(client, page, into=ours.key)
    assert "2 games are added." in kept
    assert sorted(totals_by_game(ours), key=str) == union
    assert ours.resource.evenings.get().place == "At Dora's"
    # In the other direction one game is new, and then both have the same games.
    assert import_into_group(theirs, read_group(format_group(ours.resource)).group).new == 1
    assert sorted(totals_by_game(theirs), key=str) == union
    digest = level_digest(find_level("level-1"))
    shown = [on_level(access.resource, digest) for access in (ours, theirs)]
    assert [one.sheets for one in shown] == [shown[0].sheets] * 2
    crossed = [one.crossed for one in shown]
    assert crossed[0]
    assert crossed[1]
    assert crossed[0].counts == crossed[1].counts


def test_a_file_that_two_devices_send_at_once_is_imported_once(client: Client) -> None:
    ours = create_group(client)
    add_typed_game(ours, 1, ("Ana", 44), ("Ben", 51))
    other = store.find(import_group(read_group(format_group(ours.resource)).group))
    add_typed_game(other, 2, ("Ana", 4), ("Ben", 5))
    content = format_group(other.resource)
    pages = [open_file(client, content) for _device in "ab"]
    answers = [answer_question(client, page, into=ours.key) for page in pages]
    assert "1 game is added. 1 game was there already." in answers[0]
    assert "0 games are added. 2 games were there already." in answers[1]
    assert len(totals_by_game(ours)) == 2


@pytest.mark.postgresql
def test_players_are_matched_by_all_names_and_the_group_takes_precedence(client: Client) -> None:
    ours = create_group(client)
    add_typed_game(ours, 1, ("Ana", 1), ("Anna", 2), ("Ben", 3))
    add_typed_game(ours, 2, ("Tom", 1), ("Tommy", 2))
    content = format_group(ours.resource)
    theirs = store.find(import_group(read_group(content).group))
    players.rename(ours, 3, "Benjamin")
    players.rename(theirs, 1, "Nan")
    add_typed_game(theirs, 3, ("Nan", 8), ("Ben", 9))
    page = open_file(client, format_group(theirs.resource))
    assert re.search(
        '<bdi translate="no">Ben</bdi> is called <bdi translate="no">Benjamin</bdi> here.', page
    )
    assert '<bdi translate="no">Nan</bdi> is called <bdi translate="no">Ana</bdi> here.' in page
    answer_question(client, page, into=ours.key)
    assert totals_by_game(ours)[-1] == [("Ana", 8), ("Benjamin", 9)]
    assert ours.resource.players.count() == 5
    # Learnt names stay known.
    add_typed_game(ours, 4, ("Nan", 1), ("Ben", 2))
    assert totals_by_game(ours)[-1] == [("Ana", 1), ("Benjamin", 2)]


def test_a_game_that_is_twice_in_a_file_is_added_once(client: Client) -> None:
    ours = create_group(client)
    game_store.add_game(ours, create_scoring({"Ana": 30, "Ben": 3})[1])
    document = json.loads(format_group(ours.resource))
    document["games"] *= 2
    key = import_group(read_group(json.dumps(document).encode()).group)
    assert totals_by_game(store.find(key)) == totals_by_game(ours)


def test_a_deleted_player_stays_anonymous(client: Client) -> None:
    ours = create_group(client)
    add_typed_game(ours, 1, ("Ana", 1), ("Ben", 2))
    add_typed_game(ours, 2, ("Ana", 3), ("Ben", 4))
    content = format_group(ours.resource)
    store.delete_game(ours, 2)
    players.delete(ours, 2)
    page = open_file(client, content)
    assert "1 game would be added." in page
    assert "so their games say “someone”:" in page
    answer_question(client, page, into=ours.key)
    assert totals_by_game(ours) == [[("", 2), ("Ana", 1)], [("", 4), ("Ana", 3)]]


def test_only_the_remaining_one_of_merged_players_can_be_deleted(client: Client) -> None:
    ours = create_group(client)
    add_typed_game(ours, 1, ("Ana", 1), ("Anna", 2))
    add_typed_game(ours, 2, ("Anna", 3), ("Ben", 4))
    store.delete_game(ours, 1)
    players.merge(ours, 2, 1)
    before = format_group(ours.resource)
    assert client.post(f"/groups/{ours.key}/players/2/delete/").status_code == 404
    assert format_group(ours.resource) == before


def test_merged_players_who_meet_in_a_new_game_are_separated() -> None:
    ours = store.find(store.create("Family"))
    add_typed_game(ours, 1, ("Ana", 1), ("Tom", 2))
    add_typed_game(ours, 2, ("Annie", 3), ("Tom", 4))
    theirs = store.find(import_group(read_group(format_group(ours.resource)).group))
    players.merge(ours, 3, 1)
    add_typed_game(theirs, 3, ("Annie", 5), ("Ana", 6))
    # Existing games are recognised, although their players have changed.
    assert import_into_group(ours, read_group(format_group(theirs.resource)).group).new >= 1
    assert totals_by_game(ours)[-1] == [("Ana", 6), ("Annie", 5)]
    assert GroupResult.objects.filter(game__group=ours.resource, player__name="Annie").count() >= 2


def test_a_merged_pair_is_imported_as_one_player(client: Client) -> None:
    ours = store.find(store.create("Family"))
    add_typed_game(ours, 1, ("Ana", 1))
    theirs = store.find(store.create("Others"))
    add_typed_game(theirs, 2, ("Bob", 1), ("Ida", 2))
    add_typed_game(theirs, 3, ("Bobby", 3), ("Ida", 4))
    players.merge(theirs, 3, 1)
    coming = preview_import(ours.resource, read_group(format_group(theirs.resource)).group)
    assert (coming.new, sorted(coming.newcomers)) == (2, ["Bob", "Bobby", "Ida"])
    import_into_group(ours, read_group(format_group(theirs.resource)).group)
    assert totals_by_game(ours) == [
        [("Ana", 1)],
        [("Bob", 1), ("Ida", 2)],
        [("Bob", 3), ("Ida", 4)],
    ]


def test_a_group_that_was_renamed_is_found_by_its_games(client: Client) -> None:
    access = create_group(client)
    key, scoring = create_scoring({"Ana": 30, "Ben": 9})
    game_store.add_game(access, scoring)
    content = format_group(access.resource)
    store.rename(access, "Sundays")
    assert '<bdi translate="no">Sundays</bdi>' in open_file(client, content)
    assert scoring_store.find(key)
    # A device without the group does not learn that it exists.
    assert "You have this group already" not in open_file(Client(), content)
    # For another group there is no question.
    document = json.loads(content) | {"name": "Club", "games": []}
    assert "Club</bdi></h1>" in open_file(client, json.dumps(document).encode())


def test_a_viewer_imports_the_file_as_a_new_group(client: Client) -> None:
    access = store.find(store.create("Family"))
    add_typed_game(access, 1, ("Ana", 1))
    client.get(f"/groups/{access.share_key}/")
    page = open_file(client, format_group(access.resource))
    assert f'href="/groups/{access.share_key}/"' in page
    assert 'name="into"' not in page
    refused = answer_question(client, page, into=access.share_key or "")
    assert "This group is not there any more" in refused
    assert len(totals_by_game(access)) == GroupGame.objects.count() == 1
    assert "Family</bdi></h1>" in answer_question(client, page, again="yes")
    assert Group.objects.count() == 2
    assert (
        "Choose the file again."
        in client.post("/groups/file/", {"sealed": "x", "again": "yes"}).content.decode()
    )


def test_too_many_games_change_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    access = create_group(client)
    add_typed_game(access, 1, ("Ana", 1))
    other = store.find(store.create("Family"))
    add_typed_game(other, 2, ("Zoe", 1))
    monkeypatch.setattr("sheets.groups.game_store.MAX_GAMES", 1)
    page = answer_question(client, open_file(client, format_group(other.resource)), into=access.key)
    assert "This group has as many games as a group can have." in page
    assert access.resource.players.count() == 1
