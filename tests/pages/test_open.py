"""Opening of files and links, and the acts that the page offers."""

from __future__ import annotations

import html
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pypdf import PdfReader

from sheets.documents.structure import read_game
from sheets.levels import find_level
from sheets.models import GameFile, Scoring, Table, WorkshopLevel
from sheets.rules import format_level
from sheets.scoring import store
from sheets.tables import game_files
from sheets.text.languages import languages
from sheets.workshop import store as workshop_store
from sheets.workshop.draft import new_draft
from sheets.workshop.level_codes import format_code, parse_code
from tests.form_errors import parse_form_errors
from tests.score_levels import GARDEN, sheets_document

GAME = Path(__file__).parents[1] / "conformance" / "dizzle" / "000.game.json"
CODE = format_code(GARDEN)
GERMAN = {"accept-language": "de"}
NOT_OURS = "Das ist keine Datei (JSON) mit einem Level, einem Spiel oder Wertungsblättern."

pytestmark = pytest.mark.django_db


def drop(client: Client, content: bytes) -> HttpResponse:
    """Send a file like the form and the script."""
    file = SimpleUploadedFile("anything.json", content, "application/json")
    return client.post("/open/", {"document": file})


def level(**more: Any) -> bytes:
    """Return a level file with a change that makes it invalid."""
    plain = {"format": "dizzle-level/1", "id": "a", "name": "A", "grid": ["3x 5"]}
    return json.dumps(plain | more).encode()


def use(client: Client, do: str, **more: Any) -> HttpResponse:
    return client.post("/open/use/", {"do": do, "code": CODE, **more})


def test_page_has_a_form_for_a_file(client: Client) -> None:
    page = client.get("/open/").content.decode()
    assert 'type="file"' in page
    assert 'enctype="multipart/form-data"' in page


def test_every_page_accepts_dropped_files(client: Client) -> None:
    for path in ("/", "/levels/", "/rules/", "/workshop/", "/score/"):
        page = client.get(path).content.decode()
        assert 'data-open-url="/open/"' in page, path


def test_level_file_leads_to_its_link_and_stores_nothing(client: Client) -> None:
    response = drop(client, json.dumps(GARDEN).encode())
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/open/level/?code=1")
    shown = client.get(response.headers["Location"])
    page = shown.content.decode()
    for do in ("play", "score", "print", "copy"):
        assert f'name="do" value="{do}"' in page
    assert '<h1 translate="no">Garden</h1>' in page
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
    opened = drop(client, GAME.read_bytes())
    page = client.get(opened.headers["Location"]).content.decode()
    (address,) = {part.split('"')[0] for part in page.split('href="')[1:] if "/table/file/" in part}
    assert client.get(address).status_code == 200
    assert 'name="do" value="copy"' in page


def test_game_that_breaks_a_rule_is_explained(client: Client) -> None:
    document = json.loads(GAME.read_bytes())
    document["actions"] = [{"do": "drop", "player": 0}]
    response = drop(client, json.dumps(document).encode())
    assert response.status_code == 400
    assert "Move 1 breaks a rule" in response.content.decode()
    assert not GameFile.objects.exists()


def test_refusal_of_a_game_has_clean_names() -> None:
    document = json.loads(GAME.read_bytes())
    document["actions"] = [{"do": "drop", "player": 0}]
    document["players"] = ["An\u202ea", *document["players"][1:]]
    with pytest.raises(game_files.BrokenGame) as broken:
        game_files.store_game(read_game(json.dumps(document).encode(), find_level))
    assert broken.value.players == ["An a", *document["players"][1:]]


def test_author_of_a_level_is_shown_as_a_clean_name(client: Client) -> None:
    opened = drop(client, level(author="Ada\u202e Lace"))
    page = client.get(opened.headers["Location"]).content.decode()
    assert "Ada Lace" in page
    assert "\u202e" not in page


