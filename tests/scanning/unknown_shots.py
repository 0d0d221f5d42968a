"""Photos for the tests: empty sheets that look like no level of ours."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from training.camera import Shot, photograph
from training.foreign import PX_PER_MM, Page, draw_page

_FOLDER = Path(__file__).parents[2] / "sheets" / "artwork" / "fonts"
FONTS = {"Nunito": [_FOLDER / "Nunito-ExtraBold.ttf"]}
"""The one font that is there wherever the tests run: our own."""


class Unknown(NamedTuple):
    """A page, and a photo of it."""

    page: Page
    shot: Shot


@cache
def take_unknown(seed: int, grade: str = "easy") -> Unknown:
    """A photo of a sheet by chance."""
    rng = np.random.default_rng(seed)
    page = draw_page(rng, FONTS)
    return Unknown(page, photograph(rng, page.picture, PX_PER_MM, grade, megapixels=6))
