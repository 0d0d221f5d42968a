"""Synthetic pages of unknown pads: random fonts, tints, frames, symbols and grids.

Symbols are next to, above or behind the digits. Rows may be shifted by half a field, areas have
thick frames, and the page has other print that is not a field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from training.fonts import open_font
from training.symbols import (
    HELD_OUT,
    TRAINING,
    Colour,
    Symbol,
    blend,
    choose_symbols,
    colour_distance,
    draw_symbol,
)

PX_PER_MM: Final = 12.0
"""Scale of the pages in pixels per millimetre."""

PAGE_MM: Final = ((148.0, 210.0), (210.0, 148.0), (150.0, 150.0), (130.0, 200.0))
"""Sizes of pages, width and height in millimetres."""


_ARRANGEMENTS: Final = {
    "above": ((0.5, 0.72, 0.44), (0.5, 0.27, 0.36)),
    "beside": ((0.28, 0.5, 0.5), (0.72, 0.5, 0.4)),
    "corner": ((0.34, 0.36, 0.52), (0.75, 0.75, 0.34)),
    "below": ((0.5, 0.32, 0.48), (0.5, 0.77, 0.34)),
    "behind": ((0.5, 0.5, 0.5), (0.5, 0.5, 0.86)),
}
"""Centre and height of a digit and of its symbol, as shares of the field."""

_WHITE: Final = (255, 255, 255)
"""Colour of fields without a tint."""

_MIN_CLEARANCE: Final = 0.04
"""Minimum distance of digits from the border, as a share of the field."""

_MIN_DIGIT_CONTRAST: Final = 60
"""Minimum contrast of digits with their field, in the channel with the highest contrast."""


@dataclass
class Style:
    """Style of all fields of a sheet.

    ``digit``, ``alone``, ``symbol`` and ``lone`` are centre and height of digits and symbols,
    together and alone, as shares of the field; ``opacity`` is the opacity of a symbol;
    ``is_lone_full``: a symbol alone is opaque. ``clear`` is the minimum distance of digits from the
    border; 0 for training. ``width`` is the width of digits relative to the font's; less than 1 if
    they are condensed.
    """

    font: Path
    ink: Colour
    digit: tuple[float, float, float]
    alone: tuple[float, float, float]
    symbol: tuple[float, float, float]
    lone: tuple[float, float, float]
    opacity: float
    is_lone_full: bool
    line: Colour
    line_share: float
    gap: float
    round: float
    tint: str
    tints: list[Colour]
    symbols: list[Symbol]
    inverse: bool
    clear: float = 0.0
    width: float = 1.0


class DrawnField(NamedTuple):
    """Ground truth of a field: box in millimetres, digit, and number of its symbol, or None."""

    box: tuple[float, float, float, float]
    digit: int | None
    symbol: int | None


@dataclass
class Page:
    """A page: red, green and blue at `PX_PER_MM`, and its fields by column and row.

    ``is_dark``: the fields are darker than the digits.
    """

    picture: NDArray[np.uint8]
    fields: dict[tuple[int, int], DrawnField]
    shifts: list[float] = field(default_factory=list)
    is_dark: bool = False


Fonts = Mapping[str, Sequence[Path]]
"""Font files by family."""


def choose_style(rng: Generator, fonts: Fonts, kinds: Sequence[str]) -> Style:
    """Choose a random style; each font family is equally likely."""
    files = fonts[str(rng.choice(list(fonts)))]
    arrangement = str(rng.choice(list(_ARRANGEMENTS), p=[0.28, 0.24, 0.24, 0.12, 0.12]))
    digit, symbol = (
        tuple(v * rng.uniform(0.92, 1.08) for v in one) for one in _ARRANGEMENTS[arrangement]
    )
    # Drawn from a generator of its own, so that the other properties of a seed's sheet stay.
    size, width = choose_digit_size(rng.spawn(1)[0])
    digit = (*digit[:2], digit[2] * size)
    is_centred = rng.random() < 0.45
    tint = str(rng.choice(["none", "all", "digit", "random", "area"], p=[0.4, 0.2, 0.1, 0.1, 0.2]))
    dark = _colour(rng, 0, 90)
    gap = 0.0 if rng.random() < 0.65 else float(rng.uniform(0.03, 0.16))
    pale = [_colour(rng, 175, 250) for _ in range(6)]
    inverse = tint != "none" and rng.random() < 0.12
    if inverse:
        pale = [_colour(rng, 20, 130) for _ in range(6)]
        dark = _colour(rng, 225, 255)
    ink = dark if rng.random() < 0.8 else _colour(rng, 20, 140 if not inverse else 255)
    grounds = [_WHITE] if tint == "none" else pale[:1] if tint == "all" else pale
    if min(colour_distance(ink, ground) for ground in grounds) < _MIN_DIGIT_CONTRAST:
        ink = dark  # real digits are legible
    opacity = float(rng.uniform(0.3, 0.6)) if arrangement == "behind" else 1.0
    lone = (0.5, 0.5, max(symbol[2], float(rng.uniform(0.42, 0.75))))
    return Style(
        files[int(rng.integers(len(files)))],
        ink,
        digit,  # type: ignore[arg-type]
        (0.5, 0.5, digit[2] * float(rng.uniform(1.0, 1.3))) if is_centred else digit,  # type: ignore[arg-type]
        symbol,  # type: ignore[arg-type]
        lone if rng.random() < 0.75 else symbol,  # type: ignore[arg-type]
        opacity,
        rng.random() < 0.25,
        _colour(rng, 0, 150),
        float(rng.uniform(0.012, 0.055)),
        gap,
        float(rng.uniform(0.06, 0.2)) if rng.random() < 0.25 else 0.0,
        tint,
        pale,
        choose_symbols(rng, kinds, grounds, ink if opacity < 1 else None, opacity),
        inverse,
        width=width,
    )


def choose_digit_size(rng: Generator) -> tuple[float, float]:
    """Return size and width of digits, relative to the style's size and to the font's width.

    On one sheet in six they are small, and on one in six condensed.
    """
    size = rng.uniform(0.6, 0.85) if rng.random() < 1 / 6 else 1.0
    width = rng.uniform(0.6, 0.85) if rng.random() < 1 / 6 else 1.0
    return float(size), float(width)


def _colour(rng: Generator, low: int, high: int) -> Colour:
    """Return a random colour, usually grey, sometimes with a hue."""
    base = rng.uniform(low, high)
    spread = rng.uniform(0, (high - low) / 2) * (rng.random() < 0.6)
    r, g, b = (int(np.clip(base + v * spread, low, high)) for v in rng.uniform(-1, 1, 3))
    return r, g, b


def draw_field(
    draw: ImageDraw.ImageDraw,
    style: Style,
    box_px: tuple[float, float, float],
    digit: int | None,
    symbol: int | None,
    tint: Colour | None,
) -> tuple[float, float, float, float] | None:
    """Draw a field; return the box of its digit's ink, or None without a digit.

    The box is left, top, right and bottom in pixels.
    """
    left, top, pitch = box_px
    inset = style.gap * pitch / 2
    side = pitch - 2 * inset
    width = max(1, round(style.line_share * pitch))
    is_framed = tint is None or style.gap == 0 or style.line_share > 0.03 or max(tint) > 215
    draw.rounded_rectangle(
        [left + inset, top + inset, left + pitch - inset, top + pitch - inset],
        style.round * pitch, fill=tint, outline=style.line if is_framed else None, width=width,
    )  # fmt: skip
    if symbol is not None:
        px, py, height = style.lone if digit is None else style.symbol
        opacity = 1.0 if digit is None and style.is_lone_full else style.opacity
        drawn = style.symbols[symbol]
        colour, second = (
            blend(one, tint or _WHITE, opacity) for one in (drawn.colour, drawn.second)
        )
        drawn = drawn._replace(colour=colour, second=second)
        middle = (left + inset + px * side, top + inset + py * side)
        draw_symbol(draw, drawn, middle, height * side, style.font)
    if digit is None:
        return None
    px, py, height = style.digit if symbol is not None else style.alone
    font = open_font(style.font, max(7, round(height * side / 0.72)))
    at = (left + inset + px * side, top + inset + py * side)
    if style.clear:
        inside = (inset + width + style.clear * side, pitch - inset - width - style.clear * side)
        ends = _digit_box(draw, style, at, digit, font)
        at = (
            at[0] + _shift_into(ends[0] - left, ends[2] - left, inside),
            at[1] + _shift_into(ends[1] - top, ends[3] - top, inside),
        )
    ends = _digit_box(draw, style, at, digit, font)
    if style.width == 1:
        draw.text(at, str(digit), font=font, fill=style.ink, anchor="mm")
    else:
        full = draw.textbbox((0, 0), str(digit), font=font, anchor="lt")
        mask = Image.new("L", (round(full[2]), round(full[3])))
        ImageDraw.Draw(mask).text((0, 0), str(digit), font=font, fill=255, anchor="lt")
        size = (max(1, round(ends[2] - ends[0])), max(1, round(ends[3] - ends[1])))
        draw.bitmap(ends[:2], mask.resize(size, Image.Resampling.LANCZOS), fill=style.ink)
    return ends


def _digit_box(
    draw: ImageDraw.ImageDraw,
    style: Style,
    at: tuple[float, float],
    digit: int,
    font: ImageFont.FreeTypeFont,
) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the ink of a digit whose centre is ``at``."""
    left, top, right, low = draw.textbbox(at, str(digit), font=font, anchor="mm")
    middle, half = (left + right) / 2, (right - left) / 2 * style.width
    return middle - half, top, middle + half, low


