"""Photos of a bought pad's filled sheets, read with its empty sheet's photo, without script."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from sheets.access.keys import Access, delete_resource, new_token
from sheets.models import EmptySheet, Scoring, WorkshopLevel
from sheets.photos.worker import empty_sheet
from sheets.photos.worker.empty_sheet import read_empty_photo
from sheets.photos.worker.messages import EmptySheetResult, unpack
from sheets.tables import acts, seating
from sheets.vision.pads.empty_sheet_reading import EmptySheetReading, read_rectified
from sheets.vision.pads.rectification import RectifiedGrid
from sheets.workshop import store
from tests.device_secrets import secret_of
from tests.page_text import unmarked
from tests.photos.alike_pad import take_alike_pad
from tests.photos.photo_forms import fields, send, true_marks
from tests.scoring.scoring_pages import state
from tests.table_games import TINY, Party
from tests.tables.table_clients import client_of
from tests.vision.filled_sheet_shots import take_filled_sheet
from tests.vision.shots import take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("photos_read_once")]

SEED = 25
"""Seed of the pad and its photos, see `take_filled_sheet`."""

OTHER_SEED = 26
"""Seed of another pad."""


@cache
def seen_empty(seed: int = SEED) -> EmptySheetResult:
    """Return the reading of an empty sheet's photo."""
    return unpack(read_empty_photo(take_filled_sheet(seed).empty), EmptySheetResult)


def own_level(
    document: dict[str, Any] | None = None, *, has_photo: bool = True
) -> Access[WorkshopLevel]:
    """Create the pad's level and return its owner's access."""
    document = document or dict(take_filled_sheet(SEED).pad.level.document)
    owner = store.find(store.create(document, is_bought=True))
    if has_photo:
        seen = seen_empty()
        EmptySheet.objects.create(
            level=owner.resource,
            picture=seen.picture,
            layout=json.loads(seen.layout),
            seen=json.loads(seen.seen),
        )
    return owner


def level_to_play() -> Access[WorkshopLevel]:
    """Create the level with a printed cross on a1, next to the filled sheet's crosses b1, c1."""
    document = dict(take_filled_sheet(SEED).pad.level.document)
    first, *others = document["grid"]
    assert first.startswith("2 6 5")
    return own_level(document | {"grid": [first.replace("2", "2x", 1), *others]})


def answered(page: HttpResponse, place: int = 1) -> dict[str, object]:
    """Return the form of the page, with correct answers to all its questions."""
    form = fields(page)
    true = true_marks(take_filled_sheet(SEED).truth)
    asked = [name for name in form if name.startswith(f"at-{place}-")]
    return form | {name: true.get(name.removeprefix(f"at-{place}-"), "") for name in asked}


def test_a_filled_sheet_becomes_a_scoring_of_the_owners_level(client: Client) -> None:
    owner = own_level()
    start = client.get(f"/workshop/{owner.key}/score/").content.decode()
    assert start.index(f"/workshop/{owner.key}/photos/") < start.index('name="count"')
    photos_url = f"/workshop/{owner.key}/photos/"
    page = send(client, take_filled_sheet(SEED).jpeg, to=photos_url)
    url = client.post(f"{photos_url}take/", answered(page)).headers["Location"]
    assert state(client, url)["marks"] == true_marks(take_filled_sheet(SEED).truth)
    assert Scoring.objects.get().bought_level == owner.resource


