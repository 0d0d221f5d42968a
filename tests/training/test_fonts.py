"""Reproducible choice of fonts, independent of the folders of their packages."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.vision.empty_sheet_shots import FONTS
from training.fonts import families
from training.pad_pages import draw_page

STEMS = ("Second", "First")
OWN = FONTS["Nunito"][0]
BOLD = OWN.with_name("Nunito-SemiBold.ttf")


def lay_out(folder: Path, files: dict[str, Path]) -> Path:
    for name, file in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / name)
    return folder


def test_choice_of_fonts_does_not_depend_on_their_folders(tmp_path: Path) -> None:
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


def test_a_folder_without_fonts_is_refused_with_a_pointer_to_the_docs(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="docs"):
        families(STEMS, tmp_path)
