"""How does an empty sheet look, at the scale sheets are laid flat at?"""

from __future__ import annotations

from functools import lru_cache

import cv2

from sheets.printing.inks import inks
from sheets.printing.items import Placed
from sheets.printing.raster import draw_pixels
from sheets.printing.sheet import draw_sheet
from sheets.scanning.forms import Form
from sheets.scanning.pixels import Grey
from sheets.scanning.straighten import PX_PER_MM, grid_box


@lru_cache(maxsize=16)
def draw_blank(form: Form) -> Grey:
    """The fields of a form as printed, over `grid_box`."""
    parts = [Placed(part, 0) for part in draw_sheet(form.level, form.frame, "")]
    palette = inks(bw=False, dark=form.options.is_dark)
    pixels = draw_pixels(parts, palette, grid_box(form.frame), PX_PER_MM)
    return cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