def test_a_filled_sheet_is_added_to_the_owners_scoring(client: Client) -> None:
    owner = own_level()
    begun = client.post(f"/workshop/{owner.key}/score/", {"count": 2}).headers["Location"]
    url = begun.removesuffix("1/")
    assert f"{url}photos/" in client.get(begun).content.decode()
    page = send(client, take_filled_sheet(SEED).jpeg, to=f"{url}photos/")
    form = answered(page) | {"who-1": "1"}
    assert client.post(f"{url}photos/take/", form).headers["Location"] == url
    assert state(client, url)["marks"] == true_marks(take_filled_sheet(SEED).truth)
    delete_resource(owner)
    assert f"{url}photos/" not in client.get(begun).content.decode()
    assert client.get(f"{url}photos/").headers["Location"] == url
    headers = {"Accept": "application/json"}
    late = client.post(f"{url}photos/take/", form, headers=headers)
    assert (late.status_code, "is gone" in late.json()["problem"]) == (409, True)
    part = client.post(f"{url}photos/read/", {"part": "1"}).content.decode()
    assert "The photo of the empty sheet is gone" in part


def test_numbers_to_circle_are_asked_by_the_scoring(client: Client) -> None:
    crossed = next(
        at for at, kind in take_filled_sheet(SEED).truth.fields.items() if kind == "cross"
    )
    document = dict(take_filled_sheet(SEED).pad.level.document)
    rows = [row.split() for row in document["grid"]]
    row, column = int(crossed[1:]) - 1, ord(crossed[0]) - ord("a")
    rows[row][column] = f"{rows[row][column][0]}Fr"
    points = {**document["points"], "flag": {"red": [10, 6]}}
    owner = own_level(document | {"grid": [" ".join(row) for row in rows], "points": points})
    photos_url = f"/workshop/{owner.key}/photos/"
    page = send(client, take_filled_sheet(SEED).jpeg, to=photos_url)
    assert "at-1-flag red" not in fields(page)
    url = client.post(f"{photos_url}take/", answered(page)).headers["Location"]
    assert state(client, url)["marks"] == true_marks(take_filled_sheet(SEED).truth)
    assert "flag red" in client.get(f"{url}1/").content.decode()


def main_of(response: HttpResponse) -> str:
    """Return the content of a page, without the menu."""
    return response.content.decode().partition("<main")[2]


def test_a_sheet_of_another_level_is_read_once_in_each_orientation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = []

    def read(rectified: RectifiedGrid) -> EmptySheetReading:
        turns.append(rectified.turn)
        return read_rectified(rectified)

    monkeypatch.setattr(empty_sheet, "read_rectified", read)
    data = take_filled_sheet(SEED).empty
    result = empty_sheet.read_empty_photo_of(data, take_filled_sheet(OTHER_SEED).pad.level)
    assert unpack(result, EmptySheetResult).refused == "other-sheet"
    assert len(set(turns)) == len(turns) == 3, "three after that of the photo"


def test_only_the_owner_can_use_the_empty_sheet(client: Client) -> None:
    owner = own_level()
    begun = client.post(f"/workshop/{owner.key}/score/", {"count": 1}).headers["Location"]
    friend = Client()
    for key in (owner.share_key, begun.split("/")[2]):
        first = friend.get(f"/workshop/{key}/score/" if key == owner.share_key else begun)
        assert "photos/" not in main_of(first)
    for page in (f"/workshop/{owner.share_key}/photos/", f"{begun.removesuffix('1/')}photos/"):
        assert friend.get(page).status_code == 302
        read = send(friend, take_filled_sheet(SEED).jpeg, to=page, part="1").content.decode()
        assert "data:image" not in read
    # A scoring begun through the read-only link has a key of its own, but not the level's.
    theirs = friend.post(f"/workshop/{owner.share_key}/score/", {"count": 1}).headers["Location"]
    assert "photos/" not in main_of(friend.get(theirs))
    assert friend.get(f"/workshop/{owner.share_key}/photos/empty/").status_code == 403


def at_a_table(client: Client, owner: Access[WorkshopLevel], by: str) -> tuple[Party, Client]:
    """Open a table of the owner and a friend through the level's key ``by``."""
    sent = {"players": 2, "dice": "table", "name": "Ana"}
    code = client.post(f"/workshop/{by}/play/", sent).headers["Location"].split("/")[2]
    party = Party(code, (secret_of(client), new_token()))
    seating.take_seat(party.access(), 1, "Ben", party.tokens[1])
    acts.start(party.access())
    return party, client_of(party, 1)


