"""Photos for the tests: empty sheets without a level."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from sheets.vision.decoding import upright_size
from sheets.vision.layouts import bounding_box, corner_points
from training.camera import Shot, photograph
from training.pad_pages import PX_PER_MM, Page, draw_page

_FOLDER = Path(__file__).parents[2] / "sheets" / "art" / "fonts"
FONTS = {"Nunito": [_FOLDER / "Nunito-ExtraBold.ttf"]}
"""The only font available wherever the tests run: our own."""


class EmptySheetShot(NamedTuple):
    """Page and its photo."""

    page: Page
    shot: Shot


@cache
def take_empty_sheet(seed: int, grade: str = "easy") -> EmptySheetShot:
    """Draw and photograph a random sheet."""
    rng = np.random.default_rng(seed)
    page = draw_page(rng, FONTS)
    return EmptySheetShot(page, photograph(rng, page.picture, PX_PER_MM, grade, megapixels=6))


def grid_corners(page: Page, shot: Shot, megapixels: float = 6) -> list[tuple[float, float]]:
    """Return the outer corners of a drawn sheet's fields as shares of its photo.

    The corners of the shot are pixels of a photo with so many megapixels, even if the file has
    fewer.
    """
    high, wide = page.picture.shape[:2]
    on_page = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) / PX_PER_MM
    to_photo = cv2.getPerspectiveTransform(on_page, shot.corners.astype(np.float32))
    ends = corner_points(bounding_box(one.box for one in page.fields.values()))[None]
    size = np.array(upright_size(shot.jpeg))
    full = size * np.sqrt(megapixels * 1e6 / size.prod())
    return [(float(x), float(y)) for x, y in cv2.perspectiveTransform(ends, to_photo)[0] / full]
