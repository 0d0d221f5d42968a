"""Which symbols could stand on a sheet of somebody else's? Simple ones, drawn unlike our own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.random import Generator
from PIL import ImageDraw

from training import shapes
from training.fonts import open_font
from training.shapes import Part, parts_by_chance

Colour = tuple[int, int, int]

_LETTER, _CHANCE = "letter ", "by chance"
LEARNT: Final = (*shapes.LEARNT, *(_LETTER + one for one in "ABCDEFHJLMNPSUVXZ?%"), _CHANCE)
HELD_OUT: Final = (*shapes.HELD_OUT, *(_LETTER + one for one in "GKQRTWY!&"))
"""The kinds of symbols that groups are learnt from, and those that are kept to test on."""

_LOOK_ALIKE: Final = (
    ("round", "ring", "octagon", "half", "target", "mask"), ("diamond", "rhomb", "gem"),
    ("pentagon", "hexagon", "octagon", "round"), ("cloud", "flower", "blob"), ("pill", "eye"),
    ("arrow", "house"), ("triangle", "tree"), ("mask", "target"), ("cross", "letter X"),
    ("planet", "eye"), ("cup", "hourglass"), ("shield", "square"),
)  # fmt: skip
_OTHER_HUE, _VISIBLE, _READABLE = 75, 42, 90
_TRIES: Final = 60


class Sign(NamedTuple):
    """A symbol: its shape (a name, a letter, or the number of one by chance), and how it is drawn.

    ``second`` is the colour of details, ``weight`` how thick its lines are, of its half height.
    """

    shape: str
    colour: Colour
    is_outlined: bool
    second: Colour
    weight: float


def choose_signs(
    rng: Generator,
    kinds: Sequence[str],
    grounds: Sequence[Colour],
    ink: Colour | None,
    share: float,
) -> list[Sign]:
    """Some symbols that can be told apart, and from each of the grounds that they may lie on.

    ``ink``: the digits that have to be read on them; ``share``: how much of their own colour shows.
    """
    count = int(rng.integers(2, 11))
    if rng.random() < 0.4:  # a few shapes in many colours, as gems are
        kinds = [str(one) for one in rng.choice(kinds, int(rng.integers(1, 4)))]
    found: list[Sign] = []
    for _ in range(_TRIES):
        shape = str(rng.choice(kinds))
        if _CHANCE in kinds and (shape == _CHANCE or rng.random() < 0.3):
            shape = str(int(rng.integers(1 << 30)))
        second = (255, 255, 255) if rng.random() < 0.5 else bright(rng)
        one = Sign(shape, bright(rng), rng.random() < 0.3, second, float(rng.uniform(0.1, 0.35)))
        seen = [mixed(one.colour, ground, share) for ground in grounds]
        if (
            all(far(a, b) > _VISIBLE for a, b in zip(seen, grounds, strict=True))
            and (ink is None or all(far(a, ink) > _READABLE for a in seen))
            and not any(_same(one, other, share) for other in found)
        ):
            found.append(one)
        if len(found) == count:
            break
    return found


def in_few_colours(rng: Generator, signs: Sequence[Sign], share: float) -> list[Sign]:
    """The symbols in one or two of their colours, without those that would then look alike.

    Many sheets print all symbols in one ink: there the shape alone tells them apart.
    """
    few = [one.colour for one in signs[: int(rng.integers(1, 3))]]
    found: list[Sign] = []
    for sign in signs:
        one = sign._replace(colour=few[int(rng.integers(len(few)))])
        if not any(_same(one, other, share) for other in found):
            found.append(one)
    return found


def _same(one: Sign, other: Sign, share: float) -> bool:
    """Whether a person might take them for one symbol."""
    is_like = one.shape == other.shape or any(
        one.shape in some and other.shape in some for some in _LOOK_ALIKE
    )
    return is_like and far(one.colour, other.colour) * share < _OTHER_HUE * max(share, 0.6)


def far(one: Colour, other: Colour) -> float:
    """How far apart two colours are: red, green or blue, whichever differs the most."""
    return float(np.abs(np.subtract(one, other)).max())


def mixed(colour: Colour, ground: Colour, share: float) -> Colour:
    """A colour of which only a share is printed."""
    r, g, b = (int(share * a + (1 - share) * c) for a, c in zip(colour, ground, strict=True))
    return r, g, b


def bright(rng: Generator) -> Colour:
    """A colour a symbol may have, black, grey and white among them."""
    if rng.random() < 0.2:
        value = int(rng.uniform(20, 150) if rng.random() < 0.8 else rng.uniform(200, 255))
        return value, value, value
    hue = rng.uniform(0, 6)
    full = [max(0.0, min(1.0, abs((hue + k) % 6 - 3) - 1)) for k in (0, 4, 2)]
    value, rich = rng.uniform(120, 250), rng.uniform(0.5, 1)
    r, g, b = (int(value * (1 - rich + rich * v)) for v in full)
    return r, g, b


def draw_symbol(
    draw: ImageDraw.ImageDraw, sign: Sign, middle: tuple[float, float], size: float, font: Path
) -> None:
    """One symbol, ``size`` pixels high; a letter is of the font."""
    if sign.shape.startswith(_LETTER):
        letters = open_font(font, max(8, round(size)))
        draw.text(middle, sign.shape[-1], font=letters, fill=sign.colour, anchor="mm")
        return
    half = size / 2
    width = max(1, round(sign.weight * half))
    for part in _parts(sign.shape):
        points = [(middle[0] + x * half, middle[1] + y * half) for x, y in part.points]
        if part.is_line:
            colour = sign.second if part.is_detail and not sign.is_outlined else sign.colour
            draw.line(points, fill=colour, width=width, joint="curve")
        elif sign.is_outlined:
            draw.polygon(points, outline=sign.colour, width=width)
        else:
            draw.polygon(points, fill=sign.second if part.is_detail else sign.colour)


def _parts(shape: str) -> Sequence[Part]:
    if shape.isdigit():
        return parts_by_chance(int(shape))
    return shapes.LEARNT.get(shape) or shapes.HELD_OUT[shape]
