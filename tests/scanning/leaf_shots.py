"""Photos for the tests: leaves of pads that are none of ours, and of their empty sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from sheets.rules import parse_level
from sheets.rules.level import Field
from sheets.scanning.patches import Look
from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import PX_PER_MM, Bend, Lens, Straight
from sheets.scanning.unknown.beside import look_beside
from sheets.scanning.unknown.flat import FIELD_PX
from sheets.scanning.unknown.pad import Pad as FlatPad
from sheets.scanning.unknown.template import Template
from tests.scanning.shots import FIRM
from tests.scanning.unknown_shots import FONTS
from training.camera import photograph
from training.foreign import PX_PER_MM as PAGE_PX_PER_MM
from training.pads import Pad, choose_pad, fill_pad
from training.papers import Truth

_PAPER: Final = 235


class Leaf(NamedTuple):
    """A pad, photos of its empty sheet and of a filled one, and what is on that."""

    pad: Pad
    empty: bytes
    jpeg: bytes
    truth: Truth


@cache
def take_leaf(seed: int) -> Leaf:
    """A leaf by chance, filled in by somebody with a firm pen."""
    rng = np.random.default_rng(seed)
    pad = choose_pad(rng, FONTS)
    empty = photograph(rng, pad.page.picture, PAGE_PX_PER_MM, "easy", megapixels=4).jpeg
    picture, truth = fill_pad(rng, pad, FIRM)
    jpeg = photograph(rng, picture, PAGE_PX_PER_MM, "easy", megapixels=4).jpeg
    return Leaf(pad, empty, jpeg, truth)


def draw_pad(count: int, draw: Callable[[Picture, Field, tuple[int, int]], None]) -> FlatPad:
    """An empty sheet of so many fields each way, on paper.

    Args:
        draw: draws what is printed on a field, into the sheet's picture; its third argument is the
            field's top left corner there, from which it is `FIELD_PX` wide and high.
    """
    grid = [" ".join(str(1 + (x + y) % 6) for x in range(count)) for y in range(count)]
    level = parse_level({"format": "dizzle-level/1", "id": "pad", "name": "Pad", "grid": grid})
    picture = np.full(((count + 3) * FIELD_PX,) * 2 + (3,), _PAPER, np.uint8)
    for field in level.fields:
        left, top = (round((at + 1.5) * FIELD_PX) for at in (field.column, field.row))
        draw(picture, field, (left, top))
    first = (2.0 * FIELD_PX,) * 2
    return FlatPad(level, Template(picture, b"", FIELD_PX, first, (1.0, 1.0), {}))


def look_at_flat(
    picture: Picture, pad: FlatPad, shifts: Mapping[str, tuple[float, float]] | None = None
) -> Look:
    """What is seen of a leaf that lies as its empty sheet does; ``shifts`` as of `Straight`."""
    lens = Lens(picture, np.eye(3), Bend(pad.box))
    straight = Straight(picture, lens, shifts or {}, {}, 1.0, 1.0, 0.0, 0.0, PX_PER_MM)
    return look_beside(straight, pad)
