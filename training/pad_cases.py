"""Training examples of the mark classifier for pads: patches of filled sheets and of an empty one.

    PYTHONPATH=. python -m training.pad_cases FOLDER --sheets 300 --seed 1

The files have the format of `training.cases`; the marks are random, or those of whole games with
``--filled games``. The sheets lie flat below the camera, which takes a tenth of the time, because
registration is not trained here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
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
from training.cases import Case, choose_filling, make_case, write_files
from training.commands import parse_options, set_up_django
from training.filled_pages import Filling
from training.fonts import TRAINING, VALIDATION, families
from training.pad_pages import PX_PER_MM, Fonts
from training.pads import SyntheticPad, choose_pad, fill_pad, play_pad

SHEETS_PER_PAD: Final = 3
"""Number of filled sheets per pad."""

_FIELD_PX: Final = (45.0, 170.0)
"""Range of a field's width in the photo, in pixels."""

_SHARES: Final = (0.25, 0.45, 0.3)
"""Share of photos by grade."""

_DARK_SHARE: Final = 0.15
"""Share of pads that are redrawn until their fields are darker than their print; some of the others
are dark as well."""

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


def make_sheet_case(
    rng: Generator, pad: SyntheticPad, empty: Template, filling: Filling, filled: str
) -> Case:
    """Make the example of a filled sheet, with the empty sheet as reference."""
    grade = str(rng.choice(GRADES, p=_SHARES))
    marked = play_pad(rng, pad.level, filling) if filled == "games" else None
    picture, truth = fill_pad(rng, pad, filling, marked)
    photo = PadForm(pad.level, photograph_flat(rng, pad, picture, grade)).picture
    flat = PadForm(pad.level, empty)
    shifts = {name: tuple(rng.normal(0, _OFF_MM, 2).tolist()) for name in pad.boxes}
    sampler = PhotoSampler(photo, np.eye(3), WarpModel(flat.box))
    rectified = RectifiedSheet(photo, sampler, shifts, {}, 1.0, 1.0, 0.0, 0.0, FLAT_PX_PER_MM)  # type: ignore[arg-type]
    return make_case(flat, pad_patches(rectified, flat), truth)


def make_sheets(
    seed: int, fonts: Fonts, filling: Filling, filled: str = "chance"
) -> Iterator[Case]:
    """Yield examples of filled sheets without end, `SHEETS_PER_PAD` of each pad.

    Args:
        filled: one of `FILLED`.
    """
    for number in count():
        if number % SHEETS_PER_PAD == 0:
            rng = np.random.default_rng([seed, number, 0])
            pad = choose_pad(rng, fonts)
            is_wanted_dark = np.random.default_rng([seed, number, 2]).random() < _DARK_SHARE
            while is_wanted_dark and not pad.page.is_dark:
                pad = choose_pad(rng, fonts)
            empty = photograph_flat(rng, pad, pad.page.picture, str(rng.choice(GRADES[:2])))
            scale = min(1.0, FIELD_PX / empty.field_px)
            small = cv2.resize(empty.picture, None, fx=scale, fy=scale,
                               interpolation=cv2.INTER_AREA)  # fmt: skip
            empty = replace(
                empty, picture=small, field_px=empty.field_px * scale,
                first=(empty.first[0] * scale, empty.first[1] * scale),
            )  # fmt: skip
        rng = np.random.default_rng([seed, number, 1])
        yield make_sheet_case(rng, pad, empty, filling, filled)


def main() -> None:
    """Write files of examples."""
    options = parse_options("--sheets", 300, has_filled=True)
    fonts = families(VALIDATION if options.validation else TRAINING)
    filling = choose_filling(options.filled, options.validation)
    sheets = make_sheets(options.seed, fonts, filling, options.filled)
    write_files(options.output, options.seed, islice(sheets, options.sheets))


if __name__ == "__main__":
    set_up_django()
    main()
