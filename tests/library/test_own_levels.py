"""Own levels of a device, on each page where a level is chosen."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from sheets.access.devices import note
from sheets.access.keys import DEVICE_COOKIE, new_token
from sheets.library.own_levels import MAX_SHOWN, PURPOSES
from sheets.models import WorkshopLevel
from sheets.workshop import store
from tests.score_levels import GARDEN

pytestmark = pytest.mark.django_db

PURPOSE_OF_PAGE = {
    "/score/": "score",
    "/table/new/": "play",
    "/print/": "print",
    "/levels/": "level",
    "/workshop/": "level",
    "/": "level",
}


def create_level(name: str) -> str:
    document = {**GARDEN, "name": {"en": name}, "id": store.new_id()}
    return store.create(document)


def links(client: Client, path: str = "/levels/") -> list[str]:
    page = client.get(path).content.decode()
    return re.findall(r'class="card level-pick" href="(/workshop/[^"]+)"', page)


@pytest.mark.parametrize(("path", "purpose"), PURPOSE_OF_PAGE.items())
def test_levels_lead_to_the_purpose_of_the_page(client: Client, path: str, purpose: str) -> None:
    first, second = create_level("First"), create_level("Second")
    for key in (first, second):
        assert client.get(f"/workshop/{key}/").status_code == 200
    end = "" if PURPOSES[purpose] == "workshop-level" else f"{purpose}/"
    assert links(client, path) == [f"/workshop/{key}/{end}" for key in (second, first)]
    assert "no-store" in client.get(path).headers["Cache-Control"]
    assert all(client.get(link).status_code == 200 for link in links(client, path))
    assert links(Client(), path) == []


def test_unfinished_levels_lead_to_the_workshop(client: Client) -> None:
    key = store.create_blank({"en": "Santa"}, 3, 2)
    client.get(f"/workshop/{key}/")
    assert links(client, "/score/") == [f"/workshop/{key}/"]
    assert "Not finished yet" in client.get("/score/").content.decode()


def test_a_level_without_fields_has_a_name(client: Client) -> None:
    key = store.create_blank({"en": "Santa"}, 1, 1)
    client.get(f"/workshop/{key}/")
    WorkshopLevel.objects.update(document={"id": "own-1", "name": {"en": "x"}, "grid": ["."]})
    assert "Empty sheet" in client.get("/levels/").content.decode()


@pytest.mark.postgresql
def test_a_level_is_listed_once_with_its_editing_link(client: Client) -> None:
    access = store.find(create_level("Shared"))
    client.get(f"/workshop/{access.share_key}/")
    assert links(client) == [f"/workshop/{access.share_key}/"]
    client.get(f"/workshop/{access.key}/")
    client.get(f"/workshop/{access.share_key}/")
    assert links(client) == [f"/workshop/{access.key}/"]


def test_withdrawn_links_and_deleted_levels_are_not_listed(client: Client) -> None:
    access = store.find(create_level("Mine"))
    client.get(f"/workshop/{access.key}/")
    renewed = client.post(f"/workshop/{access.key}/links/", {"do": "renew"}, follow=True)
    new = renewed.request["PATH_INFO"].split("/")[2]
    assert links(client) == [f"/workshop/{new}/"]
    client.post(f"/workshop/{new}/delete/")
    assert links(client) == []


def test_number_of_listed_levels_is_limited(client: Client) -> None:
    token = new_token()
    for number in range(MAX_SHOWN + 1):
        note(token, "workshop", create_level(f"Level {number}"), "10.0.0.1")
    client.cookies[DEVICE_COOKIE] = token
    assert len(links(client)) == MAX_SHOWN


@pytest.mark.parametrize(
    ("path", "ways"),
    [
        ("/score/", ["/workshop/own/", "/tally/"]),
        ("/table/new/", ["/workshop/own/"]),
        ("/print/", ["/workshop/own/"]),
    ],
)
def test_own_levels_come_first_and_other_pads_last(
    client: Client, path: str, ways: list[str]
) -> None:
    assert "My own levels" not in client.get(path).content.decode()
    client.get(f"/workshop/{create_level('Mine')}/")
    page = client.get(path).content.decode()
    parts = [page.index(part) for part in ('id="own"', 'id="ours"', "A pad from the shops?")]
    assert parts == sorted(parts)
    other_pad = page[parts[-1] :].partition("</p>")[0]
    assert re.findall(r'href="([^"]+)"', other_pad) == ways


def test_own_levels_are_played_against_bots_like_ours(client: Client) -> None:
    client.get(f"/workshop/{create_level('Mine')}/")
    client.get(f"/workshop/{store.create_blank({'en': 'Santa'}, 3, 2)}/")
    unfinished, finished = links(client, "/table/new/?bots=player")
    assert not unfinished.endswith("?bots=player")
    page = client.get(finished).content.decode()
    for chosen in ('name="bots" value="player" checked', 'name="dice" value="rolled" checked'):
        assert chosen in page
