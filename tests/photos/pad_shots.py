"""Photos for the tests: a pad that is none of ours, empty and filled in, and the level of it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sheets.rules import format_level
from sheets.rules.level import Level
from tests.photos.photo_forms import true_marks
from tests.scanning.shots import FIRM
from tests.scanning.unknown_shots import FONTS
from training.camera import photograph
from training.foreign import PX_PER_MM
from training.pads import choose_pad, fill_pad

_MEGAPIXELS = 4


class PadShots(NamedTuple):
    """A pad's level; photos of an empty leaf and of filled ones, and what is on those."""

    level: Level
    empty: bytes
    filled: tuple[bytes, ...]
    marks: tuple[dict[str, str], ...]

    @property
    def document(self) -> dict[str, Any]:
        """The level as somebody has entered it."""
        return dict(format_level(self.level))


@cache
def take_pad(seed: int = 2, count: int = 1) -> PadShots:
    """A small pad by chance."""
    rng = np.random.default_rng(seed)
    pad = choose_pad(rng, FONTS)
    empty = photograph(rng, pad.page.picture, PX_PER_MM, "easy", megapixels=_MEGAPIXELS)
    filled, marks = [], []
    for _ in range(count):
        page, truth = fill_pad(rng, pad, FIRM)
        filled.append(photograph(rng, page, PX_PER_MM, "easy", megapixels=_MEGAPIXELS).jpeg)
        marks.append(true_marks(truth))
    return PadShots(pad.level, empty.jpeg, tuple(filled), tuple(marks))
