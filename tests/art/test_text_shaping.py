"""Text shaping of names in other scripts: joining, accents and direction."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from sheets.art.text_shaping import drawable_text, is_plain, shape_text
from sheets.levels import shipped_levels
from sheets.printing.pictures.sheet import draw_sheet


def test_letters_are_joined_where_their_script_joins_them() -> None:
    parted = shape_text("\N{ZERO WIDTH NON-JOINER}".join("محمد"))
    assert shape_text("محمد").advance != parted.advance
    assert shape_text("क्ष").advance < shape_text("कष").advance + 1


def test_text_is_in_visual_order_from_right_to_left() -> None:
    name, after = shape_text("שלום"), shape_text("שלום Ben")
    # Hebrew comes first, so it is on the right; each part stays as it is.
    assert after.glyphs[:3] == shape_text("Ben ").glyphs
    assert after.advance == pytest.approx(name.advance + shape_text(" Ben").advance, abs=1)
    numbered = shape_text("نیلوفر 12")
    assert numbered.glyphs[:2] == shape_text("12").glyphs


def test_accents_are_on_their_letters() -> None:
    assert drawable_text("Mu\u0308ller") == "Müller"
    assert is_plain("Müller", bold=True)
    marked = shape_text("q\u0308")  # no letter of its own: the font's marks are placed
    assert marked.advance == pytest.approx(shape_text("q").advance)
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
