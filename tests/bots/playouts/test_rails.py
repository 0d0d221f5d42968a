"""Loops found on many sheets at once are those of the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from sheets.bots.loops import rectangular_loops
from sheets.bots.playouts.board import lay_out
from sheets.levels import find_level
from sheets.rules import Level, parse_level
from sheets.rules.level import SHAPES
from sheets.rules.rails import find_routes

WALLED = {
    "id": "walled",
    "name": "Walled",
    "marks": "tracks",
    "grid": ["1 2 3 4 5 6", "6 1 2 3 4 5", "5 6 1 2 3 4", "4 5 6 1 2 3", "3 4 5 6 1 2"],
    "tracks": {"a1": "ES"},
    "walls": [["b1", "b2"], ["c2", "d2"]],
}
LEVELS = {"level-8": find_level("level-8"), "walled": parse_level(WALLED)}


def lay(level: Level, random: Random) -> dict[int, str]:
    """Return overlapping loops and random pieces of track."""
    tracks: dict[int, str] = {}
    for loop in random.sample(rectangular_loops(level), random.randrange(6)):
        tracks |= loop.shapes
    for field in random.sample(range(len(level.fields)), random.randrange(12)):
        tracks[field] = random.choice(SHAPES)
    return tracks


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_loops_are_those_of_the_rules(level: Level) -> None:
    random = Random(1)
    laid = [{}, *(lay(level, random) for _ in range(200))]
    board = lay_out(level, 1)
    assert board.rails
    is_loop, longest = board.rails.find_loops(np.array([board.rails.code(one) for one in laid]))
    counts = set()
    for tracks, found, length in zip(laid, is_loop.tolist(), longest.tolist(), strict=True):
        loops = [route.fields for route in find_routes(level, tracks) if route.is_loop]
        counts.add(len(loops))
        fields = sum(1 << field for field, bit in enumerate(board.bits) if found[bit])
        assert fields == sum(loops)
        assert length == max(map(int.bit_count, loops), default=0)
    assert {0, 1, 2} <= counts
