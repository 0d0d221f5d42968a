"""Open games of a group, and the choice of the group when a game is opened."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import keeping, store
from sheets.groups.choice import choose
from sheets.levels import find_level
from sheets.models import Entry, Group, GroupGame
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from tests.device_secrets import secret_of
from tests.dice2_tables import sit_down_for
from tests.groups.played_games import scored
from tests.groups.shown import tonight
from tests.groups.test_from_files import QUAY
from tests.groups.test_pages import play_of
from tests.table_games import sit_down
from tests.tables.table_clients import client_of, finished_party, finished_solo

pytestmark = pytest.mark.django_db


def family(client: Client, name: str = "Family") -> Access[Group]:
    """A group that the device has."""
    url = client.post("/groups/new/", {"name": name}).headers["Location"]
    client.get(url)
    return store.find(url.split("/")[2])


def opened_scoring(names: tuple[str, ...] = ("Ana", "Ben")) -> str:
    return scoring_store.create(find_level("level-1"), list(names))


@pytest.mark.postgresql
def test_an_open_game_is_gone_on_with_where_the_device_has_it_and_taken_out() -> None:
    party = sit_down(("Ana", "Ben"))
    client = client_of(party)
    access = family(client)
    key = opened_scoring()
    tally = tally_store.create({"players": "2"})
    client.get(f"/score/{key}/")
    client.get(f"/tally/{tally}/")
    keeping.keep(access, scoring_store.find(key).thing)
    keeping.keep(access, tally_store.find(tally).thing)
    keeping.keep(access, party.access().table)
    url = f"/groups/{access.key}/"
    day = f"{url}evening/{tonight()}/"
    ways = [f"/score/{key}/", f"/tally/{tally}/", f"/table/{party.code}/"]
    for page in (url, day):
        text = client.get(page).content.decode()
        assert [f'href="{way}"' in text for way in ways] == [True] * 3, page
        assert text.count("Take out") == 3
        assert "<b>Butterfly</b>" in text
    # Somebody else of the group has no links to them, but can take them out all the same.
    text = Client().get(url).content.decode()
    assert [way in text for way in ways] == [False] * 3
    assert text.count("Take out") == 3
    looked = Client().get(f"/groups/{access.share_key}/").content.decode()
    assert "Take out" not in looked
    assert looked.count("Not finished yet") == 3
    assert client.post(f"{url}games/1/delete/").status_code == 302
    assert f"/score/{key}/" not in client.get(url).content.decode()
    assert client.get(f"/score/{key}/").status_code == 200


def test_dice2_that_was_kept_before_it_had_a_name_says_what_it_is() -> None:
    going_on, over = sit_down_for("four-wins"), sit_down_for("last-man")
    over.play_on()
    client = client_of(going_on)
    access = family(client)
    for party in (going_on, over):
        keeping.keep(access, party.access().table)
    GroupGame.objects.filter(is_open=True).update(kind="table", level_id="")
    content = access.thing.games.get(is_open=False).content
    GroupGame.objects.update(content="")
    import_module("sheets.migrations.0026_dice2_of_groups").say_what_is_played(apps, None)
    page = client.get(f"/groups/{access.key}/").content.decode()
    assert "<b>Dice²: 4 Dice Wins</b>" in page
    assert kinds_in(access) == [("dice2", True), ("dice2", False)]
    assert access.thing.games.get(is_open=False).content == content


def kinds_in(access: Access[Group]) -> list[tuple[str, bool]]:
    """What kind the games of a group are, and whether they go on."""
    return list(access.thing.games.order_by("number").values_list("kind", "is_open"))


def test_the_next_game_of_the_same_people_is_kept_for_their_group() -> None:
    party, dice2 = finished_party("Ana", "Ben"), sit_down_for("last-man")
    dice2.play_on()
    client = client_of(party)
    family_of_ana, club = family(client), family(client, "Club")
    key, _scoring = scored({"Ana": 30, "Ben": 12})
    tally = tally_store.create({"players": "2"})
    keeping.keep(family_of_ana, scoring_store.find(key).thing)
    keeping.keep(family_of_ana, tally_store.find(tally).thing)
    keeping.keep(family_of_ana, party.access().table)
    for again in (f"/score/{key}/again/", f"/tally/{tally}/again/", f"/table/{party.code}/again/"):
        choose(secret_of(client), club.key, "10.0.0.1")
        assert client.post(again).status_code == 302
        # What was used last is suggested next.
        page = client.get("/table/new/").content.decode()
        assert f'<option value="{family_of_ana.key}" selected>' in page
    opened = [("sheets", True), ("tally", True), ("table", True)]
    assert kinds_in(family_of_ana) == [
        ("sheets", False),
        ("tally", True),
        ("table", False),
        *opened,
    ]
    assert kinds_in(club) == []
    # Two taps open one table, which is kept once.
    client.post(f"/table/{party.code}/again/")
    assert len(kinds_in(family_of_ana)) == 6
    other = client_of(dice2)
    its = family(other, "Dice")
    keeping.keep(its, dice2.access().table)
    other.post(f"/table/{dice2.code}/again/")
    assert kinds_in(its) == [("dice2", False), ("dice2", True)]


def test_the_next_game_gets_into_no_group_that_the_device_does_not_have() -> None:
    party, somebody = finished_party("Ana", "Ben"), Client()
    access = family(somebody)
    keeping.keep(access, party.access().table)
    looks = client_of(party)
    looks.get(f"/groups/{access.share_key}/")
    looks.post(f"/table/{party.code}/again/")
    assert party.access().table.next_code
    assert kinds_in(access) == [("table", False)]


def test_an_open_game_goes_with_its_sheets(client: Client) -> None:
    access = family(client)
    keys = [opened_scoring(), scored({"Ana": 30})[0]]
    for key in keys:
        keeping.keep(access, scoring_store.find(key).thing)
    for key in keys:
        scoring_store.delete(scoring_store.find(key))
    page = client.get(f"/groups/{access.key}/").content.decode()
    assert "Not finished yet" not in page
    assert GroupGame.objects.get().is_open is False


def test_what_is_not_there_is_not_found(client: Client) -> None:
    access = family(client)
    keeping.keep(access, scored({"Ana": 30})[1])
    url = f"/groups/{access.key}/"
    today = tonight()
    for path in (f"evening/{today - timedelta(days=1)}/", "games/2/delete/"):
        assert client.get(url + path).status_code == 404, path
        assert client.post(url + path, {"place": "x"}).status_code == 404, path
    assert access.thing.evenings.count() == 0
    for path in (f"evening/{today}/", "games/1/delete/"):
        assert client.get(url + path).status_code == 200, path
    # Two taps, or two phones.
    assert [client.post(f"{url}games/1/delete/").status_code for _tap in "ab"] == [302, 302]
    assert client.get(f"{url}games/1/delete/").status_code == 404
    assert client.get(f"{url}evening/{today}/").status_code == 404


@pytest.mark.parametrize("path", ["/score/photos/", "/tally/", "/score/import/"])
def test_whatever_opens_a_game_asks_for_which_group(client: Client, path: str) -> None:
    access = family(client)
    page = client.get(path).content.decode()
    assert re.search(rf'<option value="{access.key}" selected>Family', page)
    assert '<select name="group"' not in Client().get(path).content.decode()


def test_a_tally_and_sheets_from_files_are_kept_for_the_group_that_was_chosen(
    client: Client,
) -> None:
    access = family(client)
    typed = {"players": "2", "p0-name": "Ana", "p0-crosses": "9", "p1-nothing": "on"}
    client.post("/tally/new/", {**typed, "group": access.key})
    file = SimpleUploadedFile("a.json", json.dumps(QUAY).encode())
    client.post("/score/import/", {"document": file, "group": access.key})
    file = SimpleUploadedFile("a.json", json.dumps(QUAY).encode())
    page = client.post("/open/", {"document": file}).content.decode()
    assert f'<option value="{access.key}" selected>' in page
    more = QUAY | {"sheets": QUAY["sheets"][:1]}
    sent = {"do": "sheets", "sheets": json.dumps(more), "group": access.key}
    assert client.post("/open/use/", sent).status_code == 302
    kinds = [game.kind for game in access.thing.games.order_by("number")]
    assert kinds == ["tally", "sheets", "sheets"]
    # Nothing of the group is in what is kept of the tally.
    tally = access.thing.games.get(kind="tally").tally
    assert tally
    assert access.key not in str(tally.typed)


def test_bg_stats_is_told_how_long_it_took_and_who_began(client: Client) -> None:
    access = family(client)
    party = finished_solo()
    first = party.access().table.entries.order_by("number").first()
    last = party.access().table.entries.order_by("number").last()
    assert first
    assert last
    rest = Entry.objects.filter(table=party.access().table)
    rest.update(made=last.made)
    rest.filter(pk=first.pk).update(made=last.made - timedelta(minutes=12))
    game = keeping.keep(access, party.access().table)
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


def test_what_nobody_knows_is_not_said_to_bg_stats(client: Client) -> None:
    access = family(client)
    party = finished_party("Ana", "Ben")  # with real dice, and all in a moment
    game = keeping.keep(access, party.access().table)
    play = play_of(client.get(f"/groups/{access.key}/evening/{game.evening}/").content.decode())
    assert "durationMin" not in play
    assert [one["startPlayer"] for one in play["players"]] == [False, False]
    # A table that was left lying overnight was not played at all night.
    number = party.access().table.entries.count() // 2
    early = party.access().table.entries.filter(number__lte=number)
    for entry in early:
        Entry.objects.filter(pk=entry.pk).update(made=entry.made - timedelta(hours=9))
    GroupGame.objects.update(revision=0)
    keeping.look_again(access.thing)
    game.refresh_from_db()
    assert (game.seconds or 0) < timedelta(hours=1).total_seconds()
