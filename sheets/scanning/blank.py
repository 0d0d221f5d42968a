"""How does an empty sheet look, at the scale sheets are laid flat at?"""

from __future__ import annotations

from functools import lru_cache

from sheets.printing.inks import inks
from sheets.printing.items import Placed
from sheets.printing.raster import draw_pixels
from sheets.scanning.forms import Form
from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import PX_PER_MM


@lru_cache(maxsize=16)
def draw_blank(form: Form, *, bw: bool) -> Picture:
    """A form as printed, over its `Form.box`."""
    parts = [Placed(part, 0) for part in form.parts]
    palette = inks(bw=bw, dark=form.options.is_dark)
    return draw_pixels(parts, palette, form.box, PX_PER_MM)
