"""Idempotent opening: a game file that is sent twice is stored once and has one address."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from sheets.management.commands.prune import delete_unused
from sheets.models import GameFile, Scoring, Table, WorkshopLevel
from sheets.rules import format_level
from sheets.tables import game_files
from sheets.workshop.level_codes import parse_code
from tests.concurrency import run_at_once
from tests.pages.test_open import GAME
from tests.score_levels import GARDEN, sheets_document
from tests.tables.table_clients import played_record

pytestmark = pytest.mark.django_db

RELAYS = [GAME.parents[1] / "relay" / f"{name}.game.json" for name in ("002", "003")]
UPLOAD_PAGES = ("/open/", "/table/file/")


def send(client: Client, path: str, content: bytes) -> HttpResponse:
    return client.post(path, {"document": SimpleUploadedFile("game.json", content)})


def test_a_game_is_stored_once_and_has_one_address(client: Client) -> None:
    addresses = {
        path: {send(client, path, GAME.read_bytes()).headers["Location"] for _ in range(3)}
        for path in UPLOAD_PAGES
    }
    assert [len(found) for found in addresses.values()] == [1, 1]
    assert send(client, "/open/", GAME.read_bytes()).status_code == 302
    assert GameFile.objects.count() == 1
    assert re.fullmatch(r"/open/game/[A-Za-z0-9_-]{32}/", *addresses["/open/"])
    assert re.fullmatch(r"/table/file/[A-Za-z0-9_-]{32}/", *addresses["/table/file/"])


@pytest.mark.postgresql
def test_the_same_game_in_another_spelling_has_the_same_address() -> None:
    document = json.loads(GAME.read_bytes())
    texts = [
        json.dumps(document),
        json.dumps(dict(reversed(document.items())), indent=7, ensure_ascii=False),
    ]
    found = {send(Client(), "/open/", text.encode()).headers["Location"] for text in texts}
    pasted = Client().post("/open/", {"text": texts[1]})
    assert found == {pasted.headers["Location"]}
    assert GameFile.objects.count() == 1


def test_another_game_has_another_address(client: Client) -> None:
    other = json.loads(GAME.read_bytes())
    other["actions"] = other["actions"][:1]
    one = send(client, "/open/", GAME.read_bytes()).headers["Location"]
    assert send(client, "/open/", json.dumps(other).encode()).headers["Location"] != one
    assert GameFile.objects.count() == 2


def test_address_of_a_game_depends_on_the_secret_key_of_the_site(settings: object) -> None:
    record = played_record()
    key = game_files.store_game(record)
    settings.SECRET_KEY = "another" * 10  # type: ignore[attr-defined]
    assert game_files.store_game(record) != key
    # Existing links stay valid.
    assert game_files.find(key).actions == record.actions


def test_the_page_of_a_game_offers_all_acts_and_stores_nothing(client: Client) -> None:
    address = send(client, "/open/", GAME.read_bytes()).headers["Location"]
    for _ in range(2):
        response = client.get(address)
        assert response.status_code == 200
    page = response.content.decode()
    for do in ("play", "score", "print", "copy"):
        assert f'name="do" value="{do}"' in page
    players = json.loads(GAME.read_bytes())["players"]
    assert all(player in page for player in players)
    (steps,) = re.findall(r'href="(/table/file/[^"]+)"', page)
    assert client.get(steps).status_code == 200
    assert "noindex" in response.headers["X-Robots-Tag"]
    assert response.headers["Cache-Control"] == "private, no-store"
    assert response.headers["Referrer-Policy"] == "same-origin"
    (code,) = set(re.findall(r'name="code" value="([^"]+)"', page))
    assert client.post("/open/use/", {"do": "copy", "code": code}).status_code == 302
    assert GameFile.objects.count() == 1
    assert not Table.objects.exists()
    assert client.post(address).status_code == 405


def test_an_unknown_address_is_not_found(client: Client) -> None:
    assert client.get(f"/open/game/{'A' * 32}/").status_code == 404


def test_opening_a_game_again_extends_its_retention() -> None:
    key = game_files.store_game(played_record())
    GameFile.objects.update(touched=timezone.now() - timedelta(days=80))
    assert game_files.store_game(played_record()) == key
    assert delete_unused(GameFile, timezone.now() - timedelta(days=1)) == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_a_game_opened_concurrently_is_stored_once() -> None:
    record = played_record()
    keys: list[str] = []
    assert run_at_once(*[lambda: keys.append(game_files.store_game(record))] * 4) == []
    assert len(keys) == 4
    assert len(set(keys)) == 1
    assert GameFile.objects.count() == 1


def test_score_sheets_sent_twice_show_the_same_and_store_nothing(client: Client) -> None:
    content = json.dumps(sheets_document(GARDEN, {"player": "Ana", "crosses": ["b1"]})).encode()
    pages = [send(client, "/open/", content) for _ in range(2)]
    shown = [re.sub(r'value="[^"]{64}"|nonce="[^"]*"', "", p.content.decode()) for p in pages]
    assert [page.status_code for page in pages] == [200, 200]
    assert "Ana" in shown[0]
    assert not any(model.objects.exists() for model in (Scoring, Table, WorkshopLevel, GameFile))


def test_a_level_too_long_for_a_link_is_shown_and_stores_nothing(client: Client) -> None:
    location = send(client, "/open/", json.dumps(GARDEN).encode()).headers["Location"]
    assert format_level(parse_code(location.partition("code=")[2])) == GARDEN
    assert not GameFile.objects.exists()


DICE2 = {"format": "dice2-game/1", "game": "square", "players": ["Ana"], "actions": []}


def test_a_game_of_dice2_sent_twice_leads_to_one_table(client: Client) -> None:
    first = send(client, "/open/", json.dumps(DICE2).encode()).headers["Location"]
    again = send(client, "/open/", json.dumps(DICE2, indent=4).encode()).headers["Location"]
    assert again == first
    assert Table.objects.count() == 1
    other = json.dumps(DICE2 | {"players": ["Ben"]}).encode()
    assert send(client, "/open/", other).headers["Location"] != first
    # Another device continues at a separate table.
    assert send(Client(), "/open/", json.dumps(DICE2).encode()).headers["Location"] != first
    assert Table.objects.count() == 3


def test_a_game_of_dice2_that_has_continued_opens_a_new_table(client: Client) -> None:
    first = send(client, "/open/", json.dumps(DICE2).encode()).headers["Location"]
    act = {"do": "place", "player": 0, "at": "e5", "die": 3}
    page = client.get(first).content.decode()
    moment = re.findall(r'name="moment" value="([^"]*)"', page)[0]
    assert client.post(f"{first}act/", {**act, "moment": moment}).status_code in (200, 302)
    assert Table.objects.get().length > 0
    assert send(client, "/open/", json.dumps(DICE2).encode()).headers["Location"] != first


def test_an_own_table_is_not_mistaken_for_a_file(client: Client) -> None:
    client.post("/dice2/", {"game": "square", "dice": "typed", "name": "Zoe"})
    assert send(client, "/open/", json.dumps(DICE2).encode()).status_code == 302
    assert Table.objects.count() == 2


@pytest.mark.parametrize("relay", RELAYS, ids=["underway", "over"])
def test_a_relay_sent_twice_leads_to_one_table(client: Client, relay: Path) -> None:
    found = {send(client, "/open/", relay.read_bytes()).headers["Location"] for _ in range(2)}
    assert len(found) == 1
    assert Table.objects.count() == 1