@pytest.mark.slow
def test_a_filled_sheet_is_compared_with_the_sheet_at_a_table(client: Client) -> None:
    owner = level_to_play()
    client.get(f"/workshop/{owner.key}/")
    party, _friend = at_a_table(client, owner, owner.share_key)
    photos_url = f"/table/{party.code}/photos/"
    shown = client.get(f"/table/{party.code}/").content.decode()
    assert f'href="{photos_url}?seat=0"' in shown
    assert "data-no-photos" not in shown
    live = client.get(f"/table/{party.code}/", headers={"HX-Request": "true"})
    assert f'href="{photos_url}?seat=0"' in live.content.decode()
    review = send(client, take_filled_sheet(SEED).jpeg, to=photos_url)
    page = client.post(f"{photos_url}compare/", answered(review)).content.decode()
    true = true_marks(take_filled_sheet(SEED).truth)
    apart = re.search("data-places='([^']*)'|data-places=\"([^\"]*)\"", page)
    assert apart
    assert sorted(json.loads(html.unescape(apart[1] or apart[2]))) == sorted(true)
    form = answered(review) | {"moment": party.loaded.state.moment, "request": "request-1"}
    client.post(f"{photos_url}take/", form)
    dice = party.game.level.names(party.game.sheets[0].dice)
    assert {"b1", "c1"} <= set(dice) <= set(true)
    # A printed sheet with markers is read by them here, too.
    other = send(client, take("level-1", seed=5).jpeg, to=photos_url).content.decode()
    assert "This is a sheet of another level." in other


def test_unread_numbers_of_a_pad_are_no_differences() -> None:
    document = {**TINY, "id": "own-tiny"}
    owner = own_level(document)
    client = Client()
    client.get(f"/workshop/{owner.key}/")
    party, _friend = at_a_table(client, owner, owner.key)
    for at in ("b1", "c1", "d1"):
        party.act("place", 0, at)
    party.end_pass()
    crossed = json.dumps(dict.fromkeys(("b1", "c1", "d1"), "cross"))
    form = {"sheet": "1", "level-1": "own-tiny", "marks-1": crossed}
    page = client.post(f"/table/{party.code}/photos/compare/", form).content.decode()
    assert "Paper and table agree" in page
    assert "Red flag: 10 is circled here." in page
    # A number that was read as not circled is a difference.
    read = client.post(f"/table/{party.code}/photos/compare/", form | {"at-1-flag red": ""})
    assert "Red flag: on your paper none circled, here 10." in read.content.decode()


def test_at_a_table_only_the_owner_can_use_the_empty_sheet(client: Client) -> None:
    owner = own_level()
    client.get(f"/workshop/{owner.key}/")
    party, friend = at_a_table(client, owner, owner.key)
    looker = client_of(party, 1)
    looker.get(f"/workshop/{owner.share_key}/")
    photos_url = f"/table/{party.code}/photos/"
    for device in (friend, looker):
        assert "data-no-photos" in device.get(f"/table/{party.code}/").content.decode()
        assert device.get(photos_url).headers["Location"] == f"/table/{party.code}/?seat=1"
        read = send(device, take_filled_sheet(SEED).jpeg, to=photos_url, part="1").content.decode()
        assert "The photo of the empty sheet is gone" in read
        assert "data:image" not in read
        for act in ("sum", "compare", "take"):
            refused = device.post(f"{photos_url}{act}/", headers={"Accept": "application/json"})
            assert refused.status_code == 409
    # The owner has one seat only. Once the level is deleted, the link is gone for the owner, too.
    assert client.get(f"{photos_url}?seat=1").status_code == 403
    assert client.get(photos_url).status_code == 200
    delete_resource(owner)
    assert "data-no-photos" in client.get(f"/table/{party.code}/").content.decode()
    assert client.get(photos_url).headers["Location"] == f"/table/{party.code}/?seat=0"


