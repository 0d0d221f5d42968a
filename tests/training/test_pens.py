"""Nobody fills a sheet in with a pen that does not show on it."""

from __future__ import annotations

import numpy as np
import pytest

from training.papers import Filling
from training.pens import choose_pen, choose_seen_pen

WHO = Filling()


@pytest.mark.parametrize("ground", [255, 230, 175])
def test_on_paper_and_pale_tints_every_pen_shows(ground: int) -> None:
    grounds = np.full((30, 3), ground, np.float32)
    for seed in range(200):
        rngs = [np.random.default_rng(seed) for _ in range(2)]
        taken = choose_seen_pen(rngs[0], WHO.families, WHO.methods, grounds)
        assert taken == choose_pen(rngs[1], WHO.families, WHO.methods)


def test_on_black_somebody_takes_a_bright_pen_and_on_dark_grey_what_shows() -> None:
    black, grey = (np.full((30, 3), ground, np.float32) for ground in (20, 45))
    rng = np.random.default_rng(5)
    for _ in range(50):
        pen = choose_seen_pen(rng, WHO.families, WHO.methods, black)
        assert pen.is_opaque
        assert (pen.on(black) > black + 80).any()
    on_grey = [choose_seen_pen(rng, WHO.families, WHO.methods, grey) for _ in range(100)]
    assert all(pen.shows_on(grey) for pen in on_grey)
    assert {pen.is_opaque for pen in on_grey} == {True, False}
