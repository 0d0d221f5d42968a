"""Parsing of typed and pasted codes, and reasons for refusals."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from sheets.access.codes import NotACode, parse_code
from tests.table_games import sit_down

CODES: dict[str, str] = {
    "622en ": "622EN",
    "6 2 2 E N": "622EN",
    "6-2-2-E-N": "622EN",
    "622\u2013EN": "622EN",
    "„622EN“": "622EN",
    "Komm an unseren Tisch 622EN!": "622EN",
    "come to 6A69R please": "6A69R",
    "COME TO 6A69R PLEASE": "6A69R",
    "code:6a69r": "6A69R",
    "Unser Tisch: 6A6-9R.": "6A69R",
    "Tisch 622ENX, bis gleich": "622ENX",
    "Auf http://192.168.7.7:8000/table/622en/ geht es, nicht auf 6A69R": "622EN",
    "(https://spiele.example/table/ABCDEFGHJKMNPQ/?seat=1)": "ABCDEFGHJKMNPQ",
    "ABCDEFGHJKMNPQ": "ABCDEFGHJKMNPQ",
    # Five letters of ordinary language that could be a code.
    "unser Tisch ist 622en": "622EN",
    "unser Tisch ist HKQRT": "HKQRT",
    "Das war Spaß: hkqrt": "HKQRT",
    "Heute, Tisch 622EN, wird es 20:30": "622EN",
    "622EN 622en": "622EN",
}
FAULTS: dict[str, tuple[str, object]] = {
    "6A690": ("no-such-characters", ["0"]),
    "Komm an Tisch 6A690": ("no-such-characters", ["0"]),
    "hello": ("no-such-characters", ["L", "O"]),
    "o i 0 1 x": ("no-such-characters", ["O", "I", "0", "1"]),
    "ABC2Ä": ("no-such-characters", ["Ä"]),
    "http://a.b/table/6a690/": ("no-such-characters", ["0"]),
    "6A69": ("wrong-length", "6A69"),
    "6a6 9": ("wrong-length", "6A69"),
    "6A69RXY": ("wrong-length", "6A69RXY"),
    "An Tisch 6A69 um 20:30": ("wrong-length", "6A69"),
    "http://a.b/table/6a69/": ("wrong-length", "6A69"),
    "unser Tisch: hkqrt": ("several-codes", ["UNSER", "HKQRT"]),
    "622EN oder 6A69R": ("several-codes", ["622EN", "6A69R"]),
    "": ("no-code", None),
    " - ": ("no-code", None),
    "Kommst du zu uns an den Tisch?": ("no-code", None),
}


@pytest.mark.parametrize("typed", CODES)
def test_the_code_in_a_text_is_found(typed: str) -> None:
    assert parse_code(typed) == CODES[typed]


@pytest.mark.parametrize("typed", FAULTS)
def test_a_text_without_one_clear_code_is_refused_with_the_reason(typed: str) -> None:
    with pytest.raises(NotACode) as refused:
        parse_code(typed)
    fault, fact = FAULTS[typed]
    assert (refused.value.fault, next(iter(refused.value.facts.values()), None)) == (fault, fact)


@pytest.mark.django_db
def test_a_pasted_invitation_leads_to_the_table() -> None:
    party = sit_down(start=False)
    answer = Client().post("/table/", {"code": f"Komm an unseren Tisch {party.typed_code}!"})
    assert answer["Location"] == f"/table/{party.code}/"


@pytest.mark.django_db
def test_the_page_says_why_a_text_is_no_code() -> None:
    sentences = {
        "6A690": "No code contains 0. Codes consist of the letters A to Z without I, L and O",
        "O0": "No code contains any of these: O, 0.",
        "6A69": "A code has 5 or 6 characters, but 6A69 has 4.",
        "9" * 400: "A code has 5 or 6 characters, but 99999999999999… has 400.",
        "622EN oder 6A69R": "more than one code: 622EN and 6A69R.",
        "": "Type the code as it stands",
    }
    for typed, sentence in sentences.items():
        answer = Client().post("/table/", {"code": typed})
        assert answer.status_code == 404
        assert sentence in answer.text
        shown = re.search(r'name="code" value="([^"]*)"', answer.text)
        assert shown
        assert shown[1] == typed


@pytest.mark.django_db
def test_a_text_that_is_no_code_does_not_count_as_a_guess() -> None:
    client = Client()
    for _ in range(12):
        client.post("/table/", {"code": "6A690"})
    assert client.post("/table/", {"code": "ZZZZZ"}).status_code == 404
