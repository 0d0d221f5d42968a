"""Photo of the empty sheet of the demo's pad (`sheets.demo`).

    PYTHONPATH=. python -m training.demo_pad

draws the sheet from ``sheets/demo/pad/level.json``, photographs it with the synthetic camera and
writes ``sheets/demo/pad/empty.jpg``. Layout and drawing are the project's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from sheets.rules import parse_level
from sheets.rules.level import Field
from sheets.vision.pixels import Picture
from training.camera import photograph
from training.commands import set_up_django
from training.filled_pages import Filling
from training.fonts import open_font
from training.games import play_sheet
from training.pad_pages import PX_PER_MM, DrawnField, Page, Style, draw_field
from training.pads import SyntheticPad, fill_pad
from training.symbols import Symbol

FOLDER: Final = Path(__file__).parents[1] / "sheets" / "demo" / "pad"
"""Folder of the demo's pad."""

_FONT: Final = Path(__file__).parents[1] / "sheets" / "art" / "fonts" / "Nunito-ExtraBold.ttf"
"""Font of the title and the digits."""

_PAGE_MM: Final = (130.0, 170.0)
"""Width and height of the page in millimetres."""

_FIELD_MM: Final = 15.0
"""Side of a field in millimetres."""

_TOP_MM: Final = 22.0
"""Distance of the first row from the top of the page in millimetres."""

_SEED: Final = 7
"""Seed of the photo in the repository."""

_LONG_SIDE_PX: Final = 1600
"""Longest side of the photo in pixels."""

_JPEG_QUALITY: Final = 80
"""JPEG quality of the photo."""

_PAPER: Final = (250, 248, 240)
"""Colour of the paper."""

_INK: Final = (38, 44, 58)
"""Colour of the digits."""

_LINE: Final = (96, 104, 120)
"""Colour of the frames and the printed crosses."""

_WHITE: Final = (255, 255, 255)
"""Second colour of the symbols, and tint of the fields."""

_SYMBOLS: Final[Mapping[tuple[str, str], Symbol]] = {
    ("gem", "red"): Symbol("heart", (214, 48, 72), False, _WHITE, 0.2),
    ("gem", "yellow"): Symbol("star", (236, 172, 20), False, _WHITE, 0.2),
    ("gem", "blue"): Symbol("drop", (36, 120, 214), False, _WHITE, 0.2),
    ("flag", "red"): Symbol("flag", (196, 40, 40), False, _WHITE, 0.2),
    ("bomb", ""): Symbol("bolt", (112, 60, 150), False, _WHITE, 0.2),
}
"""Symbol of the pad by symbol and colour of the level; the shapes differ from the app's own."""


def draw_pad() -> SyntheticPad:
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
    return SyntheticPad(Page(np.asarray(picture), fields), level, boxes)


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


def _draw(
    draw: ImageDraw.ImageDraw, one: Field, box: tuple[float, float, float, float]
) -> DrawnField:
    names = list(_SYMBOLS)
    symbol = names.index((one.symbol, one.colour)) if one.symbol else None
    left, top, side, _height = (value * PX_PER_MM for value in box)
    draw_field(draw, _style(), (left, top, side), one.number, symbol, None)
    if one.printed:
        for start, end in (((0.2, 0.2), (0.8, 0.8)), ((0.8, 0.2), (0.2, 0.8))):
            ends = [(left + x * side, top + y * side) for x, y in (start, end)]
            draw.line(ends, fill=_LINE, width=round(0.05 * side))
    return DrawnField(box, one.number, symbol)


def _style() -> Style:
    return Style(
        font=_FONT,
        ink=_INK,
        digit=(0.33, 0.38, 0.52),
        alone=(0.5, 0.5, 0.56),
        symbol=(0.72, 0.7, 0.42),
        lone=(0.5, 0.5, 0.5),
        opacity=1.0,
        is_lone_full=True,
        line=_LINE,
        line_share=0.03,
        gap=0.0,
        round=0.0,
        tint="none",
        tints=[_WHITE],
        symbols=list(_SYMBOLS.values()),
        inverse=False,
    )


def main() -> None:
    """Write the photo."""
    (FOLDER / "empty.jpg").write_bytes(photograph_sheet(draw_pad().page.picture))


if __name__ == "__main__":
    set_up_django()
    main()
