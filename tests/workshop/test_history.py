"""What undo takes back, and what it says about it."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.utils import translation

from sheets.http import rate_limits
from sheets.models import DraftChange
from sheets.workshop import history, store
from sheets.workshop.acts import MOST_TURNS
from sheets.workshop.draft import ORDER, new_draft
from sheets.workshop.history import Turned, difference
from sheets.workshop.history_words import describe_turned
from tests.workshop.test_pages import READY, begin, ready, send, stored

HERE, THERE = {"page": "here"}, {"page": "there"}


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    rate_limits.reset()


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
    assert state["told"] == "Done again: arrow of row 1."


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
def test_undo_takes_back_ones_own_and_leaves_what_another_device_did(client: Client) -> None:
    url = ready(client)
    number = {"do": "squares", "put": {"a1": {"number": "6"}}}
    symbol = {"do": "squares", "put": {"a1": {"symbol": "Gy"}, "b1": {"number": "2"}}}
    mine = arrow(7, row=2)
    theirs = {"do": "row-line", "row": 1, "points": 9, **THERE}
    send(client, url, number | HERE, mine, symbol | THERE, theirs)
    told = [send(client, url, {"do": "undo", **HERE}).json() for _ in range(2)]
    assert [state["told"] for state in told] == [
        "Taken back: arrow of row 2.",
        "Taken back: a1.",
    ]
    document = told[-1]["document"]
    assert [row.split() for row in document["grid"]] == [["3xGy", "2", "1Gy"], ["2", ".", "4"]]
    assert document["lines"] == [{"row": 1, "points": 9}]
    again = [send(client, url, {"do": "redo", **HERE}).json() for _ in range(2)][-1]
    assert again["document"]["lines"] == [{"row": 2, "points": 7}, {"row": 1, "points": 9}]
    assert again["document"]["grid"][0].split()[0] == "6xGy"
    assert again["redoers"] == []
    assert send(client, url, {"do": "redo", **HERE}).status_code == 409


@pytest.mark.django_db
def test_what_is_left_of_others_is_taken_back_only_when_asked_for(client: Client) -> None:
    url = begin(client)
    send(client, url, READY | THERE)
    before = stored(url).document
    refused = send(client, url, {"do": "undo", **HERE})
    assert refused.status_code == 409
    assert "refusal" not in refused.json()
    assert refused.json()["offer"] == (
        "All your own changes are taken back. a1, b1, c1, a2, b2, c2: that was done on another "
        "device. Press again to take it back, too."
    )
    assert stored(url).document == before
    state = send(client, url, {"do": "undo", "whose": "all", **HERE}).json()
    assert state["told"] == (
        "Taken back, though it was done on another device: a1, b1, c1, a2, b2, c2."
    )
    assert state["document"]["grid"][0].split() == ["?", "?", "?"]
    assert (state["undoers"], state["redoers"]) == ([], ["here"])
    assert send(client, url, {"do": "redo", **HERE}).json()["document"] == before


@pytest.mark.django_db
def test_what_another_device_has_changed_since_stays_and_that_is_said(client: Client) -> None:
    url = ready(client)
    for number, page in (("6", HERE), ("1", THERE)):
        send(client, url, {"do": "squares", "put": {"a1": {"number": number}}, **page})
    state = send(client, url, {"do": "undo", **HERE}).json()
    assert state["told"] == "It was changed on another device since, so it stays as it is: a1."
    assert state["document"]["grid"][0].split()[0] == "1x"
    assert "here" not in state["undoers"], "or nothing else could be taken back any more"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mine", "theirs", "row", "column"),
    [
        ({"do": "squares", "put": {"c2": {"number": "1"}}}, {"do": "insert", "row": 1}, 2, 2),
        ({"do": "squares", "put": {"c2": {"number": "1"}}}, {"do": "insert", "column": "a"}, 1, 3),
        ({"do": "squares", "put": {"c2": {"number": "1"}}}, {"do": "remove", "column": "a"}, 1, 1),
        ({"do": "remove", "row": 1}, {"do": "squares", "put": {"c1": {"symbol": "Gy"}}}, 1, 2),
        ({"do": "remove", "column": "a"}, {"do": "squares", "put": {"b1": {"number": "5"}}}, 1, 2),
    ],
)
def test_undo_finds_its_field_among_rows_and_columns_that_came_and_went(
    client: Client, mine: dict[str, Any], theirs: dict[str, Any], row: int, column: int
) -> None:
    url = ready(client)
    send(client, url, mine | HERE, theirs | THERE)
    meanwhile = stored(url).document
    state = send(client, url, {"do": "undo", **HERE}).json()
    assert state["document"]["grid"][row].split()[column] in ("4", "4Gy")
    if mine["do"] == "remove":
        assert state["document"]["grid"][0].split()[0] == "3x", "what was removed is there again"
    send(client, url, {"do": "redo", **HERE})
    assert stored(url).document == meanwhile


@pytest.mark.django_db
def test_row_is_not_given_back_between_rows_that_are_others_now(client: Client) -> None:
    url = ready(client)
    send(client, url, {"do": "remove", "row": 1, **HERE}, {"do": "insert", "row": 1, **THERE})
    refused = send(client, url, {"do": "undo", **HERE})
    assert refused.status_code == 409
    assert "Rows or columns were changed on another device" in refused.json()["refusal"]
    send(client, url, {"do": "undo", **THERE}, {"do": "undo", **HERE})
    assert stored(url).document["grid"][0].split() == ["3x", "5", "1Gy"]


@pytest.mark.django_db
@pytest.mark.postgresql
def test_one_who_is_alone_goes_back_to_the_beginning_and_forth_again(client: Client) -> None:
    url = begin(client)
    edits = [
        {"do": "size", "columns": 4, "rows": 3},
        {"do": "squares", "put": {"d3": {"number": "4"}}},
        {"do": "row-line", "column": "d", "points": 4},
        {"do": "remove", "column": "b"},
        {"do": "insert", "row": 1},
    ]
    states = [stored(url).document]
    for edit in edits:
        send(client, url, edit | HERE)
        states.append(stored(url).document)
    for _round in range(2):
        for state in reversed(states[:-1]):
            send(client, url, {"do": "undo", **HERE})
            assert stored(url).document == state
        for state in states[1:]:
            send(client, url, {"do": "redo", **HERE})
            assert stored(url).document == state


@pytest.mark.django_db
@pytest.mark.postgresql
def test_what_was_taken_back_before_the_update_can_be_made_once_more(client: Client) -> None:
    url = ready(client)
    states = [stored(url).document]
    for points in (3, 4, 5):
        send(client, url, arrow(points))
        states.append(stored(url).document)
    # As it was stored until then: changes beyond the position are taken back.
    level = stored(url)
    level.document, level.position = states[1], level.position - 2
    level.save()
    migration = importlib.import_module("sheets.migrations.0017_turned_changes")
    migration.follow_what_was_taken_back(apps, None)
    assert stored(url).position == level.position + 4
    for state in states[2:]:
        assert send(client, url, {"do": "redo", **HERE}).json()["document"] == state
    for state in reversed(states[:-1]):
        assert send(client, url, {"do": "undo", **HERE}).json()["document"] == state


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (
            {"do": "remove", "row": 1},
            "3 numbers, 1 symbol, 1 printed cross, 1 arrow, 1 area or a part of it",
        ),
        ({"do": "remove", "column": "c"}, "2 numbers, 1 symbol, 1 area or a part of it"),
        ({"do": "size", "columns": 3, "rows": 1}, "2 numbers, 1 chain or a part of it"),
    ],
)
def test_removing_says_what_goes_with_it(client: Client, edit: dict[str, Any], told: str) -> None:
    url = ready(client)
    area = {"do": "area", "now": {"fields": ["b1", "c1", "c2"], "points": 3}}
    chain = {"do": "chain", "now": {"fields": ["a1", "a2"], "points": 3}}
    send(client, url, arrow(5), area)
    if edit["do"] == "size":
        send(client, url, {"do": "area", "was": area["now"], "now": None}, chain)
    state = send(client, url, edit | HERE).json()
    assert state["told"] == f"Gone with this change: {told}. Undo brings it back."
    assert "told" not in send(client, url, {"do": "insert", "row": 1, **HERE}).json()
    assert "told" not in send(client, url, {"do": "remove", "row": 1, **HERE}).json()


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
    parts = difference(after, before), difference(before, after)
    turned = Turned(DraftChange(), True, True, *parts)
    with translation.override("en"):
        assert describe_turned(turned) == f"Taken back: {what}."


@pytest.mark.parametrize("part", sorted({*ORDER} - {"format", "grid"}))
def test_every_part_of_a_document_has_a_name(part: str) -> None:
    assert describe_turned(Turned(DraftChange(), False, True, {part: None}, {part: None}))


# What is deleted ----------------------------------------------------------------------------------

NAMES = [f"{column}{row}" for row in range(1, 26) for column in "abcdefghijklmnopqrstuvwxyz"]


def stars(count: int) -> dict[str, Any]:
    """A change that differs from the one before it."""
    return {"do": "difficulty", "stars": count % 5 + 1}


def numbers_of(url: str) -> list[int]:
    return list(stored(url).changes.order_by("number").values_list("number", flat=True))


def heavy_draft() -> dict[str, Any]:
    """A draft of 340 kB: each of its chains and areas has all fields."""
    document = new_draft({"en": "Large"}, "own-large", 26, 25)
    many = [{"fields": NAMES, "points": points} for points in range(1, 41)]
    return document | {"lines": many, "areas": many}


@pytest.mark.django_db
def test_a_level_keeps_its_latest_thousand_changes(client: Client) -> None:
    url = begin(client)
    for _ in range(11):
        assert send(client, url, *map(stars, range(100))).status_code == 200
    found = numbers_of(url)
    assert history.KEPT_CHANGES * history.KEPT_SHARE <= len(found) <= history.KEPT_CHANGES
    assert found == list(range(found[0], 1101))


@pytest.mark.django_db
@pytest.mark.postgresql
def test_large_changes_of_a_level_are_bounded_by_their_size(client: Client) -> None:
    url = begin(client)
    for _ in range(2):
        # 2,280 bytes a request once filled the database with 200 kB.
        acts = [{"do": "size", "columns": 25 + i % 2, "rows": 26} for i in range(100)]
        assert send(client, url, *acts).status_code == 200
    found = stored(url).changes.all()
    size = sum(len(json.dumps([change.before, change.after])) for change in found)
    assert history.KEPT_BYTES / 2 < size < history.KEPT_BYTES * 1.01
    assert send(client, url, {"do": "undo"}).status_code == 200


@pytest.mark.django_db
def test_the_last_change_is_kept_however_large(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "KEPT_BYTES", 10)
    url = begin(client)
    before = stored(url).document
    send(client, url, READY)
    assert numbers_of(url) == [1]
    assert send(client, url, {"do": "undo"}).json()["document"] == before


@pytest.mark.django_db
def test_undo_ends_at_the_oldest_change_that_is_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "KEPT_CHANGES", 10)
    url = begin(client)
    documents = [send(client, url, stars(count)).json()["document"] for count in range(11)]
    assert numbers_of(url) == list(range(3, 12))
    taken_back = 0
    while (answer := send(client, url, {"do": "undo"})).status_code == 200:
        taken_back += 1
        assert answer.json()["document"] == documents[-1 - taken_back]
    assert taken_back > 4
    assert "nothing more to take back" in answer.json()["refusal"]
    for expected in documents[-taken_back:]:
        assert send(client, url, {"do": "redo"}).json()["document"] == expected


@pytest.mark.django_db
@pytest.mark.postgresql
def test_an_undo_is_redone_though_its_change_is_deleted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "KEPT_CHANGES", 10)
    url = begin(client)
    send(client, url, stars(2) | HERE)
    for row in range(9):
        send(client, url, {"do": "text", "of": "author", "text": f"Ben {row}", **THERE})
    send(client, url, {"do": "undo", **HERE})
    assert numbers_of(url)[0] > 1
    state = send(client, url, arrow(3) | THERE).json()
    assert "difficulty" not in state["document"]
    assert (state["undoers"], state["redoers"]) == (["there"], ["here"])
    state = send(client, url, {"do": "redo", **HERE}).json()
    assert state["document"]["difficulty"] == 3
    assert (set(state["undoers"]), state["redoers"]) == ({"here", "there"}, [])


@pytest.mark.django_db
def test_a_redo_is_undone_though_its_undo_is_deleted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "KEPT_CHANGES", 10)
    url = begin(client)
    send(client, url, stars(2) | HERE, {"do": "undo", **HERE})
    for row in range(7):
        send(client, url, {"do": "text", "of": "author", "text": f"Ben {row}", **THERE})
    send(client, url, {"do": "redo", **HERE}, arrow(3) | THERE)
    assert numbers_of(url) == list(range(3, 12))
    state = send(client, url, {"do": "undo", **HERE}).json()
    assert "difficulty" not in state["document"]
    assert state["redoers"] == ["here"]
    assert send(client, url, {"do": "redo", **HERE}).json()["document"]["difficulty"] == 3


# What one request may cost ------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_request_with_more_undos_than_allowed_changes_nothing(client: Client) -> None:
    url = begin(client)
    send(client, url, *map(stars, range(20)))
    before = stored(url).document
    turns = [{"do": "undo"}, {"do": "redo"}] * 6
    assert send(client, url, *turns[: MOST_TURNS + 1]).status_code == 400
    assert stored(url).document == before
    assert send(client, url, *turns[:MOST_TURNS]).status_code == 200


@pytest.mark.django_db
def test_many_acts_on_a_heavy_draft_are_sent_one_by_one(client: Client) -> None:
    url = f"/workshop/{store.create(heavy_draft())}/"
    acts = [{"do": "remove", "row": 1}] * 20
    answer = send(client, url, *acts)
    assert (answer.status_code, numbers_of(url)) == (400, [])
    assert b"too many acts at once" in answer.content
    assert send(client, url, *acts[:1]).status_code == 200
    assert len(stored(url).document["grid"]) == 24


@pytest.mark.slow
@pytest.mark.django_db
def test_undo_is_refused_where_rows_of_a_heavy_draft_came_and_went_often(client: Client) -> None:
    url = f"/workshop/{store.create(heavy_draft())}/"
    send(client, url, stars(2) | HERE)
    for rows in (26, 25) * 8:
        send(client, url, {"do": "size", "columns": 26, "rows": rows, **THERE})
    refused = send(client, url, {"do": "undo", **HERE})
    assert refused.status_code == 409
    assert "Rows or columns were changed on another device" in refused.json()["refusal"]
