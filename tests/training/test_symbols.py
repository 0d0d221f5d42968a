"""Can symbols drawn by chance be told apart, and which are kept to test on?"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tests.scanning.unknown_shots import FONTS
from training import symbols
from training.symbols import Colour, Sign, choose_signs, draw_symbol, in_few_colours

NAMED = [kind for kind in (*symbols.LEARNT, *symbols.HELD_OUT) if kind != "by chance"]


def drawn(sign: Sign) -> np.ndarray:
    picture = Image.new("RGB", (80, 80), "white")
    draw_symbol(ImageDraw.Draw(picture), sign, (40, 40), 50, FONTS["Nunito"][0])
    return np.asarray(picture)


def test_nothing_is_learnt_from_what_is_tested_on() -> None:
    assert not set(symbols.LEARNT) & set(symbols.HELD_OUT)


def test_no_two_kinds_are_drawn_alike() -> None:
    pictures = [drawn(Sign(kind, (0, 0, 0), False, (200, 0, 0), 0.2)) for kind in NAMED]
    assert len({picture.tobytes() for picture in pictures}) == len(NAMED)


def test_what_nobody_has_named_is_the_same_each_time_and_as_large_as_others() -> None:
    for number in map(str, range(30)):
        sign = Sign(number, (0, 0, 0), False, (200, 0, 0), 0.2)
        rows, columns = np.nonzero((drawn(sign) < 128).any(2))
        assert (drawn(sign) == drawn(sign)).all()
        assert max(np.ptp(rows), np.ptp(columns)) >= 45


@pytest.mark.parametrize("ink", [None, (20, 20, 20)])
def test_signs_stand_out_from_each_ground_and_ink(ink: Colour | None) -> None:
    grounds = [(250, 250, 250), (180, 200, 230)]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        signs = choose_signs(rng, symbols.LEARNT, grounds, ink, 0.5)
        assert len({(sign.shape, sign.colour) for sign in signs}) == len(signs) >= 2
        for sign in signs:
            for ground in grounds:
                seen = np.array(sign.colour) * 0.5 + np.array(ground) * 0.5
                assert np.abs(seen - ground).max() > 40
                assert ink is None or np.abs(seen - ink).max() > 85


def test_symbols_in_few_colours_still_differ() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        signs = choose_signs(rng, symbols.LEARNT, [(250, 250, 250)], None, 1.0)
        few = in_few_colours(rng, signs, 1.0)
        assert {sign.colour for sign in few} <= {sign.colour for sign in signs[:2]}
        assert len({(sign.shape, sign.colour) for sign in few}) == len(few)
        assert {sign.shape for sign in few} <= {sign.shape for sign in signs}