def test_pasted_text_and_pasted_links_open_as_files_do(client: Client) -> None:
    for text in (json.dumps(GARDEN), f"http://anywhere/open/level/?code={CODE}", CODE):
        response = client.post("/open/", {"text": text})
        code = response.headers["Location"].removeprefix("/open/level/?code=")
        assert format_level(parse_code(code)) == GARDEN


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Die Datei ist leer."),
        (b"hello", NOT_OURS),
        (b"[]", NOT_OURS),
        (b"[" * 100_000, NOT_OURS),
        (b'{"a":' * 100_000, NOT_OURS),
        (level(name="\ud800"), NOT_OURS),
        (level(name="Gruen").replace(b"ue", b"\xfc"), "Sie muss als UTF-8 gespeichert sein."),
        (b"{}", "Das Dokument hat ein anderes Format"),
        (level(format="dizzle-level/2"), "Dateien der Art „dizzle-level/2“"),
        (level(format="dice3-game/1"), "Dateien der Art „dice3-game/1“"),
        (level(format="dice2-game/1"), "„id“ ist hier unbekannt."),
        (level(format="dizzle-game/1"), "„id“ ist hier unbekannt."),
        (level(grid=["9"]), "Reihe 1 des Rasters: „9“ ist kein Feld."),
        (level(name="a\0b"), "In einem Text darf kein NUL-Zeichen stehen."),
        (level(id="a" * 1000), "Hierher gehören bis zu 40 Kleinbuchstaben, Ziffern und"),
        (level(lines=[{"row": 9, "points": 1}]), "Das Level hat keine Reihe 9."),
        (level(grid=["1Gy"]), "Noch keine Punkte gibt es für: gelber Edelstein."),
        (level(about=" " * 2_000_000)[:900_000], NOT_OURS),
    ],
    ids=range(18),
)
def test_other_files_are_refused_in_the_active_language(
    client: Client, content: bytes, words: str
) -> None:
    for path, name, more in (
        ("/open/", "document", {}),
        ("/workshop/copy/", "file", {"source": "file"}),
    ):
        if b"dice2" in content and path != "/open/":
            words = "In einem Spiel von Dice² steckt kein Level."
        response = client.post(
            path, {name: SimpleUploadedFile("a.json", content), **more}, headers=GERMAN
        )
        assert response.status_code == 400
        page = response.content.decode()
        assert len(parse_form_errors(page)) == 1
        assert words in page
        assert 'lang="en"' not in page.partition(f"why-{name}")[2].partition("</p>")[0]
    assert not any(model.objects.exists() for model in (Scoring, Table, WorkshopLevel, GameFile))


PICTURES = pytest.mark.parametrize(
    "start",
    [
        b"%PDF-1.7",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b"GIF89a",
        b"RIFF\0\0\0\0WEBPVP8 ",
        b"\0\0\0\x18ftypheic",
        b"<svg xmlns='http://www.w3.org/2000/svg'>",
        b'<?xml version="1.0"?>\n<svg>',
    ],
)


@PICTURES
def test_pictures_are_refused_wherever_files_are_opened(client: Client, start: bytes) -> None:
    for path in ("/score/import/", "/table/file/"):
        response = client.post(path, {"document": SimpleUploadedFile("photo", start)})
        assert response.status_code == 400
        page = response.content.decode()
        assert len(parse_form_errors(page)) == 1
        assert "A picture or a PDF cannot be opened here." in page


@PICTURES
def test_pictures_are_recognised(client: Client, start: bytes) -> None:
    for content, more in ((start, {}), (start + b"\n" * 2000, {"cut": "1"})):
        file = SimpleUploadedFile("photo", content)
        response = client.post("/open/", {"document": file, **more})
        assert response.status_code == 400
        page = response.content.decode()
        assert "A picture or a PDF cannot be opened here." in page
        assert "level file (JSON)" in page
        assert 'are read here: <a href="/score/photos/">Photograph the sheets</a>' in page


def test_beginning_of_a_large_file_is_refused_for_its_size(client: Client) -> None:
    file = SimpleUploadedFile("large", level()[:50])
    response = client.post("/open/", {"document": file, "cut": "1"})
    assert response.status_code == 400
    assert "The file is larger than 1024 KiB." in response.content.decode()


def test_several_files_are_refused(client: Client) -> None:
    response = client.post("/open/", {"several": "1"})
    assert response.status_code == 400
    assert "Only one file can be opened at a time, and no folder." in response.content.decode()


def test_level_of_a_game_or_of_sheets_can_be_edited(client: Client) -> None:
    sheets = json.dumps(sheets_document(GARDEN, {"player": "Ana", "crosses": ["b1"]})).encode()
    for content in (GAME.read_bytes(), sheets):
        file = SimpleUploadedFile("any.json", content)
        response = client.post("/workshop/copy/", {"source": "file", "file": file})
        assert response.status_code == 302
    assert WorkshopLevel.objects.count() == 2


