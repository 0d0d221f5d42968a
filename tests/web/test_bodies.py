"""Request bodies of all kinds at all addresses never cause a server error."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, reverse

import sheets
from sheets.groups import store as group_store
from sheets.http import rate_limits
from sheets.models import Scoring, WorkshopLevel
from sheets.rules import parse_level
from sheets.scoring import store
from sheets.workshop import store as workshop_store
from tests.pages.test_open import GAME
from tests.score_levels import GARDEN
from tests.table_games import sit_down
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db

JSON = "application/json"
KINDS = (
    JSON,
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "multipart/form-data; boundary=\xe4",
    "multipart/mixed; boundary=x",
    "text/plain",
    "text/plain; charset=bogus",
    "application/octet-stream",
    "image/png",
    "nonsense",
    "",
)
FORM = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
BODIES = (
    b"",
    b"{}",
    b'{"acts": []}',
    b'{"acts": [{"id": "abcdefgh", "number": 1, "do": "mark", "at": "b1", "value": "cross"}]}',
    b'{"acts": [{"do": "squares", "put": {"a1": {"number": "6"}}}]}',
    b"a=1&acts=2",
    FORM,
    b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n\xff\r\n--x--\r\n',
    FORM[:40],
    b"\xff\xfe\x00",
    b"[" * 5000,
)


def all_addresses() -> dict[str, Any]:
    """Return every named address of the site with its view."""

    def walk(patterns: list[URLPattern | URLResolver]) -> Iterator[tuple[str, Any]]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
            else:
                assert pattern.name, pattern
                yield pattern.name, pattern.callback

    return dict(walk(get_resolver().url_patterns))


ADDRESSES = all_addresses()
TAKES_JSON = [name for name, view in ADDRESSES.items() if getattr(view, "takes_json", False)]


class Site:
    """One thing of each kind that has an address, and a client with all permissions."""

    def __init__(self) -> None:
        party = sit_down(level=GARDEN)
        self.client = client_of(party)
        self.client.raise_request_exception = True
        file = SimpleUploadedFile("game.json", GAME.read_bytes())
        opened = self.client.post("/table/file/", {"document": file})
        self.keys = {
            "score": store.create(parse_level(GARDEN), ["Ana", "Ben"]),
            "workshop": workshop_store.create(GARDEN),
            "group": group_store.create("Family"),
            "table": opened.headers["Location"].rstrip("/").rpartition("/")[2],
        }
        self.code = party.code

    def path(self, name: str) -> str:
        """Return the address of a name, with the keys and numbers of existing things."""
        ((_path, blanks), *_), *_more = get_resolver().reverse_dict.getlist(name)[0]
        part = "score" if name.startswith("print-filled") else name.partition("-")[0]
        known = {
            "key": self.keys.get(part, self.keys["table"]),  # of a table or an opened game
            "code": self.code,
            "level_id": "level-1",
            "step": "numbers",
            "number": 1,
            "day": "2026-11-22",
            "year": 2026,
            "digest": "5f0c1b22a9d34e77",
            "kind": "score",
            "name": self.keys["score"],
        }
        assert known.keys() >= set(blanks), "give `known` a value for what is new"
        return reverse(name, kwargs={blank: known[blank] for blank in blanks})

    def send(self, name: str, body: bytes, kind: str) -> HttpResponse:
        return self.client.generic("POST", self.path(name), body, content_type=kind)


@pytest.fixture
def site(few_trials: None) -> Site:
    return Site()


def every_kind(_name: str) -> Iterator[tuple[str, bytes]]:
    """Yield every content type with bodies to send: three for the types of forms, else one."""
    for kind in KINDS:
        is_form = kind.startswith(("multipart/form-data", "application/x-www-form-urlencoded"))
        yield from ((kind, body) for body in ((BODIES[1], FORM, FORM[:40]) if is_form else (FORM,)))


def kinds_in_turn(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield forms, and one other content type, which differs between addresses."""
    yield "application/x-www-form-urlencoded", FORM
    yield from (("multipart/form-data; boundary=x", body) for body in (BODIES[1], FORM, FORM[:40]))
    others = [kind for kind in KINDS if kind != "application/x-www-form-urlencoded"]
    yield others[sorted(ADDRESSES).index(name) % len(others)], FORM


def test_no_body_breaks_an_address(site: Site) -> None:
    assert broken(site, ADDRESSES, kinds_in_turn) == {}


@pytest.mark.slow
def test_no_kind_of_body_breaks_an_address(site: Site) -> None:
    assert broken(site, ADDRESSES, every_kind) == {}


@pytest.mark.postgresql
def test_no_body_breaks_an_address_that_takes_json(site: Site) -> None:
    """Some parts of these bodies reach the database."""
    assert broken(site, TAKES_JSON, lambda _name: product(KINDS, BODIES)) == {}


def broken(
    site: Site, names: Iterable[str], sent: Callable[[str], Iterable[tuple[str, bytes]]]
) -> dict[tuple[str, str, bytes], object]:
    """Return the exception, or status, for each address, kind and body that breaks one."""
    found: dict[tuple[str, str, bytes], object] = {}
    cookies = copy(site.client.cookies)
    site.client.raise_request_exception = False
    for name in names:
        for kind, body in sent(name):
            rate_limits.reset()
            site.client.cookies = copy(cookies)
            with transaction.atomic():
                response = site.send(name, body, kind)
                transaction.set_rollback(True)
            if response.status_code >= 500:
                _, exception, _ = response.exc_info or (None, None, None)
                found[name, kind, body] = exception or response.status_code
    return found


def test_addresses_that_take_json_are_known() -> None:
    assert TAKES_JSON == ["score-acts", "group-day-keep", "workshop-acts"]


def test_no_view_reads_request_body_directly() -> None:
    """It would have to handle all kinds of bodies."""
    folder = Path(sheets.__file__).parent
    readers = {
        file.name
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "body"
    }
    assert readers == {"json_body.py"}


def test_invalid_json_is_refused_with_a_sentence(site: Site) -> None:
    before = stored()
    wrong = []
    kinds = (kind for kind in KINDS if kind not in ("", JSON))
    for name, kind, body in product(TAKES_JSON, kinds, BODIES):
        response = site.send(name, body, kind)
        said = response.content.decode()
        if response.status_code != 400 and not (
            response.status_code == 415 and said.endswith("as application/json.")
        ):
            wrong.append((name, kind, body, response.status_code, said))
    assert wrong == []
    assert stored() == before


@pytest.mark.parametrize("name", TAKES_JSON)
def test_form_with_a_file_is_refused(site: Site, name: str) -> None:
    response = site.client.post(site.path(name), {"a": SimpleUploadedFile("a", b"1"), "b": "2"})
    assert response.status_code == 415


def test_json_is_stored(site: Site) -> None:
    before = stored()
    assert site.send("score-acts", BODIES[3], JSON).status_code == 200
    assert (
        site.send("workshop-acts", BODIES[4], "application/json; charset=UTF-8").status_code == 200
    )
    assert stored() != before


def stored() -> str:
    rows = [*Scoring.objects.values(), *WorkshopLevel.objects.values()]
    return json.dumps(rows, default=str)
