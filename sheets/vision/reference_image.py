"""Reference images of unmarked sheets, at the scale of rectified sheets."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from sheets.art.render.items import PlacedPart
from sheets.art.render.raster import draw_pixels
from sheets.printing.paper_palette import print_palette
from sheets.vision.layouts import PrintLayout, SheetLayout
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pixels import Picture
from sheets.vision.rectification import PX_PER_MM


def reference_image(layout: SheetLayout) -> Picture:
    """Return the picture of the unmarked sheet over its ``box``: rendered, or a pad's photo."""
    return (
        layout.picture
        if isinstance(layout, PadForm)
        else render_reference(cast("PrintLayout", layout), bw=False)
    )


@lru_cache(maxsize=16)
def render_reference(layout: PrintLayout, *, bw: bool) -> Picture:
    """Render a print layout over its `PrintLayout.box`."""
    parts = [PlacedPart(part, 0) for part in layout.parts]
    palette = print_palette(bw=bw, dark=layout.options.is_dark)
    return draw_pixels(parts, palette, layout.box, PX_PER_MM)
