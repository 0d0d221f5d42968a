"""Limit of stored bytes per address: kept photos, photos of empty sheets, opened game files."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.http import rate_limits
from sheets.http.rate_limits import Limit
from sheets.models import GameFile, Scoring, SheetPicture, WorkshopLevel
from sheets.rules.documents.game import format_game
from tests.photos.test_photo_pages import PAGE, flat_sheet, one_sheet
from tests.tables.table_clients import played_record
from tests.workshop.test_empty_sheets import READ, photo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use up nearly all bytes that the address may store."""
    monkeypatch.setattr(rate_limits, "STORED_UNIT_BYTES", 1)
    monkeypatch.setattr(rate_limits, "STORED", Limit("stored-in-this-test", "10/hour"))


def test_photos_are_not_stored_but_their_sheets_are_scored(client: Client) -> None:
    sent = one_sheet(**{"picture-1": flat_sheet()})
    refused = client.post(f"{PAGE}take/", sent)
    assert refused.status_code == 409
    assert "without saving photos" in refused.text
    assert not Scoring.objects.exists()
    assert client.post(f"{PAGE}take/", one_sheet()).status_code == 302
    assert not SheetPicture.objects.exists()


def test_game_files_are_refused(client: Client) -> None:
    text = json.dumps(format_game(played_record())).encode()
    for path in ("/open/", "/table/file/"):
        answer = client.post(path, {"document": SimpleUploadedFile("game.json", text)})
        assert answer.status_code == 429
        assert "Your network has stored as much" in answer.text
    assert not GameFile.objects.exists()


def test_photos_of_empty_sheets_are_refused(client: Client) -> None:
    answer = client.post(READ, {"photo": photo()})
    assert answer.status_code == 400
    assert "Your network has stored as much as it can today" in answer.text
    assert not WorkshopLevel.objects.exists()
