"""Malicious requests to own and other levels, which are refused without effect."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.http.rate_limits import NEW_SCORINGS, NEW_TABLES, READS, SAVES, UPLOADS, Limit
from sheets.models import Job, Scoring, Table, WorkshopLevel
from sheets.workshop import store
from sheets.workshop.level_codes import format_code
from tests.score_levels import GARDEN

pytestmark = pytest.mark.django_db

NUMBER = {"do": "squares", "put": {"a1": {"number": "6"}}}
EVIL = "</script><img src=x onerror=alert(1)>\"'"
DICE2 = {"format": "dice2-game/1", "game": "square", "players": ["Ana"], "actions": []}


@pytest.fixture
def key() -> str:
    return store.create(GARDEN)


def shown(key: str) -> str:
    return store.find(key).share_key


def send(client: Client, key: str, *acts: dict[str, Any]) -> Any:
    body = json.dumps({"acts": acts})
    return client.post(f"/workshop/{key}/acts/", body, content_type="application/json")


def use_up(limit: Limit) -> None:
    """Use up a rate limit of the tests' address."""
    while limit.hit("127.0.0.1"):
        pass


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("links/", None),
        ("links/", {"do": "renew"}),
        ("links/", {"do": "unshare"}),
        ("delete/", None),
        ("delete/", {}),
        ("state/", None),
        ("guide/numbers/", None),
        ("balance/", {"do": "start"}),
        ("balance/", {"do": "ratings"}),
    ],
)
def test_view_link_changes_nothing(
    client: Client, key: str, path: str, sent: dict[str, str] | None
) -> None:
    url = f"/workshop/{shown(key)}/{path}"
    response = client.get(url) if sent is None else client.post(url, sent)
    assert response.status_code == 403
    assert key not in response.content.decode()
    assert store.find(key).can_edit
    assert store.find(shown(key)).resource.document == GARDEN
    assert not Job.objects.exists()


def test_view_link_has_no_editor_and_no_other_links(client: Client, key: str) -> None:
    assert send(client, shown(key), NUMBER).status_code == 403
    for part in ("", "score/", "play/", "print/", "code/", "balance/"):
        assert key not in client.get(f"/workshop/{shown(key)}/{part}").content.decode()
    assert store.find(key).resource.document == GARDEN


def test_similar_keys_are_unknown(client: Client, key: str) -> None:
    last = "A" if key[-1] != "A" else "B"
    for guess in (key[:-1] + last, key.swapcase(), key[::-1], shown(shown(key)), "A" * 32):
        if guess not in (key, shown(key)):
            assert client.get(f"/workshop/{guess}/").status_code == 404
            assert send(client, guess, NUMBER).status_code == 404


@pytest.mark.parametrize("path", ["acts/", "links/", "delete/", "play/", "solo/", "score/"])
def test_other_sites_cannot_post_here(key: str, path: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"/workshop/{key}/{path}", {"do": "renew"}).status_code == 403
    assert store.find(key).resource.document == GARDEN
    assert not Table.objects.exists()


@pytest.mark.parametrize("path", ["/open/", "/open/use/", "/workshop/copy/", "/workshop/own/"])
def test_other_sites_cannot_create_levels(path: str) -> None:
    sent = {"do": "copy", "code": format_code(GARDEN), "source": "level", "level": "level-1"}
    assert Client(enforce_csrf_checks=True).post(path, sent).status_code == 403
    assert not WorkshopLevel.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"acts": []}',
        b"[" * 100_000,
        json.dumps({"acts": [NUMBER] * 101}).encode(),
        json.dumps({"acts": [{"do": "grid", "rows": ["1 " * 300]}]}).encode(),
        json.dumps({"acts": [{"do": "grid", "rows": ["1"] * 27}]}).encode(),
        json.dumps({"acts": [{"do": "size", "columns": 10**9, "rows": 1}]}).encode(),
        json.dumps({"acts": [{"do": "text", "of": "name", "language": "en", "text": "x" * 501}]})
        .encode(),
        json.dumps({"acts": [NUMBER | {"is_bought": True}]}).encode(),
    ],
    ids=range(10),
)  # fmt: skip
def test_oversized_and_strange_acts_change_nothing(client: Client, key: str, body: bytes) -> None:
    url = f"/workshop/{key}/acts/"
    assert client.post(url, body, content_type="application/json").status_code == 400
    level = store.find(key).resource
    assert (level.document, level.revision) == (GARDEN, 0)


