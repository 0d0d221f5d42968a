"""Takes the pictures of pages in docs/images: ``python -m tests.browser.pictures``.

In Roboto, the face of most phones: on Debian ``apt install fonts-roboto-unhinted``, elsewhere
ROBOTO names the folder of its files.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from tests.browser.chromium import find_chromium
from tests.site.running import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).parents[2] / "docs" / "images"
PHONE, DESKTOP = (390, 844), (1280, 800)
SCALE = 2
GAP = 24
NAME = "dizzle.local"
"""Under it the pages are opened: a name that phones could open, so that there is a code to scan."""
MOVES = ("3 e5", "4 f5", "5 g5", "6 h5", "2 e4", "3 f4", "5 g6", "3 e6", "4 f6")
"""The number thrown and its field, a die after the other."""
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>%s</dir><dir>/usr/share/fonts</dir><cachedir>%s</cachedir>
<match target="pattern"><edit name="family" mode="prepend_first" binding="strong">
<string>Roboto</string></edit></match></fontconfig>"""


def main() -> None:
    """Write the pictures of both READMEs, each in its language."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["FONTCONFIG_FILE"] = str(roboto(folder))
        for language in ("en", "de"):
            with serving(folder) as site, browser(language) as open_:
                take(open_, f"http://{NAME}:{site.port}", folder, language)


def roboto(folder: Path) -> Path:
    """Settings of fontconfig with which Roboto comes first. Raises SystemExit without Roboto."""
    faces = Path(os.environ.get("ROBOTO", "/usr/share/fonts/truetype/roboto"))
    if not any(faces.rglob("Roboto-Regular.ttf")):
        raise SystemExit(f"No Roboto in {faces}: see tests/browser/pictures.py.")
    settings = folder / "fonts.conf"
    settings.write_text(FONTS % (faces, folder / "fonts"), encoding="utf-8")
    return settings


def take(open_: Any, base: str, folder: Path, language: str) -> None:
    """All pictures of one language."""
    ending = "" if language == "en" else f"-{language}"

    def save(name: str, screens: list[bytes], width: int) -> None:
        write(FOLDER / f"{name}{ending}.png", screens, width)

    page = open_(PHONE)
    file = folder / "sheets.json"
    file.write_text(json.dumps(played_sheets()), encoding="utf-8")
    sheet, results = score_pages(page, base, file)
    save("score-phone", [sheet, results], 804)
    save("table-phone", table_pages(open_(PHONE), base), 804)
    screens = [bench_page(open_(PHONE), base), board_page(open_(PHONE), base)]
    save("workshop-dice2-phone", screens, 804)
    wide = open_(DESKTOP)
    wide.goto(f"{base}/levels/level-4/")
    save("level-desktop", [wide.screenshot()], 880)
    wide.goto(f"{base}/print/?level=level-2&level=level-3&level=level-6&level=level-7")
    wide.locator("#print-pages").evaluate("pages => pages.scrollIntoView()")
    for page_drawn in wide.locator("#print-pages img").all():
        page_drawn.and_(wide.locator("[src]")).wait_for()
        page_drawn.evaluate("image => image.decode()")
    save("print-desktop", [wide.screenshot()], 880)
    dark = open_(PHONE, "dark")
    dark.goto(base)
    other = open_(PHONE, "dark")
    other.goto(page.url)
    save("dark-phone", [other.screenshot(), table_pages(dark, base)[1]], 804)


@contextmanager
def browser(language: str) -> Iterator[Any]:
    """Opens pages: a function from the size of a screen to an empty page on it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=["--no-sandbox", "--disable-gpu", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"],
        )

        def open_(size: tuple[int, int], theme: Literal["light", "dark"] = "light") -> Page:
            width, height = size
            return chromium.new_context(
                viewport={"width": width, "height": height},
                device_scale_factor=SCALE,
                locale=language,
                color_scheme=theme,
            ).new_page()

        yield open_
        chromium.close()


def score_pages(page: Page, base: str, file: Path) -> list[bytes]:
    """The first sheet of a game that bots have played, and everybody's results."""
    page.goto(f"{base}/score/import/")
    page.set_input_files("input[type=file]", str(file))
    page.locator("main form button").first.click()
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
    page.goto(f"{base}/table/new/?level=level-3")
    page.locator("input[name=dice][value=rolled]").check(force=True)
    page.locator("input[name=name]").fill("Ana")
    page.locator("form:has(input[name=dice]) button.primary").last.click()
    page.locator("form.begin").wait_for()
    lobby = page.screenshot()
    page.locator("button[name=bot]").first.click()
    page.locator("form.begin button:enabled").click()
    page.locator("button[name=do][value=roll]").click()
    page.locator(".sheet-grid button[data-hint=strong]").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    return [lobby, page.screenshot()]


def bench_page(page: Page, base: str) -> bytes:
    """A copy of a level on the workbench, with one of its areas chosen."""
    page.goto(f"{base}/workshop/copy/?level=level-4")
    page.locator("form:has([value=level]) button").first.click()
    page.wait_for_url("**/workshop/*/", wait_until="load")
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
    page.locator("form:has(input[name=game]) button.primary").last.click()
    for die, at in map(str.split, MOVES):
        page.locator(f"label:has(#die-{die})").click()
        page.locator(f"[data-at={at}]").click()
        page.wait_for_selector(f"[data-die={at}]")
    page.locator("label:has(#die-4)").click()
    page.evaluate("scrollTo(0, 0)")
    return page.screenshot()


def write(file: Path, screens: list[bytes], width: int) -> None:
    """Write screens side by side, ``width`` points wide: small enough for a page of text."""
    from PIL import Image

    pictures: list[Image.Image] = [Image.open(BytesIO(screen)) for screen in screens]
    all_wide = sum(picture.width for picture in pictures) + GAP * (len(pictures) - 1)
    sheet = Image.new("RGB", (all_wide, pictures[0].height), "white")
    at = 0
    for picture in pictures:
        sheet.paste(picture, (at, 0))
        at += picture.width + GAP
    small = sheet.resize((width, sheet.height * width // all_wide), Image.Resampling.LANCZOS)
    small.quantize(256, kmeans=4, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
