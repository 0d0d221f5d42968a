"""Undo and redo: one history of a level for all devices, and the sentences about it."""

from __future__ import annotations

import json
import sqlite3
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from sheets.models import DraftChange
from sheets.workshop import history, store
from sheets.workshop.draft import ORDER, new_draft
from sheets.workshop.history import UndoResult, difference
from sheets.workshop.history_sentences import describe_undo
from tests.site.served_site import manage
from tests.workshop.test_pages import READY, begin, ready, send, stored

HERE, THERE = {"page": "here"}, {"page": "there"}


def arrow(points: int | None, row: int = 1, **more: str) -> dict[str, Any]:
    return {"do": "row-line", "row": row, "points": points, **HERE, **more}


def number(field: str, digit: str) -> dict[str, Any]:
    return {"do": "squares", "put": {field: {"number": digit}}}


def shown(client: Client, url: str) -> int:
    """Return the revision of a page that is opened now."""
    revision: int = client.get(f"{url}state/").json()["revision"]
    return revision


@pytest.mark.django_db
def test_digits_of_one_entry_are_one_change(client: Client) -> None:
    url = ready(client)
    position = stored(url).position
    send(client, url, arrow(1, entry="e1"), arrow(12, entry="e1"))
    send(client, url, arrow(-12, entry="e1"))
    assert stored(url).position == position + 1
    undo = {"do": "undo", "seen": shown(client, url), **HERE}
    send(client, url, arrow(3, entry="e2"))
    assert send(client, url, undo).json()["document"]["lines"] == [{"row": 1, "points": -12}]
    state = send(client, url, undo).json()
    assert "lines" not in state["document"]
    assert state["told"] == "Undone: arrow of row 1."
    state = send(client, url, undo | {"do": "redo"}).json()
    assert state["document"]["lines"] == [{"row": 1, "points": -12}]
    assert state["told"] == "Redone: arrow of row 1."


@pytest.mark.django_db
def test_entry_that_ends_as_it_began_is_no_change(client: Client) -> None:
    url = ready(client)
    position = stored(url).position
    state = send(client, url, arrow(1, entry="e1"), arrow(None, entry="e1")).json()
    assert "lines" not in state["document"]
    assert stored(url).position == position


@pytest.mark.django_db
def test_entries_are_not_joined_across_an_edit_of_another_window(client: Client) -> None:
    url = ready(client)
    position = stored(url).position
    square = {"do": "squares", "put": {"a2": {"number": "6"}}, **THERE}
    send(client, url, arrow(1, entry="e1"), square, arrow(12, entry="e1"))
    assert stored(url).position == position + 3


# Two devices --------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.postgresql
def test_edits_of_two_devices_are_all_stored(client: Client) -> None:
    url = ready(client)
    send(client, url, number("a1", "6") | HERE)
    send(client, url, number("b1", "2") | THERE)
    state = send(client, url, arrow(7, row=2)).json()
    assert state["document"]["grid"][0].split() == ["6x", "2", "1Gy"]
    assert state["document"]["lines"] == [{"row": 2, "points": 7}]


@pytest.mark.django_db
@pytest.mark.postgresql
def test_undo_is_refused_once_if_another_device_has_edited(client: Client) -> None:
    url = ready(client)
    mine = send(client, url, number("a1", "6") | HERE).json()
    theirs = send(client, url, number("b1", "2") | THERE).json()
    undo = {"do": "undo", **HERE}
    refused = send(client, url, undo | {"seen": mine["revision"]})
    assert refused.status_code == 409
    assert refused.json()["told"] == (
        "Someone has gone on since, on another device: b1. Press again if you still want to."
    )
    assert "refusal" not in refused.json()
    assert refused.json()["document"] == theirs["document"], "the page shows the current state"
    state = send(client, url, undo | {"seen": refused.json()["revision"]}).json()
    assert state["told"] == "Undone, though it was done on another device: b1."
    assert state["document"] == mine["document"]
    state = send(client, url, undo | {"seen": state["revision"]}).json()
    assert state["told"] == "Undone: a1."
    for document in (mine["document"], theirs["document"]):
        state = send(client, url, {"do": "redo", "seen": state["revision"], **HERE}).json()
        assert state["document"] == document
    assert (state["hasUndo"], state["hasRedo"]) == (True, False)


@pytest.mark.django_db
def test_a_page_opened_afterwards_undoes_what_it_shows(client: Client) -> None:
    url = ready(client)
    before = stored(url).document
    send(client, url, number("b1", "2") | THERE)
    undo = {"do": "undo", "seen": shown(client, url), **HERE}
    assert send(client, url, undo).json()["document"] == before


