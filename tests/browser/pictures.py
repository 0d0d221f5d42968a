"""Takes the pictures of pages in docs/images: ``python -m tests.browser.pictures``."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.browser.chromium import find_chromium
from tests.site.running import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).parents[2] / "docs" / "images"
WIDTH, HEIGHT, SCALE = 390, 844, 2
GAP = 24
MOVES = ("3 e5", "4 f5", "5 g5", "6 h5", "2 e4", "3 f4", "5 g6", "3 e6", "4 f6")
"""The number thrown and its field, a die after the other."""


def main() -> None:
    """Write pictures of scoring paper sheets, of a table, and of the workshop beside Dice²."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as site, browser() as open_:
        base = f"http://127.0.0.1:{site.port}"
        save("score-phone.png", score_pages(open_(base), base, Path(folder)))
        save("table-phone.png", table_pages(open_(base), base))
        save(
            "workshop-dice2-phone.png",
            [bench_page(open_(base), base), board_page(open_(base), base)],
        )


@contextmanager
def browser() -> Iterator[Any]:
    """Opens phones: a function from an address to a page at it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )

        def open_(address: str) -> Page:
            context = chromium.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE, locale="en"
            )
            page = context.new_page()
            page.goto(address)
            return page

        yield open_
        chromium.close()


def score_pages(page: Page, base: str, folder: Path) -> list[bytes]:
    """The first sheet of a game that bots have played, and everybody's results."""
    file = folder / "sheets.json"
    file.write_text(json.dumps(played_sheets()), encoding="utf-8")
    page.goto(f"{base}/score/import/")
    page.set_input_files("input[type=file]", str(file))
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url("**/score/*/**")
    results = page.url.split("/score/")[1].split("/")[0]
    page.goto(f"{base}/score/{results}/1/")
    first = page.screenshot()
    page.goto(f"{base}/score/{results}/")
    return [first, page.screenshot()]


def played_sheets() -> dict[str, Any]:
    """The final sheets of one game of two greedy bots on level-2."""
    from sheets.levels import find_level
    from sheets.rules.documents.sheets import format_sheets
    from sheets.rules.paper import Paper
    from sheets.simulation.games import play_game

    game = play_game(find_level("level-2"), 2, "greedy", Random(11))
    names = ("Ana", "Ben")
    return format_sheets(Paper(game.level, "level-2", names, game.sheets, False, ()))


def table_pages(page: Page, base: str) -> list[bytes]:
    """A table being opened, and the first turn at it."""
    page.goto(f"{base}/table/new/")
    page.locator("input[name=level][value=level-3]").check(force=True)
    page.locator("input[name=dice][value=rolled]").check(force=True)
    page.locator("input[name=name]").fill("Ana")
    page.get_by_role("button", name="Start a table").click()
    page.wait_for_selector("text=Who sits where?")
    lobby = page.screenshot()
    page.get_by_role("button", name="Let a bot play").click()
    page.get_by_role("button", name="Begin the game").click()
    page.get_by_role("button", name="Roll the dice").click()
    page.get_by_text("Your turn").wait_for()
    page.evaluate("scrollTo(0, 0)")
    return [lobby, page.screenshot()]


def bench_page(page: Page, base: str) -> bytes:
    """A copy of a level on the workbench, with one of its areas chosen."""
    page.goto(f"{base}/workshop/copy/?level=level-4")
    page.locator("form:has([value=level]) button").first.click()
    page.locator("[data-tool=areas]").click()
    page.locator("[data-panel=areas] .entries button").first.click()
    page.wait_for_selector(".art-field.chosen")
    return page.screenshot()


def board_page(page: Page, base: str) -> bytes:
    """Square Dice alone, with a 4 in the hand: dice, scored lines, and the fields that take it."""
    page.goto(f"{base}/dice2/")
    page.locator("input[name=game][value=square]").check(force=True)
    page.locator("input[name=dice][value=typed]").check(force=True)
    page.locator("input[name=name]").fill("Ana")
    page.get_by_role("button", name="Start a table").click()
    for die, at in map(str.split, MOVES):
        page.locator(f"label:has(#die-{die})").click()
        page.locator(f"[data-at={at}]").click()
        page.wait_for_selector(f"[data-die={at}]")
    page.locator("label:has(#die-4)").click()
    page.evaluate("scrollTo(0, 0)")
    return page.screenshot()


def save(name: str, screens: list[bytes]) -> None:
    """Write screens side by side, small enough for a page of text."""
    from PIL import Image

    pictures = [Image.open(BytesIO(screen)) for screen in screens]
    width = sum(picture.width for picture in pictures) + GAP * (len(pictures) - 1)
    sheet = Image.new("RGB", (width, pictures[0].height), "white")
    at = 0
    for picture in pictures:
        sheet.paste(picture, (at, 0))
        at += picture.width + GAP
    small = sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS)
    small.quantize(256, kmeans=4, dither=Image.Dither.NONE).save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    main()
