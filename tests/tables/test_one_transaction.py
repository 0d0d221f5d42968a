"""Tests that freeing a seat is atomic: a failure in between leaves nothing changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import pytest

from sheets.models import Entry, Seat, Table
from sheets.tables import event_loader, event_writer, seating
from sheets.tables.access import find_access
from tests.table_games import Party, sit_down

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

WAYS: dict[str, Callable[[Party], None]] = {
    "gets up": lambda party: seating.free_seat(party.access(1), 1),
    "host gets up": lambda party: seating.free_seat(party.access(0), 0),
    "bot plays on": lambda party: seating.let_bot_play_on(party.access(1), 1, "player"),
    "forgets all": lambda party: seating.free_all_seats(party.tokens[0]),
}


class Killed(BaseException):
    """Ends the act like the end of its process: no code of the project handles it."""


def kill(*_: object, **__: object) -> None:
    raise Killed


def stored(code: str) -> object:
    """Return the rows of a table."""
    return [
        list(rows.order_by("pk").values())
        for rows in (
            Table.objects.filter(code=code),
            Seat.objects.filter(table__code=code),
            Entry.objects.filter(table__code=code),
        )
    ]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("step", ["release", "changing", "settle"])
def test_a_killed_process_changes_nothing(
    way: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = sit_down(("Ana", "Ben", "Cem"), dice="rolled")
    before = stored(party.code)
    with monkeypatch.context() as broken:
        broken.setattr(seating, step, kill)
        with pytest.raises(Killed):
            WAYS[way](party)
    assert stored(party.code) == before
    # Another process acts next, and this one reads the stored state.
    with monkeypatch.context() as another_process:
        another_process.setattr(event_loader, "_cache", OrderedDict())
        seating.free_seat(party.access(2), 2)
        entries = party.loaded.entries
    assert party.loaded.entries == entries
    WAYS[way](party)
    seats = Seat.objects.filter(table__code=party.code).exclude(token_digest="")
    left = 0 if way in ("host gets up", "forgets all") else 1
    assert {seat.number for seat in seats} == {0, 1} - {left}


def test_a_transaction_does_not_wait_for_the_write_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On SQLite, the thread with the write lock waits for this transaction, not the reverse."""
    monkeypatch.setattr(event_writer, "QUEUE_SECONDS", 0.01)
    party = sit_down(("Ana", "Ben", "Cem"), dice="rolled")
    with event_writer._write_lock:
        seating.free_seat(party.access(1), 1)
    assert find_access(party.code).people == {0, 2}
