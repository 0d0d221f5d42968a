"""Names in other scripts are joined, placed and turned as people write them."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from sheets.artwork.letters import drawable, is_plain, letter
from sheets.levels import shipped_levels
from sheets.pictures.sheet import draw_sheet


def test_letters_are_joined_where_their_script_joins_them() -> None:
    parted = letter("\N{ZERO WIDTH NON-JOINER}".join("محمد"))
    assert letter("محمد").advance != parted.advance
    assert letter("क्ष").advance < letter("कष").advance + 1


def test_what_is_read_from_right_to_left_stands_so() -> None:
    name, after = letter("שלום"), letter("שלום Ben")
    # Hebrew comes first, so it stands on the right; each part stays as it is.
    assert after.glyphs[:3] == letter("Ben ").glyphs
    assert after.advance == pytest.approx(name.advance + letter(" Ben").advance, abs=1)
    numbered = letter("نیلوفر 12")
    assert numbered.glyphs[:2] == letter("12").glyphs


def test_accents_are_on_their_letters() -> None:
    assert drawable("Mu\u0308ller") == "Müller"
    assert is_plain("Müller", bold=True)
    marked = letter("q\u0308")  # no letter of its own: the font's marks are placed
    assert marked.advance == pytest.approx(letter("q").advance)
    assert marked.bounds[2] <= marked.advance


@pytest.mark.slow
def test_pictures_show_names_in_other_scripts() -> None:
    level = shipped_levels()["level-1"]

    def header(player: str) -> np.ndarray:
        picture = Image.open(BytesIO(draw_sheet(level, {}, title="A", player=player)))
        return np.asarray(picture.convert("L"), dtype=int)[:100, 540:]

    empty = header("")
    names = ["李小龍", "Ελένη", "नमस्ते", "ნინო", "Անի", "ยายสมศรี"]
    inked = {name: (abs(header(name) - empty) > 80).sum() for name in names}
    assert {name: pixels for name, pixels in inked.items() if pixels <= 500} == {}
    assert (header("🦄") == empty).all()
