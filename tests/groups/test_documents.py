"""Export of a group as a document and as a table."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from sheets.access.keys import Access
from sheets.groups import game_store, players, store
from sheets.groups.documents import format_group, read_group
from sheets.models import Group, GroupGame, GroupResult
from sheets.rules import DocumentError
from tests.groups.played_games import create_scoring
from tests.groups.player_figures import figures_of
from tests.page_text import unmarked
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db

SMALL: dict[str, Any] = {
    "format": "dizzle-group/1",
    "name": "Family",
    "players": [{"name": "Ana"}],
    "evenings": [],
    "games": [
        {
            "played": "2026-11-22T19:30:05Z",
            "day": "2026-11-22",
            "kind": "sheets",
            "results": [{"place": 1, "player": 0, "points": 44}],
        }
    ],
}


def create_family() -> Access[Group]:
    access = store.find(store.create("Family"))
    game_store.add_game(access, create_scoring({"Ana": 30, "Ben": 3})[1])
    game_store.add_game(access, create_scoring({"Anna": 20, "": 3})[1])
    game_store.add_game(access, finished_party("=Ben", "Ida").access().table)
    players.merge(access, 3, 1)
    players.retire(access, 2, True)
    players.rename(access, 5, "Ida Maria")
    store.describe(access, timezone.localdate(), "At Ben's", "Cake")
    return access


def open_file(client: Client, content: bytes) -> Any:
    return client.post("/groups/file/", {"document": SimpleUploadedFile("g.json", content)})


@pytest.mark.postgresql
def test_an_exported_group_is_opened_completely_elsewhere(client: Client) -> None:
    access = create_family()
    content = client.get(f"/groups/{access.key}/group.json").content
    answer = open_file(client, content)
    other = store.find(answer.headers["Location"].split("/")[2]).resource
    assert other.pk != access.resource.pk
    assert format_group(other) == content == format_group(access.resource)
    assert figures_of(access.resource) == figures_of(other)
    # Who was merged is taken apart there, too.
    players.split_merged(store.find(answer.headers["Location"].split("/")[2]), 3)
    assert figures_of(other).keys() >= {"Ana", "Anna"}


@pytest.mark.parametrize(
    "change",
    [
        {"format": "dizzle-group/2"},
        {"name": ""},
        {"players": [{"name": "Ana", "same_as": 0}]},
        {"players": []},
        {"players": [{"name": "Ana", "same_as": 7}]},
        {"players": [{"name": "Ana", "also": ["x"] * 11}]},
        {"players": "Ana", "levels": [{"rows": 3}]},
        {"games": [SMALL["games"][0] | {"kind": "chess"}]},
        {"games": [SMALL["games"][0] | {"results": []}]},
        {"games": [SMALL["games"][0] | {"played": "2026-11-22T19:30:00"}]},
        {"games": [SMALL["games"][0] | {"day": "0026-11-22"}]},
        pytest.param(
            {"games": [SMALL["games"][0] | {"digest": "\u0000"}]}, marks=pytest.mark.postgresql
        ),
        {"games": [SMALL["games"][0] | {"level": "A\u0000"}]},
        {"games": [SMALL["games"][0] | {"content": "5f0c"}]},
        {"games": [SMALL["games"][0] | {"seconds": -1}]},
        {"games": [SMALL["games"][0] | {"starter": 6}]},
        {"games": [SMALL["games"][0] | {"digest": "abc"}]},
        {"games": [SMALL["games"][0] | {"kind": "dice2", "level": "level-1"}]},
        {"more": 1},
    ],
)
def test_a_file_that_is_no_group_is_refused(client: Client, change: dict[str, Any]) -> None:
    assert read_group(json.dumps(SMALL).encode())
    text = json.dumps(SMALL | change).encode()
    with pytest.raises(DocumentError):
        read_group(text)
    assert open_file(client, text).status_code == 400
    assert Group.objects.count() == 0


def test_faulty_entries_are_named_and_skipped_and_the_rest_is_imported(client: Client) -> None:
    good = SMALL["games"][0]
    faulty = {
        "“day”: A date such as 2025-12-26 belongs here.": good | {"day": ""},
        "“day”: Only years from 1990 to 2199 are possible.": good | {"day": "1969-12-31"},
        "“played”: Only years from 1990": good | {"played": "1969-12-31T20:00:00Z"},
        "“played”: A time with a time zone": good | {"played": "2026-11-22T19:30:00"},
        "“results”: This must not be empty.": good | {"results": []},
        "“results”, entry 1, “player”: There are not that many players.": good
        | {"results": [{"place": 1, "player": 99}]},
        "“kind”: “chess” cannot stand here.": good | {"kind": "chess"},
        "“moon” is unknown here.": good | {"moon": 1},
        "An object in curly brackets belongs here.": [],
        "“seconds”: A number up to 10000000 belongs here.": good | {"seconds": 10**40},
        "“day”: A date such": good | {"day": 20261122},
        "“day”: This day is yet to come.": good | {"day": "2199-12-31"},
        "“played”: This day is yet to come.": good | {"played": "2199-12-31T20:00:00Z"},
        "“results”, entry 1, “points”: A whole number belongs here.": good
        | {"results": [{"place": 1, "points": "viel"}]},
        "“results”, entry 1, “won”: A number up to 1": good | {"results": [{"place": 1, "won": 7}]},
        "“results”, entry 2, “player”: “Ana” is in this game twice.": good
        | {"results": [{"place": 1, "player": 0}, {"place": 1, "player": 0}]},
        "“starter”: A number up to 5 belongs here.": good | {"starter": 6},
    }
    later = good | {"day": "2026-11-23"}
    evenings = [{"day": "1969-12-31"}, {"day": "2026-11-22", "place": "At Ben's"}, {"day": "x"}]
    document = SMALL | {"games": [good, *faulty.values(), later], "evenings": evenings}
    answer = open_file(client, json.dumps(document).encode())
    page = html.unescape(unmarked(answer))
    assert Group.objects.count() == 0
    for number, said in enumerate(faulty, start=2):
        assert re.search(f"<li>Game {number}[:,] {re.escape(said)}", page), said
    assert page.index("Evening 1, “day”: Only years") < page.index("Evening 3, “day”: A date such")
    assert re.search(r"possible\. <span class=\"quiet\">1969-12-31</span>", page)
    assert "2 games were understood" in page
    (sealed,) = re.findall('name="sealed" value="([^"]+)"', page)
    url = client.post("/groups/file/", {"sealed": sealed, "again": "yes"}).headers["Location"]
    group = store.find(url.split("/")[2]).resource
    days = group.games.order_by("number").values_list("evening", flat=True)
    assert [f"{day}" for day in days] == ["2026-11-22", "2026-11-23"]
    assert [one.place for one in group.evenings.all()] == ["At Ben's"]


def test_faulty_players_are_named_and_their_results_stay_without_a_name(client: Client) -> None:
    faulty = {
        "Player 1: “name” is missing.": {"sign": 1},
        "Player 2, “sign”: A whole number belongs here. Eva": {"name": "Eva", "sign": "sun"},
        "Player 3, “same_as”: There are not that many players. Udo": {"name": "Udo", "same_as": 99},
        "Player 4, “same_as”: “4” cannot stand here. Ina": {"name": "Ina", "same_as": 4},
    }
    merged = [{"name": "Anna", "same_as": 5}, {"name": "Ana"}, {"name": "Ute", "same_as": 1}]
    results = [{"place": 1, "player": number, "points": 44} for number in (0, 3, 5, 6)]
    game = SMALL["games"][0] | {"results": results}
    document = SMALL | {"players": [*faulty.values(), *merged], "games": [game]}
    page = html.unescape(open_file(client, json.dumps(document).encode()).content.decode())
    named = re.findall(r"<li>(Player .*?)</li>", page)
    assert [re.sub("<[^>]*>", "", one) for one in named] == list(faulty)
    assert "The results of these players stay, without a name." in page
    (sealed,) = re.findall('name="sealed" value="([^"]+)"', page)
    url = client.post("/groups/file/", {"sealed": sealed, "again": "yes"}).headers["Location"]
    group = store.find(url.split("/")[2]).resource
    merges = [(one.name, one.merged_into and one.merged_into.name) for one in group.players.all()]
    assert sorted(merges, key=str) == [("Ana", None), ("Anna", "Ana"), ("Ute", None)]
    names = GroupResult.objects.order_by("seat").values_list("player__name", flat=True)
    assert list(names) == [None, None, "Ana", "Ute"]


def test_faulty_entries_are_named_if_the_group_exists(client: Client) -> None:
    url = open_file(client, json.dumps(SMALL).encode()).headers["Location"]
    client.get(url)
    good = SMALL["games"][0]
    games = [good, good | {"day": ""}, good | {"played": "2026-11-23T19:30:05Z"}]
    page = html.unescape(
        open_file(client, json.dumps(SMALL | {"games": games}).encode()).content.decode()
    )
    assert "You have this group already" in page
    assert "Game 2, “day”: A date such as" in page
    assert "1 game would be added." in page


def test_file_whose_games_are_all_faulty_is_refused_with_the_first_reason(client: Client) -> None:
    games = [SMALL["games"][0] | {"day": day} for day in ("1969-12-31", "")]
    people = [*SMALL["players"], {}]
    answer = open_file(client, json.dumps(SMALL | {"players": people, "games": games}).encode())
    assert answer.status_code == 400
    assert "Game 1, “day”: Only years from 1990 to 2199 are possible." in html.unescape(
        answer.content.decode()
    )
    assert Group.objects.count() == 0


def test_former_names_in_a_file_belong_to_one_player_each(client: Client) -> None:
    people = [
        {"name": "Ana", "also": ["Anna", "ben", "Аnnа", " "]},
        {"name": "Ben", "also": ["Benno", "anna"]},
    ]
    url = open_file(client, json.dumps(SMALL | {"players": people}).encode()).headers["Location"]
    group = store.find(url.split("/")[2]).resource
    assert [one.also for one in group.players.order_by("number")] == [["Anna"], ["Benno"]]


def test_an_unknown_game_of_dice2_has_a_plain_title(client: Client) -> None:
    game = SMALL["games"][0] | {"kind": "dice2", "level": "square"}
    url = open_file(client, json.dumps(SMALL | {"games": [game]}).encode()).headers["Location"]
    assert "Dice²: Square Dice" in client.get(url).content.decode()
    for unknown in ("nix", ""):
        GroupGame.objects.update(level_id=unknown)
        page = client.get(url).content.decode()
        assert "Dice²" in page
        assert "Dice²:" not in page
    content = format_group(store.find(url.split("/")[2]).resource)
    assert read_group(content).skipped == []


def test_a_number_of_thousands_of_digits_is_a_fault_of_its_game(client: Client) -> None:
    game = SMALL["games"][0]
    text = json.dumps(SMALL | {"games": [game, game | {"seconds": "long"}]})
    page = unmarked(open_file(client, text.replace('"long"', "1" * 5000).encode()))
    assert "Game 2, “seconds”: A number up to 10000000 belongs here." in html.unescape(page)


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 5000, b"\xff", b"[1]", b"null"])
def test_a_text_that_is_no_document_is_refused(client: Client, text: bytes) -> None:
    assert open_file(client, text).status_code == 400


@pytest.mark.postgresql
def test_all_results_are_a_table_without_formulas(client: Client) -> None:
    access = create_family()
    text = client.get(f"/groups/{access.share_key}/results.csv").content.decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head == [
        "Date",
        "Game",
        "Player",
        "Points",
        "Place",
        "Share of the win",
        "Kind",
        "Game number",
    ]
    assert len(rows) == GroupResult.objects.count() == 6
    assert [row[2] for row in rows] == ["Ana", "Ben", "Ana", "someone", "'=Ben", "Ida Maria"]


def test_german_results_have_semicolons_and_decimal_commas(client: Client) -> None:
    access = store.find(store.create("Family"))
    game_store.add_game(access, create_scoring({"Ana": 30, "Ben": 30})[1])
    url = f"/groups/{access.key}/results.csv"
    content = client.get(url, HTTP_ACCEPT_LANGUAGE="de").content
    # A byte order mark, and no line "sep=;", which hides it from Excel.
    assert content.startswith('\ufeff"Tag";"Spiel";'.encode())
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";")
    assert [row[head.index("Anteil am Sieg")] for row in rows] == ["0,5", "0,5"]