def _shift_into(low: float, high: float, inside: tuple[float, float]) -> float:
    """Return the shift that moves a range into another."""
    return max(0.0, inside[0] - low) - max(0.0, high - inside[1])


def draw_page(rng: Generator, fonts: Fonts, kinds: Sequence[str] = (*HELD_OUT, *TRAINING)) -> Page:
    """Draw a page with a random sheet, with symbols of some kinds."""
    style = choose_style(rng, fonts, kinds)
    style.clear = _MIN_CLEARANCE
    width_mm, height_mm = PAGE_MM[int(rng.integers(len(PAGE_MM)))]
    columns = int(rng.integers(5, 13))
    pitch = min((width_mm - 24) / (columns + 0.8), 18) * rng.uniform(0.8, 1)
    rows = int(np.clip((height_mm - 42) / pitch * rng.uniform(0.7, 1), 4, 20))
    pitch = min(pitch, (height_mm - 42) / rows)
    pitch_px = float(round(pitch * PX_PER_MM))
    size = (round(width_mm * PX_PER_MM), round(height_mm * PX_PER_MM))
    paper = tuple(int(v) for v in rng.uniform(232, 255) - rng.uniform(0, 8, 3) * (0, 0.5, 1))
    picture = Image.new("RGB", size, paper)
    draw = ImageDraw.Draw(picture)
    is_shifted = rng.random() < 0.2
    shifts = [0.5 * (row % 2) if is_shifted else 0.0 for row in range(rows)]
    left = (size[0] - (columns + 0.5) * pitch_px) * rng.uniform(0.3, 0.7)
    top = (size[1] - rows * pitch_px) * rng.uniform(0.35, 0.65)
    chosen = _choose_fields(rng, columns, rows)
    share = rng.uniform(0.15, 0.6)
    found: dict[tuple[int, int], DrawnField] = {}
    for row in range(rows):
        for column in range(columns):
            if not chosen[row, column]:
                continue
            digit: int | None = int(rng.integers(1, 7))
            symbol = choose_symbol(rng, style, share)
            if symbol is not None and rng.random() < 0.08:
                digit = None
            tint = _tint(rng, style, digit, row, column)
            at = (left + (column + shifts[row]) * pitch_px, top + row * pitch_px)
            draw_field(draw, style, (*at, pitch_px), digit, symbol, tint)
            box = (*(v / PX_PER_MM for v in at), *(pitch_px / PX_PER_MM,) * 2)
            found[column, row] = DrawnField(box, digit, symbol)  # type: ignore[arg-type]
    if not is_shifted and style.gap == 0 and rng.random() < 0.5:
        _frame_areas(rng, draw, found, pitch_px)
    _draw_surroundings(rng, draw, style, size, (left, top, columns * pitch_px, rows * pitch_px))
    return Page(np.asarray(picture), found, shifts, style.inverse)


