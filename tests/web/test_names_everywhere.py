"""Names of players and things: the same cleaning in every form, and distinct names at a table."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from sheets.access.keys import new_token
from sheets.http import rate_limits
from sheets.models import PaperSheet, Seat, Table, WorkshopLevel
from sheets.names.cleaning import clean_name
from sheets.rules.documents.game import parse_game
from sheets.tables import game_files, seating
from sheets.tables.access import find_access
from sheets.workshop import store
from sheets.workshop.level_codes import format_code
from tests.concurrency import run_at_once
from tests.score_levels import GARDEN, sheets_document
from tests.scoring.scoring_pages import begin
from tests.table_games import TINY, level_of, sit_down
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db

HOSTILE = (
    "👨\u200d👩\u200d👧\u200d👦",
    "می\u200cخواهم",
    "Ana\tMaria",
    "Ana\u202eneB",
    "Ana\u200bBen",
    "A" + "\u0301" * 30,
    "\u00a0 Ana \u3000",
    "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "<b>Ana</b> & {{ Co }}",
)


def seat_name(number: int = 0) -> str:
    return Seat.objects.get(number=number).name


def opened_table(client: Client, typed: str) -> str:
    client.post("/table/new/", {"level": "level-1", "players": 2, "dice": "table", "name": typed})
    return seat_name()


def opened_dice2(client: Client, typed: str) -> str:
    client.post("/dice2/", {"game": "square", "dice": "typed", "name": typed})
    return seat_name()


def sat_down(client: Client, typed: str) -> str:
    party = sit_down(("Zoe", "Yan"), TINY, start=False)
    seating.free_seat(party.access(1), 1)
    client.post(f"/table/{party.code}/sit/", {"number": 1, "name": typed})
    return seat_name(1)


def renamed(client: Client, typed: str) -> str:
    party = sit_down(("Zoe", "Yan"), TINY)
    client_of(party, 1).post(f"/table/{party.code}/rename/", {"number": 1, "name": typed})
    return seat_name(1)


def opened_dice2_file(client: Client, typed: str) -> str:
    document = {"format": "dice2-game/1", "game": "square", "players": [typed], "actions": []}
    file = SimpleUploadedFile("game.json", json.dumps(document).encode())
    client.post("/open/", {"document": file})
    return seat_name()


def game_file(typed: str) -> str:
    """Open a game file of two players, the first with a typed name; return its key."""
    document = {"format": "dizzle-game/1", "level": TINY, "dice": "typed", "actions": []}
    return game_files.store_game(parse_game({**document, "players": [typed, "Zoe"]}))


def opened_game_file(client: Client, typed: str) -> str:
    return first_name(client.get(f"/open/game/{game_file(typed)}/"))


def stepped_through(client: Client, typed: str) -> str:
    return first_name(client.get(f"/table/file/{game_file(typed)}/"))


def first_name(answer: HttpResponse) -> str:
    return html.unescape(re.findall(r"<bdi[^>]*>(.*?)</bdi>", answer.content.decode())[0])


def opened_paper(client: Client, typed: str) -> str:
    document = json.dumps(sheets_document(GARDEN, {"player": typed}))
    return first_name(client.post("/open/", {"text": document}))


def copied(client: Client, typed: str) -> str:
    level = {**GARDEN, "name": {"en": typed, "de": typed}}
    client.post("/open/use/", {"do": "copy", "code": format_code(level)})
    return WorkshopLevel.objects.get().document["name"]["en"].removeprefix("Copy of ")


def begun(client: Client, typed: str) -> str:
    client.post("/score/new/level-1/", {"count": 1, "name-1": typed})
    return PaperSheet.objects.get().player


def renamed_sheet(client: Client, typed: str) -> str:
    url = begin(client, GARDEN)
    client.post(f"{url}players/", {"name-2": typed})
    return PaperSheet.objects.get(number=2).player


def imported(client: Client, typed: str) -> str:
    begin(client, GARDEN, {"player": typed})
    return PaperSheet.objects.get().player


def opened_sheets(client: Client, typed: str) -> str:
    document = json.dumps(sheets_document(GARDEN, {"player": typed}))
    client.post("/open/use/", {"do": "sheets", "sheets": document})
    return PaperSheet.objects.get().player


def tallied(client: Client, typed: str) -> str:
    sent = {"players": "2", "p0-name": typed, "gem_yellow": "2", "p0-gem_yellow": "1"}
    return tally_heads(client.post("/tally/", sent).content.decode())[0]


def tally_heads(page: str) -> list[str]:
    """Return the names over the columns, without the separators before their numbers."""
    heads = re.findall(r"<th[^>]*><bdi[^>]*>(.*?)</bdi>", page)
    return [html.unescape(re.sub(r"</?span>", "", head)) for head in heads]


def invented(client: Client, typed: str) -> str:
    client.post("/workshop/invent/", {"name": typed, "columns": 3, "rows": 3})
    return WorkshopLevel.objects.get().document["name"]["en"]


def owned(client: Client, typed: str) -> str:
    client.post("/workshop/own/", {"name": typed, "columns": 3, "rows": 3})
    return WorkshopLevel.objects.get().document["name"]["de"]


def edited(of: str, language: str) -> Callable[[Client, str], str]:
    def edit(client: Client, typed: str) -> str:
        key = store.create(GARDEN)
        act = {"do": "text", "of": of, "language": language, "text": typed}
        body = json.dumps({"acts": [act]})
        client.post(f"/workshop/{key}/acts/", body, content_type="application/json")
        document = WorkshopLevel.objects.get().document
        return document[of][language] if language else document.get(of, "")

    edit.__name__ = f"edited_{of}"
    return edit


WAYS = (
    opened_table,
    opened_dice2,
    sat_down,
    renamed,
    opened_dice2_file,
    opened_game_file,
    stepped_through,
    opened_paper,
    copied,
    begun,
    renamed_sheet,
    imported,
    opened_sheets,
    tallied,
    invented,
    owned,
    edited("name", "en"),
    edited("author", ""),
)
STORED = (sat_down, opened_game_file, renamed_sheet, owned)
"""One form for each kind of column: short texts, long ones and JSON."""


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=pytest.mark.postgresql) if way in STORED else way for way in WAYS],
    ids=lambda way: way.__name__,
)
def test_a_name_is_cleaned_the_same_way_everywhere(way: Callable[[Client, str], str]) -> None:
    for typed in HOSTILE:
        rate_limits.reset()
        with transaction.atomic():
            assert way(Client(), typed) == clean_name(typed), ascii(typed)
            transaction.set_rollback(True)


@pytest.mark.parametrize("way", [opened_table, opened_dice2, sat_down, renamed])
def test_an_invisible_name_counts_as_empty(client: Client, way: Callable[..., str]) -> None:
    assert re.fullmatch(r"Player \d|Yan", way(client, "\u200d\u3164 \u2060"))


def test_a_level_keeps_the_line_breaks_of_its_description(client: Client) -> None:
    typed = "One\u202e line.\n\n Another 👩\u200d🚀 "
    assert edited("about", "en")(client, typed) == "One  line.\n\n Another 👩\u200d🚀 "


@pytest.mark.postgresql
@pytest.mark.parametrize("way", ["/table/new/", "/dice2/"])
def test_the_length_of_a_name_is_that_of_the_cleaned_one(client: Client, way: str) -> None:
    sent = {"level": "level-1", "game": "square", "players": 2, "dice": "typed"}
    assert client.post(way, {**sent, "name": "x" * 41}).status_code == 400
    assert client.post(way, {**sent, "name": "x" * 40 + " \u202e"}).status_code == 302
    assert client.post(way, {**sent, "name": "Z" + "\u0301" * 500}).status_code == 302


def names(code: str) -> list[str]:
    return [seat.name for seat in find_access(code).all_seats]


def test_a_later_player_of_the_same_name_gets_a_number() -> None:
    party = sit_down(("Anna", "anna", "Аnnа", "Anna 2"), TINY, start=False)
    assert names(party.code) == ["Anna", "anna 2", "Аnnа 3", "Anna 2 2"]


def test_the_order_of_sitting_down_decides_not_the_order_of_seats() -> None:
    party = sit_down(("Zoe", "Anna", "Ben"), TINY, start=False)
    seating.rename(party.access(0), 0, "Anna")
    assert names(party.code) == ["Anna 2", "Anna", "Ben"]


def test_own_name_stays_unchanged() -> None:
    party = sit_down(("Anna", "Anna"), TINY)
    for player, name in ((0, "Anna"), (1, "Anna 2"), (1, "Anna")):
        seating.rename(party.access(player), player, name)
    assert names(party.code) == ["Anna", "Anna 2"]
    seating.rename(party.access(0), 0, "anna")
    assert names(party.code) == ["anna", "Anna 2"]


def test_a_seat_given_up_before_the_game_leaves_its_name_free() -> None:
    party = sit_down(("Zoe", "Anna", "Ben"), TINY, start=False)
    seating.free_seat(party.access(1), 1)
    seating.rename(party.access(2), 2, "Anna")
    assert names(party.code)[2] == "Anna"
    seating.take_seat(find_access(party.code), 1, "Anna", new_token())
    assert names(party.code)[1] == "Anna 2"


def test_a_seat_given_up_in_the_game_keeps_its_name() -> None:
    party = sit_down(("Zoe", "Anna"), TINY)
    seating.free_seat(party.access(1), 1)
    seating.rename(party.access(0), 0, "Anna")
    seating.take_seat(find_access(party.code), 1, "Anna", new_token())
    assert names(party.code) == ["Anna 2", "Anna"]


def test_a_bot_is_not_mistaken_for_a_player() -> None:
    token = new_token()
    found, level_id = level_of("level-1")
    code = seating.open_table(found, level_id, players=2, dice="rolled", name="bot 2", token=token)
    seating.seat_bot(find_access(code, token), 1, "greedy")
    assert names(code) == ["bot 2", "Bot 2 2"]


def test_the_same_people_keep_their_names_in_the_next_game() -> None:
    party = sit_down(("Anna", "Anna"), TINY)
    assert names(seating.open_rematch(party.access(0))) == ["Anna 2", "Anna"]


def test_players_of_a_game_file_are_distinguished_at_its_table(client: Client) -> None:
    document = {
        "format": "dice2-game/1", "game": "major", "players": ["Ana", "ana"], "actions": [],
    }  # fmt: skip
    client.post("/open/", {"text": json.dumps(document)})
    assert names(Table.objects.get().code) == ["Ana", "ana 2"]


def test_sheets_of_the_same_name_are_distinguished_in_comparisons(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "Ana"}, {"player": "Аna"}, {"player": "ana"})
    page = client.get(url).content.decode()
    assert all(f'<bdi translate="no">{name}</bdi>' in page for name in ("Ana", "Аna 2", "ana 3"))
    assert [sheet.player for sheet in PaperSheet.objects.all()] == ["Ana", "Аna", "ana"]
    assert "Ana 2" not in client.get(f"{url}players/").content.decode()


def test_a_tally_distinguishes_players_of_the_same_name(client: Client) -> None:
    sent = {"players": "3", "p0-name": "Player 2", "p2-name": "player 2"}
    shown = tally_heads(client.post("/tally/", sent).content.decode())
    assert shown[:3] == ["Player 2", "Player 2 2", "player 2 3"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_players_who_sit_down_at_the_same_moment_are_distinguished() -> None:
    party = sit_down(("Zoe", "A", "B", "C"), TINY, start=False)
    for number in range(1, 4):
        seating.free_seat(party.access(number), number)
    visits = [find_access(party.code, token) for token in party.tokens[:4]]
    acts = [
        partial(seating.take_seat, visits[number], number, "Anna", party.tokens[number])
        for number in (1, 2, 3)
    ]
    before = party.access().table.revision
    assert run_at_once(partial(seating.rename, visits[0], 0, "Anna"), *acts) == []
    assert party.access().table.revision == before + 4
    assert sorted(names(party.code)) == ["Anna", "Anna 2", "Anna 3", "Anna 4"]
