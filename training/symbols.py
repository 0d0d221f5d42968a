"""Symbols of synthetic pads, which differ from the app's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.random import Generator
from PIL import ImageDraw

from training import shapes
from training.fonts import open_font
from training.shapes import Part, random_parts

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

_LETTER: Final = "letter "
"""Prefix of symbols that are letters."""

_RANDOM: Final = "by chance"
"""Kind of symbols with a random shape."""
TRAINING: Final = (*shapes.TRAINING, *(_LETTER + one for one in "ABCDEFHJLMNPSUVXZ?%"), _RANDOM)
"""Kinds of symbols for training."""

HELD_OUT: Final = (*shapes.HELD_OUT, *(_LETTER + one for one in "GKQRTWY!&"))
"""Kinds of symbols held out for tests."""

_LOOK_ALIKE: Final = (
    ("round", "ring", "octagon", "half", "target", "mask"), ("diamond", "rhomb", "gem"),
    ("pentagon", "hexagon", "octagon", "round"), ("cloud", "flower", "blob"), ("pill", "eye"),
    ("arrow", "house"), ("triangle", "tree"), ("mask", "target"), ("cross", "letter X"),
    ("planet", "eye"), ("cup", "hourglass"), ("shield", "square"),
)  # fmt: skip
"""Shapes that a person might confuse; a sheet has one of each such set per colour."""

_MIN_HUE_DISTANCE: Final = 75
"""Minimum colour distance of symbols with similar shapes."""

_MIN_GROUND_DISTANCE: Final = 42
"""Minimum colour distance of a symbol from its background."""

_MIN_INK_DISTANCE: Final = 90
"""Minimum colour distance of a symbol from digits printed on it."""
_MAX_CHOICES: Final = 60
"""Maximum number of random symbols that are tried per sheet."""


class Symbol(NamedTuple):
    """A symbol: its shape (a name, a letter, or the seed of a random one), and its drawing style.

    ``second`` is the colour of details; ``weight`` is the line width relative to half the height.
    """

    shape: str
    colour: Colour
    is_outlined: bool
    second: Colour
    weight: float


def choose_symbols(
    rng: Generator,
    kinds: Sequence[str],
    grounds: Sequence[Colour],
    ink: Colour | None,
    share: float,
) -> list[Symbol]:
    """Choose distinguishable symbols that contrast with each background.

    Args:
        ink: colour of digits that must be legible on them.
        share: opacity of the symbols.
    """
    count = int(rng.integers(2, 11))
    if rng.random() < 0.4:  # a few shapes in many colours, as gems are
        kinds = [str(one) for one in rng.choice(kinds, int(rng.integers(1, 4)))]
    found: list[Symbol] = []
    for _ in range(_MAX_CHOICES):
        shape = str(rng.choice(kinds))
        if _RANDOM in kinds and (shape == _RANDOM or rng.random() < 0.3):
            shape = str(int(rng.integers(1 << 30)))
        second = (255, 255, 255) if rng.random() < 0.5 else random_colour(rng)
        one = Symbol(
            shape, random_colour(rng), rng.random() < 0.3, second, float(rng.uniform(0.1, 0.35))
        )
        printed = [blend(one.colour, ground, share) for ground in grounds]
        if (
            all(
                colour_distance(a, b) > _MIN_GROUND_DISTANCE
                for a, b in zip(printed, grounds, strict=True)
            )
            and (ink is None or all(colour_distance(a, ink) > _MIN_INK_DISTANCE for a in printed))
            and not any(_same(one, other, share) for other in found)
        ):
            found.append(one)
        if len(found) == count:
            break
    return found


def limit_colours(rng: Generator, symbols: Sequence[Symbol], share: float) -> list[Symbol]:
    """Reduce the symbols to one or two of their colours, without those that become similar.

    Many sheets print all symbols in one ink, so that only the shape distinguishes them.
    """
    few = [one.colour for one in symbols[: int(rng.integers(1, 3))]]
    return distinct_symbols(
        [symbol._replace(colour=few[int(rng.integers(len(few)))]) for symbol in symbols], share
    )


def exchange_colours(rng: Generator, symbols: Sequence[Symbol], share: float) -> list[Symbol]:
    """Add each symbol in the colour of another one, and in the shape of another one.

    Colour and shape of two symbols differ separately, so that both have to be compared.
    """
    found = list(symbols)
    for one in symbols:
        other = symbols[int(rng.integers(len(symbols)))]
        found += [one._replace(colour=other.colour), one._replace(shape=other.shape)]
    return distinct_symbols(found, share)


def distinct_symbols(symbols: Sequence[Symbol], share: float) -> list[Symbol]:
    """Return the symbols without those that a person might take for an earlier one."""
    found: list[Symbol] = []
    for symbol in symbols:
        if not any(_same(symbol, other, share) for other in found):
            found.append(symbol)
    return found


def _same(one: Symbol, other: Symbol, share: float) -> bool:
    """Return whether a person might take two symbols for one."""
    is_like = one.shape == other.shape or any(
        one.shape in some and other.shape in some for some in _LOOK_ALIKE
    )
    return is_like and colour_distance(one.colour, other.colour) * share < _MIN_HUE_DISTANCE * max(
        share, 0.6
    )


def colour_distance(one: Colour, other: Colour) -> float:
    """Return the distance of two colours: the maximum over the channels."""
    return float(np.abs(np.subtract(one, other)).max())


def blend(colour: Colour, ground: Colour, share: float) -> Colour:
    """Blend a colour with its background; ``share`` is the opacity."""
    r, g, b = (int(share * a + (1 - share) * c) for a, c in zip(colour, ground, strict=True))
    return r, g, b


def random_colour(rng: Generator) -> Colour:
    """Return a random colour of a symbol, including black, grey and white."""
    if rng.random() < 0.2:
        value = int(rng.uniform(20, 150) if rng.random() < 0.8 else rng.uniform(200, 255))
        return value, value, value
    hue = rng.uniform(0, 6)
    full = [max(0.0, min(1.0, abs((hue + k) % 6 - 3) - 1)) for k in (0, 4, 2)]
    value, rich = rng.uniform(120, 250), rng.uniform(0.5, 1)
    r, g, b = (int(value * (1 - rich + rich * v)) for v in full)
    return r, g, b


def draw_symbol(
    draw: ImageDraw.ImageDraw, symbol: Symbol, middle: tuple[float, float], size: float, font: Path
) -> None:
    """Draw a symbol, ``size`` pixels high; letters use the font."""
    if symbol.shape.startswith(_LETTER):
        letters = open_font(font, max(8, round(size)))
        draw.text(middle, symbol.shape[-1], font=letters, fill=symbol.colour, anchor="mm")
        return
    half = size / 2
    width = max(1, round(symbol.weight * half))
    for part in _parts(symbol.shape):
        points = [(middle[0] + x * half, middle[1] + y * half) for x, y in part.points]
        if part.is_line:
            colour = symbol.second if part.is_detail and not symbol.is_outlined else symbol.colour
            draw.line(points, fill=colour, width=width, joint="curve")
        elif symbol.is_outlined:
            draw.polygon(points, outline=symbol.colour, width=width)
        else:
            draw.polygon(points, fill=symbol.second if part.is_detail else symbol.colour)


def _parts(shape: str) -> Sequence[Part]:
    if shape.isdigit():
        return random_parts(int(shape))
    return shapes.TRAINING.get(shape) or shapes.HELD_OUT[shape]
