"""Photo of the empty sheet of the demo's pad (`sheets.demo`).

    PYTHONPATH=. python -m training.demo_pad

draws the sheet from ``sheets/demo/pad/level.json``, photographs it with the synthetic camera and
writes ``sheets/demo/pad/empty.jpg``. Layout and drawing are the project's own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from sheets.rules import parse_level
from sheets.rules.level import Field
from sheets.scanning.pixels import Picture
from training.camera import photograph
from training.fonts import open_font
from training.foreign import PX_PER_MM, Drawn, Page, Style, draw_field
from training.games import play_sheet
from training.pads import Pad, fill_pad
from training.papers import Filling
from training.symbols import Sign

FOLDER: Final = Path(__file__).parents[1] / "sheets" / "demo" / "pad"

_FONT: Final = Path(__file__).parents[1] / "sheets" / "artwork" / "fonts" / "Nunito-ExtraBold.ttf"
_PAGE_MM: Final = (130.0, 170.0)
_FIELD_MM: Final = 15.0
_TOP_MM: Final = 22.0
_SEED: Final = 7
_LONG_SIDE_PX: Final = 1600
_JPEG_QUALITY: Final = 80
_PAPER, _INK, _LINE = (250, 248, 240), (38, 44, 58), (96, 104, 120)

_WHITE: Final = (255, 255, 255)
_SIGNS: Final[Mapping[tuple[str, str], Sign]] = {
    ("gem", "red"): Sign("heart", (214, 48, 72), False, _WHITE, 0.2),
    ("gem", "yellow"): Sign("star", (236, 172, 20), False, _WHITE, 0.2),
    ("gem", "blue"): Sign("drop", (36, 120, 214), False, _WHITE, 0.2),
    ("flag", "red"): Sign("flag", (196, 40, 40), False, _WHITE, 0.2),
    ("bomb", ""): Sign("bolt", (112, 60, 150), False, _WHITE, 0.2),
}
"""How the pad prints each symbol: other shapes than ours."""


def draw_pad() -> Pad:
    """Draw the pad's empty sheet."""
    level = parse_level(json.loads((FOLDER / "level.json").read_text("utf-8")))
    size = tuple(round(side * PX_PER_MM) for side in _PAGE_MM)
    picture = Image.new("RGB", size, _PAPER)  # type: ignore[arg-type]
    draw = ImageDraw.Draw(picture)
    left_mm = (_PAGE_MM[0] - _FIELD_MM * (1 + max(one.column for one in level.fields))) / 2
    title = open_font(_FONT, round(8 * PX_PER_MM))
    draw.text((left_mm * PX_PER_MM, 6 * PX_PER_MM), "Garden", font=title, fill=_INK)
    boxes = {one.name: _box(one, left_mm) for one in level.fields}
    fields = {(one.column, one.row): _draw(draw, one, boxes[one.name]) for one in level.fields}
    return Pad(Page(np.asarray(picture), fields), level, boxes)


def fill_demo_sheet(seed: int) -> Picture:
    """Draw a sheet of the pad as it is after a game (red, green, blue; `PX_PER_MM`)."""
    rng, pad, filling = (
        np.random.default_rng(seed),
        draw_pad(),
        Filling(families=("gel",), taken_back=0, stray=0, notes=(1, 0, 0)),
    )
    return fill_pad(rng, pad, filling, play_sheet(rng, pad.level, filling))[0]


def photograph_sheet(picture: Picture, seed: int = _SEED) -> bytes:
    """Return a photo (JPEG) of a sheet's picture (red, green, blue; `PX_PER_MM`)."""
    shot = photograph(np.random.default_rng(seed), picture, PX_PER_MM, "easy", megapixels=6)
    photo = Image.open(BytesIO(shot.jpeg))
    photo.thumbnail((_LONG_SIDE_PX, _LONG_SIDE_PX))
    data = BytesIO()
    photo.save(data, "JPEG", quality=_JPEG_QUALITY)
    return data.getvalue()


def _box(one: Field, left_mm: float) -> tuple[float, float, float, float]:
    """A field's box: left, top, width and height in millimetres."""
    return left_mm + one.column * _FIELD_MM, _TOP_MM + one.row * _FIELD_MM, _FIELD_MM, _FIELD_MM


def _draw(draw: ImageDraw.ImageDraw, one: Field, box: tuple[float, float, float, float]) -> Drawn:
    names = list(_SIGNS)
    symbol = names.index((one.symbol, one.colour)) if one.symbol else None
    left, top, side, _height = (value * PX_PER_MM for value in box)
    rng = np.random.default_rng(0)
    draw_field(rng, draw, _style(), (left, top, side), one.number, symbol, None)
    if one.printed:
        for start, end in (((0.2, 0.2), (0.8, 0.8)), ((0.8, 0.2), (0.2, 0.8))):
            ends = [(left + x * side, top + y * side) for x, y in (start, end)]
            draw.line(ends, fill=_LINE, width=round(0.05 * side))
    return Drawn(box, one.number, symbol)


def _style() -> Style:
    return Style(
        font=_FONT,
        ink=_INK,
        digit=(0.33, 0.38, 0.52),
        alone=(0.5, 0.5, 0.56),
        symbol=(0.72, 0.7, 0.42),
        lone=(0.5, 0.5, 0.5),
        shown=1.0,
        is_lone_full=True,
        line=_LINE,
        line_share=0.03,
        gap=0.0,
        round=0.0,
        tint="none",
        tints=[_WHITE],
        symbols=list(_SIGNS.values()),
        inverse=False,
    )


def main() -> None:
    """Write the photo."""
    (FOLDER / "empty.jpg").write_bytes(photograph_sheet(draw_pad().page.picture))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    import django

    django.setup()
    main()
