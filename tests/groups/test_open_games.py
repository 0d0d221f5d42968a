"""Unfinished games of a group, and the choice of the group for a new game."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.access.keys import Access, delete_resource
from sheets.groups import game_store, store
from sheets.groups.group_choice import choose
from sheets.levels import find_level
from sheets.models import Entry, Group, GroupGame
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from tests.device_secrets import secret_of
from tests.dice2_tables import sit_down_for
from tests.groups.page_parsers import tonight
from tests.groups.played_games import create_scoring
from tests.groups.test_game_files_import import QUAY
from tests.groups.test_pages import play_of
from tests.page_text import unmarked
from tests.table_games import sit_down
from tests.tables.table_clients import client_of, finished_party, finished_solo

pytestmark = pytest.mark.django_db


def create_family(client: Client, name: str = "Family") -> Access[Group]:
    """Create a group on the device."""
    url = client.post("/groups/new/", {"name": name}).headers["Location"]
    client.get(url)
    return store.find(url.split("/")[2])


def create_open_scoring(names: tuple[str, ...] = ("Ana", "Ben")) -> str:
    return scoring_store.create(find_level("level-1"), list(names))


@pytest.mark.postgresql
def test_an_open_game_is_continued_on_its_device_and_can_be_removed() -> None:
    party = sit_down(("Ana", "Ben"))
    client = client_of(party)
    access = create_family(client)
    key = create_open_scoring()
    tally = tally_store.create({"players": "2"})
    client.get(f"/score/{key}/")
    client.get(f"/tally/{tally}/")
    game_store.add_game(access, scoring_store.find(key).resource)
    game_store.add_game(access, tally_store.find(tally).resource)
    game_store.add_game(access, party.access().table)
    url = f"/groups/{access.key}/"
    day = f"{url}evening/{tonight()}/"
    ways = [f"/score/{key}/", f"/tally/{tally}/", f"/table/{party.code}/"]
    for page in (url, day):
        text = unmarked(client.get(page))
        assert [f'href="{way}"' in text for way in ways] == [True] * 3, page
        assert text.count("Take out") == 3
        assert "<b>Butterfly</b>" in text
    # Another device of the group has no links to them, but can remove them.
    text = unmarked(Client().get(url))
    assert [way in text for way in ways] == [False] * 3
    assert text.count("Take out") == 3
    looked = unmarked(Client().get(f"/groups/{access.share_key}/"))
    assert "Take out" not in looked
    assert looked.count("Not finished yet") == 3
    assert client.post(f"{url}games/1/delete/").status_code == 302
    assert f"/score/{key}/" not in unmarked(client.get(url))
    assert client.get(f"/score/{key}/").status_code == 200


def test_dice2_added_by_an_earlier_version_gets_its_title() -> None:
    presence, over = sit_down_for("four-wins"), sit_down_for("last-man")
    over.play_on()
    client = client_of(presence)
    access = create_family(client)
    for party in (presence, over):
        game_store.add_game(access, party.access().table)
    GroupGame.objects.filter(is_open=True).update(kind="table", level_id="")
    content = access.resource.games.get(is_open=False).content
    GroupGame.objects.update(content="")
    import_module("sheets.migrations.0026_dice2_of_groups").say_what_is_played(apps, None)
    page = unmarked(client.get(f"/groups/{access.key}/"))
    assert "<b>Dice²: 4 Dice Wins</b>" in page
    assert kinds_in(access) == [("dice2", True), ("dice2", False)]
    assert access.resource.games.get(is_open=False).content == content


def kinds_in(access: Access[Group]) -> list[tuple[str, bool]]:
    """Return the kinds of a group's games, and whether they are open."""
    return list(access.resource.games.order_by("number").values_list("kind", "is_open"))


def test_a_rematch_is_added_to_the_group_of_its_players() -> None:
    party, dice2 = finished_party("Ana", "Ben"), sit_down_for("last-man")
    dice2.play_on()
    client = client_of(party)
    family_of_ana, club = create_family(client), create_family(client, "Club")
    key, _scoring = create_scoring({"Ana": 30, "Ben": 12})
    tally = tally_store.create({"players": "2"})
    game_store.add_game(family_of_ana, scoring_store.find(key).resource)
    game_store.add_game(family_of_ana, tally_store.find(tally).resource)
    game_store.add_game(family_of_ana, party.access().table)
    for again in (f"/score/{key}/again/", f"/tally/{tally}/again/", f"/table/{party.code}/again/"):
        choose(secret_of(client), club.key, "10.0.0.1")
        assert client.post(again).status_code == 302
        # The group used last is suggested next.
        page = unmarked(client.get("/table/new/"))
        assert f'<option value="{family_of_ana.key}" selected>' in page
    opened = [("sheets", True), ("tally", True), ("table", True)]
    assert kinds_in(family_of_ana) == [
        ("sheets", False),
        ("tally", True),
        ("table", False),
        *opened,
    ]
    assert kinds_in(club) == []
    # Two taps open one table, which is added once.
    client.post(f"/table/{party.code}/again/")
    assert len(kinds_in(family_of_ana)) == 6
    other = client_of(dice2)
    its = create_family(other, "Dice")
    game_store.add_game(its, dice2.access().table)
    other.post(f"/table/{dice2.code}/again/")
    assert kinds_in(its) == [("dice2", False), ("dice2", True)]


