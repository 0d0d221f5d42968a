"""Files and links that somebody opens: what they are offered, and what comes of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from sheets import scorings, workshop
from sheets.level_codes import format_code, parse_code
from sheets.models import GameFile, Scoring, Table, WorkshopLevel
from sheets.rules import format_level
from tests.score_levels import GARDEN, sheets_document

GAME = Path(__file__).parents[1] / "conformance" / "dizzle" / "000.game.json"
CODE = format_code(GARDEN)

pytestmark = pytest.mark.django_db


def drop(client: Client, content: bytes) -> HttpResponse:
    """Send a file as the form and the script do."""
    file = SimpleUploadedFile("anything.json", content, "application/json")
    return client.post("/open/", {"document": file})


def use(client: Client, do: str, **more: Any) -> HttpResponse:
    return client.post("/open/use/", {"do": do, "code": CODE, **more})


def test_page_asks_for_a_file(client: Client) -> None:
    page = client.get("/open/").content.decode()
    assert 'type="file"' in page
    assert 'enctype="multipart/form-data"' in page


def test_every_page_takes_dropped_files(client: Client) -> None:
    for path in ("/", "/levels/", "/rules/", "/workshop/", "/score/"):
        page = client.get(path).content.decode()
        assert 'data-open="/open/"' in page, path


def test_level_file_leads_to_its_link_and_stores_nothing(client: Client) -> None:
    response = drop(client, json.dumps(GARDEN).encode())
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/open/level/?code=1")
    shown = client.get(response.headers["Location"])
    page = shown.content.decode()
    for do in ("play", "score", "print", "copy"):
        assert f'name="do" value="{do}"' in page
    assert "<h1>Garden</h1>" in page
    assert 'class="art-sheet"' in page
    assert shown.headers["X-Robots-Tag"].startswith("noindex")
    assert not any(model.objects.exists() for model in (Scoring, Table, WorkshopLevel, GameFile))


def test_sheets_can_be_scored(client: Client) -> None:
    document = sheets_document(GARDEN, {"player": "Ana", "crosses": ["b1"]})
    page = drop(client, json.dumps(document).encode())
    assert page.status_code == 200
    assert "Ana" in page.content.decode()
    response = use(client, "sheets", sheets=json.dumps(document))
    assert response.status_code == 302
    assert Scoring.objects.count() == 1
    assert "Ana" in client.get(response.headers["Location"]).content.decode()


def test_game_can_be_stepped_through(client: Client) -> None:
    page = drop(client, GAME.read_bytes()).content.decode()
    (address,) = {part.split('"')[0] for part in page.split('href="')[1:] if "/table/file/" in part}
    assert client.get(address).status_code == 200
    assert 'name="do" value="copy"' in page


def test_game_that_breaks_a_rule_is_explained(client: Client) -> None:
    document = json.loads(GAME.read_bytes())
    document["actions"] = [{"do": "drop", "player": 0}]
    response = drop(client, json.dumps(document).encode())
    assert response.status_code == 400
    assert "Act 1 breaks a rule" in response.content.decode()
    assert not GameFile.objects.exists()


def test_pasted_text_and_pasted_links_open_as_files_do(client: Client) -> None:
    for text in (json.dumps(GARDEN), f"http://anywhere/open/level/?code={CODE}", CODE):
        response = client.post("/open/", {"text": text})
        code = response.headers["Location"].removeprefix("/open/level/?code=")
        assert format_level(parse_code(code)) == GARDEN


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hello", "it is not JSON with a format"),
        (b"[]", "it is not JSON with a format"),
        (b"{}", "can be opened"),
        (b'{"format": "dice3-game/1"}', "can be opened"),
        (b'{"format": "dizzle-level/1", "id": "a", "name": "A", "grid": ["9"]}', "grid row 1"),
        (b"[" * 100_000, "it is not JSON with a format"),
        (b'{"format": "dizzle-level/1", "id": "' + b"a" * 1000 + b'"}', "id"),
    ],
    ids=range(7),
)
def test_other_files_are_refused_in_one_sentence(
    client: Client, content: bytes, words: str
) -> None:
    response = drop(client, content)
    assert response.status_code == 400
    page = response.content.decode()
    assert page.count('role="alert"') == 1
    assert words in page


def test_nothing_sent_asks_to_choose(client: Client) -> None:
    response = client.post("/open/")
    assert response.status_code == 400
    assert "Choose a file first." in response.content.decode()


@pytest.mark.parametrize("code", ["", "1", "x", CODE[:40], "1" + "A" * 5000])
def test_broken_link_says_so(client: Client, code: str) -> None:
    response = client.get("/open/level/", {"code": code})
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()


def test_scoring_begins_with_as_many_sheets_as_wished(client: Client) -> None:
    response = use(client, "score", count="3")
    key = response.headers["Location"].split("/")[2]
    door = scorings.open_door(key)
    assert door.scoring.sheets.count() == 3
    assert format_level(scorings.level_of(door.scoring)) == GARDEN


def test_table_keeps_the_level(client: Client) -> None:
    response = use(client, "play", count="2", dice="rolled")
    table = Table.objects.get()
    assert response.headers["Location"] == f"/table/{table.code}/"
    assert (table.level, table.dice, table.level_id) == (GARDEN, "rolled", "")
    assert client.get(response.headers["Location"]).status_code == 200


def test_print_gives_a_pdf(client: Client) -> None:
    response = use(client, "print")
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.content.startswith(b"%PDF")


def test_copy_is_a_level_of_ones_own(client: Client) -> None:
    response = use(client, "copy")
    door = workshop.open_door(response.headers["Location"].split("/")[2])
    assert door.can_edit
    assert door.level.document | {"id": "garden"} == GARDEN
    assert door.level.document["id"] != "garden"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"do": "steal"},
        {"do": "score"},
        {"do": "score", "count": "7"},
        {"do": "score", "count": "x" * 5000},
        {"do": "play", "count": "6", "dice": "rolled"},
        {"do": "play", "count": "2", "dice": "marked"},
        {"do": "copy", "code": "1AAAA"},
        {"do": "sheets", "sheets": "{}"},
        {"do": "sheets"},
    ],
)
def test_malformed_wishes_change_nothing(client: Client, sent: dict[str, str]) -> None:
    response = client.post("/open/use/", {"code": CODE, **sent})
    assert response.status_code == 400
    assert not any(model.objects.exists() for model in (Scoring, Table, WorkshopLevel))


def test_table_for_too_many_is_refused_on_a_page(client: Client) -> None:
    page = use(client, "play", count="6", dice="rolled").content.decode()
    assert "This level cannot be played by so many." in page


def test_wrong_methods(client: Client) -> None:
    assert client.get("/open/use/").status_code == 405
    assert client.post("/open/level/").status_code == 405
    assert client.put("/open/").status_code == 405


def test_own_level_has_a_link_for_friends(client: Client) -> None:
    key = workshop.create(GARDEN)
    page = client.get(f"/workshop/{key}/code/").content.decode()
    (address,) = re.findall(r'href="http://testserver([^"]+code=[^"]+)"', page)
    opened = client.get(address)
    assert "<h1>Garden</h1>" in opened.content.decode()
    assert key not in address
