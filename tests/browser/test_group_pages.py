"""A group's level and year on screens: no overlap, no gap, and a picture to share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import pypdfium2
import pytest
from playwright.sync_api import expect

from sheets.groups import store
from sheets.groups.documents import FORMAT, GameFile, GroupFile, PlayerFile, ResultFile
from sheets.groups.game_results import level_digest
from sheets.groups.group_file_import import import_group
from sheets.levels import find_level
from tests.browser.conftest import NewContext
from tests.groups.bot_games import add_bot_game

pytestmark = pytest.mark.django_db(transaction=True)

COLUMN_ENDS: Final = """() => {
  const bottoms = new Map();
  for (const card of document.querySelectorAll(".year-told .card")) {
    const { left, bottom } = card.getBoundingClientRect();
    bottoms.set(Math.round(left), Math.round(bottom));
  }
  return [...bottoms.values()];
}"""
"""Script that returns the end of each column of a year, from left to right."""


def test_a_level_a_choice_and_a_year_are_a_tap_away(live_app: str, new_context: NewContext) -> None:
    access = store.find(store.create("Family"))
    for seed in range(6):
        _key, kept, _game = add_bot_game(access, ("Ana", "Ben"), seed)
    page = new_context("phone", "en").new_page()
    group = f"{live_app}/groups/{access.share_key}/"
    page.goto(f"{group}levels/{level_digest(find_level('level-1'))}/")
    for table in page.get_by_text("As a table").all():
        table.click()
    expect(page.get_by_role("table")).to_have_count(3)
    expect(page.get_by_role("img", name="Crossed fields")).to_be_visible()
    page.goto(f"{group}players/1/")
    page.get_by_text("Only some of the games").click()
    page.get_by_label("Number of players").select_option("2")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(f"{group}players/1/?players=2")
    page.get_by_text("Choose other games").click()
    page.get_by_role("link", name="Show all games").click()
    expect(page).to_have_url(f"{group}players/1/")
    page.goto(f"{group}year/{kept.evening.year}/")
    expect(page.get_by_text("6 games on 1 evening")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="As a picture to share").click()
    assert download.value.suggested_filename == f"dizzle-{kept.evening.year}-family.png"


def test_columns_of_a_year_end_together(live_app: str, new_context: NewContext) -> None:
    access = store.find(store.create("Family"))
    for seed in range(6):
        _key, kept, _game = add_bot_game(access, ("Ana", "Ben", "Ida", "Cem"), seed)
    page = new_context("desktop", "en").new_page()
    page.goto(f"{live_app}/groups/{access.share_key}/year/{kept.evening.year}/")
    tiles = page.locator(".year-tiles li")
    for width in (1024, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        columns = page.evaluate(COLUMN_ENDS)
        assert len(columns) == 3
        tallest = max(tile.bounding_box()["height"] for tile in tiles.all())  # type: ignore[index]
        assert max(columns) - min(columns) < tallest + 16


def test_printed_standings_begin_below_their_heading(
    live_app: str, new_context: NewContext
) -> None:
    when = datetime(2025, 11, 22, 20, tzinfo=UTC)
    results = [ResultFile(1, player, points=40, won=0.25) for player in range(4)]
    games = [
        GameFile(when, when.date(), "sheets", results, {"en": f"Level {n}"}, "", f"{n}" * 16)
        for n in range(3)
    ]
    people = [PlayerFile(name) for name in ("Ana", "Ben", "Cem", "Dora")]
    key = import_group(GroupFile(FORMAT, "Club", people, [], games))
    page = new_context("desktop", "en").new_page()
    page.goto(f"{live_app}/groups/{key}/standings/")
    for size in ("A4", "Letter", "A5"):
        first = pypdfium2.PdfDocument(page.pdf(format=size))[0].get_textpage().get_text_bounded()
        assert "All time" in first, size
