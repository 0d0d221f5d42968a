"""Legibility of random synthetic sheets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from training.pad_pages import choose_style
from training.symbols import TRAINING, colour_distance

FONTS = {"one": [Path("one.ttf")]}
WHITE = (255, 255, 255)


def test_digits_stand_out_from_all_fields() -> None:
    styles = [choose_style(np.random.default_rng(seed), FONTS, TRAINING) for seed in range(400)]
    assert {style.inverse for style in styles} == {True, False}
    for style in styles:
        few = {"none": [WHITE], "all": style.tints[:1]}
        grounds = few.get(style.tint, style.tints)
        assert min(colour_distance(style.ink, ground) for ground in grounds) >= 60
