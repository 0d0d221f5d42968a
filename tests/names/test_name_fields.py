"""Names in forms: stored as typed, without harmful characters."""

import pytest
from django.test import Client

from sheets.models import Scoring
from sheets.names.cleaning import clean_name
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin

pytestmark = pytest.mark.django_db


def names() -> list[str]:
    return [sheet.player for sheet in Scoring.objects.get().sheets.all()]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ana\u202eneB", "Ana neB"),
        ("\u2066Ana\u2069", "Ana"),
        ("Ana\x07", "Ana"),
        ("Ana\nBen", "Ana Ben"),
        ("\u200b", ""),
        ("ליאור", "ליאור"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("नेहा", "नेहा"),
    ],
)
def test_name_keeps_its_visible_characters(client: Client, typed: str, kept: str) -> None:
    assert clean_name(typed) == kept
    url = begin(client, GARDEN, {"player": typed}, {"player": "Ben"})
    assert names() == [kept, "Ben"]
    client.post(f"{url}players/", {"name-1": "Cem", "name-2": typed})
    assert names() == ["Cem", kept]


@pytest.mark.parametrize("path", ["", "1/", "players/1/remove/"])
def test_direction_of_a_name_does_not_affect_the_page(client: Client, path: str) -> None:
    url = begin(client, GARDEN, {"player": "ליאור"}, {"player": "Ben"})
    assert '<bdi translate="no">ליאור</bdi>' in client.get(url + path).content.decode()


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"name-1=%ff%fe", FORM),
        (b"name-1=%ed%a0%80", FORM),
        (b"name-1=\xff", FORM),
        (b"name-1=Cem&na%ffme=x", FORM),
        (b"name-1=Cem", f"{FORM}; charset=bogus"),
        (b"name-1=Cem", f"{FORM}; charset=utf-16"),
        (b'--x\r\nContent-Disposition: form-data; name="name-1"\r\n\r\n\xff\r\n--x--\r\n',
         "multipart/form-data; boundary=x"),
    ],
)  # fmt: skip
def test_garbled_form_changes_nothing(client: Client, body: bytes, kind: str) -> None:
    url = begin(client, GARDEN)
    response = client.generic("POST", f"{url}players/", body, content_type=kind)
    assert response.status_code == 400
    assert names() == ["Ana", "Ben"]


def test_plain_form_may_declare_its_encoding(client: Client) -> None:
    url = begin(client, GARDEN)
    kind = f"{FORM}; charset=UTF-8"
    body = "name-1=Jürgen".encode()
    assert client.generic("POST", f"{url}players/", body, content_type=kind).status_code == 302
    assert names() == ["Jürgen", "Ben"]


@pytest.mark.parametrize(
    "path", ["/score/new/level-1/", "/tally/", "/table/new/", "/i18n/setlang/"]
)
def test_every_form_of_the_site_refuses_other_encodings(client: Client, path: str) -> None:
    assert client.generic("POST", path, b"x=%ff", content_type=FORM).status_code == 400
