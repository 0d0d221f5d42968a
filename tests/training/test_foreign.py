"""Can what a sheet by chance shows be read by a person?"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from training.foreign import choose_style
from training.symbols import LEARNT, far

FONTS = {"one": [Path("one.ttf")]}
WHITE = (255, 255, 255)


def test_digits_stand_out_from_all_fields() -> None:
    styles = [choose_style(np.random.default_rng(seed), FONTS, LEARNT) for seed in range(400)]
    assert {style.inverse for style in styles} == {True, False}
    for style in styles:
        few = {"none": [WHITE], "all": style.tints[:1]}
        grounds = few.get(style.tint, style.tints)
        assert min(far(style.ink, ground) for ground in grounds) >= 60
