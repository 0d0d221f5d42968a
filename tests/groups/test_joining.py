"""Import of a group's file where the group exists: joined, each game once, or as a new group."""

from __future__ import annotations

import html
import json
import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import entering, keeping, players, store
from sheets.groups.documents import format_group, read_group
from sheets.groups.entering import Entered, Kept
from sheets.groups.joining import join, look_into, take_in
from sheets.groups.one_level import on_level
from sheets.groups.played import level_digest
from sheets.levels import find_level
from sheets.models import Group, GroupGame, GroupResult
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from tests.dice2_tables import sit_down_for
from tests.groups.bot_games import keep_game
from tests.groups.played_games import scored
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db


def begun(client: Client, name: str = "Family") -> Access[Group]:
    """A group that the device has."""
    url = client.post("/groups/new/", {"name": name}).headers["Location"]
    client.get(url)
    return store.find(url.split("/")[2])


def typed(access: Access[Group], day: int, *totals: tuple[str, int], level: str = "") -> Kept:
    return entering.enter(access, [Entered(date(2025, 5, day), level, totals)])


def told(access: Access[Group]) -> list[list[tuple[str, int | None]]]:
    """Who had how much, game by game as they are played."""
    games = access.thing.games.filter(is_open=False).order_by("played", "number")
    return [
        sorted(
            (one.player.name if one.player else one.label, one.points) for one in game.results.all()
        )
        for game in games
    ]


def opened(client: Client, content: bytes, **more: str) -> str:
    """The page after a file was opened."""
    sent = {"document": SimpleUploadedFile("g.json", content), **more}
    return client.post("/groups/file/", sent, follow=True).content.decode()


def asked(client: Client, page: str, **more: str) -> str:
    """The page after what another one has asked was answered."""
    (sealed,) = re.findall('name="sealed" value="([^"]+)"', page)
    sent = {"sealed": html.unescape(sealed), **more}
    return client.post("/groups/file/", sent, follow=True).content.decode()


def some_of_each_kind(access: Access[Group]) -> None:
    dice2 = sit_down_for("last-man")
    dice2.play_on()
    tally = tally_store.create({"players": "2", "p0-gems": "3", "p1-gems": "1"})
    keep_game(access, ("Ana", "Ben"), 1)
    keeping.keep(access, finished_party("Ana", "Ben").access().table)
    keeping.keep(access, dice2.access().table)
    keeping.keep(access, tally_store.find(tally).thing)
    typed(access, 1, ("Ana", 44), ("Ben", 51), level="Castle")
    typed(access, 1, ("Ana", 44), ("Ben", 51))


@pytest.mark.postgresql
def test_a_group_joined_with_its_own_file_stays_what_it_is(client: Client) -> None:
    access = begun(client)
    some_of_each_kind(access)
    before, content = told(access), format_group(access.thing)
    page = opened(client, content)
    assert "0 games would be added." in page
    assert "are there already." in page
    assert 'name="into"' not in page
    count = len(before)
    assert join(access, read_group(content).group) == Kept(0, count)
    assert (told(access), Group.objects.count()) == (before, 1)
    assert format_group(access.thing) == content


def test_two_phones_that_went_apart_have_all_games_once(client: Client) -> None:
    ours = begun(client)
    some_of_each_kind(ours)
    theirs = store.find(take_in(read_group(format_group(ours.thing)).group))
    keep_game(ours, ("Ana", "Cleo"), 2)
    keep_game(theirs, ("Ben", "Dora"), 3)
    typed(theirs, 2, ("Ana", 7), ("Dora", 9))
    store.describe(theirs, date(2025, 5, 2), "At Dora's", "")
    theirs_too = [game for game in told(theirs) if game not in told(ours)]
    union = sorted([*told(ours), *theirs_too], key=str)
    page = opened(client, format_group(theirs.thing))
    assert "2 games would be added." in page
    assert '<bdi translate="no">Dora</bdi>' in page
    assert '<bdi translate="no">Cleo</bdi>' not in page
    kept = asked(client, page, into=ours.key)
    assert "2 new" in kept
    assert sorted(told(ours), key=str) == union
    assert ours.thing.evenings.get().place == "At Dora's"
    # The other way about there is one to come, and then both have the same.
    assert join(theirs, read_group(format_group(ours.thing)).group).new == 1
    assert sorted(told(theirs), key=str) == union
    digest = level_digest(find_level("level-1"))
    shown = [on_level(access.thing, digest) for access in (ours, theirs)]
    assert [one.sheets for one in shown] == [shown[0].sheets] * 2
    crossed = [one.crossed for one in shown]
    assert crossed[0]
    assert crossed[1]
    assert crossed[0].counts == crossed[1].counts


def test_what_two_devices_send_at_once_is_there_once(client: Client) -> None:
    ours = begun(client)
    typed(ours, 1, ("Ana", 44), ("Ben", 51))
    other = store.find(take_in(read_group(format_group(ours.thing)).group))
    typed(other, 2, ("Ana", 4), ("Ben", 5))
    content = format_group(other.thing)
    pages = [opened(client, content) for _device in "ab"]
    answers = [asked(client, page, into=ours.key) for page in pages]
    assert "1 new, 1 was there already." in answers[0]
    assert "0 new, 2 were there already." in answers[1]
    assert len(told(ours)) == 2


