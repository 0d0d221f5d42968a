"""Training examples of the mark classifier for pads: patches of filled sheets and of an empty one.

    PYTHONPATH=. python -m training.pad_cases FOLDER --sheets 300 --seed 1

The files have the format of `training.cases`; the marks are random, or those of whole games with
``--filled games``. The sheets lie flat below the camera, which takes a tenth of the time, because
registration is not trained here. With ``--usual`` the files are for `training.compare_weights`.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator

from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pads.pad_patches import pad_patches
from sheets.vision.pads.rectification import FIELD_PX
from sheets.vision.pads.template import Template, grid_positions
from sheets.vision.pixels import Picture
from sheets.vision.rectification import PX_PER_MM as FLAT_PX_PER_MM
from sheets.vision.rectification import PhotoSampler, RectifiedSheet, WarpModel
from training.camera import GRADES, apply_camera
from training.cases import Case, make_case, training_filling, write_files
from training.filled_pages import Filling
from training.fonts import TRAINING, VALIDATION, families
from training.games import FILLED
from training.pad_pages import PX_PER_MM, Fonts
from training.pads import SyntheticPad, choose_pad, fill_pad, play_pad

SHEETS_PER_PAD: Final = 3
"""Number of filled sheets per pad."""

_FIELD_PX: Final = (45.0, 170.0)
"""Range of a field's width in the photo, in pixels."""

_OFF_MM: Final = 0.09
"""Standard deviation of a field's registration error in millimetres."""


def photograph_flat(rng: Generator, pad: SyntheticPad, picture: Picture, grade: str) -> Template:
    """Photograph a flat sheet and return it as the template of an empty sheet."""
    x, y, side, _height = next(iter(pad.boxes.values()))
    column, row = grid_positions(pad.level)[next(iter(pad.boxes))]
    wide = float(rng.uniform(*_FIELD_PX))
    scale = wide / (side * PX_PER_MM)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    photo = apply_camera(
        rng, cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), grade
    )
    first = tuple(
        ((at + side / 2) * PX_PER_MM - position * side * PX_PER_MM) * scale
        for at, position in ((x, column), (y, row))
    )
    return Template(photo, b"", wide, first, (1.0, 1.0), {})  # type: ignore[arg-type]


@dataclass(frozen=True)
class PadOptions:
    """Kind of sheets to make: ``filled`` is one of `FILLED`, ``shares`` are those of `GRADES`.

    ``dark`` is the share of pads that are redrawn until their fields are darker than their print;
    the others are random. ``is_usual``: taken-back crosses and strays are as frequent as on real
    sheets.
    """

    filled: str = "chance"
    shares: tuple[float, ...] = (0.25, 0.45, 0.3)
    dark: float = 0.0
    is_usual: bool = False


def make_sheet_case(rng: Generator, pad: SyntheticPad, empty: Template, wanted: PadOptions) -> Case:
    """Make the example of a filled sheet, with the empty sheet as reference."""
    grade = str(rng.choice(GRADES, p=wanted.shares))
    filling = Filling() if wanted.is_usual else training_filling(wanted.filled)
    marked = play_pad(rng, pad.level, filling) if wanted.filled == "games" else None
    picture, truth = fill_pad(rng, pad, filling, marked)
    filled = PadForm(pad.level, photograph_flat(rng, pad, picture, grade)).picture
    flat = PadForm(pad.level, empty)
    shifts = {name: tuple(rng.normal(0, _OFF_MM, 2).tolist()) for name in pad.boxes}
    sampler = PhotoSampler(filled, np.eye(3), WarpModel(flat.box))
    rectified = RectifiedSheet(filled, sampler, shifts, {}, 1.0, 1.0, 0.0, 0.0, FLAT_PX_PER_MM)  # type: ignore[arg-type]
    return make_case(flat, pad_patches(rectified, flat), truth, grade, frozenset())


def make_cases(seed: int, sheets: int, fonts: Fonts, wanted: PadOptions) -> Iterator[list[Case]]:
    """Yield examples of filled sheets, `SHEETS_PER_PAD` of each pad."""
    for number in range(sheets):
        if number % SHEETS_PER_PAD == 0:
            rng = np.random.default_rng([seed, number, 0])
            pad = choose_pad(rng, fonts)
            chance = np.random.default_rng([seed, number, 2]).random()
            is_wanted = chance < wanted.dark
            while is_wanted and not pad.page.is_dark:
                pad = choose_pad(rng, fonts)
            empty = photograph_flat(rng, pad, pad.page.picture, str(rng.choice(GRADES[:2])))
            scale = min(1.0, FIELD_PX / empty.field_px)
            small = cv2.resize(empty.picture, None, fx=scale, fy=scale,
                               interpolation=cv2.INTER_AREA)  # fmt: skip
            empty = replace(
                empty, picture=small, field_px=empty.field_px * scale,
                first=(empty.first[0] * scale, empty.first[1] * scale),
            )  # fmt: skip
        yield [make_sheet_case(np.random.default_rng([seed, number, 1]), pad, empty, wanted)]


def main() -> None:
    """Write files of examples."""
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheets", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    usual = PadOptions()
    parser.add_argument("--filled", choices=FILLED, default=usual.filled, help="by what")
    parser.add_argument("--dark", type=float, default=usual.dark, help="share of dark pads")
    parser.add_argument("--shares", type=float, nargs=3, default=usual.shares, help="of each grade")
    parser.add_argument("--usual", action="store_true", help="rare marks as rare as on real sheets")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = families(VALIDATION if options.usual else TRAINING)
    wanted = PadOptions(options.filled, tuple(options.shares), options.dark, options.usual)
    found = make_cases(options.seed, options.sheets, fonts, wanted)
    write_files(options.folder, options.seed, found, options.sheets)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    import django

    django.setup()
    sys.exit(main())
