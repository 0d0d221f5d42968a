"""What undo takes back, and what it says about it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from sheets.http import limits
from sheets.models import DraftChange
from sheets.workshop.draft import ORDER
from sheets.workshop.history import Turned, difference
from sheets.workshop.history_words import describe_turned
from tests.workshop.test_pages import READY, begin, ready, send, stored

HERE, THERE = {"page": "here"}, {"page": "there"}


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    limits.reset()


def arrow(points: int | None, row: int = 1, **more: str) -> dict[str, Any]:
    return {"do": "row-line", "row": row, "points": points, **HERE, **more}


@pytest.mark.django_db
def test_digits_of_one_entry_are_one_change(client: Client) -> None:
    url = ready(client)
    position = stored(url).position
    send(client, url, arrow(1, entry="e1"), arrow(12, entry="e1"))
    send(client, url, arrow(-12, entry="e1"))
    assert stored(url).position == position + 1
    send(client, url, arrow(3, entry="e2"))
    assert send(client, url, {"do": "undo", **HERE}).json()["document"]["lines"] == [
        {"row": 1, "points": -12}
    ]
    state = send(client, url, {"do": "undo", **HERE}).json()
    assert "lines" not in state["document"]
    assert state["told"] == "Taken back: arrow of row 1."
    state = send(client, url, {"do": "redo", **HERE}).json()
    assert state["document"]["lines"] == [{"row": 1, "points": -12}]
    assert state["told"] == "Made once more: arrow of row 1."


@pytest.mark.django_db
def test_entry_that_ends_as_it_began_is_no_change(client: Client) -> None:
    url = ready(client)
    position = stored(url).position
    state = send(client, url, arrow(1, entry="e1"), arrow(None, entry="e1")).json()
    assert "lines" not in state["document"]
    assert stored(url).position == position


@pytest.mark.django_db
def test_entry_is_not_joined_over_what_another_window_did(client: Client) -> None:
    url = ready(client)
    position = stored(url).position
    square = {"do": "squares", "put": {"a2": {"number": "6"}}, **THERE}
    send(client, url, arrow(1, entry="e1"), square, arrow(12, entry="e1"))
    assert stored(url).position == position + 3


@pytest.mark.django_db
def test_undo_says_that_another_window_did_it(client: Client) -> None:
    url = begin(client)
    send(client, url, READY | THERE)
    told = send(client, url, {"do": "undo", **HERE}).json()["told"]
    assert told == ("Taken back, though it was done in another window: a1, b1, c1, a2, b2, c2.")


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ({"grid": ["3 5 1", "2 4 6"]}, {"grid": ["3 5 1Gy", "2 . 6"]}, "c1, b2"),
        ({"grid": ["3 5"]}, {"grid": ["3 5", "? ?"]}, "rows and columns"),
        ({"grid": ["3 5"], "dice": {"5": 16}}, {"grid": ["3   5"]}, "dice"),
        ({"grid": ["3 5"]}, {"grid": ["3 5 1"]}, "rows and columns"),
        (
            {"lines": [{"row": 1, "points": 5}]},
            {"lines": [{"row": 1, "points": 6}, {"column": "b", "points": 1}]},
            "arrow of row 1, arrow of column b",
        ),
        ({"lines": [{"fields": ["a1", "b2"], "points": 5}]}, {}, "chain a1, b2"),
        ({}, {"areas": [{"fields": ["a1"], "race": [3, 1]}]}, "area of a1"),
        (
            {"points": {"gem": {"red": 1}}},
            {"points": {"gem": {"red": 1, "blue": 2}, "bomb": -2}},
            "points for: blue gem, points for: bomb",
        ),
        ({}, {"walls": [["a1", "a2"]]}, "a1 and a2"),
        ({}, {"dice": {"5": 16}}, "dice"),
    ],
)
def test_sentence_names_what_has_changed(
    before: dict[str, Any], after: dict[str, Any], what: str
) -> None:
    change = DraftChange(before=difference(after, before), after=difference(before, after))
    with translation.override("en"):
        assert describe_turned(Turned(change, True, True)) == f"Taken back: {what}."


@pytest.mark.parametrize("part", sorted({*ORDER} - {"format", "grid"}))
def test_every_part_of_a_document_has_a_name(part: str) -> None:
    change = DraftChange(before={part: None}, after={part: None})
    assert describe_turned(Turned(change, is_undo=False, is_own=True))