def test_a_rematch_is_added_to_no_group_unknown_to_the_device() -> None:
    party, somebody = finished_party("Ana", "Ben"), Client()
    access = create_family(somebody)
    game_store.add_game(access, party.access().table)
    looks = client_of(party)
    looks.get(f"/groups/{access.share_key}/")
    looks.post(f"/table/{party.code}/again/")
    assert party.access().table.next_code
    assert kinds_in(access) == [("table", False)]


def test_an_open_game_is_deleted_with_its_sheets(client: Client) -> None:
    access = create_family(client)
    keys = [create_open_scoring(), create_scoring({"Ana": 30})[0]]
    for key in keys:
        game_store.add_game(access, scoring_store.find(key).resource)
    for key in keys:
        delete_resource(scoring_store.find(key))
    page = client.get(f"/groups/{access.key}/").content.decode()
    assert "Not finished yet" not in page
    assert GroupGame.objects.get().is_open is False


def test_missing_games_are_not_found(client: Client) -> None:
    access = create_family(client)
    game_store.add_game(access, create_scoring({"Ana": 30})[1])
    url = f"/groups/{access.key}/"
    today = tonight()
    for path in (f"evening/{today - timedelta(days=1)}/", "games/2/delete/"):
        assert client.get(url + path).status_code == 404, path
        assert client.post(url + path, {"place": "x"}).status_code == 404, path
    assert access.resource.evenings.count() == 0
    for path in (f"evening/{today}/", "games/1/delete/"):
        assert client.get(url + path).status_code == 200, path
    # Two taps, or two phones.
    assert [client.post(f"{url}games/1/delete/").status_code for _tap in "ab"] == [302, 302]
    assert client.get(f"{url}games/1/delete/").status_code == 404
    assert client.get(f"{url}evening/{today}/").status_code == 404


@pytest.mark.parametrize("path", ["/score/photos/", "/tally/", "/score/import/"])
def test_each_page_that_opens_a_game_asks_for_the_group(client: Client, path: str) -> None:
    access = create_family(client)
    page = unmarked(client.get(path))
    assert re.search(rf'<option value="{access.key}" selected>Family', page)
    assert '<select name="group"' not in unmarked(Client().get(path))


def test_a_tally_and_sheets_from_files_are_added_to_the_chosen_group(
    client: Client,
) -> None:
    access = create_family(client)
    typed = {"players": "2", "p0-name": "Ana", "p0-crosses": "9", "p1-nothing": "on"}
    client.post("/tally/new/", {**typed, "group": access.key})
    file = SimpleUploadedFile("a.json", json.dumps(QUAY).encode())
    client.post("/score/import/", {"document": file, "group": access.key})
    file = SimpleUploadedFile("a.json", json.dumps(QUAY).encode())
    page = unmarked(client.post("/open/", {"document": file}))
    assert f'<option value="{access.key}" selected>' in page
    more = QUAY | {"sheets": QUAY["sheets"][:1]}
    sent = {"do": "sheets", "sheets": json.dumps(more), "group": access.key}
    assert client.post("/open/use/", sent).status_code == 302
    kinds = [game.kind for game in access.resource.games.order_by("number")]
    assert kinds == ["tally", "sheets", "sheets"]
    # The stored tally contains nothing of the group.
    tally = access.resource.games.get(kind="tally").tally
    assert tally
    assert access.key not in str(tally.typed)


def test_bg_stats_gets_duration_and_start_player(client: Client) -> None:
    access = create_family(client)
    party = finished_solo()
    first = party.access().table.entries.order_by("number").first()
    last = party.access().table.entries.order_by("number").last()
    assert first
    assert last
    rest = Entry.objects.filter(table=party.access().table)
    rest.update(made=last.made)
    rest.filter(pk=first.pk).update(made=last.made - timedelta(minutes=12))
    game = game_store.add_game(access, party.access().table)
    day = f"/groups/{access.key}/evening/{game.evening}/"
    play = play_of(client.get(day).content.decode())
    assert play["durationMin"] == 12
    assert [one["startPlayer"] for one in play["players"]] == [True]
    assert set(play) == {
        *("sourceName", "sourcePlayId", "playDate", "durationMin", "board", "game", "players")
    }
    assert set(play["game"]) == {"name", "sourceGameId", "highestWins"}
    assert set(play["players"][0]) == {
        *("name", "sourcePlayerId", "score", "winner", "rank", "startPlayer")
    }


def test_bg_stats_gets_no_unknown_facts(client: Client) -> None:
    access = create_family(client)
    party = finished_party("Ana", "Ben")  # with real dice, and all in a moment
    game = game_store.add_game(access, party.access().table)
    play = play_of(client.get(f"/groups/{access.key}/evening/{game.evening}/").content.decode())
    assert "durationMin" not in play
    assert [one["startPlayer"] for one in play["players"]] == [False, False]
    # A pause overnight does not count as time of play.
    number = party.access().table.entries.count() // 2
    early = party.access().table.entries.filter(number__lte=number)
    for entry in early:
        Entry.objects.filter(pk=entry.pk).update(made=entry.made - timedelta(hours=9))
    GroupGame.objects.update(revision=0)
    game_store.update_changed_games(access.resource)
    game.refresh_from_db()
    assert (game.seconds or 0) < timedelta(hours=1).total_seconds()
