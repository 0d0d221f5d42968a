"""Helpers for phones at a table: sit down, tap, press, and read what is shown."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib.staticfiles import finders
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from sheets.rules.documents.game import format_game
from sheets.tables import event_loader
from sheets.tables.access import find_access
from tests.browser.conftest import NewContext
from tests.browser.polling import wait_until
from tests.table_games import Party

STORY_SCRIPTS = ("sheets/table/end_of_pass.js", "sheets/table/screen.js")
"""Scripts that show the story of a pass end, on phones and on the big screen."""

FETCH = re.compile(r"/table/\w+/(screen/|log/|seats/)?(\?|$)")
"""Path of the requests with which a page fetches its state."""


def phone(live_app: str, new_context: NewContext, party: Party, player: int, *device: str) -> Page:
    """Open the page of a player on a new device."""
    context = new_context(*device)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[player], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    return page


def code_of(page: Page) -> str:
    """Return the code in the address of a table's page."""
    return page.url.partition("/table/")[2].partition("/")[0]


def field(page: Page, at: str) -> Locator:
    """Return the button of a field."""
    return page.locator(f".sheet-grid [data-at={at}]")


def mark(page: Page, at: str) -> Locator:
    """Return the marks on a field."""
    return page.locator(f"[data-field={at}] :is(.under, .over, .top) > use")


def expect_begun(*pages: Page) -> None:
    """Wait until these phones show the game and have their scripts."""
    for page in pages:
        expect(page.locator(".sheet-grid")).to_be_visible()
        page.wait_for_load_state("load")


def expect_scripts(page: Page) -> None:
    """Wait until a table's page is loaded with its scripts, after any other page."""
    page.locator("#table").wait_for(state="attached")
    page.wait_for_load_state("load")


def refresh(page: Page) -> None:
    """Make the page request its whole state again, as after a network outage."""
    page.evaluate("() => { dispatchEvent(new Event('online')); }")


def press(page: Page, name: str) -> None:
    """Press one of the buttons below the sheet."""
    begins = re.compile(rf"^\s*{re.escape(name)}\b")
    page.locator("#_bar").get_by_role("button", name=begins).click()


def tap(page: Page, *fields: str) -> None:
    """Tap fields one by one and wait for the die on each."""
    for at in fields:
        field(page, at).click()
        expect(mark(page, at)).to_have_count(1)


def expect_up_to_date(page: Page, party: Party) -> None:
    """Wait until the page shows everything that has happened so far."""
    expect_revision(page, party.access().table.revision)


def expect_revision(page: Page, revision: int) -> None:
    """Wait until the page has its scripts and shows at least this revision of its table."""
    expect_scripts(page)
    page.wait_for_function(
        "(revision) => Number(document.getElementById('table').dataset.revision) >= revision",
        arg=revision,
    )


def skip_story(*pages: Page) -> None:
    """Skip the story of a pass end if it is still shown; it also ends by itself."""
    for page in pages:
        expect_revision(page, find_access(code_of(page)).table.revision)
        panel = page.locator("#telling")
        panel.dispatch_event("click")
        panel.wait_for(state="hidden")


def stretch_story(page: Page) -> None:
    """Reload a table's page with a story whose lines stay long enough for assertions."""
    scripts = (Path(str(finders.find(name))).read_text("utf-8") for name in STORY_SCRIPTS)
    line_ms = [int(ms) for one in scripts for ms in re.findall(r"LINE_MS = (\d+);", one)]
    page.add_init_script(
        f"""(() => {{
          const soon = setTimeout;
          const stretched = (ms) => ({line_ms}.includes(ms) ? 6000 : ms);
          window.setTimeout = (go, ms, ...more) => soon(go, stretched(ms), ...more);
        }})();"""
    )
    page.reload()


def shown_totals(page: Page) -> list[int]:
    """Return the total of each player in the row of sheets."""
    texts = page.locator("#_people b").all_inner_texts()
    return [int(text.replace("−", "-")) for text in texts]


def replayed_totals(party: Party) -> list[int]:
    """Return each player's total, computed by the command `replay` from the document."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.json"
        file.write_text(json.dumps(format_game(event_loader.record_of(party.access()))), "utf-8")
        out = StringIO()
        call_command("replay", str(file), stdout=out)
    result = json.loads(out.getvalue())
    assert result["ok"]
    return [score["total"] for score in result["scores"]]


def expect_replayed_totals(party: Party, *pages: Page) -> None:
    """Wait until each page shows the totals that the document replays to."""
    totals = replayed_totals(party)
    for page in pages:
        wait_until(page, lambda page=page: shown_totals(page) == totals)  # type: ignore[misc]
