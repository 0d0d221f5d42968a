"""Refused forms: a sentence at each wrong field, and the focus on the first."""

from __future__ import annotations

import os.path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape

from sheets.workshop import store
from tests.form_errors import parse_form_errors
from tests.score_levels import GARDEN
from tests.scoring.test_tally import PAD
from tests.table_games import sit_down
from tests.tables.table_clients import client_of

LONG = "x" * 41
START = {"level": "level-1", "players": "2", "dice": "table"}
DICE2 = {"game": "relay", "dice": "typed"}
COPY = "/workshop/copy/"
TYPED = {"name", "name-2", "columns", "rows", "text", "arrows", "p0-name", "p1-gem_red"}
ALL_LEVELS = "".join(f"&level=level-{number}" for number in range(1, 9))
KEY = "the key of a level of one's own"
SHEETS = b'{"format": "dizzle-sheets/1", "level": "level-1", "players": []}'

POSTED: tuple[tuple[str, dict[str, Any], list[str]], ...] = (
    ("/table/", {"code": "ZZZZZ"}, ["code"]),
    ("/table/", {"code": "..."}, ["code"]),
    ("/table/new/", {}, ["level", "players", "dice"]),
    ("/table/new/", START | {"players": "7", "name": "Ana"}, ["players"]),
    ("/table/new/", START | {"level": "level-99"}, ["level"]),
    ("/table/new/", START | {"name": LONG}, ["name"]),
    ("/table/new/", START | {"name": LONG, "bots": "x"}, ["name", "bots"]),
    ("/dice2/", {}, ["game", "dice"]),
    (
        "/dice2/",
        DICE2 | {"players": "9", "target": "1", "name": LONG},
        ["players", "target", "name"],
    ),
    ("/dice2/", {"game": "major", "dice": "rolled", "bots": "x"}, ["bots"]),
    ("/score/new/level-1/", {"count": "9", "name-2": LONG}, ["count", "name-2"]),
    ("/score/import/", {}, ["document"]),
    ("/table/file/", {"document": SHEETS}, ["document"]),
    ("/open/", {}, ["document"]),
    ("/open/", {"document": b"{"}, ["document"]),
    ("/open/", {"text": "{"}, ["text"]),
    ("/open/use/", {"do": "score", "code": "x"}, [""]),
    ("/workshop/invent/", {"columns": "99", "rows": "x"}, ["columns", "rows"]),
    ("/workshop/own/", {"name": 2 * LONG, "columns": "3", "rows": "3"}, ["name"]),
    ("/workshop/own/", {"columns": "3", "rows": "3", "sheet_has": "wings"}, ["sheet_has"]),
    (COPY, {}, [""]),
    (COPY, {"source": "level", "level": "level-99"}, ["level"]),
    (COPY, {"source": "file"}, ["file"]),
    (COPY, {"source": "rows"}, ["rows"]),
    (COPY, {"source": "rows", "rows": "3 <"}, ["rows"]),
    ("/tally/", PAD | {"players": "9"}, ["players"]),
    ("/tally/", PAD | {"arrows": "x", "p1-gem_red": "400"}, ["arrows", "p1-gem_red"]),
    ("/tally/new/", PAD | {"p0-name": LONG}, ["p0-name"]),
    (f"/workshop/{KEY}/play/", {"players": "7", "dice": "table"}, ["players"]),
    (f"/workshop/{KEY}/play/", {"name": LONG}, ["players", "dice", "name"]),
    (f"/workshop/{KEY}/score/", {}, ["count"]),
    ("/groups/new/", {"name": 2 * LONG}, ["name"]),
)
ASKED: tuple[tuple[str, list[str]], ...] = (
    ("/table/?code=", ["code"]),
    ("/print/?copies=9999", ["copies"]),
    (f"/print/?copies=100{ALL_LEVELS}", ["copies"]),
    ("/print/?paper=a4", ["level"]),
    ("/print/?paper=a3", ["paper"]),
    ("/print/?paper=a5&level=level-1&per-page=2", ["per-page"]),
    ("/print/?paper=a5&level=level-1&large=on", ["paper"]),
    ("/print/?level=level-99", ["level"]),
    ("/print/?lang=xx", ["lang"]),
    ("/print/?bw=maybe", ["bw"]),
    ("/print/?per_page=3", [""]),
    (f"/workshop/{KEY}/print/?copies=0", ["copies"]),
    ("/workshop/suggest/?columns=99&rows=x&seed=", ["columns", "rows", "seed"]),
    ("/workshop/suggest/?outline=heart", ["outline"]),
    ("/workshop/suggest/?stops=3", ["stops"]),
    ("/workshop/suggest/?rockets=2", ["planets"]),
    ("/workshop/suggest/?columns=5&rows=5", [""]),
    ("/dice2/score/?game=relay", [""]),
    ("/open/level/?code=x", [""]),
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    return store.create(GARDEN)


@pytest.mark.parametrize(("path", "sent", "names"), POSTED)
def test_refused_form_has_a_sentence_at_each_wrong_field(
    client: Client, key: str, path: str, sent: dict[str, Any], names: list[str]
) -> None:
    files = {name: value for name, value in sent.items() if isinstance(value, bytes)}
    uploads = {name: SimpleUploadedFile("a.json", text) for name, text in files.items()}
    answer = client.post(path.replace(KEY, key), sent | uploads)
    assert 400 <= answer.status_code < 500
    page = answer.content.decode()
    assert list(parse_form_errors(page)) == names
    for name in sent.keys() & TYPED:
        assert escape(sent[name]) in page, "what was typed stays"


@pytest.mark.parametrize(("path", "names"), ASKED)
def test_refused_query_has_a_sentence_at_each_wrong_field(
    client: Client, key: str, path: str, names: list[str]
) -> None:
    answer = client.get(path.replace(KEY, key))
    assert 400 <= answer.status_code < 500
    assert list(parse_form_errors(answer.content.decode())) == names


def test_fault_in_folded_settings_unfolds_them(client: Client) -> None:
    fold = '<details class="more-settings" open>'
    start, dice2 = START | {"bots": "x"}, {"game": "major", "dice": "rolled", "bots": "x"}
    assert fold in client.post("/table/new/", start).content.decode()
    assert fold in client.post("/dice2/", dice2).content.decode()
    assert fold in client.get("/print/?level=level-1&lang=xx").content.decode()
    for outside in ("copies=0", "paper=a3", "level=level-99", "per_page=3"):
        assert fold not in client.get(f"/print/?{outside}").content.decode(), outside
    assert fold not in client.post("/table/new/", START | {"name": LONG}).content.decode()


def test_names_that_are_too_long_stay_in_the_form(client: Client) -> None:
    scoring = client.post("/score/new/level-7/", {"count": 2}).headers["Location"]
    url = f"{os.path.normpath(f'{scoring}/../players')}/"
    numbers = [form.number for form in client.get(url).context["scored"].sheets]
    sent = {f"name-{numbers[0]}": "Ana", f"name-{numbers[1]}": LONG}
    page = client.post(url, sent).content.decode()
    assert list(parse_form_errors(page)) == [f"name-{numbers[1]}"]
    assert 'value="Ana"' in page
    assert f'value="{LONG}"' in page
    lobby = sit_down(start=False)
    host = client_of(lobby)
    host.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    for client, act, number in ((host, "rename", 0), (Client(), "sit", 0)):
        answer = client.post(f"/table/{lobby.code}/{act}/", {"number": number, "name": LONG})
        assert answer.status_code == 400
    page = host.post(f"/table/{lobby.code}/rename/", {"number": 0, "name": LONG}).content.decode()
    assert parse_form_errors(page) == {"name": "Ein Name hat höchstens 40 Zeichen."}
    assert f'value="{LONG}"' in page


def test_mistyped_dice_stay_in_the_form() -> None:
    party = sit_down(dice="typed")
    sent = {"do": "roll", "player": 0, "dice": "3 9"}
    answer = client_of(party).post(f"/table/{party.code}/act/", sent)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert parse_form_errors(page) == {"dice": "Type numbers from 1 to 6, such as 3 5 6."}
    assert 'value="3 9"' in page
