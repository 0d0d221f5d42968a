"""Screenshots for the READMEs, taken from `manage.py demo`: ``make pictures``.

The pages use Roboto, the font of most phones: on Debian ``apt install fonts-roboto-unhinted``;
elsewhere the environment variable ROBOTO names the folder of its files.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.chromium import find_chromium
from tests.site.served_site import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from sheets.demo.examples import Examples

    OpenPage = Callable[[], Page]
    """Opens an empty page of a phone."""

FOLDER = Path(__file__).parents[2] / "docs" / "images"
"""Folder of the pictures in the documentation."""

PHONE = {"width": 390, "height": 844}
"""Size of a phone's screen in CSS pixels."""

SCALE = 2
"""Device pixels per CSS pixel."""

GAP = 24
"""Pixels between two screens."""
NAME = "dizzle.local"
"""Host name of the pages; phones could open it, so pages show their QR codes."""
FEATURE_WIDTH, FEATURE_HEIGHT = 480, 810
"""Size of a feature's picture in pixels; a longer screen is cut below."""
READ_TIMEOUT_MS = 120_000
"""Maximum time until a photo is read."""
SHEET_SEED = 3
"""Seed of the filled sheet whose photo is read."""
MOVES = ("3 e5", "4 f5", "5 g5", "6 h5", "2 e4", "3 f4", "5 g6", "3 e6", "4 f6")
"""Each die of Square Dice and its field, in order."""
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>%s</dir><dir>/usr/share/fonts</dir><cachedir>%s</cachedir>
<match target="pattern"><edit name="family" mode="prepend_first" binding="strong">
<string>Roboto</string></edit></match></fontconfig>"""
"""Settings of fontconfig: Roboto first, then the system's fonts."""


def main() -> None:
    """Write the pictures of all READMEs, each in its language."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from sheets.demo.examples import Examples

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["FONTCONFIG_FILE"] = str(roboto(folder))
        for language in ("en", "de", "fr"):
            data = folder / language
            with serving(data, command="demo") as site, phone(language) as open_:
                examples = Examples(**json.loads((data / "demo" / "examples.json").read_text()))
                take(open_, f"http://{NAME}:{site.port}", examples, language)


def roboto(folder: Path) -> Path:
    """Write settings of fontconfig that prefer Roboto. Raises SystemExit if it is missing."""
    faces = Path(os.environ.get("ROBOTO", "/usr/share/fonts/truetype/roboto"))
    if not any(faces.rglob("Roboto-Regular.ttf")):
        raise SystemExit(f"No Roboto in {faces}: see tests/browser/pictures.py.")
    settings = folder / "fonts.conf"
    settings.write_text(FONTS % (faces, folder / "fonts"), encoding="utf-8")
    return settings


def take(open_: OpenPage, base: str, examples: Examples, language: str) -> None:
    """Take all pictures in one language."""

    def save(name: str, screens: list[bytes], width: int, height: int = 0) -> None:
        ending = "" if language == "en" else f"-{language}"
        write(FOLDER / f"{name}{ending}.png", screens, width, height)

    save("score-phone", score_pages(open_(), base + examples.scoring), 804)
    screens = {
        "table": table_page(open_(), base + examples.table),
        "photo": photo_page(open_(), base + examples.pad),
        "group": group_page(open_(), base + examples.group),
        "workshop": workshop_page(open_(), base + examples.pad),
        "dice2": dice2_page(open_(), base),
        "print": print_page(open_(), base),
    }
    for name, screen in screens.items():
        save(f"{name}-phone", [screen], FEATURE_WIDTH, FEATURE_HEIGHT)


@contextmanager
def phone(language: str) -> Iterator[OpenPage]:
    """Yield a function that opens an empty page in the browser of a new phone."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=["--no-sandbox", "--disable-gpu", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"],
        )

        def open_() -> Page:
            context = chromium.new_context(
                viewport=PHONE, device_scale_factor=SCALE, locale=language
            )
            return context.new_page()

        yield open_
        chromium.close()


def score_pages(page: Page, scoring: str) -> list[bytes]:
    """Screens of the winner's sheet and of the result."""
    page.goto(f"{scoring}1/")
    sheet = page.screenshot()
    page.goto(scoring)
    return [sheet, page.screenshot()]


def table_page(page: Page, table: str) -> bytes:
    """Screen of a turn at the table: the visitor takes the free seat and chooses a die's field."""
    page.goto(table)
    page.locator("form[action$='/sit/'] button").first.click()
    page.locator(".sheet-grid button[data-hint=strong]").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    return page.screenshot()


def photo_page(page: Page, pad: str) -> bytes:
    """Screen of a filled sheet of the pad, read from a photo."""
    from training.demo_pad import fill_demo_sheet, photograph_sheet

    photo = photograph_sheet(fill_demo_sheet(SHEET_SEED))
    page.goto(f"{pad}photos/")
    page.set_input_files(
        "input[type=file]", {"name": "sheet.jpg", "mimeType": "image/jpeg", "buffer": photo}
    )
    page.locator("#total-1").get_by_text(re.compile(r"\d")).wait_for(timeout=READ_TIMEOUT_MS)
    page.locator("#seen-1").evaluate("sheet => sheet.scrollIntoView()")
    return page.screenshot()


def group_page(page: Page, group: str) -> bytes:
    """Screen of the group's players."""
    page.goto(group)
    page.locator("h2").first.evaluate("heading => heading.scrollIntoView()")
    return page.screenshot()


def workshop_page(page: Page, pad: str) -> bytes:
    """Screen of the editor with the photo of the empty sheet."""
    page.goto(pad)
    page.locator("[data-tool=symbols]").click()
    page.evaluate("scrollTo(0, 0)")
    return page.screenshot()


def dice2_page(page: Page, base: str) -> bytes:
    """Screen of Square Dice alone, with a 4 in the hand: dice, scored lines, and legal fields."""
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


def print_page(page: Page, base: str) -> bytes:
    """Screen of the pages to print."""
    page.goto(f"{base}/print/?level=level-2&level=level-3")
    page.locator("#print-pages-title").evaluate("title => title.scrollIntoView()")
    for drawing in page.locator("#print-pages img").all():
        drawing.and_(page.locator("[src]")).wait_for()
        drawing.evaluate("image => image.decode()")
    return page.screenshot()


def write(file: Path, screens: list[bytes], width: int, height: int) -> None:
    """Write screens side by side, ``width`` pixels wide and at most ``height`` high (0: any)."""
    from PIL import Image

    pictures: list[Image.Image] = [Image.open(BytesIO(screen)) for screen in screens]
    all_wide = sum(picture.width for picture in pictures) + GAP * (len(pictures) - 1)
    sheet = Image.new("RGB", (all_wide, pictures[0].height), "white")
    at = 0
    for picture in pictures:
        sheet.paste(picture, (at, 0))
        at += picture.width + GAP
    small = sheet.resize((width, sheet.height * width // all_wide), Image.Resampling.LANCZOS)
    if height:
        small = small.crop((0, 0, width, min(height, small.height)))
    small.quantize(256, kmeans=4, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
