"""Artwork in the browser: colours of the theme, and the same drawing as the shared picture."""

from __future__ import annotations

import io
from typing import Literal

from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page

from sheets.art import svg
from sheets.art.layout import lay_out
from sheets.art.palette import DARK, LIGHT, Palette
from sheets.printing.pictures.sheet import draw_sheet
from sheets.printing.pictures.sizes import WIDTH
from tests.art.sheets_to_draw import EVERYTHING, level

SHEET = level(
    *EVERYTHING,
    lines=[{"row": 4, "points": 8}, {"column": "b", "points": 10}],
    areas=[{"fields": ["a4", "b4", "b3"], "points": 5}],
)
"""Level with every kind of field, line and area."""

MARKS = {
    "a1": ("cross",),
    "c1": ("rocket",),
    "a3": ("exploded",),
    "d4": ("lava",),
    "e4": ("die-5",),
}
"""Marks on fields of the sheet."""


def show_drawing(page: Page, body: str, width: int) -> None:
    """Show a drawing with its styles on an empty page."""
    page.set_viewport_size({"width": width, "height": 1400})
    page.set_content(
        f"<!doctype html><html><meta charset=utf-8><style>{svg.css()}"
        f"body{{margin:0;background:var(--ground)}}.art-sheet{{display:block;width:{width}px}}"
        f"</style>{svg.sprite()}{body}"
    )


def screenshot(page: Page) -> Image.Image:
    """Return the drawing as the page shows it."""
    return Image.open(io.BytesIO(page.locator(".art-sheet").screenshot())).convert("RGB")


THEMES: tuple[tuple[Literal["light", "dark"], str, Palette], ...] = (
    ("light", "", LIGHT),
    ("dark", "", DARK),
    ("light", "dark", DARK),
    ("dark", "light", LIGHT),
)
"""Color scheme of the device, theme chosen on the page, and the palette that follows."""


def test_symbols_have_the_colours_of_the_theme(browser: Browser) -> None:
    page = browser.new_page()
    body = '<svg class="art-sheet" viewBox="0 0 100 100"><use href="#art-gem-red"/></svg>'
    show_drawing(page, body, width=400)
    for scheme, theme, palette in THEMES:
        page.emulate_media(color_scheme=scheme)
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)
        colours = screenshot(page).getcolors(100_000) or []
        shown = {"#{:02x}{:02x}{:02x}".format(*colour) for _, colour in colours}  # type: ignore[misc]
        wanted = {palette.colour(role, "red") for role in ("solid", "light", "shade", "line")}
        assert wanted <= shown, (scheme, theme)
    page.close()


def test_the_page_and_the_shared_picture_are_the_same_drawing(browser: Browser) -> None:
    page = browser.new_page()
    show_drawing(page, svg.draw_sheet(SHEET, MARKS), WIDTH - 72)
    shown = screenshot(page)
    page.close()
    picture = Image.open(io.BytesIO(draw_sheet(SHEET, MARKS, title=""))).convert("RGB")
    layout = lay_out(SHEET)
    height = int(layout.height / layout.width * (WIDTH - 72))
    picture = picture.crop((36, 104, WIDTH - 36, 104 + height))
    difference = ImageChops.difference(shown.crop((0, 0, WIDTH - 72, height)), picture)
    worst = difference.reduce(24).getextrema()
    assert max(high for _, high in worst) < 30
