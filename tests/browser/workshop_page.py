"""Helpers for the pages of the workshop."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from sheets.models import WorkshopLevel
from sheets.workshop import store


def stored(page: Page) -> WorkshopLevel:
    """Return the level of a page from the database."""
    return store.find(key_of(page)).resource


def key_of(page: Page) -> str:
    return page.url.split("/workshop/")[1].split("/")[0]


def place(page: Page, name: str) -> Locator:
    """Return the button of a place of the grid."""
    return page.locator(f"#grid [data-at={name}]")


def tap(page: Page, *names: str) -> None:
    for name in names:
        place(page, name).click()


def choose_tool(page: Page, name: str) -> None:
    """Choose a tool and wait for its script, which may load after the page."""
    page.locator(f"[data-tool={name}]").click()
    expect(page.locator(f"[data-panel={name}]")).not_to_have_attribute("hidden", "")


def wait_for_frame(page: Page) -> None:
    """Wait until the page has painted its next frame."""
    page.evaluate("() => new Promise((painted) => requestAnimationFrame(painted))")


def wait_until_saved(page: Page) -> dict[str, Any]:
    """Wait until everything is saved and shown; return the stored document."""
    page.wait_for_function("() => !document.getElementById('saving').classList.contains('waiting')")
    wait_for_frame(page)
    document: dict[str, Any] = stored(page).document
    return document


def rows(page: Page) -> list[str]:
    """Return the stored grid, with single blanks."""
    return [" ".join(row.split()) for row in wait_until_saved(page)["grid"]]


def begin(page: Page, columns: int, height: int, name: str = "Fir") -> None:
    """Fill in the form for a new level."""
    page.get_by_label("What should it be called?").fill(name)
    page.get_by_role("spinbutton", name="columns").fill(str(columns))
    page.get_by_role("spinbutton", name="rows").fill(str(height))
    page.locator(".size-form .actions button").click()
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    page.wait_for_load_state("load")


def type_numbers(page: Page, *lines: str) -> None:
    """Enter numbers by keyboard, row by row from the top left."""
    place(page, "a1").click()
    page.keyboard.type("".join(lines))


def choose_symbol(page: Page, letter: str, colour: str = "") -> None:
    """Choose a symbol, and a colour, to stamp."""
    words = json.loads(page.locator("#words").text_content() or "")
    page.locator("#symbol-palette").get_by_role(
        "button", name=words["symbols"][letter]["says"]
    ).and_(page.locator(f"[data-key='{letter}']")).click()
    if colour:
        label = words["written"][letter + colour]["says"]
        page.locator("#colour-palette").get_by_role("button", name=label, exact=True).click()


def enter_arrow_points(page: Page, edge: str, points: int) -> None:
    """Tap the end of a row or column and type its points."""
    page.locator(f"[data-edge='{edge}']").click()
    expect(page.locator("#line-points")).to_be_focused()
    page.locator("#line-points").fill(str(points))


def check_messages(page: Page) -> list[str]:
    """Return the messages of the checks."""
    wait_until_saved(page)
    return [text.strip() for text in page.locator("#check-list li button").all_inner_texts()]


def total(page: Page) -> int:
    found = re.search(r"(−?\d+)\s*$", page.locator("#total").inner_text())
    assert found
    return int(found[1].replace("−", "-"))
