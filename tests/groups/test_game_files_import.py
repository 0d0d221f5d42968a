"""Import of game files into a group: each game once, and only after a preview."""

from __future__ import annotations

import html
import json
import re
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from sheets.access.keys import Access
from sheets.documents.opened import read_any
from sheets.groups import game_store, store
from sheets.groups.documents import format_group
from sheets.models import Group, GroupGame, Scoring, Table
from sheets.rules.documents.game import format_game
from sheets.scoring import store as scoring_store
from sheets.tables import acts
from sheets.text.symbols import in_language
from tests.dice2_tables import sit_down_for
from tests.groups.played_games import create_scoring
from tests.page_text import unmarked
from tests.tables.table_clients import client_of, finished_party, finished_solo, played_record

pytestmark = pytest.mark.django_db

QUAY: dict[str, Any] = {
    "format": "dizzle-sheets/1",
    "level": {
        "format": "dizzle-level/1",
        "id": "quay",
        "name": "Quay",
        "grid": ["1x 2 3Fr", "4Lg 5 6B", "1 2Gy 3"],
        "lines": [{"column": "b", "points": 5}],
        "areas": [{"fields": ["b1", "c1"], "race": [4, 2]}],
        "points": {"gem": {"yellow": 3}, "flag": {"red": [10, 6, 3, 1]}, "bomb": -2},
    },
    "sheets": [
        {"player": "Ana", "crosses": ["b1", "c1", "c2"], "flags": {"red": 10}, "races": {"0": 4}},
        {
            "player": "Ben",
            "crosses": ["a2", "b1", "b2", "b3", "c1"],
            "exploded": ["c2"],
            "flags": {"red": 6},
            "races": {"0": 2},
        },
    ],
}


DICE2 = json.dumps(
    {
        "format": "dice2-game/1",
        "game": "four-wins",
        "players": ["Ana", "Ben"],
        "actions": [
            {"do": "place", "player": 0, "die": 1, "at": "e5"},
            {"do": "place", "player": 1, "die": 1, "at": "e4"},
        ],
    }
).encode()


def create_family() -> Access[Group]:
    return store.find(store.create("Family"))


def sheets(**change: Any) -> bytes:
    return json.dumps(QUAY | change).encode()


def game(seed: int = 1, names: tuple[str, ...] = ("Ana", "Ben")) -> bytes:
    return json.dumps(format_game(played_record(names=names, seed=seed))).encode()


def upload_files(client: Client, access: Access[Group], **files: bytes) -> str:
    """Return the preview of files by name, with ``_`` for the dot."""
    sent = [SimpleUploadedFile(f"{name}.json", content) for name, content in files.items()]
    answer = client.post(f"/groups/{access.key}/enter/files/", {"document": sent})
    return answer.content.decode()


def confirm_import(
    client: Client, access: Access[Group], page: str, day: str = "2025-12-26"
) -> str:
    """Return the page after all games of a preview were added."""
    games = [html.unescape(text) for text in re.findall('name="game" value="([^"]+)"', page)]
    days = {f"day-{number}": day for number in range(len(games))}
    sent = {"game": games, "keep": "yes", **days}
    url = f"/groups/{access.key}/enter/files/"
    return client.post(url, sent, follow=True).content.decode()


def test_files_are_previewed_and_then_added(client: Client) -> None:
    access = create_family()
    page = upload_files(client, access, evening=sheets(), table=game(), photo=b"\x89PNG", text=b"{")
    assert page.count('name="game"') == 2
    assert "Quay" in page
    assert 'class="won"><bdi translate="no">' in page
    assert f'value="{timezone.localdate()}"' in page
    assert (
        page.count('<b><bdi translate="no">photo.json</bdi></b>')
        == page.count('<b><bdi translate="no">text.json')
        == 1
    )
    assert GroupGame.objects.count() == 0
    assert "2 games are added." in confirm_import(client, access, page)
    first, second = GroupGame.objects.order_by("number")
    assert (first.kind, second.kind) == ("sheets", "table")
    assert (in_language(first.level_name), first.evening) == ("Quay", date(2025, 12, 26))
    record = played_record()
    final = record.start()
    for action in record.actions:
        final = final.apply(action)
    totals = [score.total for score in final.scores()]
    assert [one.total for one in second.results.order_by("seat")] == totals
    # The same totals as where the file is scored.
    paper = read_any(sheets()).paper
    assert paper
    key = scoring_store.create_from_paper(paper)
    access = create_family()
    same = game_store.add_game(access, scoring_store.find(key).resource)
    told = [
        [(one.total, one.marks, one.place, one.won, one.parts) for one in game.results.all()]
        for game in (first, same)
    ]
    assert told[0] == told[1] != []


