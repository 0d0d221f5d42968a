"""The levels of one's own that a device knows, drawn for it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from sheets.models import WorkshopLevel
from sheets.workshop import store
from sheets.workshop.views.device import DOORS, MOST_SHOWN
from tests.score_levels import GARDEN

pytestmark = pytest.mark.django_db

ADDRESS = "/workshop/device/"


def own(name: str) -> str:
    document = {**GARDEN, "name": {"en": name}, "id": store.new_id()}
    return store.create(document)


def asked(client: Client, keys: list[str], door: str = "score") -> str:
    response = client.post(ADDRESS, {"key": keys, "door": door})
    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]
    return response.content.decode()


@pytest.mark.parametrize(
    ("door", "end"), [("score", "score/"), ("play", "play/"), ("print", "print/"), ("level", "")]
)
def test_levels_of_a_device_lead_to_what_is_to_be_done(client: Client, door: str, end: str) -> None:
    first, second = own("First"), own("Second")
    page = asked(client, [second, first, "nothing", second], door)
    ways = re.findall(r'href="([^"]+)"', page)
    assert ways == [f"/workshop/{second}/{end}", f"/workshop/{first}/{end}"]
    assert page.index("Second") < page.index("First")
    assert page.count('class="silhouette"') == 2
    assert all(client.get(way).status_code == 200 for way in ways)


def test_what_is_not_finished_leads_to_where_it_is_finished(client: Client) -> None:
    key = store.create_blank({"en": "Santa"}, 3, 2)
    page = asked(client, [key])
    assert f'href="/workshop/{key}/"' in page
    assert "Not finished yet" in page


def test_a_level_without_a_field_has_a_name_too(client: Client) -> None:
    key = store.create_blank({"en": "Santa"}, 1, 1)
    WorkshopLevel.objects.update(document={"id": "own-1", "name": {"en": "x"}, "grid": ["."]})
    assert "Empty sheet" in asked(client, [key])


def test_who_may_only_look_gets_there_by_the_same_link(client: Client) -> None:
    access = store.find(own("Shared"))
    page = asked(client, [access.share_key, access.key], "level")
    assert re.findall(r'href="([^"]+)"', page) == [
        f"/workshop/{access.share_key}/",
        f"/workshop/{access.key}/",
    ]


def test_nobody_learns_of_levels_without_their_keys(client: Client) -> None:
    own("Hidden")
    assert asked(client, []).strip() == ""
    assert asked(client, ["", "x" * 32, "%00", "é"]).strip() == ""


def test_only_so_many_are_drawn_at_once(client: Client) -> None:
    keys = [own(f"Level {number}") for number in range(MOST_SHOWN + 1)]
    assert asked(client, keys).count("<li>") == MOST_SHOWN


def test_looking_changes_nothing_and_a_link_leads_to_the_workshop(client: Client) -> None:
    key = own("First")
    before = WorkshopLevel.objects.values().get()
    asked(client, [key])
    assert WorkshopLevel.objects.values().get() == before
    assert client.get(ADDRESS)["Location"] == "/workshop/"


@pytest.mark.parametrize(
    ("path", "door"),
    [
        ("/score/", "score"),
        ("/table/new/", "play"),
        ("/print/", "print"),
        ("/levels/", "level"),
        ("/workshop/", "level"),
        ("/", "level"),
    ],
)
def test_every_page_where_a_level_is_chosen_has_room_for_ones_own(
    client: Client, path: str, door: str
) -> None:
    page = client.get(path).content.decode()
    assert door in DOORS
    assert re.search(rf'id="own"[^>]*\sdata-door="{door}"\sdata-url="{ADDRESS}"', page)
    assert 'id="own-levels"' in page
    assert "pages/own_levels.js" in page


@pytest.mark.parametrize(
    ("path", "other"),
    [("/score/", "/tally/"), ("/table/new/", "/workshop/own/"), ("/print/", "/workshop/own/")],
)
def test_first_it_is_asked_whose_sheet_it_is(client: Client, path: str, other: str) -> None:
    page = client.get(path).content.decode()
    question = page[page.index('class="whose"') : page.index('id="own"')]
    assert re.findall(r'href="([^"]+)"', question) == ["#own", "#ours", other]
    assert page.index('id="own"') < page.index('id="ours"')
    assert "Our sheets" in page[page.index('id="ours"') :]
