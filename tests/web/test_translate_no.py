"""Markup that keeps names and codes unchanged when a browser translates a page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client

from sheets.access.keys import DEVICE_COOKIE
from sheets.models import Seat, Table
from tests.every_page import every_page

HERE = Path(__file__).resolve().parents[2] / "sheets" / "static" / "sheets" / "offline_scoring"
VOID = {"br", "hr", "img", "input", "link", "meta", "source", "wbr", "col", "area"}
UNSEEN = {"script", "style", "title", "textarea", "option"}


class Texts(HTMLParser):
    """Parser of the texts of a page that a translation would change."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._around: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._around.append((tag, tag in UNSEEN or ("translate", "no") in attrs))

    def handle_endtag(self, tag: str) -> None:
        while self._around and self._around.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(is_kept for _tag, is_kept in self._around):
            self.found.add(data.strip())


@pytest.mark.django_db
@pytest.mark.usefixtures("few_trials")
def test_names_of_people_levels_and_tables_are_not_translated(client: Client) -> None:
    places = every_page(client)
    kept = set(Seat.objects.values_list("name", flat=True))
    kept |= set(Table.objects.values_list("typed_code", flat=True)) | {"Ana", "Ben", "Castle"}
    faults: dict[str, set[str]] = {}
    for place in places:
        client.cookies[DEVICE_COOKIE] = place.token
        page = client.get(place.path).content.decode()
        if found := Texts(page).found & (kept - {"", None}):
            faults[place.path] = found
        assert 'name="format-detection" content="telephone=no"' in page or "<html" not in page
    assert faults == {}


def test_names_that_scripts_insert_are_not_translated() -> None:
    """Each is inserted into an element with ``translate="no"``, as in the templates."""
    for name in ("circle_questions", "page", "results", "words"):
        script = (HERE / f"{name}.js").read_text("utf-8")
        assert not re.findall(r'make\("bdi", \{(?! translate: "no")', script), name