@pytest.mark.postgresql
def test_the_same_file_is_one_game_from_any_device_and_in_any_notation() -> None:
    access = create_family()
    other = json.dumps(QUAY, indent=3, sort_keys=True).encode()
    first, second = Client(), Client()
    pages = [
        upload_files(first, access, a=sheets(), b=other),
        upload_files(second, access, a=other),
    ]
    assert pages[0].count("Is there already.") == 1
    assert "1 game is added. 1 game was there already." in confirm_import(first, access, pages[0])
    assert "0 games are added. 1 game was there already." in confirm_import(
        second, access, pages[1], "2025-12-27"
    )
    assert "Is there already." in upload_files(second, access, a=sheets())
    assert GroupGame.objects.count() == 1
    # Another sheet, another player: another game.
    more = [dict(QUAY["sheets"][0]) | {"player": "Ida"}, QUAY["sheets"][1]]
    assert "1 game is added." in confirm_import(
        first, access, upload_files(first, access, a=sheets(sheets=more))
    )


def test_sheets_that_were_opened_from_one_file_on_two_phones_are_one_game() -> None:
    access = create_family()
    keys = []
    for _phone in range(2):
        sent = {"document": SimpleUploadedFile("a.json", sheets())}
        url = Client().post("/score/import/", sent).headers["Location"]
        keys.append(url.split("/")[2])
    games = {game_store.add_game(access, scoring_store.find(key).resource).pk for key in keys}
    assert len(games) == GroupGame.objects.count() == 1
    assert "Is there already." in upload_files(Client(), access, a=sheets())
    client = Client()
    client.get(f"/groups/{access.key}/")
    assert "Saved in Family" in unmarked(client.get(f"/score/{keys[1]}/"))


def test_a_file_of_a_game_of_this_site_is_in_the_group_already(client: Client) -> None:
    access = create_family()
    key, scoring = create_scoring({"Ana": 30, "": 3})
    game_store.add_game(access, scoring)
    party, solo = finished_party("Ana", "Ben"), finished_solo()
    for one in (party, solo):
        game_store.add_game(access, one.access().table)
    files = [client.get(f"/score/{key}/sheets.json").content]
    files += [client_of(one).get(f"/table/{one.code}/game.json").content for one in (party, solo)]
    for language in ("en", "de"):
        client.cookies["django_language"] = language
        for content in files:
            page = upload_files(client, access, a=content)
            assert 'name="game"' in page
            confirm_import(client, access, page)
    assert GroupGame.objects.count() == 3


def test_a_group_that_was_opened_elsewhere_recognises_its_files(client: Client) -> None:
    access = create_family()
    confirm_import(client, access, upload_files(client, access, a=sheets(), b=game()))
    sent = {"document": SimpleUploadedFile("g.json", format_group(access.resource))}
    other = store.find(client.post("/groups/file/", sent).headers["Location"].split("/")[2])
    assert other.resource != access.resource
    page = upload_files(client, other, a=sheets(), b=game())
    assert page.count("Is there already.") == 2


@pytest.mark.parametrize(
    ("what", "target", "title"),
    [("last-man", 0, "Dice²: Last Man Dice"), ("major", 0, ""), ("relay", 5, "Dice²: Relay")],
)
@pytest.mark.parametrize("starter", [0, 1])
def test_dice2_and_relays_are_added_once_from_their_file_and_their_table(
    client: Client, what: str, target: int, title: str, starter: int
) -> None:
    party = sit_down_for(what, target=target, start=False)
    Table.objects.update(starter=0 if target else starter)
    acts.start(party.access())
    party.play_on(games=1)
    for seed in range(2, 60):
        if party.game.is_finished:
            break
        begin = party.loaded.state.game.relay.next_starter
        party.act("begin", begin or 0, shape="four-wins")
        party.play_on(games=1, seed=seed)
    content = client_of(party).get(f"/table/{party.code}/game.json").content
    ours, theirs = create_family(), create_family()
    page = upload_files(client, ours, a=content)
    assert title in page
    assert "1 game is added." in confirm_import(client, ours, page)
    from_file = GroupGame.objects.get()
    game_store.add_game(ours, party.access().table)
    from_table = game_store.add_game(theirs, party.access().table)
    assert GroupGame.objects.count() == 2
    assert "Is there already." in upload_files(client, theirs, a=content)
    told = [
        sorted(
            (one.player.name, one.place, one.won, one.points, one.seat == game.starter)
            for one in game.results.all()
            if one.player
        )
        for game in (from_file, GroupGame.objects.get(pk=from_table.pk))
    ]
    assert told[0] == told[1]
    assert len(told[0]) == 2


