"""Corners that the user marked in a photo, as the page sends them."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.test import Client

from sheets.models import WorkshopLevel
from sheets.photos.forms import grid_corners, parse_corners
from sheets.photos.worker.messages import Corners
from sheets.text.photos import EMPTY_REFUSALS, PAD_REFUSALS, REFUSALS
from tests.photos.photo_forms import fields, send, true_marks
from tests.photos.test_pads import SEED, own_level
from tests.vision.drawn_boxes import draw_boxes, draw_unframed, drawn_corners
from tests.vision.filled_sheet_shots import take_filled_sheet
from tests.vision.shots import hide_sheet, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("photos_read_once")]

ELSEWHERE = "0.02,0.02 0.35,0.02 0.35,0.2 0.02,0.2"
"""Corners of a part of a photo without a sheet."""


def as_text(corners: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.4f},{y:.4f}" for x, y in corners)


@pytest.mark.parametrize(
    ("text", "corners"),
    [
        ("", None),
        ("0.1,0.2 0.9,0.2 0.9,1 0,0.8", ((0.1, 0.2), (0.9, 0.2), (0.9, 1.0), (0.0, 0.8))),
        ("0.1,0.2", ((0.1, 0.2),)),
        ("0.1,0.2,0.3", ()),
        ("a,b c,d", ()),
        ("0.1,0.2 " * 1000, ()),
    ],
    ids=["none", "four", "one", "three-numbers", "letters", "long"],
)
def test_corners_are_parsed(text: str, corners: Corners | None) -> None:
    assert parse_corners(text) == corners


def test_malformed_numbers_of_columns_and_rows_become_zero() -> None:
    form = QueryDict("corners=0,0&columns=12&rows=-3")
    found = grid_corners(form)
    assert found
    assert (found.columns, found.rows) == (12, 0)
    assert grid_corners(QueryDict("columns=12&rows=3")) is None


def test_hidden_sheet_is_read_from_its_corners(client: Client) -> None:
    taken = take("level-1", seed=1)
    hidden, corners = hide_sheet(taken.jpeg)
    part = send(client, hidden, part="1").content.decode()
    assert html.escape(str(REFUSALS["no-sheet"])) in part
    assert "mark-corners" in part
    for wrong, reason in ((ELSEWHERE, "not-at-corners"), ("0.1,0.1 0.9", "corners")):
        part = send(client, hidden, part="1", corners=wrong).content.decode()
        assert html.escape(str(REFUSALS[reason])) in part
        assert "mark-corners" in part
    form = fields(send(client, hidden, corners=as_text(corners)))
    asked = [name for name in form if name.startswith("at-1-")]
    true = true_marks(taken.truths[0])
    read = json.loads(form["marks-1"])
    assert {
        at: value for at, value in read.items() if f"at-1-{at}" not in asked
    }.items() <= true.items()
    assert len(read) > len(true) / 2


def test_button_for_corners_is_offered_only_where_they_help(client: Client) -> None:
    part = send(client, b"no picture", part="1").content.decode()
    assert "mark-corners" not in part


def test_filled_sheet_of_a_pad_at_other_corners_is_refused(client: Client) -> None:
    photos_url = f"/workshop/{own_level().key}/photos/"
    filled = take_filled_sheet(SEED).jpeg
    part = send(client, filled, to=photos_url, part="1", corners=ELSEWHERE).content.decode()
    assert html.escape(str(PAD_REFUSALS["not-at-corners"])) in part


def begin(client: Client, photo: bytes, **more: Any) -> str:
    """Send the photo of an empty sheet as the script does; return the answer."""
    file = SimpleUploadedFile("IMG_1.jpg", photo, "image/jpeg")
    form = {"photo": file, "part": "1", "request": "same-request", **more}
    return client.post("/workshop/own/photos/read/", form).content.decode()


def test_empty_sheet_is_begun_from_its_corners(client: Client) -> None:
    photo = draw_boxes(7, 5, draw_unframed)
    part = begin(client, photo)
    assert html.escape(str(EMPTY_REFUSALS["no-sheet"])) in part
    assert "mark-corners" in part
    corners = as_text(drawn_corners(7, 5))
    part = begin(client, photo, corners=corners, columns="7", rows="four")
    assert html.escape(str(EMPTY_REFUSALS["corners"])) in part
    assert 'class="begun"' in begin(client, photo, corners=corners, columns="7", rows="5")
    (level,) = WorkshopLevel.objects.all()
    assert level.document["grid"][0].split() == ["1", "4", "1", "4", "1", "4", "1"]
