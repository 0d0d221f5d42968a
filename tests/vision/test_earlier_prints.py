"""Photos of sheets printed by earlier releases are still read."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheets.levels import shipped_levels
from sheets.vision.layouts import layouts_of
from sheets.vision.reading import read_photo

LEVELS = shipped_levels()
PHOTOS = Path(__file__).parent / "earlier"

LAYOUTS = {
    "level-1": "d0876860 9040c76b d360bab4 5e22f526 7ec069b3 61f7d66f 9bd52cdf",
    "level-8": "5566fd06 79853995 d037f09b 71756581 4219623f af98c22a 2832933d",
}
"""Layouts in the QR codes of release 1.1.0, by level."""


@pytest.mark.parametrize("photo", ["1.1.0-a4.jpg", "1.1.0-a4-large.jpg"])
def test_sheet_of_an_earlier_release_is_read(photo: str) -> None:
    """The pictures were made by release 1.1.0, with four crosses and a circle."""
    (sheet,) = read_photo((PHOTOS / photo).read_bytes(), list(LEVELS.values())).sheets
    assert (sheet.refused, sheet.layout.level.id, sheet.number) == (None, "level-2", 1)
    crossed = {name for name, (kind, _sure) in sheet.best().items() if kind == "cross"}
    assert crossed == {"b4", "d9", "e6", "f7"}
    assert {track: n for track, (n, _sure) in sheet.best_numbers().items()} == {"flag-red": 6}


@pytest.mark.parametrize("level", LAYOUTS)
def test_layouts_of_an_earlier_release_are_known(level: str) -> None:
    known = {layout.hash for layout in layouts_of([LEVELS[level]])}
    assert known >= set(LAYOUTS[level].split())
