"""Rasteriser: the same page as the PDF, with little memory."""

from __future__ import annotations

import tracemalloc

import cv2
import numpy as np
import pytest

from sheets.art.palette import LIGHT
from sheets.art.render.items import Part, PlacedPart, TextLine
from sheets.art.render.raster import draw_pixels
from sheets.levels import shipped_levels
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions
from sheets.printing.sheet import Writing
from tests.printing.printed import print_pdf, render

PX_PER_MM = 8
"""Resolution of the pictures."""

WRITING = Writing("小龍 Ana", marks={"b2": ("cross",)})


@pytest.mark.parametrize("name", ["level-2", "level-6", "level-8"])
def test_pixels_are_those_of_the_pdf(name: str) -> None:
    level, options = shipped_levels()[name], PageOptions(paper="a5")
    (page,) = draw_booklet([level], options, [WRITING])
    found = draw_pixels(page.parts, page.palette, (0, 0, 148, 210), PX_PER_MM)
    wanted = render(print_pdf([level], options, [WRITING]), 0, 25.4 * PX_PER_MM, grayscale=False)
    height, width, _ = found.shape
    wanted = wanted[:height, :width].astype(int)
    # Edges may differ by one pixel; nothing is missing, nothing has another colour.
    square = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(found, square).astype(int), cv2.dilate(found, square).astype(int)
    off = np.maximum(low - wanted, wanted - high).max(-1)
    assert (off > 60).mean() < 0.0005
    assert np.abs(block_means(wanted) - block_means(found)).max() < 45


def block_means(picture: np.ndarray) -> np.ndarray:
    height, width = (side // 16 * 16 for side in picture.shape[:2])
    blocks = picture[:height, :width].reshape(height // 16, 16, width // 16, 16, 3)
    return blocks.mean((1, 3))


def test_a_part_of_a_page_is_as_in_the_whole() -> None:
    (page,) = draw_booklet([shipped_levels()["level-3"]], PageOptions(paper="a5"))
    whole = draw_pixels(page.parts, page.palette, (0, 0, 148, 210), 4)
    part = draw_pixels(page.parts, page.palette, (20, 30, 50, 60), 4)
    assert np.abs(whole[120:360, 80:280].astype(int) - part).max() <= 24


@pytest.mark.parametrize("letter", ["A", "e", "8", "ã"])
def test_letters_that_cross_themselves_are_filled(letter: str) -> None:
    part = Part("P", (TextLine(letter, 10, 100, 100, True, "print"),))
    pixels = draw_pixels([PlacedPart(part, 0)], LIGHT, (0, 0, 120, 120), 4)
    areas, *_ = cv2.connectedComponents((pixels.min(-1) > 128).astype(np.uint8))
    holes = {"A": 1, "e": 1, "8": 2, "ã": 1}
    assert areas == 1 + 1 + holes[letter]  # cv2 counts the ink as the first area


def test_a_page_needs_little_more_memory_than_its_pixels() -> None:
    (page,) = draw_booklet([shipped_levels()["level-3"]], PageOptions(paper="a5"))
    draw_pixels(page.parts, page.palette, (0, 0, 148, 210), PX_PER_MM)
    tracemalloc.start()
    try:
        pixels = draw_pixels(page.parts, page.palette, (0, 0, 148, 210), PX_PER_MM)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * pixels.nbytes