@pytest.mark.django_db
@pytest.mark.parametrize(("do", "other"), [("undo", "undo"), ("undo", "redo"), ("redo", "undo")])
def test_undo_and_redo_of_another_device_count_as_edits(
    client: Client, do: str, other: str
) -> None:
    url = ready(client)
    undo = {"do": "undo", "seen": shown(client, url)}
    send(client, url, *[act | HERE for act in (number("a1", "6"), number("b1", "2"), undo)])
    seen = shown(client, url)
    theirs = send(client, url, {"do": other, "seen": seen, **THERE}).json()
    refused = send(client, url, {"do": do, "seen": seen, **HERE})
    assert refused.status_code == 409
    assert "Someone has gone on since" in refused.json()["told"]
    assert refused.json()["document"] == theirs["document"]


@pytest.mark.django_db
def test_own_edits_sent_just_before_do_not_count_as_edits_of_another_device(client: Client) -> None:
    url = ready(client)
    before, seen = stored(url).document, shown(client, url)
    undo = {"do": "undo", "seen": seen, **HERE}
    acts = number("a1", "6") | HERE, number("b1", "2") | HERE, undo, undo
    assert send(client, url, *acts).json()["document"] == before


@pytest.mark.django_db
def test_two_refused_undos_in_a_batch_have_one_sentence_and_the_edit_counts(
    client: Client,
) -> None:
    url = ready(client)
    seen = shown(client, url)
    send(client, url, number("b1", "2") | THERE)
    undo = {"do": "undo", "seen": seen, **HERE}
    refused = send(client, url, number("a1", "6") | HERE, undo, undo)
    assert "another device: b1." in refused.json()["told"]
    assert refused.json()["document"]["grid"][0].split() == ["6x", "2", "1Gy"]


@pytest.mark.django_db
def test_comparing_on_another_device_does_not_prevent_undo(client: Client) -> None:
    url = ready(client)
    seen = send(client, url, number("a1", "6") | HERE).json()["revision"]
    send(client, url, {"do": "compare", "thing": "0" * 16, "on": True, **THERE})
    assert send(client, url, {"do": "undo", "seen": seen, **HERE}).status_code == 200


@pytest.mark.django_db
def test_rows_that_another_device_has_removed_come_back(client: Client) -> None:
    url = ready(client)
    send(client, url, number("c2", "1") | HERE)
    before = stored(url).document
    send(client, url, {"do": "remove", "row": 1, **THERE})
    send(client, url, {"do": "size", "columns": 2, "rows": 4, **THERE})
    for _ in range(2):
        undo = {"do": "undo", "seen": shown(client, url), **HERE}
        told = send(client, url, undo).json()["told"]
    assert told == "Undone, though it was done on another device: rows and columns."
    assert stored(url).document == before


# Undo and redo of everything ----------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.postgresql
def test_single_device_undoes_to_the_beginning_and_redoes_everything(client: Client) -> None:
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


# Stored histories ---------------------------------------------------------------------------------


def changes(*rows: tuple[int | None, Any, Any]) -> list[Any]:
    """Return stored changes in their old form: reversed change, state before and after."""
    return [
        SimpleNamespace(number=number, turns=turns, before=before, after=after)
        for number, (turns, before, after) in enumerate(rows, start=11)
    ]


@pytest.mark.parametrize(
    ("rows", "applied", "undone"),
    [
        ([(None, 0, 1), (None, 1, 2)], [11, 12], []),
        ([(None, 0, 1), (None, 1, 2), (12, 2, 1), (11, 1, 0)], [], [11, 12]),
        ([(None, 0, 1), (None, 1, 2), (12, 2, 1), (13, 1, 2)], [11, 12], []),
        ([(None, 0, 1), (11, 1, 0), (12, 0, 1), (13, 1, 0)], [], [11]),
        ([(None, 0, 1), (11, 1, 0), (None, 0, 2)], [13], []),
        # The undone change is not the last one, or only a part of it was undone.
        ([(None, 0, 1), (None, 1, 2), (11, 2, 3)], [11, 12, 13], []),
        ([(None, 0, 1), (11, 1, 2), (None, 2, 3)], [11, 12, 13], []),
        ([(None, 0, 1), (11, 1, 2), (12, 2, 1)], [11], [12]),
        # The undone change is deleted.
        ([(5, 1, 0), (None, 0, 1)], [11, 12], []),
    ],
)
def test_an_undo_stored_before_becomes_linear(
    rows: list[Any], applied: list[int], undone: list[int]
) -> None:
    found = import_module("sheets.migrations.0041_linear_undo").linear(changes(*rows))
    assert [[change.number for change in part] for part in found] == [applied, undone]


