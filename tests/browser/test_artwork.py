"""A browser shows the artwork in the right theme, and as the shared picture shows it."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser

from sheets.artwork import svg
from sheets.artwork.layout import lay_out
from sheets.artwork.palette import DARK, LIGHT, Palette
from sheets.artwork.png import WIDTH, draw_sheet
from tests.artwork.sheets_to_draw import EVERYTHING, level

SHEET = level(
    *EVERYTHING,
    lines=[{"row": 4, "points": 8}, {"column": "b", "points": 10}],
    areas=[{"fields": ["a4", "b4", "b3"], "points": 5}],
)
MARKS = {
    "a1": ("cross",),
    "c1": ("rocket",),
    "a3": ("exploded",),
    "d4": ("lava",),
    "e4": ("die-5",),
}


def screenshot(
    browser: Browser, body: str, scheme: str = "light", theme: str = "", width: int = WIDTH - 72
) -> Image.Image:
    """What the first drawing of a page looks like."""
    attribute = f' data-theme="{theme}"' if theme else ""
    page = browser.new_page(
        color_scheme=scheme,
        viewport={"width": width, "height": 1400},  # type: ignore[arg-type]
    )
    page.set_content(
        f"<!doctype html><html{attribute}><meta charset=utf-8><style>{svg.css()}"
        f"body{{margin:0;background:var(--ground)}}.art-sheet{{display:block;width:{width}px}}"
        f"</style>{svg.sprite()}{body}"
    )
    data = page.locator(".art-sheet").screenshot()
    page.close()
    return Image.open(io.BytesIO(data)).convert("RGB")


@pytest.mark.parametrize(
    ("scheme", "theme", "palette"),
    [
        ("light", "", LIGHT),
        ("dark", "", DARK),
        ("light", "dark", DARK),
        ("dark", "light", LIGHT),
    ],
)
def test_a_theme_reaches_the_inside_of_a_symbol(
    browser: Browser, scheme: str, theme: str, palette: Palette
) -> None:
    body = '<svg class="art-sheet" viewBox="0 0 100 100"><use href="#art-gem-red"/></svg>'
    image = screenshot(browser, body, scheme, theme, width=400)
    shown = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in image.getcolors(100_000)}
    for role in ("solid", "light", "shade", "line"):
        assert palette.colour(role, "red") in shown, role


def test_the_page_and_the_shared_picture_are_the_same_drawing(browser: Browser) -> None:
    page = screenshot(browser, svg.draw_sheet(SHEET, MARKS))
    picture = Image.open(io.BytesIO(draw_sheet(SHEET, MARKS, title=""))).convert("RGB")
    layout = lay_out(SHEET)
    height = int(layout.height / layout.width * (WIDTH - 72))
    picture = picture.crop((36, 104, WIDTH - 36, 104 + height))
    difference = ImageChops.difference(page.crop((0, 0, WIDTH - 72, height)), picture)
    worst = difference.reduce(24).getextrema()
    assert max(high for _, high in worst) < 30
