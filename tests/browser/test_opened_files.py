"""Files of each kind dropped on pages of each kind."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from sheets.models import GameFile, Table
from tests.browser.axe import axe_violations
from tests.browser.conftest import OpenPage
from tests.browser.layout_checks import overflow_px
from tests.score_levels import GARDEN, sheets_document
from tests.table_games import sit_down

CONFORMANCE = Path(__file__).parents[1] / "conformance"
"""Folder of the conformance documents."""

PHOTO = Path(__file__).parents[2] / "sheets" / "static" / "sheets" / "icon-180.png"
"""A picture that is no level and no game."""

DROP = """(contents) => {
  const files = new DataTransfer();
  for (const [name, bytes, times] of contents) {
    const content = new Uint8Array(bytes);
    files.items.add(new File(Array(times).fill(content), name));
  }
  for (const type of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
}"""
"""Script that drops files on the page, each given by its bytes and a number of repetitions."""


def drop(page: Page, *contents: bytes, times: int = 1) -> None:
    """Drop files, each with its content repeated a number of times."""
    sent = [[f"{number}.json", list(text), times] for number, text in enumerate(contents)]
    with page.expect_navigation():
        page.evaluate(DROP, sent)


# One script sends all dropped files from all pages: each kind of file is dropped on
# another page.


def test_level_is_shown_and_copied(open_page: OpenPage) -> None:
    page = open_page("/levels/", "desktop")
    drop(page, json.dumps(GARDEN).encode())
    expect(page).to_have_url(re.compile(r"/open/level/\?code="))
    expect(page.get_by_role("heading", name="Garden", level=1)).to_be_visible()
    page.get_by_role("button", name="Edit a copy").click()
    page.wait_for_url("**/workshop/*/")


def test_sheets_are_scored(open_page: OpenPage) -> None:
    page = open_page("/workshop/", "desktop")
    drop(page, json.dumps(sheets_document(GARDEN, {"player": "Ana", "crosses": ["b1"]})).encode())
    page.get_by_role("button", name="Show the scores").click()
    page.wait_for_url("**/score/*/")
    expect(page.get_by_text("Ana").first).to_be_visible()


def test_game_is_stepped_through(open_page: OpenPage) -> None:
    page = open_page("/", "desktop")
    drop(page, (CONFORMANCE / "dizzle" / "000.game.json").read_bytes())
    expect(page).to_have_url(re.compile(r"/open/game/[^/]+/$"))
    kept = GameFile.objects.count()
    page.reload()
    expect(page.get_by_text("This is a recorded game.")).to_be_visible()
    assert GameFile.objects.count() == kept
    page.get_by_role("link", name="Step through the game").click()
    page.wait_for_url("**/table/file/*/")


def test_game_of_dice2_goes_on_at_a_table(open_page: OpenPage) -> None:
    party = sit_down(level=GARDEN)
    page = open_page(f"/table/{party.code}/", "desktop")  # a page with an open event stream
    game = {"format": "dice2-game/1", "game": "square", "players": ["Ana"], "actions": []}
    before = Table.objects.count()
    drop(page, json.dumps(game).encode())
    page.wait_for_url(lambda url: bool(re.search(r"/table/[^/]+/$", url)) and party.code not in url)
    assert Table.objects.count() == before + 1


REFUSED: tuple[tuple[list[bytes], int, str], ...] = (
    ([PHOTO.read_bytes()], 1, "A picture or a PDF cannot be opened here."),
    ([PHOTO.read_bytes()], 400, "A picture or a PDF cannot be opened here."),
    ([b"%PDF-1.7"], 1, "A picture or a PDF cannot be opened here."),
    ([b"shopping list"], 1, "This is not a file (JSON) with a level, a game or score sheets."),
    ([b"shopping list"], 200_000, "The file is larger than 1024 KiB."),
    ([b""], 1, "The file is empty."),
    ([b"{}", b"{}"], 1, "Only one file can be opened at a time, and no folder."),
)
"""Files, a number of repetitions, and the message of the refusal."""


def test_other_files_are_refused(
    open_page: OpenPage, live_app: str, page_errors: list[str]
) -> None:
    page = open_page("/levels/", "desktop")
    for contents, times, words in REFUSED:
        page.goto(f"{live_app}/levels/")
        drop(page, *contents, times=times)
        expect(page.get_by_role("main")).to_contain_text(words)
        assert overflow_px(page) == 0
    assert axe_violations(page) == ""
    page_errors.clear()  # Chromium logs the 400 as an error, as intended


def test_page_shows_a_drop_target_for_a_dragged_file(open_page: OpenPage) -> None:
    page = open_page("/", "desktop")
    page.evaluate(
        """() => {
          const files = new DataTransfer();
          files.items.add(new File(["{}"], "a.json"));
          document.body.dispatchEvent(
            new DragEvent("dragenter", { dataTransfer: files, bubbles: true }));
        }"""
    )
    said = page.evaluate("getComputedStyle(document.body, '::after').content")
    assert said == '"Drop the file to open it"'
