"""Does the same number draw the same font, however its packages lie in their folder?"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.scanning.unknown_shots import FONTS
from training.fonts import families
from training.foreign import draw_page

STEMS = ("Second", "First")
OWN = FONTS["Nunito"][0]
BOLD = OWN.with_name("Nunito-SemiBold.ttf")


def lay_out(folder: Path, files: dict[str, Path]) -> Path:
    for name, file in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / name)
    return folder


def test_fonts_are_drawn_alike_wherever_they_lie(tmp_path: Path) -> None:
    as_one = {"a/First.otf": OWN, "a/Second-Bold.ttf": OWN, "b/Second-Thin.ttf": BOLD}
    as_other = {"z/Second-Bold.otf": OWN, "a/Second-Thin.otf": BOLD, "x/y/First.ttf": OWN,
                "Second-Thin.ttf": BOLD, "Third.ttf": BOLD}  # fmt: skip
    fonts = [
        families(STEMS, lay_out(tmp_path / str(i), files))
        for i, files in enumerate((as_one, as_other))
    ]
    for one in fonts:
        assert [(family, [file.stem for file in files]) for family, files in one.items()] == [
            ("Second", ["Second-Bold", "Second-Thin"]), ("First", ["First"]),
        ]  # fmt: skip
    for seed in range(3):
        pages = [draw_page(np.random.default_rng(seed), one).picture for one in fonts]
        assert (pages[0] == pages[1]).all()


def test_a_folder_without_them_says_where_to_read_on(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="docs"):
        families(STEMS, tmp_path)
