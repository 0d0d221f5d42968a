"""The workshop by keyboard alone: nothing here clicks, taps or sets the focus."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from sheets.workshop.sentences import TOOLS
from tests.browser.workshop_page import wait_until_saved

FOCUSED = "(wanted) => document.activeElement.matches(wanted)"
"""Script that returns whether the focused element matches a selector."""

CURSOR = "() => document.activeElement.dataset.at ?? ''"
"""Script that returns the focused field."""


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, wanted: str, *, by: str = "Tab", most: int = 40) -> None:
    """Press Tab until an element that matches a selector has the focus."""
    for _ in range(most):
        if page.evaluate(FOCUSED, wanted):
            return
        page.keyboard.press(by)
    raise AssertionError(f"{most} times {by} do not lead to {wanted}")


def write(page: Page, wanted: str, text: str) -> None:
    """Move to an input and overwrite its text."""
    tab_to(page, wanted)
    press(page, "Control+a")
    page.keyboard.type(text)


def go_to(page: Page, name: str) -> None:
    """Move with the arrow keys to a field of a sheet."""
    for _ in range(60):
        at = page.evaluate(CURSOR)
        assert at, "the focus is not on the sheet"
        if at == name:
            return
        across, down = ord(name[0]) - ord(at[0]), int(name[1:]) - int(at[1:])
        if down:
            press(page, "ArrowDown" if down > 0 else "ArrowUp")
        else:
            press(page, "ArrowRight" if across > 0 else "ArrowLeft")
        expect(page.locator(f":focus[data-at={at}]")).to_have_count(0)
    raise AssertionError(f"the arrows do not lead to {name}")


def at_each(page: Page, names: str, *keys: str) -> None:
    """Press keys on each of these fields."""
    for name in names.split():
        go_to(page, name)
        press(page, *keys)


def next_tool(page: Page, wanted: str) -> None:
    """Press PageDown until a tool is chosen."""
    for _ in TOOLS:
        if page.locator(f"[data-tool={wanted}][aria-pressed=true]").count():
            return
        press(page, "PageDown")
    raise AssertionError(f"no such tool: {wanted}")


def begin(page: Page, columns: int, rows: int, name: str) -> None:
    """Fill in the form for a new level and go to its first field."""
    write(page, "[name=name]", name)
    write(page, "[name=columns]", str(columns))
    write(page, "[name=rows]", str(rows))
    press(page, "Enter")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    tab_to(page, "#grid [data-at]")
    wait_until_saved(page)
