"""The page that suggests levels."""

from __future__ import annotations

import pytest
from django.test import Client

from sheets.models import WorkshopLevel
from sheets.rules import format_level
from sheets.workshop import store
from sheets.workshop.suggest.outlines import OUTLINES
from sheets.workshop.suggest.suggestion import Wanted, suggest

pytestmark = pytest.mark.django_db
URL = "/workshop/suggest/"


def test_page_shows_a_suggestion_at_once(client: Client) -> None:
    response = client.get(URL)
    assert response.status_code == 200
    assert format_level(response.context["level"]) == suggest(Wanted())
    assert 'class="art-sheet"' in response.content.decode()


def test_address_is_the_wish(client: Client) -> None:
    response = client.get(URL, {"seed": "8", "gems": "6", "outline": "ring", "rails": "on",
                                "stops": "4", "bombs": "0"})  # fmt: skip
    wanted = Wanted(seed=8, gems=6, outline="ring", rails=True, stops=4, bombs=0)
    assert format_level(response.context["level"]) == suggest(wanted)
    page = response.content.decode()
    assert 'name="gems" value="6"' in page
    assert 'value="ring" checked' in page
    # What is taken, or shown anew with another seed, is the same wish.
    assert 'name="rails" value="on" checked' in page
    assert '<input type="hidden" name="rails" value="on">' in page


def test_a_suggestion_with_tracks_is_taken_with_tracks(client: Client) -> None:
    response = client.post(URL, {"seed": "8", "rails": "on", "stops": "4"})
    access = store.find(response.headers["Location"].split("/")[2])
    assert access.thing.document["marks"] == "tracks"


@pytest.mark.parametrize("outline", OUTLINES)
def test_the_usual_wish_fits_every_outline(outline: str) -> None:
    assert suggest(Wanted(outline=outline))


def test_last_of_two_seeds_counts(client: Client) -> None:
    response = client.get(f"{URL}?seed=1&seed=7")
    assert format_level(response.context["level"]) == suggest(Wanted(seed=7))


def test_taken_suggestion_is_a_level_of_ones_own(client: Client) -> None:
    response = client.post(URL, {"seed": "8", "gems": "6"})
    access = store.find(response.headers["Location"].split("/")[2])
    wished = suggest(Wanted(seed=8, gems=6))
    assert access.thing.document | {"id": wished["id"]} == wished
    assert client.get(response.headers["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"gems": "41"}, "Gems: a number from 0 to 40."),
        ({"columns": "x"}, "Columns: a number from 5 to 12."),
        ({"rows": ""}, "Rows: a number from 5 to 14."),
        ({"seed": "9" * 400}, "Number of the suggestion: a number from 0 to 9999."),
        ({"outline": "heart"}, "There is no such outline."),
        ({"columns": "5", "rows": "5"}, "So many symbols do not fit"),
        ({"stops": "2"}, "Stops are for sheets with tracks only."),
        ({"rails": "on", "volcanoes": "1"}, "Sheets with tracks are suggested without rockets"),
        ({"rockets": "1"}, "Rockets need planets"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_wish_that_cannot_be_is_refused_in_one_sentence(
    client: Client, method: str, wish: dict[str, str], words: str
) -> None:
    response = getattr(client, method)(URL, wish)
    assert response.status_code == 400
    page = response.content.decode()
    assert words in page
    assert page.count('role="alert"') == 1
    assert not WorkshopLevel.objects.exists()


def test_wrong_method(client: Client) -> None:
    assert client.put(URL).status_code == 405
