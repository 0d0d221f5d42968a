"""Streams of a table: immediate news, limits, ends, and streams of other tables."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from sheets.access import codes
from sheets.live import hub, sse
from sheets.models import Seat, Table
from sheets.tables import event_writer, seating, table_settings
from sheets.tables.access import find_access
from tests.live.conftest import ANA, BEN
from tests.live.phones import Phone
from tests.live.threads import join_stream_threads, stream_threads

Call = Callable[..., Phone]


def revision_of(code: str) -> int:
    return Table.objects.get(code=code).revision


def change(code: str) -> int:
    with transaction.atomic():
        return event_writer.touch(Table.objects.get(code=code))


@pytest.mark.postgresql
def test_revision_is_sent_when_the_stream_opens_and_with_every_change(
    call: Call, code: str
) -> None:
    with call(code) as phone:
        assert phone.status == 200
        assert phone.type == "text/event-stream"
        assert phone.next_line() == "retry: 1000"
        assert phone.next_line() == "event: revision"
        assert phone.next_line() == f"data: {revision_of(code)}"
        for _ in range(3):
            revision = change(code)
            assert phone.next_revision() == revision


@pytest.mark.postgresql
def test_rolled_back_change_is_not_sent(call: Call, code: str) -> None:
    phone = call(code)
    phone.next_revision()
    with transaction.atomic():
        event_writer.touch(Table.objects.get(code=code))
        transaction.set_rollback(True)
    assert phone.is_silent()


def test_streams_of_other_tables_get_nothing(call: Call, code: str) -> None:
    other = seating.open_table(
        table_settings.level_of(Table.objects.get(code=code)),
        "",
        players=2,
        dice="table",
        name="",
        token="",
    )
    phone = call(other)
    phone.next_revision()
    change(code)
    assert phone.is_silent()


def test_code_may_be_in_small_letters(call: Call, code: str) -> None:
    assert call(code.lower()).next_revision() == revision_of(code)


@pytest.mark.parametrize("code", ["ZZZZZ", "..", "a" * 200, "%00", "%F0%9F%8E%B2", "A/B"])
def test_unknown_codes_are_not_found(call: Call, code: str) -> None:
    assert call(code).status == 404


def test_seat_that_is_freed_loses_its_stream(call: Call, code: str) -> None:
    ana, ben = call(code, ANA), call(code, BEN)
    ben.next_revision()
    seating.free_seat(find_access(code, BEN), 1)
    assert ben.is_over()
    assert ana.hears(revision_of(code))


def test_stream_ends_when_its_seat_moves_to_another_phone(call: Call, code: str) -> None:
    old = call(code, BEN)
    key = seating.new_rescue_key(find_access(code, BEN), 1)
    seating.move_seat(code, key, "new" * 14)
    assert old.is_over()
    assert call(code, "new" * 14).next_revision() == revision_of(code)


@pytest.mark.postgresql
def test_table_that_is_deleted_ends_its_streams(call: Call, code: str) -> None:
    phone = call(code)
    phone.next_revision()
    Table.objects.get(code=code).delete()
    assert phone.is_over()


def test_fourth_stream_of_a_device_ends_its_first(call: Call, code: str) -> None:
    spectator = call(code)
    spectator.next_revision()
    first, *others = [call(code, ANA) for _ in range(hub.MAX_STREAMS_PER_DEVICE)]
    others.append(call(code, ANA))
    assert first.is_over()
    revision = change(code)
    assert all(phone.hears(revision) for phone in [*others, spectator])


def test_spectators_displace_no_stream_of_a_seat(
    call: Call, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MAX_SPECTATORS", 2)
    ana = call(code, ANA)
    spectators = [call(code, token) for token in ("", "forged", "")]
    while (line := spectators[0].next_line()) != "retry: 30000":  # else another stream would end
        assert line != "over"
    assert spectators[0].is_over()
    revision = change(code)
    assert all(phone.hears(revision) for phone in [ana, *spectators[1:]])


def test_full_process_refuses_streams(
    call: Call, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MAX_STREAMS", 1)
    with call(code) as phone:
        phone.next_revision()
        assert call(code).status == 503


def test_closed_stream_is_removed(call: Call, code: str) -> None:
    call(code).hang_up()
    deadline = time.monotonic() + 5
    while hub.count() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert hub.codes() == ()


def test_silent_stream_sends_heartbeats(
    call: Call, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.05)
    phone = call(code)
    first = phone.next_revision()
    assert [phone.next_revision(), phone.next_revision()] == [first, first]


@pytest.mark.postgresql
def test_streams_hold_neither_threads_nor_connections(call: Call, code: str) -> None:
    call(code).next_revision()  # starts the shared threads
    # Each phone has one thread, of the test: the server has none for a stream.
    threads_before = threading.active_count()
    held_before = open_connections()
    many = 25
    for _ in range(many):
        call(code).next_revision()
    assert threading.active_count() - threads_before - many <= (os.cpu_count() or 1) + 4
    assert open_connections() - held_before <= 2  # the one that polls, and the one that listens


def open_connections() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            )
            return int(cursor.fetchone()[0])
    name = str(connection.settings_dict["NAME"])
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("open files can be counted on Linux only")
    files = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
    return sum(os.path.realpath(file) == name for file in files)


# Changes of other processes: written to the database without a message ------------------------


@pytest.mark.postgresql
def test_change_without_a_message_is_detected(call: Call, code: str) -> None:
    phone = call(code)
    assert phone.next_revision() == revision_of(code)
    Table.objects.filter(code=code).update(revision=40)
    assert phone.next_revision() == 40


@pytest.mark.postgresql
def test_seat_that_another_process_freed_loses_its_stream(call: Call, code: str) -> None:
    ana, ben = call(code, ANA), call(code, BEN)
    ben.next_revision()
    Seat.objects.filter(table__code=code, number=1).update(token_digest="")
    Table.objects.filter(code=code).update(revision=40)
    assert ben.is_over()
    assert ana.hears(40)


def test_threads_end_after_the_last_stream(call: Call, code: str) -> None:
    with call(code) as phone:
        phone.next_revision()
        assert stream_threads()
    join_stream_threads(5)
    assert not stream_threads()
    with call(code) as phone:
        phone.next_revision()
        Table.objects.filter(code=code).update(revision=40)
        # Meanwhile the stream may send its old revision again, as a heartbeat.
        assert 40 in (phone.next_revision(within_s=8), phone.next_revision(within_s=8))


def test_wrong_codes_are_limited_except_for_links_and_seats(call: Call, code: str) -> None:
    typed = Table.objects.get(code=code).typed_code or ""
    answer = call(typed)
    assert (answer.status, answer.location) == (307, f"/live/{code}/")
    answers = [call(f"WR{number:02}NG").status for number in range(32)]
    assert answers == [404] * 30 + [429] * 2
    assert call(typed).status == 429
    assert call(typed, "forged").status == 429
    assert call(typed, ANA, "?seat=1").location == f"/live/{code}/?shows=%3Fseat%3D1"
    assert call("W" * codes.ADDRESS_LENGTH).status == 404
    assert call(code).status == 200
    assert call(code, ANA).status == 200


def test_old_short_address_leads_to_the_stream_itself(call: Call, code: str) -> None:
    typed = Table.objects.get(code=code).typed_code or ""
    Table.objects.filter(code=code).update(code=typed)
    assert call(typed).status == 200
