"""Beginning of a scoring: choice of a level and players, or import of a document."""

import json

import pytest
from django.test import Client

from sheets.models import Scoring
from tests.form_errors import parse_form_errors
from tests.score_levels import GARDEN, sheets_document
from tests.scoring.scoring_pages import begin, upload

pytestmark = pytest.mark.django_db


def test_every_shipped_level_can_be_chosen(client: Client) -> None:
    page = client.get("/score/").content.decode()
    for number in range(1, 9):
        assert f"/score/new/level-{number}/" in page


def test_players_come_with_or_without_names(client: Client) -> None:
    response = client.post("/score/new/level-2/", {"count": 2, "name-1": "Ana", "name-2": ""})
    page = client.get(response.headers["Location"]).content.decode()
    assert "Ana" in page
    assert "Player 2" in page


def test_names_beyond_the_count_are_not_players(client: Client) -> None:
    client.post("/score/new/level-2/", {"count": 1, "name-1": "Ana", "name-2": "Ben"})
    assert [s.player for s in Scoring.objects.get().sheets.all()] == ["Ana"]


@pytest.mark.parametrize(
    "sent",
    [{}, {"count": "0"}, {"count": "7"}, {"count": "two"}, {"count": "1", "name-1": "x" * 41},
     {"count": "1", "name-1": "a\0b"}],
    ids=["nothing", "nobody", "seven", "a word", "a long name", "a zero byte"],
)  # fmt: skip
def test_malformed_players_change_nothing(client: Client, sent: dict[str, str]) -> None:
    response = client.post("/score/new/level-2/", sent)
    assert response.status_code == 400
    (field,) = parse_form_errors(response.content.decode())
    assert field == ("name-1" if "name-1" in sent else "count")
    assert not Scoring.objects.exists()


def test_unknown_level_is_not_found(client: Client) -> None:
    assert client.get("/score/new/level-99/").status_code == 404
    assert client.post("/score/new/level-99/", {"count": 1}).status_code == 404


def test_form_without_token_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/score/new/level-2/", {"count": 1}).status_code == 403
    assert not Scoring.objects.exists()


def test_other_methods_are_refused(client: Client) -> None:
    assert client.post("/score/").status_code == 405
    assert client.put("/score/new/level-2/").status_code == 405
    assert client.delete("/score/import/").status_code == 405


def test_document_is_opened_with_all_its_marks(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "Ana", "crosses": ["b1"]}, {"player": "Ben"})
    assert client.get(f"{url}1/state/").json()["marks"] == {"b1": "cross"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty."),
        (b"no json", "This is not a JSON file."),
        (b'{"format": "dizzle-sheets/1"}', "level"),
        (json.dumps(sheets_document(GARDEN, {"player": "A", "crosses": ["z9"]})).encode(), "z9"),
        (json.dumps({**sheets_document(GARDEN), "level": "none"}).encode(), "sheets"),
        (b"[" * 100_000, "An object in curly brackets belongs here."),
        (b"\xff\xfe", "This is not a JSON file."),
    ],
    ids=["empty", "no json", "incomplete", "unknown field", "no sheets", "deep", "not text"],
)
def test_bad_document_is_refused_in_one_sentence(
    client: Client, content: bytes, sentence: str
) -> None:
    response = upload(client, content)
    assert response.status_code == 400
    assert parse_form_errors(response.content.decode()).keys() == {"document"}
    assert sentence in response.content.decode()
    assert not Scoring.objects.exists()


def test_new_scorings_have_a_rate_limit(client: Client) -> None:
    begun = [client.post("/score/new/level-1/", {"count": 1}).status_code for _ in range(21)]
    assert begun == [302] * 20 + [429]
    assert client.get("/score/new/level-1/").status_code == 200


def test_document_over_a_mebibyte_is_refused(client: Client) -> None:
    response = upload(client, b" " * (1024 * 1024 + 1))
    assert response.status_code == 413
    assert not Scoring.objects.exists()


def test_import_without_a_file_asks_for_one(client: Client) -> None:
    response = client.post("/score/import/")
    assert response.status_code == 400
    assert "Choose a file first." in response.content.decode()


@pytest.mark.postgresql
def test_repeated_upload_begins_one_scoring(client: Client) -> None:
    def sent(*crosses: str) -> bytes:
        sheet = {"player": "Ana", "crosses": list(crosses)}
        return json.dumps(sheets_document("level-3", sheet)).encode()

    document = sent("d2")
    first, again = (upload(client, document, request="abcdefgh-1") for _ in range(2))
    assert again.headers["Location"] == first.headers["Location"]
    assert Scoring.objects.count() == 1
    for text, named in ((sent("d2", "d3"), "abcdefgh-1"), (document, "abcdefgh-2"), (document, "")):
        found = upload(client, text, request=named)
        assert found.headers["Location"] != first.headers["Location"]
    assert Scoring.objects.count() == 4
