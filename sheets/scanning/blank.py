"""How does an empty sheet look, at the scale sheets are laid flat at?"""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from sheets.printing.inks import inks
from sheets.render.items import Placed
from sheets.render.raster import draw_pixels
from sheets.scanning.forms import Form, Leaf
from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import PX_PER_MM
from sheets.scanning.unknown.pad import Pad


def blank_of(leaf: Leaf) -> Picture:
    """How a sheet looks when it is empty, over its ``box``: as printed, or as photographed."""
    return leaf.picture if isinstance(leaf, Pad) else draw_blank(cast("Form", leaf), bw=False)


@lru_cache(maxsize=16)
def draw_blank(form: Form, *, bw: bool) -> Picture:
    """A form as printed, over its `Form.box`."""
    parts = [Placed(part, 0) for part in form.parts]
    palette = inks(bw=bw, dark=form.options.is_dark)
    return draw_pixels(parts, palette, form.box, PX_PER_MM)
