"""Phones at a table, for the browser tests: sit down, tap, press, and read what is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib.staticfiles import finders
from django.core.management import call_command
from playwright.sync_api import BrowserContext, Locator, Page, expect

from sheets.rules.documents.game import format_game
from sheets.tables import reading
from sheets.tables.access import find_access
from tests.browser.waiting import wait_until
from tests.table_games import Party

TOLD_BY = ("sheets/table/end_of_pass.js", "sheets/table/screen.js")
"""The scripts that tell how a pass ended, on phones and on the big screen."""

NewContext = Callable[..., BrowserContext]


def phone(live_app: str, new_context: NewContext, party: Party, player: int, *device: str) -> Page:
    """The page of a player on their own device."""
    context = new_context(*device)
    context.add_cookies([{"name": "dizzle_seat", "value": party.tokens[player], "url": live_app}])
    page = context.new_page()
    page.goto(f"{live_app}/table/{party.code}/")
    return page


def code_of(page: Page) -> str:
    """The code in the address of a table's page."""
    return page.url.partition("/table/")[2].partition("/")[0]


def field(page: Page, at: str) -> Locator:
    """A field's button."""
    return page.locator(f".sheet-grid [data-at={at}]")


def mark(page: Page, at: str) -> Locator:
    """What lies on a field."""
    return page.locator(f"[data-field={at}] :is(.under, .over, .top) > use")


def expect_begun(*pages: Page) -> None:
    """The game has begun on these phones, and their scripts are there."""
    for page in pages:
        expect(page.locator(".sheet-grid")).to_be_visible()
        page.wait_for_load_state("load")


def expect_scripts(page: Page) -> None:
    """A table's page is there with its scripts, wherever the phone was before."""
    page.locator("#table").wait_for(state="attached")
    page.wait_for_load_state("load")


def refresh(page: Page) -> None:
    """Let the page ask for everything once more, as it does when its phone has a network again."""
    page.evaluate("() => { dispatchEvent(new Event('online')); }")


def press(page: Page, name: str) -> None:
    """Press one of the buttons under the sheet."""
    begins = re.compile(rf"^\s*{re.escape(name)}\b")
    page.locator("#_bar").get_by_role("button", name=begins).click()


def tap(page: Page, *fields: str) -> None:
    """Tap fields, each with its die to be seen on it afterwards."""
    for at in fields:
        field(page, at).click()
        expect(mark(page, at)).to_have_count(1)


def expect_fresh(page: Page, party: Party) -> None:
    """The page has seen everything that has happened so far."""
    expect_revision(page, party.access().table.revision)


def expect_revision(page: Page, revision: int) -> None:
    """The page has its scripts, and has seen what had happened at a revision of its table."""
    expect_scripts(page)
    page.wait_for_function(
        "(revision) => Number(document.getElementById('table').dataset.revision) >= revision",
        arg=revision,
    )


def skip_story(*pages: Page) -> None:
    """Tap the story of a pass's end away, where it is still told: it ends by itself, too."""
    for page in pages:
        expect_revision(page, find_access(code_of(page)).table.revision)
        panel = page.locator("#telling")
        panel.dispatch_event("click")
        panel.wait_for(state="hidden")


def stretch_story(page: Page) -> None:
    """Load a table's page anew, with a story whose lines stay long enough to be looked at."""
    scripts = (Path(str(finders.find(name))).read_text("utf-8") for name in TOLD_BY)
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
    """What each player has, as the row of sheets says."""
    texts = page.locator("#_people b").all_inner_texts()
    return [int(text.replace("−", "-")) for text in texts]


def replayed_totals(party: Party) -> list[int]:
    """What each player has, as the command line works it out from the table's document."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.json"
        file.write_text(json.dumps(format_game(reading.record_of(party.access()))), "utf-8")
        out = StringIO()
        call_command("replay", str(file), stdout=out)
    result = json.loads(out.getvalue())
    assert result["ok"]
    return [score["total"] for score in result["scores"]]


def expect_truth(party: Party, *pages: Page) -> None:
    """Every page shows the totals that follow from the document."""
    totals = replayed_totals(party)
    for page in pages:
        wait_until(page, lambda page=page: shown_totals(page) == totals)  # type: ignore[misc]