def test_lists_of_the_owner_link_to_photos_of_the_pad(client: Client) -> None:
    owner = own_level()
    way = f'href="/workshop/{owner.key}/photos/"'
    for key, leads in (owner.share_key, False), (owner.key, True):
        client.get(f"/workshop/{key}/")
        for place in ("/", "/my/", "/workshop/", "/score/", "/score/photos/"):
            assert (way in client.get(place).content.decode()) is leads, place
        refused = unmarked(send(client, take_filled_sheet(SEED).jpeg))
        assert ("It is a sheet of “Pad”" in refused) is leads
        assert ("Another pad? Photograph" in refused) is leads
        assert ("A bought pad? Photograph" in refused) is not leads
    for place in ("/print/", "/table/new/"):
        assert way not in client.get(place).content.decode()
    EmptySheet.objects.all().delete()
    assert way not in client.get("/score/photos/").content.decode()


def test_a_sheet_with_markers_is_read_by_them(client: Client) -> None:
    owner = own_level()
    page = send(client, take("level-1", seed=5).jpeg, to=f"/workshop/{owner.key}/photos/")
    assert "This is a sheet of another level." in page.content.decode()


@pytest.mark.slow
def test_a_sheet_of_another_pad_is_refused(client: Client) -> None:
    owner = own_level()
    photos_url = f"/workshop/{owner.key}/photos/"
    page = unmarked(send(client, take_filled_sheet(OTHER_SEED).jpeg, to=photos_url))
    assert "like your pad’s empty sheet" in page
    assert f'href="/workshop/{owner.key}/score/">Tap the crosses in</a>' in page
    assert page.count("Photograph sheets of “Pad”") == 2


@pytest.mark.slow
def test_a_level_entered_without_photo_asks_for_one(client: Client) -> None:
    owner = own_level(has_photo=False)
    adding = f"/workshop/{owner.key}/photos/empty/"
    start = f"/workshop/{owner.key}/score/"
    assert f'href="{adding}"' in client.get(start).content.decode()
    assert client.get(f"/workshop/{owner.key}/photos/").headers["Location"] == start

    begun = client.post(start, {"count": 1}).headers["Location"]
    hint = "With a photo of an empty sheet, filled ones can be photographed"
    assert hint in client.get(begun).content.decode()
    assert hint not in Client().get(begun).content.decode(), "for its owner only"

    def add(photo: bytes) -> HttpResponse:
        file = SimpleUploadedFile("IMG_1.jpg", photo, "image/jpeg")
        return client.post(adding, {"photo": file})

    wrong = add(take_filled_sheet(OTHER_SEED).empty)
    assert wrong.status_code == 400
    assert "differ from those of your level" in wrong.content.decode()
    assert not EmptySheet.objects.exists()
    assert add(take_filled_sheet(SEED).empty).headers["Location"] == start
    assert EmptySheet.objects.get().level == owner.resource
    assert adding not in client.get(start).content.decode()
    assert f"/workshop/{owner.key}/photos/" in client.get(start).content.decode()
    assert hint not in client.get(begun).content.decode()


@pytest.mark.slow
def test_the_user_chooses_the_orientation_of_a_symmetric_sheet(client: Client) -> None:
    pad = take_alike_pad()
    owner = store.find(store.create(dict(pad.level.document), is_bought=True))
    EmptySheet.objects.create(level=owner.resource, picture=pad.picture, layout=pad.layout, seen={})
    photos_url = f"/workshop/{owner.key}/photos/"
    asked = send(client, pad.jpeg, to=photos_url)
    assert "Which way is up?" in asked.content.decode()
    assert "sheet" not in fields(asked)
    turns = re.findall(r'name="turn" value="(\d)"', asked.content.decode())
    marks = [fields(send(client, pad.jpeg, to=photos_url, turn=turn))["marks-1"] for turn in turns]
    assert sorted(marks) == ['{"b1": "cross"}', '{"e6": "cross"}']