@pytest.mark.postgresql
def test_people_are_matched_by_all_names_and_the_group_has_the_say(client: Client) -> None:
    ours = begun(client)
    typed(ours, 1, ("Ana", 1), ("Anna", 2), ("Ben", 3))
    typed(ours, 2, ("Tom", 1), ("Tommy", 2))
    content = format_group(ours.thing)
    theirs = store.find(take_in(read_group(content).group))
    players.rename(ours, 3, "Benjamin")
    players.rename(theirs, 1, "Nan")
    typed(theirs, 3, ("Nan", 8), ("Ben", 9))
    page = opened(client, format_group(theirs.thing))
    assert re.search(
        '<bdi translate="no">Ben</bdi> is called <bdi translate="no">Benjamin</bdi> here.', page
    )
    assert '<bdi translate="no">Nan</bdi> is called <bdi translate="no">Ana</bdi> here.' in page
    asked(client, page, into=ours.key)
    assert told(ours)[-1] == [("Ana", 8), ("Benjamin", 9)]
    assert ours.thing.players.count() == 5
    # What was learnt stays known.
    typed(ours, 4, ("Nan", 1), ("Ben", 2))
    assert told(ours)[-1] == [("Ana", 1), ("Benjamin", 2)]


def test_who_was_deleted_stays_someone(client: Client) -> None:
    ours = begun(client)
    typed(ours, 1, ("Ana", 1), ("Ben", 2))
    typed(ours, 2, ("Ana", 3), ("Ben", 4))
    content = format_group(ours.thing)
    store.delete_game(ours, 2)
    players.delete(ours, 2)
    page = opened(client, content)
    assert "1 game would be added." in page
    assert "so their games say “someone”:" in page
    asked(client, page, into=ours.key)
    assert told(ours) == [[("", 2), ("Ana", 1)], [("", 4), ("Ana", 3)]]


def test_two_who_were_merged_and_meet_in_a_new_game_are_taken_apart() -> None:
    ours = store.find(store.create("Family"))
    typed(ours, 1, ("Ana", 1), ("Tom", 2))
    typed(ours, 2, ("Annie", 3), ("Tom", 4))
    theirs = store.find(take_in(read_group(format_group(ours.thing)).group))
    players.merge(ours, 3, 1)
    typed(theirs, 3, ("Annie", 5), ("Ana", 6))
    # What was played already is the same game, whoever they are by now.
    assert join(ours, read_group(format_group(theirs.thing)).group).new >= 1
    assert told(ours)[-1] == [("Ana", 6), ("Annie", 5)]
    assert GroupResult.objects.filter(game__group=ours.thing, player__name="Annie").count() >= 2


def test_a_merged_pair_comes_as_one(client: Client) -> None:
    ours = store.find(store.create("Family"))
    typed(ours, 1, ("Ana", 1))
    theirs = store.find(store.create("Others"))
    typed(theirs, 2, ("Bob", 1), ("Ida", 2))
    typed(theirs, 3, ("Bobby", 3), ("Ida", 4))
    players.merge(theirs, 3, 1)
    coming = look_into(ours.thing, read_group(format_group(theirs.thing)).group)
    assert (coming.new, sorted(coming.newcomers)) == (2, ["Bob", "Bobby", "Ida"])
    join(ours, read_group(format_group(theirs.thing)).group)
    assert told(ours) == [[("Ana", 1)], [("Bob", 1), ("Ida", 2)], [("Bob", 3), ("Ida", 4)]]


def test_a_group_that_was_renamed_is_found_by_its_games(client: Client) -> None:
    access = begun(client)
    key, scoring = scored({"Ana": 30, "Ben": 9})
    keeping.keep(access, scoring)
    content = format_group(access.thing)
    store.rename(access, "Sundays")
    assert '<bdi translate="no">Sundays</bdi>' in opened(client, content)
    assert scoring_store.find(key)
    # A device that does not have it cannot be told of it.
    assert "You have this group already" not in opened(Client(), content)
    # And of another group there is nothing to ask.
    document = json.loads(content) | {"name": "Club", "games": []}
    assert "Club</bdi></h1>" in opened(client, json.dumps(document).encode())


def test_who_only_looks_begins_a_new_one(client: Client) -> None:
    access = store.find(store.create("Family"))
    typed(access, 1, ("Ana", 1))
    client.get(f"/groups/{access.share_key}/")
    page = opened(client, format_group(access.thing))
    assert f'href="/groups/{access.share_key}/"' in page
    assert 'name="into"' not in page
    refused = asked(client, page, into=access.share_key or "")
    assert "This group is not there any more" in refused
    assert len(told(access)) == GroupGame.objects.count() == 1
    assert "Family</bdi></h1>" in asked(client, page, again="yes")
    assert Group.objects.count() == 2
    assert (
        "Choose the file again."
        in client.post("/groups/file/", {"sealed": "x", "again": "yes"}).content.decode()
    )


def test_too_many_games_change_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    access = begun(client)
    typed(access, 1, ("Ana", 1))
    other = store.find(store.create("Family"))
    typed(other, 2, ("Zoe", 1))
    monkeypatch.setattr("sheets.groups.keeping.MOST_GAMES", 1)
    page = asked(client, opened(client, format_group(other.thing)), into=access.key)
    assert "This group has as many games as a group can have." in page
    assert access.thing.players.count() == 1
