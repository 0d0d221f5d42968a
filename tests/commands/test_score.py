"""Output and refusals of ``manage.py score``."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from tests.commands.conftest import Run
from tests.documents.examples import SHEETS, Document, encode

CATEGORIES = [
    *("gems", "lines", "puzzles", "areas", "flags", "heaps", "bombs", "tracks", "stops"),
]


def with_second(**marks: Any) -> bytes:
    return encode(SHEETS | {"sheets": [SHEETS["sheets"][0], {"player": "Ben", **marks}]})


def alone(**marks: Any) -> bytes:
    return encode(SHEETS | {"sheets": [{"player": "Ana", **marks}]})


def test_scores_winners_and_warnings(run: Run) -> None:
    ran = run("score", "-", stdin=with_second(crosses=["g1"]))
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    assert sorted(ran.document) == ["ok", "scores", "warnings", "winners"]
    assert ran.document["ok"] is True
    assert ran.document["winners"] == [0]
    assert ran.document["scores"] == [
        {
            "player": "Ana",
            "total": 24,
            "marks": 7,
            "by": dict.fromkeys(CATEGORIES, 0)
            | {"gems": 1, "lines": 7, "areas": 8, "flags": 10, "bombs": -2},
        },
        {"player": "Ben", "total": 0, "marks": 3, "by": dict.fromkeys(CATEGORIES, 0)},
    ]
    assert len(ran.document["warnings"]) == 3
    lock, lonely, bens = ran.document["warnings"]
    assert lock.startswith("Ana: e2 is a lock")
    assert lonely.startswith("Ana: No chain of crosses leads to c3")
    assert bens.startswith("Ben: No chain of crosses leads to g1")


def test_equal_points_and_crosses_share_the_victory(run: Run) -> None:
    document = SHEETS | {"sheets": [{"player": "Ana"}, {"player": "Ben"}]}
    assert run("score", "-", stdin=encode(document)).document["winners"] == [0, 1]


def test_fewer_crosses_win_at_equal_points(run: Run) -> None:
    document = SHEETS | {"sheets": [{"player": "Ana", "crosses": ["a1"]}, {"player": "Ben"}]}
    assert run("score", "-", stdin=encode(document)).document["winners"] == [1]


def test_clean_sheets_have_no_warnings(run: Run) -> None:
    assert run("score", "-", stdin=alone()).document["warnings"] == []


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (with_second(crosses=["c3"]), "sheets entry 2 flags red"),
        (with_second(crosses=["e1", "e2"]), "sheets entry 2 races 1"),
    ],
)
def test_an_ambiguous_number_cannot_be_scored(run: Run, document: bytes, place: str) -> None:
    refusal = run("score", "-", stdin=document).refusal
    assert refusal.startswith(f"-: {place}: Several sheets have ")
    assert refusal.endswith(" [number-unclear]")


def test_number_of_a_single_taker_is_clear(run: Run) -> None:
    ran = run("score", "-", stdin=alone(crosses=["c3"]))
    assert ran.document["scores"][0]["by"]["flags"] == 10


def test_texts_are_english_in_any_locale(run: Run) -> None:
    english = run("score", "-", stdin=alone(crosses=["e2"])).document
    assert english["warnings"]
    with translation.override("de"):
        assert run("score", "-", stdin=alone(crosses=["e2"])).document == english


def test_names_with_percent_signs(run: Run) -> None:
    document: Document = SHEETS | {"sheets": [{"player": "100 %(x)s %d", "crosses": ["e2"]}]}
    (first, *_) = run("score", "-", stdin=encode(document)).document["warnings"]
    assert first.startswith("100 %(x)s %d: ")
