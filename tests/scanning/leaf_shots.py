"""Photos for the tests: leaves of pads that are none of ours, and of their empty sheets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from sheets.scanning.patches import Look
from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import PX_PER_MM, Bend, Lens, Straight
from sheets.scanning.unknown.beside import look_beside
from sheets.scanning.unknown.pad import Pad as FlatPad
from tests.scanning.shots import FIRM
from tests.scanning.unknown_shots import FONTS
from training.camera import photograph
from training.foreign import PX_PER_MM as PAGE_PX_PER_MM
from training.pads import Pad, choose_pad, fill_pad
from training.papers import Truth


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


def look_at_flat(
    picture: Picture, pad: FlatPad, shifts: Mapping[str, tuple[float, float]] | None = None
) -> Look:
    """What is seen of a leaf that lies as its empty sheet does; ``shifts`` as of `Straight`."""
    lens = Lens(picture, np.eye(3), Bend(pad.box))
    straight = Straight(picture, lens, shifts or {}, {}, 1.0, 1.0, 0.0, 0.0, PX_PER_MM)
    return look_beside(straight, pad)
