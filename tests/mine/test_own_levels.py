"""The levels of one's own that a device has, wherever a level is chosen."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from sheets.access.devices import note
from sheets.access.keys import SEAT_COOKIE, new_token
from sheets.mine.own_levels import PURPOSES, MAX_SHOWN
from sheets.models import WorkshopLevel
from sheets.workshop import store
from tests.score_levels import GARDEN

pytestmark = pytest.mark.django_db

PLACES = {
    "/score/": "score",
    "/table/new/": "play",
    "/print/": "print",
    "/levels/": "level",
    "/workshop/": "level",
    "/": "level",
}


def own(name: str) -> str:
    document = {**GARDEN, "name": {"en": name}, "id": store.new_id()}
    return store.create(document)


def ways(client: Client, path: str = "/levels/") -> list[str]:
    page = client.get(path).content.decode()
    return re.findall(r'class="card level-pick" href="(/workshop/[^"]+)"', page)


@pytest.mark.parametrize(("path", "door"), PLACES.items())
def test_levels_of_a_device_lead_to_what_is_to_be_done(
    client: Client, path: str, door: str
) -> None:
    first, second = own("First"), own("Second")
    for key in (first, second):
        assert client.get(f"/workshop/{key}/").status_code == 200
    end = "" if PURPOSES[door] == "workshop-level" else f"{door}/"
    assert ways(client, path) == [f"/workshop/{key}/{end}" for key in (second, first)]
    assert "no-store" in client.get(path).headers["Cache-Control"]
    assert all(client.get(way).status_code == 200 for way in ways(client, path))
    assert ways(Client(), path) == []


def test_what_is_not_finished_leads_to_where_it_is_finished(client: Client) -> None:
    key = store.create_blank({"en": "Santa"}, 3, 2)
    client.get(f"/workshop/{key}/")
    assert ways(client, "/score/") == [f"/workshop/{key}/"]
    assert "Not finished yet" in client.get("/score/").content.decode()


def test_a_level_without_a_field_has_a_name_too(client: Client) -> None:
    key = store.create_blank({"en": "Santa"}, 1, 1)
    client.get(f"/workshop/{key}/")
    WorkshopLevel.objects.update(document={"id": "own-1", "name": {"en": "x"}, "grid": ["."]})
    assert "Empty sheet" in client.get("/levels/").content.decode()


@pytest.mark.postgresql
def test_a_level_is_listed_once_rather_to_be_edited(client: Client) -> None:
    access = store.find(own("Shared"))
    client.get(f"/workshop/{access.share_key}/")
    assert ways(client) == [f"/workshop/{access.share_key}/"]
    client.get(f"/workshop/{access.key}/")
    client.get(f"/workshop/{access.share_key}/")
    assert ways(client) == [f"/workshop/{access.key}/"]


def test_a_link_that_was_withdrawn_or_a_level_deleted_is_listed_no_more(client: Client) -> None:
    access = store.find(own("Mine"))
    client.get(f"/workshop/{access.key}/")
    renewed = client.post(f"/workshop/{access.key}/links/", {"do": "renew"}, follow=True)
    new = renewed.request["PATH_INFO"].split("/")[2]
    assert ways(client) == [f"/workshop/{new}/"]
    client.post(f"/workshop/{new}/delete/")
    assert ways(client) == []


def test_only_so_many_are_drawn_at_once(client: Client) -> None:
    token = new_token()
    for number in range(MAX_SHOWN + 1):
        note(token, "workshop", own(f"Level {number}"), "10.0.0.1")
    client.cookies[SEAT_COOKIE] = token
    assert len(ways(client)) == MAX_SHOWN


@pytest.mark.parametrize(
    ("path", "other"),
    [("/score/", "/tally/"), ("/table/new/", "/workshop/own/"), ("/print/", "/workshop/own/")],
)
def test_first_it_is_asked_whose_sheet_it_is(client: Client, path: str, other: str) -> None:
    page = client.get(path).content.decode()
    question = page[page.index('class="whose"') : page.index('id="own"')]
    assert re.findall(r'href="([^"]+)"', question) == ["#own", "#ours", other]
    assert page.index('id="own"') < page.index('id="ours"')
    assert "Our levels" in page[page.index('id="ours"') :]
