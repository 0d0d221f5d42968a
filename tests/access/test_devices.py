"""Device secrets: signatures, limits of stored rows, and complete deletion."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.signals import pre_delete
from django.dispatch import Signal
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sheets.access import devices
from sheets.access.keys import DEVICE_COOKIE, UnknownKey, digest, secret_in
from sheets.groups import store as group_store
from sheets.http.rate_limits import Limit
from sheets.levels import find_level
from sheets.models import HandOver, Job, Known, Seat
from sheets.scoring import store
from sheets.tables import seating
from sheets.tables.access import Refused
from sheets.workshop import store as workshop_store
from tests.concurrency import run_at_once
from tests.device_secrets import secret_of
from tests.library.test_lists import hand_over, listed
from tests.table_games import sit_down
from tests.tables.table_clients import SHORT, client_of

pytestmark = pytest.mark.django_db

INVENTED = "A" * 43
OTHERS_COME_S = 0.2
"""Time in which other connections reach a running transaction."""


def scored() -> str:
    """Create a scoring; return its address."""
    return f"/score/{store.create(find_level('level-1'), ('Ana', 'Ben'))}/"


def phone_with(cookie: str) -> Client:
    client = Client()
    client.cookies[DEVICE_COOKIE] = cookie
    return client


@contextmanager
def signal_receiver(signal: Signal, receiver: Callable[..., None]) -> Iterator[None]:
    """Connect a receiver to a signal of `Known` for the time of a test."""
    signal.connect(receiver, sender=Known)
    try:
        yield
    finally:
        signal.disconnect(receiver, sender=Known)


# The secret ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cookie", [INVENTED, f"{INVENTED}:1tK5xT:{'B' * 43}", "", "x", "ä" * 43])
def test_a_secret_that_the_site_did_not_issue_is_replaced(cookie: str) -> None:
    one, other = phone_with(cookie), phone_with(cookie)
    one.get(scored())
    assert secret_of(one) not in ("", INVENTED)
    assert listed(other) == []
    assert not Known.objects.filter(device_digest=digest(INVENTED)).exists()
    # Nothing else is stored under it, either.
    for path, sent in {
        "/table/new/": {"level": "level-1", "players": 1, "dice": "rolled", "name": ""},
        "/groups/new/": {"name": "Family"},
        "/my/link/": {},
        "/my/old/": {"url": [scored()]},
    }.items():
        assert phone_with(cookie).post(path, sent).status_code in (200, 204, 302), path
    assert not Known.objects.filter(device_digest=digest(INVENTED)).exists()
    assert not Seat.objects.filter(token_digest=digest(INVENTED)).exists()
    assert not HandOver.objects.filter(device_digest=digest(INVENTED)).exists()


def test_an_unsigned_cookie_of_an_earlier_version_stays_valid_and_is_signed() -> None:
    key = scored()
    first = Client()
    first.get(key)
    secret = secret_of(first)
    later = phone_with(secret)
    assert listed(later) == [key]
    later.get(scored())
    assert secret_of(later) == secret
    assert later.cookies[DEVICE_COOKIE].value.startswith(f"{secret}:")
    assert len(listed(first)) == 2


def test_devices_keep_their_rows_when_the_key_of_the_site_changes(settings: Any) -> None:
    party = sit_down()
    client = client_of(party)
    client.get(scored())
    settings.SECRET_KEY = "another one " * 8
    client.get(scored())
    assert secret_of(client) == party.tokens[0]
    assert len(listed(client)) == 3


def test_a_secret_is_read_from_a_cookie_with_any_other_content() -> None:
    assert secret_in({}) == ""
    assert secret_in({DEVICE_COOKIE: f"{INVENTED}:1:x"}) == INVENTED
    for wrong in ("", ":", "A" * 42, "A" * 44, "A" * 42 + "é", "A" * 42 + ";"):
        assert secret_in({DEVICE_COOKIE: wrong}) == ""


# Stored rows --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cookie", ["", INVENTED])
def test_rows_of_first_visits_are_bounded_by_address(
    monkeypatch: pytest.MonkeyPatch, cookie: str
) -> None:
    monkeypatch.setattr(devices, "NEW_ROWS", Limit("first-notes", "5/minute"))
    key = scored()
    for number in range(8):
        made_up = cookie and f"{cookie[:-1]}{number}"
        assert phone_with(made_up).get(key).status_code == 200
    assert Known.objects.count() == 5


def test_rows_of_one_device_are_bounded_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "NEW_ROWS", Limit("first-notes", "5/minute"))
    client = Client()
    for _ in range(8):
        assert client.get(scored()).status_code == 200
    assert Known.objects.count() == 5


def test_rows_of_devices_that_play_for_a_group_are_bounded_by_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(devices, "NEW_ROWS", Limit("first-notes", "5/minute"))
    key = group_store.create("Family")
    for _ in range(8):
        sent = {"to": "table-new"}
        assert Client().post(f"/groups/{key}/play/", sent).status_code == 302
    assert Known.objects.count() == 5


@pytest.mark.postgresql
def test_only_tables_with_an_own_seat_are_stored_as_hidden() -> None:
    party = sit_down()
    ana, other = client_of(party), client_of(sit_down())
    for client in (ana, other):
        for key in ("x", "Ä", party.code.lower(), party.code):
            assert client.post("/my/hide/", {"kind": "table", "key": key}).status_code == 302
    assert Known.objects.get().device_digest == digest(party.tokens[0])
    assert listed(ana) == []
    assert len(listed(other)) == 1


# Deletion -----------------------------------------------------------------------------------------


def forget(client: Client) -> None:
    assert client.post("/my/forget/").headers["Location"] == "/my/"


def test_forgetting_ends_the_session() -> None:
    key = workshop_store.create(SHORT, is_bought=True)
    owner = Client()
    owner.get(f"/workshop/{key}/")
    scoring = owner.post(f"/workshop/{key}/score/", {"count": 1})["Location"].split("/")[2]
    sheets = reverse("score-document", args=[scoring])
    assert owner.get(sheets).status_code == 200
    forget(owner)
    assert owner.get(sheets).status_code == 403
    left = {name for name, morsel in owner.cookies.items() if morsel.value}
    assert left.isdisjoint({DEVICE_COOKIE, "sessionid"})


def test_forgetting_voids_the_links_that_let_in_another_device() -> None:
    party = sit_down()
    ana, thief = client_of(party), Client()
    link = hand_over(ana)
    page = ana.post(f"/table/{party.code}/link/", {"number": 0}).content.decode()
    personal = re.search(r"data-share-url>http://testserver(/table/[^<]+)<", page)
    assert personal
    forget(ana)
    assert HandOver.objects.count() == 0
    for void in (link, personal[1].replace("<wbr>", "")):
        assert thief.get(void).status_code == thief.post(void).status_code == 404
    assert thief.post(f"/table/{party.code}/rename/", {"number": 0, "name": "X"}).status_code == 403


@pytest.mark.postgresql
def test_forgetting_frees_the_seats_the_hosts_too() -> None:
    party = sit_down(("Ana", "Ben", "Cem"))
    ana, ben = client_of(party), client_of(party, 1)
    party.done(1)
    party.done(2)
    forget(ana)
    assert not Seat.objects.filter(token_digest=digest(party.tokens[0])).exists()
    # The pass is over without the player who has left.
    assert party.game.passes_done == 1
    assert "Ana" in ben.get(f"/table/{party.code}/").content.decode()
    again = Client()
    assert again.post(f"/table/{party.code}/sit/", {"number": 0, "name": "Ana"}).status_code == 302
    # The next player is host since then.
    assert party.access(1).is_host
    assert listed(again) == [f"/table/{party.code}/"]


def test_forgetting_takes_the_device_from_waiting_jobs() -> None:
    key = workshop_store.create(SHORT)
    client = client_of(sit_down())
    client.get(f"/workshop/{key}/")
    client.post(f"/workshop/{key}/balance/", {"do": "start"})
    assert Job.objects.get().device_digest == digest(secret_of(client))
    forget(client)
    assert Job.objects.get().device_digest == ""


def test_forgetting_leaves_a_lobby() -> None:
    party = sit_down(start=False)
    forget(client_of(party))
    free = Seat.objects.get(table__code=party.code, number=0)
    assert free.is_free


def test_forgetting_on_one_of_two_devices_keeps_all_for_the_other() -> None:
    party = sit_down()
    phone, tablet, third = client_of(party), Client(), Client()
    key = scored()
    phone.get(key)
    tablet.post(hand_over(phone))
    link = hand_over(tablet)
    forget(tablet)
    assert listed(tablet) == []
    assert set(listed(phone)) == {key, f"/table/{party.code}/"}
    assert third.post(link).status_code == 404


@pytest.mark.postgresql
def test_the_last_of_two_devices_that_forgets_deletes_all() -> None:
    party = sit_down()
    phone, tablet = client_of(party), Client()
    phone.get(scored())
    tablet.post(hand_over(phone))
    forget(phone)
    assert len(listed(tablet)) == 2
    forget(tablet)
    assert not Known.objects.exists()
    assert not Seat.objects.filter(token_digest=digest(party.tokens[0])).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_a_link_opened_by_several_devices_at_once_lets_in_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    link, taken = devices.new_hand_over(INVENTED), list[str]()
    decrypt = devices.decrypt

    def decrypt_slowly(*words: str) -> str:
        time.sleep(OTHERS_COME_S)
        return decrypt(*words)

    monkeypatch.setattr(devices, "decrypt", decrypt_slowly)
    problems = run_at_once(*[lambda: taken.append(devices.take_over(link, ""))] * 4)
    assert taken == [INVENTED]
    assert [type(problem) for problem in problems] == [UnknownKey] * 3


def test_a_device_that_opens_its_own_link_still_shares_with_none() -> None:
    phone = Client()
    phone.get(scored())
    link = hand_over(phone)
    assert phone.post(link).status_code == 302
    assert Client().get(link).status_code == 404
    forget(phone)
    assert not Known.objects.exists()


def test_links_of_a_secret_are_deleted_when_its_device_takes_another() -> None:
    phone, tablet = Client(), Client()
    phone.get(scored())
    old = hand_over(phone)
    phone.post(hand_over(tablet))
    assert Client().get(old).status_code == 404


@pytest.mark.postgresql
def test_devices_stay_shared_for_as_long_as_they_have_anything() -> None:
    phone, tablet = Client(), Client()
    key = scored()
    phone.get(key)
    tablet.post(hand_over(phone))
    Known.objects.filter(kind=devices.SHARED).update(opened=timezone.now() - timedelta(days=400))
    devices.prune(timezone.now() - timedelta(days=365))
    forget(tablet)
    assert listed(phone) == [key]
    Known.objects.filter(kind="score").delete()
    Known.objects.update(opened=timezone.now() - timedelta(days=400))
    devices.prune(timezone.now() - timedelta(days=365))
    assert not Known.objects.exists()


def test_devices_stay_shared_for_as_long_as_they_have_a_seat() -> None:
    party = sit_down()
    phone, tablet = client_of(party), Client()
    tablet.post(hand_over(phone))
    Known.objects.update(opened=timezone.now() - timedelta(days=400))
    devices.prune(timezone.now() - timedelta(days=365))
    forget(tablet)
    assert listed(phone) == [f"/table/{party.code}/"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_two_devices_that_forget_at_once_leave_nothing() -> None:
    def delete_slowly(**_: object) -> None:
        time.sleep(OTHERS_COME_S)

    party = sit_down()
    phone, tablet = client_of(party), Client()
    phone.get(scored())
    tablet.post(hand_over(phone))
    with signal_receiver(pre_delete, delete_slowly):
        assert not run_at_once(lambda: forget(phone), lambda: forget(tablet))
    assert not Known.objects.exists()
    assert not Seat.objects.filter(token_digest=digest(party.tokens[0])).exists()


def test_tables_stay_hidden_when_their_device_joins_another() -> None:
    parties = [sit_down(), sit_down()]
    tablet, phone = (client_of(party) for party in parties)
    for client, party in zip((tablet, phone), parties, strict=True):
        client.post("/my/hide/", {"kind": "table", "key": party.code})
    phone.post(hand_over(tablet))
    assert listed(phone) == listed(tablet) == []


def test_forgetting_continues_if_a_table_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Refused("log-full")

    parties = [sit_down(), sit_down()]
    for party in parties[1:]:
        Seat.objects.filter(table__code=party.code, number=0).update(
            token_digest=digest(parties[0].tokens[0])
        )
    monkeypatch.setattr(seating, "release", refuse)
    monkeypatch.setattr(seating, "settle", refuse)
    forget(client_of(parties[0]))
    assert not Seat.objects.filter(token_digest=digest(parties[0].tokens[0])).exists()


def test_a_device_without_rows_can_forget_all() -> None:
    forget(Client())
    forget(phone_with(INVENTED))
