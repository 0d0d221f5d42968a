"""“Mine”: list of a device's resources, hiding, forgetting, transfer to another device."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from sheets.access import devices
from sheets.access.keys import DEVICE_COOKIE, delete_resource, digest, new_key, new_token
from sheets.levels import find_level
from sheets.models import HandOver, Known, Scoring, Seat
from sheets.scoring import store, tally_store
from sheets.workshop import store as workshop_store
from tests.device_secrets import secret_of
from tests.page_text import unmarked
from tests.score_levels import GARDEN
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


def scored(*names: str) -> str:
    return store.create(find_level("level-1"), names or ("Ana", "Ben"))


def listed(client: Client, path: str = "/my/") -> list[str]:
    page = client.get(path).content.decode()
    return re.findall(r'class="card game(?: called)?" href="([^"]+)"', page)


def test_opened_games_are_listed_after_the_browser_was_closed(client: Client) -> None:
    key, tally = scored(), tally_store.create({"p0-name": "Ana", "p1-name": "Ben"})
    first = client.get(f"/score/{key}/")
    cookie = first.cookies[DEVICE_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 365 * 24 * 3600
    client.get(f"/tally/{tally}/")
    again = Client()
    again.cookies[DEVICE_COOKIE] = cookie.value
    assert listed(again) == listed(again, "/") == [f"/tally/{tally}/", f"/score/{key}/"]
    page = again.get("/my/").content.decode()
    assert "Ana and Ben" in page
    assert "Not finished yet" in page
    assert listed(Client()) == []


def test_home_says_who_has_won_and_when(client: Client) -> None:
    key = scored()
    access = store.find(key)
    for sheet in access.resource.sheets.all():
        store.confirm_blank(access, sheet.number)
    sheet = access.resource.sheets.get(number=1)
    sheet.marks.create(at="a1", value="cross")
    Scoring.objects.update(revision=9)
    client.get(f"/score/{key}/")
    page = client.get("/").content.decode()
    assert re.search(r"Ana (wins|and Ben)|Ben wins|Tied", page)
    assert f"{timezone.now():%Y}" in page


def test_finished_tables_stay_listed_newest_first() -> None:
    party = finished_party()
    ana = client_of(party)
    key = scored()
    ana.get(f"/score/{key}/")
    assert listed(ana) == [f"/score/{key}/", f"/table/{party.code}/"]


def test_database_does_not_reveal_links(client: Client) -> None:
    key = scored()
    client.get(f"/score/{key}/")
    row = Known.objects.get()
    token = secret_of(client)
    assert row.device_digest == digest(token)
    stored = str(Known.objects.values().get())
    assert key not in stored
    assert key.encode().hex() not in stored
    assert token not in stored
    assert [has.key for has in devices.opened_by(token, "score")] == [key]
    # Another secret, even with the same digest, does not decrypt the key.
    Known.objects.update(device_digest=digest("x" * 43))
    assert devices.opened_by("x" * 43, "score") == []


def test_hidden_games_are_listed_again_when_they_are_opened() -> None:
    party = finished_party()
    ana, key = client_of(party), scored()
    ana.get(f"/score/{key}/")
    for kind, name in (("score", key), ("table", party.code)):
        assert ana.post("/my/hide/", {"kind": kind, "key": name}).status_code == 302
    assert listed(ana) == []
    assert store.find(key)
    assert Seat.objects.filter(table__code=party.code).exclude(token_digest="").exists()
    ana.get(f"/score/{key}/")
    assert listed(ana) == [f"/score/{key}/"]


@pytest.mark.parametrize("sent", [{}, {"kind": "score"}, {"kind": "x", "key": "y"}])
def test_hiding_nonsense_is_refused(client: Client, sent: dict[str, str]) -> None:
    assert client.post("/my/hide/", sent).status_code == 400


def test_forgetting_all_makes_a_device_a_new_one(client: Client) -> None:
    key = scored()
    client.get(f"/score/{key}/")
    assert client.get("/my/forget/").status_code == 200
    assert Known.objects.count() == 1
    client.post("/my/forget/")
    assert listed(client) == []
    assert Known.objects.count() == 0
    assert store.find(key)


def test_deleted_games_are_forgotten(client: Client) -> None:
    key = scored()
    client.get(f"/score/{key}/")
    delete_resource(store.find(key))
    assert listed(client) == []
    assert Known.objects.count() == 0


def hand_over(client: Client) -> str:
    page = unmarked(client.post("/my/link/"))
    found = re.search(r"/my/device/([\w-]{32})/", page)
    assert found
    # Only this response has the link: a reloaded page does not.
    assert found[1] not in str(client.cookies)
    assert client.get("/my/link/").headers["Location"] == "/my/"
    return found[0]


@pytest.mark.postgresql
def test_a_link_transfers_everything_to_another_device_once() -> None:
    party = finished_party()
    ana, tablet, thief = client_of(party), Client(), Client()
    mine, its = scored(), scored("Ida")
    ana.get(f"/score/{mine}/")
    tablet.get(f"/score/{its}/")
    link = hand_over(ana)
    assert tablet.get(link).status_code == 200  # the link preview of a messenger
    assert tablet.post(link).headers["Location"] == "/my/"
    everything = {f"/table/{party.code}/", f"/score/{mine}/", f"/score/{its}/"}
    assert set(listed(tablet)) == set(listed(ana)) == everything
    assert thief.get(link).status_code == thief.post(link).status_code == 404
    assert listed(thief) == []
    # If one device forgets everything, the other keeps it.
    tablet.post("/my/forget/")
    assert listed(tablet) == []
    assert set(listed(ana)) == everything


def test_page_of_a_link_lists_what_the_other_device_gets() -> None:
    ana, tablet = Client(), Client()
    link = hand_over(ana)
    told = "The other device then also has what is here"
    assert told not in unmarked(tablet.get(link))
    tablet.get(f"/score/{scored()}/")
    tablet.get(f"/workshop/{workshop_store.create(GARDEN)}/")
    tablet.post("/groups/new/", {"name": "Family <3"}, follow=True)
    page = unmarked(tablet.get(link))
    for words in (told, "<li>1 game</li>", "<li>1 level of your own</li>", "“Family &lt;3”"):
        assert words in page
    # The page of a used link lists nothing.
    ana.post(link)
    assert told not in unmarked(tablet.get(link))


@pytest.mark.postgresql
def test_merged_lists_of_two_devices_are_sorted_newest_first() -> None:
    phone, tablet = Client(), Client()
    keys = [scored("Ana") for _ in range(6)]
    for client, key in zip((phone, tablet, tablet, phone, tablet, tablet), keys, strict=True):
        client.get(f"/score/{key}/")
    # A scoring of both devices, opened last on the one that had opened it earlier.
    phone.get(f"/score/{keys[2]}/")
    tablet.post(hand_over(phone))
    newest_first = [f"/score/{keys[i]}/" for i in (2, 5, 4, 3, 1, 0)]
    assert listed(phone) == listed(tablet) == newest_first


def test_a_third_device_keeps_its_list_when_another_leaves() -> None:
    party = finished_party()
    phone, tablet, other = client_of(party), Client(), Client()
    mine = scored()
    phone.get(f"/score/{mine}/")
    tablet.post(hand_over(phone))
    other.get(f"/score/{scored('Ida')}/")
    tablet.post(hand_over(other))
    assert set(listed(phone)) == {f"/table/{party.code}/", f"/score/{mine}/"}
    assert len(listed(tablet)) == len(listed(other)) == 2


def test_a_link_for_another_device_is_good_for_an_hour(client: Client) -> None:
    client.get(f"/score/{scored()}/")
    link = hand_over(client)
    HandOver.objects.update(made=timezone.now() - timedelta(minutes=61))
    assert Client().post(link).status_code == 404
    call_command("prune", "--days=30", stdout=StringIO())
    assert HandOver.objects.count() == 0


def test_list_of_earlier_versions_is_imported_once(client: Client) -> None:
    key, level = scored(), workshop_store.create(GARDEN)
    urls = [
        f"http://testserver/workshop/{level}/guide/numbers/",
        f"/score/{key}/",
        f"/score/{new_key()}/",
        "javascript:alert(1)",
    ]
    assert client.post("/my/old/", {"url": urls}).status_code == 204
    assert listed(client) == [f"/score/{key}/"]
    assert f"/workshop/{level}/" in client.get("/my/").content.decode()
    assert Known.objects.count() == 2


@pytest.mark.postgresql
def test_list_is_limited_and_paginated(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "MAX_ROWS", 25)
    token = new_token()
    keys = [scored("Ana") for _ in range(30)]
    for key in keys:
        devices.note(token, "score", key, "10.0.0.1")
    client.cookies[DEVICE_COOKIE] = token
    first, second = listed(client), listed(client, "/my/?page=2")
    assert [*first, *second] == [f"/score/{key}/" for key in reversed(keys[5:])]
    assert len(first) == 20
    assert len(listed(client, "/")) == 3


@pytest.mark.postgresql
def test_old_entries_are_pruned(client: Client) -> None:
    client.get(f"/score/{scored()}/")
    Known.objects.update(opened=timezone.now() - timedelta(days=40))
    call_command("prune", "--days=30", stdout=StringIO())
    assert Known.objects.count() == 0
