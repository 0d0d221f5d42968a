"""Which symbols could stand on a sheet of somebody else's? Simple ones, drawn unlike our own."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

from PIL import ImageDraw

from training.fonts import open_font

Colour = tuple[int, int, int]
Points = list[tuple[float, float]]

SHAPES: Final = (
    "round", "ring", "square", "diamond", "star", "bolt", "flag", "key", "lock", "heart", "drop",
    "moon", "cross", "plus", "bomb", "rocket", "piece", "blob", "triangle", "bars", "letter",
)  # fmt: skip


def _outline(shape: str) -> list[Points]:
    """A shape as polygons in a box from -1 to 1; what is not here is drawn otherwise."""
    turn = [2 * math.pi * i / 40 for i in range(40)]
    return {
        "square": [[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]],
        "diamond": [[(0, -1), (0.75, -0.2), (0, 1), (-0.75, -0.2)]],
        "star": [[((1 - 0.58 * (i % 2)) * math.sin(math.pi * i / 5),
                   -(1 - 0.58 * (i % 2)) * math.cos(math.pi * i / 5)) for i in range(10)]],
        "bolt": [[(-0.2, -1), (0.5, -1), (0.1, -0.25), (0.6, -0.25), (-0.4, 1), (-0.1, 0.1),
                  (-0.6, 0.1)]],
        "flag": [[(-0.7, -1), (-0.5, -1), (-0.5, 1), (-0.7, 1)],
                 [(-0.5, -0.95), (0.8, -0.5), (-0.5, -0.05)]],
        "heart": [[(math.sin(t) ** 3, -(13 * math.cos(t) - 5 * math.cos(2 * t)
                    - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16) for t in turn]],
        "drop": [[(0.7 * math.sin(t) * math.sin(t / 2), -math.cos(t)) for t in turn]],
        "cross": [[(-1, -0.8), (-0.8, -1), (1, 0.8), (0.8, 1)],
                  [(1, -0.8), (0.8, -1), (-1, 0.8), (-0.8, 1)]],
        "plus": [[(-0.25, -1), (0.25, -1), (0.25, 1), (-0.25, 1)],
                 [(-1, -0.25), (1, -0.25), (1, 0.25), (-1, 0.25)]],
        "rocket": [[(0, -1), (0.35, -0.4), (0.35, 0.5), (0.75, 1), (-0.75, 1), (-0.35, 0.5),
                    (-0.35, -0.4)]],
        "triangle": [[(0, -0.9), (0.95, 0.8), (-0.95, 0.8)]],
        "bars": [[(-0.9, y), (0.9, y), (0.9, y + 0.3), (-0.9, y + 0.3)]
                 for y in (-0.8, -0.15, 0.5)],
        "moon": [[(0.9 * math.cos(t), 0.9 * math.sin(t)) for t in turn[5:36]]
                 + [(0.25 + 0.65 * math.cos(t), 0.65 * math.sin(t)) for t in turn[34:6:-1]]],
        "blob": [[((0.65 + 0.3 * math.sin(3 * t)) * math.cos(t),
                   (0.65 + 0.3 * math.sin(3 * t)) * math.sin(t)) for t in turn]],
    }.get(shape, [])  # fmt: skip


def draw_symbol(
    draw: ImageDraw.ImageDraw,
    kind: tuple[str, Colour, bool],
    middle: tuple[float, float],
    size: float,
    font: Path,
) -> None:
    """One symbol, ``size`` pixels high; a letter is of the font."""
    shape, colour, is_outlined = kind
    x, y = middle
    half = size / 2
    width = max(1, round(size * 0.09))

    def at(px: float, py: float) -> tuple[float, float]:
        return x + px * half, y + py * half

    def ellipse(x0: float, y0: float, x1: float, y1: float, fill: Colour | None) -> None:
        draw.ellipse([*at(x0, y0), *at(x1, y1)], fill=fill, outline=colour, width=width)

    fill = None if is_outlined else colour
    for outline in _outline(shape):
        draw.polygon([at(*one) for one in outline], fill=fill, outline=colour, width=width)
    if shape in ("round", "ring"):
        ellipse(-0.9, -0.9, 0.9, 0.9, None if shape == "ring" else fill)
    elif shape == "key":
        ellipse(-0.9, -0.45, 0, 0.45, None)
        draw.line([at(0, 0), at(0.95, 0), at(0.95, 0.45)], fill=colour, width=2 * width)
    elif shape == "lock":
        draw.arc([*at(-0.5, -1), *at(0.5, 0.3)], 180, 360, fill=colour, width=2 * width)
        draw.rectangle([*at(-0.75, -0.25), *at(0.75, 0.9)], fill=fill, outline=colour, width=width)
    elif shape == "bomb":
        ellipse(-0.8, -0.5, 0.7, 0.95, fill)
        draw.line([at(0.3, -0.3), at(0.7, -0.95)], fill=colour, width=2 * width)
    elif shape == "piece":
        draw.rectangle([*at(-0.9, -0.5), *at(0.5, 0.9)], fill=fill, outline=colour, width=width)
        ellipse(0.3, -0.1, 0.95, 0.5, fill)
        ellipse(-0.5, -0.95, 0.15, -0.35, fill)
    elif shape == "letter":
        letters = open_font(font, max(8, round(size)))
        draw.text(middle, "K", font=letters, fill=colour, anchor="mm")