def test_sheets_written_with_many_blanks_can_be_scored(client: Client) -> None:
    """The page posts them a second time, so they must not have grown."""
    document = sheets_document(GARDEN, {"player": "Änne", "crosses": ["b1"]})
    content = json.dumps(document).encode().replace(b"{", b"{" + b" " * 100_000, 1)
    page = drop(client, content).content.decode()
    assert len(page) < 100_000
    sent = html.unescape(re.findall(r'<textarea name="sheets" hidden>([^<]*)<', page)[0])
    response = use(client, "sheets", sheets=sent)
    assert "Änne" in client.get(response.headers["Location"]).content.decode()


def test_an_empty_form_asks_for_a_file(client: Client) -> None:
    response = client.post("/open/")
    assert response.status_code == 400
    assert "Choose a file first." in response.content.decode()


@pytest.mark.parametrize("code", ["", "1", "x", CODE[:40], "1" + "A" * 5000])
def test_broken_link_is_refused(client: Client, code: str) -> None:
    response = client.get("/open/level/", {"code": code})
    assert response.status_code == 400
    page = response.content.decode()
    assert parse_form_errors(page).keys() == {""}
    assert 'lang="en"' not in page.partition("autofocus")[2].partition("</p>")[0]


def test_scoring_begins_with_the_chosen_number_of_sheets(client: Client) -> None:
    response = use(client, "score", count="3")
    key = response.headers["Location"].split("/")[2]
    scoring = store.find(key).resource
    assert scoring.sheets.count() == 3
    assert format_level(store.level_of(scoring)) == GARDEN


def test_table_has_the_level(client: Client) -> None:
    response = use(client, "play", count="2", dice="rolled")
    table = Table.objects.get()
    assert response.headers["Location"] == f"/table/{table.code}/"
    assert (table.level, table.dice, table.level_id) == (GARDEN, "rolled", "")
    assert client.get(response.headers["Location"]).status_code == 200


def test_print_returns_a_pdf_on_the_default_paper(client: Client) -> None:
    response = use(client, "print")
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.content.startswith(b"%PDF")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en-US"
    (page,) = PdfReader(BytesIO(use(client, "print").content)).pages
    assert [round(side) for side in page.mediabox[2:]] == [612, 792]


def test_copy_is_an_own_level(client: Client) -> None:
    response = use(client, "copy")
    access = workshop_store.find(response.headers["Location"].split("/")[2])
    assert access.can_edit
    named = access.resource.document["name"]
    assert (set(named), named["de"], named["en"]) == (
        set(languages()),
        "Kopie von Garten",
        "Copy of Garden",
    )
    assert access.resource.document | {"id": "garden", "name": GARDEN["name"]} == GARDEN
    assert access.resource.document["id"] != "garden"


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
def test_malformed_requests_change_nothing(client: Client, sent: dict[str, str]) -> None:
    response = client.post("/open/use/", {"code": CODE, **sent})
    assert response.status_code == 400
    assert not any(model.objects.exists() for model in (Scoring, Table, WorkshopLevel))


def test_table_for_too_many_is_refused_on_a_page(client: Client) -> None:
    page = use(client, "play", count="6", dice="rolled").content.decode()
    assert "This level cannot be played by that many." in page


def test_wrong_methods(client: Client) -> None:
    assert client.post("/open/level/").status_code == 405
    assert client.put("/open/").status_code == 405


def test_own_level_has_a_link_for_friends(client: Client) -> None:
    key = workshop_store.create(GARDEN)
    page = client.get(f"/workshop/{key}/code/").content.decode()
    (address,) = re.findall(r'href="http://testserver([^"]+code=[^"]+)"', page)
    opened = client.get(address)
    assert '<h1 translate="no">Garden</h1>' in opened.content.decode()
    assert key not in address


def test_a_bought_sheet_cannot_be_copied_by_others(client: Client) -> None:
    key = workshop_store.create(GARDEN, is_bought=True)
    shown = workshop_store.find(key).share_key
    for one in (key, shown):
        response = client.get(f"/workshop/{one}/code/")
        assert response.status_code == 403
        page = response.content.decode()
        assert "for your private use" in page
        assert "code=" not in page
        page = client.get(f"/workshop/{one}/?whole").content.decode()
        assert "/code/" not in page
        assert ("/level.json" in page) is (one == key)
    assert client.get(f"/workshop/{key}/level.json").json() == GARDEN
    assert client.get(f"/workshop/{shown}/level.json").status_code == 403


def test_a_pasted_link_to_an_own_level_leads_there(client: Client) -> None:
    key = workshop_store.create(new_draft({"en": "Orchard"}, workshop_store.new_id(), 4, 4))
    answer = client.post("/open/", {"text": f" https://host.example/workshop/{key}/ "})
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/workshop/{key}/")
