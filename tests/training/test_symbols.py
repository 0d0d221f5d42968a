"""Random symbols: distinct shapes and colours, and the kinds held out for tests."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tests.vision.empty_sheet_shots import FONTS
from training import symbols
from training.symbols import Colour, Symbol, choose_symbols, draw_symbol, limit_colours

NAMED = [kind for kind in (*symbols.TRAINING, *symbols.HELD_OUT) if kind != "by chance"]


def drawn(symbol: Symbol) -> np.ndarray:
    picture = Image.new("RGB", (80, 80), "white")
    draw_symbol(ImageDraw.Draw(picture), symbol, (40, 40), 50, FONTS["Nunito"][0])
    return np.asarray(picture)


def test_training_and_held_out_kinds_are_disjoint() -> None:
    assert not set(symbols.TRAINING) & set(symbols.HELD_OUT)


def test_all_kinds_are_drawn_differently() -> None:
    pictures = [drawn(Symbol(kind, (0, 0, 0), False, (200, 0, 0), 0.2)) for kind in NAMED]
    assert len({picture.tobytes() for picture in pictures}) == len(NAMED)


def test_random_shapes_are_reproducible_and_as_large_as_named_ones() -> None:
    for number in map(str, range(30)):
        symbol = Symbol(number, (0, 0, 0), False, (200, 0, 0), 0.2)
        rows, columns = np.nonzero((drawn(symbol) < 128).any(2))
        assert (drawn(symbol) == drawn(symbol)).all()
        assert max(np.ptp(rows), np.ptp(columns)) >= 45


@pytest.mark.parametrize("ink", [None, (20, 20, 20)])
def test_signs_stand_out_from_each_ground_and_ink(ink: Colour | None) -> None:
    grounds = [(250, 250, 250), (180, 200, 230)]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = choose_symbols(rng, symbols.TRAINING, grounds, ink, 0.5)
        assert len({(symbol.shape, symbol.colour) for symbol in found}) == len(found) >= 2
        for symbol in found:
            for ground in grounds:
                seen = np.array(symbol.colour) * 0.5 + np.array(ground) * 0.5
                assert np.abs(seen - ground).max() > 40
                assert ink is None or np.abs(seen - ink).max() > 85


def test_symbols_in_few_colours_still_differ() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = choose_symbols(rng, symbols.TRAINING, [(250, 250, 250)], None, 1.0)
        few = limit_colours(rng, found, 1.0)
        assert {symbol.colour for symbol in few} <= {symbol.colour for symbol in found[:2]}
        assert len({(symbol.shape, symbol.colour) for symbol in few}) == len(few)
        assert {symbol.shape for symbol in few} <= {symbol.shape for symbol in found}
