"""What the browser tests of the workshop do again and again."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from sheets.models import WorkshopLevel
from sheets.workshop import store


def stored(page: Page) -> WorkshopLevel:
    """The level of a page, from the database itself."""
    return store.find(key_of(page)).thing


def key_of(page: Page) -> str:
    return page.url.split("/workshop/")[1].split("/")[0]


def place(page: Page, name: str) -> Locator:
    """A place of the grid."""
    return page.locator(f"#grid [data-at={name}]")


def tap(page: Page, *names: str) -> None:
    for name in names:
        place(page, name).click()


def tool(page: Page, name: str) -> None:
    """Choose a tool, and wait for its script, which may come after the page."""
    page.locator(f"[data-tool={name}]").click()
    expect(page.locator(f"[data-panel={name}]")).not_to_have_attribute("hidden", "")


def painted(page: Page) -> None:
    """Wait for what the page shows with its next frame."""
    page.evaluate("() => new Promise((painted) => requestAnimationFrame(painted))")


def settle(page: Page) -> dict[str, Any]:
    """Wait until all is saved and shown; gives the document as it is stored."""
    page.wait_for_function("() => !document.getElementById('saving').classList.contains('waiting')")
    painted(page)
    document: dict[str, Any] = stored(page).document
    return document


def rows(page: Page) -> list[str]:
    """The stored grid, with single blanks."""
    return [" ".join(row.split()) for row in settle(page)["grid"]]


def begin(page: Page, columns: int, height: int, name: str = "Fir") -> None:
    """Fill in the form for a new level."""
    page.get_by_label("What should it be called?").fill(name)
    page.get_by_role("spinbutton", name="columns").fill(str(columns))
    page.get_by_role("spinbutton", name="rows").fill(str(height))
    page.locator("main button.primary").click()
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    page.wait_for_load_state("load")


def type_numbers(page: Page, *lines: str) -> None:
    """Enter numbers by keyboard, row by row from the top left."""
    place(page, "a1").click()
    page.keyboard.type("".join(lines))


def pick(page: Page, letter: str, colour: str = "") -> None:
    """Choose what to stamp."""
    words = json.loads(page.locator("#words").text_content() or "")
    page.locator("#symbol-palette").get_by_role(
        "button", name=words["symbols"][letter]["says"]
    ).and_(page.locator(f"[data-key='{letter}']")).click()
    if colour:
        label = words["written"][letter + colour]["says"]
        page.locator("#colour-palette").get_by_role("button", name=label, exact=True).click()


def arrow(page: Page, edge: str, points: int) -> None:
    """Tap the end of a row or column and type its points."""
    page.locator(f"[data-edge='{edge}']").click()
    expect(page.locator("#line-points")).to_be_focused()
    page.locator("#line-points").fill(str(points))


def said(page: Page) -> list[str]:
    """What the checks say."""
    settle(page)
    return [text.strip() for text in page.locator("#check-list li button").all_inner_texts()]


def total(page: Page) -> int:
    found = re.search(r"(−?\d+)\s*$", page.locator("#total").inner_text())
    assert found
    return int(found[1].replace("−", "-"))