def test_body_over_the_limit_is_not_read(client: Client, key: str) -> None:
    body = b" " * (1024 * 1024 + 1)
    url = f"/workshop/{key}/acts/"
    assert client.post(url, body, content_type="application/json").status_code == 413


def test_new_levels_have_a_rate_limit(client: Client) -> None:
    use_up(UPLOADS)
    sent = {"name": "A", "columns": 3, "rows": 3}
    for response in (
        client.post("/workshop/own/", sent),
        client.post("/workshop/invent/", sent),
        client.post("/workshop/copy/", {"source": "level", "level": "level-1"}),
        client.post("/workshop/suggest/", {}),
        client.post("/open/", {"text": json.dumps(GARDEN)}),
        client.post("/open/use/", {"do": "copy", "code": format_code(GARDEN)}),
    ):
        assert response.status_code == 429
    assert not WorkshopLevel.objects.exists()


def test_tables_from_files_count_towards_the_limit_of_tables(client: Client, key: str) -> None:
    use_up(NEW_TABLES)
    sent = {"do": "play", "count": "2", "dice": "table", "code": format_code(GARDEN)}
    dice2 = SimpleUploadedFile("a.json", json.dumps(DICE2).encode())
    for response in (
        client.post("/open/use/", sent),
        client.post("/open/", {"document": dice2}),
        client.post(f"/workshop/{key}/play/", {"players": 2, "dice": "table", "name": ""}),
        client.post(f"/workshop/{key}/solo/"),
    ):
        assert response.status_code == 429
    assert not Table.objects.exists()


def test_scorings_from_files_count_towards_the_limit_of_scorings(client: Client, key: str) -> None:
    use_up(NEW_SCORINGS)
    code = format_code(GARDEN)
    for response in (
        client.post("/open/use/", {"do": "score", "count": "2", "code": code}),
        client.post("/open/use/", {"do": "sheets", "sheets": "{}", "code": code}),
        client.post(f"/workshop/{key}/score/", {"count": 1}),
    ):
        assert response.status_code == 429
    assert not Scoring.objects.exists()


def test_edits_and_drawings_have_a_limit(client: Client, key: str) -> None:
    use_up(SAVES)
    assert send(client, key, NUMBER).status_code == 429
    use_up(READS)
    assert client.get("/open/level/", {"code": format_code(GARDEN)}).status_code == 429
    assert store.find(key).resource.document == GARDEN


def test_texts_of_a_level_are_escaped_everywhere(client: Client) -> None:
    """A level from another user is only text on the pages."""
    document = GARDEN | {"name": EVIL, "about": EVIL, "author": EVIL, "labels": {"bomb": EVIL}}
    key = store.create(document)
    code = format_code(document)
    pages = [f"/workshop/{key}/{part}" for part in (
        "", "?whole", "guide/check/", "links/", "code/", "play/", "score/", "print/", "phone/",
        "page-1.svg", "delete/", "balance/",
    )]  # fmt: skip
    pages += [f"/workshop/{shown(key)}/", f"/open/level/?code={code}"]
    table = client.post("/open/use/", {"do": "play", "count": "1", "dice": "rolled", "code": code})
    pages += [table.headers["Location"]]
    sheet = client.post("/open/use/", {"do": "score", "count": "1", "code": code})
    pages += [sheet.headers["Location"]]
    for path in pages:
        response = client.get(path)
        assert response.status_code == 200, path
        assert b"<img src=x" not in response.content, path