def choose_symbol(rng: Generator, style: Style, share: float) -> int | None:
    """Choose one of the style's symbols for a share of fields."""
    if rng.random() < share and style.symbols:
        return int(rng.integers(len(style.symbols)))
    return None


def _choose_fields(rng: Generator, columns: int, rows: int) -> NDArray[np.bool_]:
    """Choose the fields of a grid, with random holes and bays, without isolated fields."""
    chosen = rng.random((rows, columns)) > rng.uniform(0.0, 0.15)
    for _ in range(int(rng.integers(0, 3))):  # a bay
        row, column = int(rng.integers(rows)), int(rng.integers(columns))
        chosen[row : row + 2, column : column + 3] = False
    near = np.pad(chosen, 1).astype(int)
    neighbours = near[:-2, 1:-1] + near[2:, 1:-1] + near[1:-1, :-2] + near[1:-1, 2:]
    return chosen & (neighbours > 0)


def _tint(rng: Generator, style: Style, digit: int | None, row: int, column: int) -> Colour | None:
    if style.tint == "none":
        return style.tints[0] if style.inverse else None
    number = {
        "all": 0,
        "digit": (digit or 1) - 1,
        "random": int(rng.integers(6)),
        "area": (row // 3 + 2 * (column // 4)) % 6,
    }[style.tint]
    return style.tints[number]


def _frame_areas(
    rng: Generator,
    draw: ImageDraw.ImageDraw,
    fields: dict[tuple[int, int], DrawnField],
    pitch: float,
) -> None:
    """Draw thick frames around a few areas."""
    names = list(fields)
    for _ in range(int(rng.integers(1, 4))):
        column, row = names[int(rng.integers(len(names)))]
        wide, high = (int(v) for v in rng.integers(1, 4, 2))
        inside = {
            (x, y) for x in range(column, column + wide) for y in range(row, row + high)
        } & set(fields)
        colour, width = _colour(rng, 0, 160), round(pitch * rng.uniform(0.05, 0.1))
        for x, y in inside:
            left, top, side, _ = (v * PX_PER_MM for v in fields[x, y].box)
            for (dx, dy), a, b in (
                ((0, -1), (0, 0), (1, 0)), ((1, 0), (1, 0), (1, 1)),
                ((0, 1), (1, 1), (0, 1)), ((-1, 0), (0, 1), (0, 0)),
            ):  # fmt: skip
                if (x + dx, y + dy) not in inside:
                    ends = [(left + px * side, top + py * side) for px, py in (a, b)]
                    draw.line(ends, fill=colour, width=width)


def _draw_surroundings(
    rng: Generator,
    draw: ImageDraw.ImageDraw,
    style: Style,
    size: tuple[int, int],
    grid: tuple[float, float, float, float],
) -> None:
    """Draw title, numbers of rows, boxes for points: print that is not a field."""
    left, top, width, height = grid
    font = open_font(style.font, 60)
    draw.text(
        (left, max(10, top - 190)), "Sheet " + str(rng.integers(1, 40)), font=font, fill=style.line
    )
    small = open_font(style.font, 34)
    for _ in range(int(rng.integers(0, 5))):
        y = top + rng.uniform(0, height)
        x = left - 50 if rng.random() < 0.5 else left + width * 1.02 + 30
        draw.text(
            (x, y),
            str(rng.integers(2, 13)),
            font=small,
            fill=style.ink if not style.inverse else style.line,
        )
    count = int(rng.integers(2, 9))
    box, y = float(rng.uniform(50, 130)), top + height + 50
    for i in range(count if y + box < size[1] - 20 else 0):
        x = left + i * (box + (rng.integers(0, 2) * 12))
        draw.rectangle([x, y, x + box, y + box * 0.8], outline=style.line, width=3)
        if style.symbols and rng.random() < 0.5:
            middle = (x + box / 2, y + box * 0.4)
            symbol = style.symbols[i % len(style.symbols)]
            draw_symbol(draw, symbol, middle, box * 0.4, style.font)