def test_a_game_from_a_file_is_not_added_again_from_its_table_and_sheets(client: Client) -> None:
    access = create_family()
    key, scoring = create_scoring({"Ana": 30, "Ben": 3})
    party = finished_party("Ana", "Ben")
    files = {
        "a": client.get(f"/score/{key}/sheets.json").content,
        "b": client_of(party).get(f"/table/{party.code}/game.json").content,
    }
    assert "2 games are added." in confirm_import(
        client, access, upload_files(client, access, **files)
    )
    game_store.add_game(access, scoring)
    game_store.add_game(access, party.access().table)
    assert GroupGame.objects.count() == 2
    # Tapped in twice with the same crosses, they are two games.
    game_store.add_game(access, create_scoring({"Ana": 9, "Ben": 3})[1])
    game_store.add_game(access, create_scoring({"Ana": 9, "Ben": 3})[1])
    assert GroupGame.objects.count() == 4
    assert Scoring.objects.count() == 3


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps(QUAY["level"]).encode(), "This is a level, not a game."),
        (
            json.dumps(
                format_game(played_record()._replace(actions=played_record().actions[:-1]))
            ).encode(),
            "This game is not over.",
        ),
        (
            sheets(sheets=[{"player": name, "crosses": ["b1", "c1"]} for name in ("Ana", "Ben")]),
            "Something is missing on these sheets",
        ),
        (b'{"format": "dizzle-group/1"}', "This is a whole group."),
        (b'{"format": "dizzle-x/1"}', "dizzle-x/1"),
        (b"%PDF-1.4", "A picture or a PDF"),
        (b"Name;Points", "nor a table of games (CSV)"),
        (DICE2, "This game is not over."),
        (DICE2.replace(b"e5", b"k9"), "k9"),
        (DICE2.replace(b'"e4"', b'"e5"'), "This breaks a rule (move 2)"),
        (b"", "empty"),
    ],
)
def test_a_file_that_is_no_game_gets_a_reason(client: Client, content: bytes, said: str) -> None:
    page = upload_files(client, create_family(), a=content)
    assert said in page
    assert 'name="game"' not in page


def test_the_day_comes_from_the_name_of_the_file_and_is_checked(client: Client) -> None:
    access = create_family()
    content = {"played-2024-03-09": sheets(), "2199-01-01": game()}
    page = upload_files(client, access, **content)
    assert 'value="2024-03-09"' in page
    assert f'value="{timezone.localdate()}"' in page
    for day, said in (("2199-12-31", "This day is yet to come."), ("x", "On which day was it?")):
        again = confirm_import(client, access, page, day)
        assert again.count(said) == 2
        assert again.count('name="game"') == 2
    assert GroupGame.objects.count() == 0


def test_too_many_files_at_once_are_reported(client: Client) -> None:
    page = upload_files(client, create_family(), **{f"f{number}": b"{}" for number in range(23)})
    assert page.count('<bdi translate="no">f') == 20
    assert "3 further files were not read: at most 20 at once, please." in page


def test_bots_and_people_without_a_name_do_not_become_players(client: Client) -> None:
    access = create_family()
    page = upload_files(client, access, a=game(names=("Player 1", "Bot 2")))
    assert "someone" in page
    assert "1 game is added." in confirm_import(client, access, page)
    results = GroupGame.objects.get().results.order_by("seat")
    assert [(one.player, one.label) for one in results] == [(None, ""), (None, "Bot 2")]


def test_only_previewed_games_are_added(client: Client) -> None:
    access = create_family()
    url = f"/groups/{access.key}/enter/files/"
    page = upload_files(client, access, a=sheets())
    sealed = re.findall('name="game" value="([^"]+)"', page)[0]
    for game in ("x", sealed[:-1], "a" + sealed):
        sent = {"game": game, "day-0": "2025-12-26", "keep": "yes"}
        assert client.post(url, sent).status_code == 400
    looker = f"/groups/{access.share_key}/enter/files/"
    sent = {"game": sealed, "day-0": "2025-12-26", "keep": "yes"}
    assert client.get(looker).status_code == client.post(looker, sent).status_code == 403
    assert client.post(url, {}).status_code == 400
    assert GroupGame.objects.count() == 0
