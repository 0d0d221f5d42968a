"""Are the modules of many QR codes those that are printed?"""

from __future__ import annotations

import random

import numpy as np
import pytest

from sheets.printing.codes import qr_content, qr_modules
from sheets.scanning.modules import modules_of


@pytest.mark.parametrize("length", [1, 7, 14, 23, 36, 64])
def test_modules_are_those_that_are_printed(length: int) -> None:
    """Of ids of all lengths, and so of codes of many sizes, each with the mask that suits it."""
    rng = random.Random(length)
    for _ in range(6):
        level_id = "".join(rng.choices("abcxyz019-", k=length))
        layout_hash = f"{rng.getrandbits(32):08x}"
        contents = [qr_content(level_id, number, layout_hash) for number in range(1, 7)]
        for content, modules in zip(contents, modules_of(contents), strict=True):
            printed = [[one == "1" for one in row] for row in qr_modules(content)]
            assert np.array_equal(modules, printed), content