@pytest.mark.slow
def test_a_stored_history_stays_usable(tmp_path: Path) -> None:
    where = {"DATA_DIR": str(tmp_path)}
    done = manage("migrate", "sheets", "0038", "--verbosity=0", **where)
    assert done.returncode == 0, done.stderr
    texts = [json.dumps({"difficulty": stars}) for stars in range(4)]
    rows = [(1, None, 0, 1), (2, None, 1, 2), (3, 2, 2, 1), (4, None, 1, 3), (5, 4, 3, 1)]
    with sqlite3.connect(tmp_path / "dizzle.sqlite3") as database:
        database.execute(
            "INSERT INTO sheets_workshoplevel (id, document, is_bought, revision, position,"
            " requests, guide_step, sheet_has, compared, key_digest, share_digest, share_number,"
            " touched)"
            " VALUES (1, ?, 0, 5, 5, '[]', '', '[]', '[]', 'k', 's', 1, '2020-01-01')",
            (texts[1],),
        )
        for number, turns, before, after in rows:
            database.execute(
                "INSERT INTO sheets_workshopstep (level_id, number, before, after, turns, page,"
                " entry) VALUES (1, ?, ?, ?, ?, 'here', '')",
                (number, texts[before], texts[after], turns),
            )
    database.close()
    done = manage("migrate", "--verbosity=0", **where)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "dizzle.sqlite3") as database:
        found = database.execute(
            "SELECT number, before, after, revision FROM sheets_workshopstep ORDER BY number"
        ).fetchall()
        level = database.execute("SELECT document, position FROM sheets_workshoplevel").fetchall()
    database.close()
    assert found == [(1, texts[0], texts[1], 0), (2, texts[1], texts[3], 0)]
    assert level == [(texts[1], 1)]


# Sentences ----------------------------------------------------------------------------------------


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
    parts = {"before": difference(before, after), "after": difference(after, before)}
    turned = UndoResult(DraftChange(**parts), is_undo=True, is_own=True)
    with translation.override("en"):
        assert describe_undo(turned) == f"Undone: {what}."


@pytest.mark.parametrize("part", sorted({*ORDER} - {"format", "grid"}))
def test_every_part_of_a_document_has_a_name(part: str) -> None:
    change = DraftChange(before={part: None}, after={part: None})
    assert describe_undo(UndoResult(change, is_undo=False, is_own=True))


# Pruning ------------------------------------------------------------------------------------------

NAMES = [f"{column}{row}" for row in range(1, 26) for column in "abcdefghijklmnopqrstuvwxyz"]


def stars(count: int) -> dict[str, Any]:
    """Return a change that differs from the one before it."""
    return {"do": "difficulty", "stars": count % 5 + 1}


def numbers_of(url: str) -> list[int]:
    return list(stored(url).changes.order_by("number").values_list("number", flat=True))


def heavy_draft() -> dict[str, Any]:
    """Return a draft of 340 kB, in which each chain and area has all fields."""
    document = new_draft({"en": "Large"}, "own-large", 26, 25)
    many = [{"fields": NAMES, "points": points} for points in range(1, 41)]
    return document | {"lines": many, "areas": many}


@pytest.mark.django_db
def test_a_level_keeps_its_latest_thousand_changes(client: Client) -> None:
    url = begin(client)
    for _ in range(11):
        assert send(client, url, *map(stars, range(100))).status_code == 200
    found = numbers_of(url)
    assert history.MAX_CHANGES * history.SHARE_AFTER_DELETION <= len(found) <= history.MAX_CHANGES
    assert found == list(range(found[0], 1101))


@pytest.mark.django_db
@pytest.mark.postgresql
def test_large_changes_of_a_level_are_bounded_by_their_size(client: Client) -> None:
    url = begin(client)
    for _ in range(2):
        # A request of 2,280 bytes used to store 200 kB.
        acts = [{"do": "size", "columns": 25 + i % 2, "rows": 26} for i in range(100)]
        assert send(client, url, *acts).status_code == 200
    found = stored(url).changes.all()
    size = sum(len(json.dumps([change.before, change.after])) for change in found)
    assert history.MAX_CHANGE_BYTES / 2 < size < history.MAX_CHANGE_BYTES * 1.01
    assert send(client, url, {"do": "undo"}).status_code == 200


@pytest.mark.django_db
def test_the_last_change_is_kept_however_large(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MAX_CHANGE_BYTES", 10)
    url = begin(client)
    before = stored(url).document
    send(client, url, READY)
    assert numbers_of(url) == [1]
    assert send(client, url, {"do": "undo"}).json()["document"] == before


@pytest.mark.django_db
def test_undo_ends_at_the_oldest_change_that_is_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MAX_CHANGES", 10)
    url = begin(client)
    documents = [send(client, url, stars(count)).json()["document"] for count in range(11)]
    assert numbers_of(url) == list(range(3, 12))
    taken_back = 0
    while (answer := send(client, url, {"do": "undo"})).status_code == 200:
        taken_back += 1
        assert answer.json()["document"] == documents[-1 - taken_back]
    assert taken_back > 4
    assert "nothing more to undo or redo" in answer.json()["refusal"]
    for expected in documents[-taken_back:]:
        assert send(client, url, {"do": "redo"}).json()["document"] == expected


# Cost of a request --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_many_acts_on_a_heavy_draft_are_sent_one_by_one(client: Client) -> None:
    url = f"/workshop/{store.create(heavy_draft())}/"
    acts = [{"do": "remove", "row": 1}] * 20
    answer = send(client, url, *acts)
    assert (answer.status_code, numbers_of(url)) == (400, [])
    assert b"too many acts at once" in answer.content
    assert send(client, url, *acts[:1]).status_code == 200
    assert len(stored(url).document["grid"]) == 24
