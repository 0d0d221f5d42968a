"""Choice of pens that are visible on a sheet."""

from __future__ import annotations

import numpy as np
import pytest

from training.filled_pages import Filling
from training.pens import choose_pen, choose_visible_pen

WHO = Filling()


@pytest.mark.parametrize("ground", [255, 230, 175])
def test_every_pen_is_visible_on_paper_and_pale_tints(ground: int) -> None:
    grounds = np.full((30, 3), ground, np.float32)
    for seed in range(200):
        rngs = [np.random.default_rng(seed) for _ in range(2)]
        taken = choose_visible_pen(rngs[0], WHO.families, WHO.methods, grounds)
        assert taken == choose_pen(rngs[1], WHO.families, WHO.methods)


def test_pens_on_dark_fields_are_visible() -> None:
    black, grey = (np.full((30, 3), ground, np.float32) for ground in (20, 45))
    rng = np.random.default_rng(5)
    for _ in range(50):
        pen = choose_visible_pen(rng, WHO.families, WHO.methods, black)
        assert pen.is_opaque
        assert (pen.on(black) > black + 80).any()
    on_grey = [choose_visible_pen(rng, WHO.families, WHO.methods, grey) for _ in range(100)]
    assert all(pen.shows_on(grey) for pen in on_grey)
    assert {pen.is_opaque for pen in on_grey} == {True, False}
