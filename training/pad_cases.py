"""What the reader of pads learns from: patches of leaves beside those of an empty one.

    PYTHONPATH=. python -m training.pad_cases FOLDER --leaves 300 --seed 1

writes files as `training.cases` does, and fills leaves in as it does: by chance, or by whole games
with ``--filled games``. Leaves lie flat below the camera: where fields are is not what is learnt
here, and this takes a tenth of the time. With ``--usual`` they are for `training.compare`.
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

from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import PX_PER_MM as FLAT_PX_PER_MM
from sheets.scanning.straighten import Bend, Lens, Straight
from sheets.scanning.unknown.beside import look_beside
from sheets.scanning.unknown.flat import FIELD_PX
from sheets.scanning.unknown.pad import Pad as FlatPad
from sheets.scanning.unknown.template import Template, places_of
from training.camera import GRADES, develop
from training.cases import Case, case_of, doubtful, write_files
from training.fonts import HELD_OUT, LEARNT, families
from training.foreign import PX_PER_MM, Fonts
from training.games import FILLED
from training.pads import Pad, choose_pad, fill_pad, play_pad
from training.papers import Filling

LEAVES_A_PAD: Final = 3
_FIELD_PX: Final = (45.0, 170.0)
"""How wide a field is in a photo."""

_OFF_MM: Final = 0.09
"""How far off a field is found."""


def lay(rng: Generator, pad: Pad, picture: Picture, grade: str) -> Template:
    """A photo of a leaf that lies flat, as if it were an empty sheet's."""
    x, y, side, _height = next(iter(pad.boxes.values()))
    column, row = places_of(pad.level)[next(iter(pad.boxes))]
    wide = float(rng.uniform(*_FIELD_PX))
    scale = wide / (side * PX_PER_MM)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    photo = develop(rng, cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), grade)
    first = tuple(
        ((at + side / 2) * PX_PER_MM - place * side * PX_PER_MM) * scale
        for at, place in ((x, column), (y, row))
    )
    return Template(photo, b"", wide, first, (1.0, 1.0), {})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Wanted:
    """Which leaves: ``filled`` is one of `FILLED`, ``shares`` are those of `GRADES`.

    ``dark`` is the share of pads that are looked for until their fields are darker than their
    print; of the others as many are as come by chance. ``is_usual``: no more is doubtful on them
    than people leave behind, and their fonts are kept from whoever learns.
    """

    filled: str = "chance"
    shares: tuple[float, ...] = (0.25, 0.45, 0.3)
    dark: float = 0.0
    is_usual: bool = False


def make_leaf(rng: Generator, pad: Pad, empty: Template, wanted: Wanted) -> Case:
    """A leaf that was filled in, beside an empty one."""
    grade = str(rng.choice(GRADES, p=wanted.shares))
    filling = Filling() if wanted.is_usual else doubtful(wanted.filled)
    marked = play_pad(rng, pad.level, filling) if wanted.filled == "games" else None
    picture, truth = fill_pad(rng, pad, filling, marked)
    seen = FlatPad(pad.level, lay(rng, pad, picture, grade)).picture
    flat = FlatPad(pad.level, empty)
    shifts = {name: tuple(rng.normal(0, _OFF_MM, 2).tolist()) for name in pad.boxes}
    lens = Lens(seen, np.eye(3), Bend(flat.box))
    straight = Straight(seen, lens, shifts, {}, 1.0, 1.0, 0.0, 0.0, FLAT_PX_PER_MM)  # type: ignore[arg-type]
    return case_of(flat, look_beside(straight, flat), truth, grade, frozenset())


def make_cases(seed: int, leaves: int, fonts: Fonts, wanted: Wanted) -> Iterator[list[Case]]:
    """So many leaves, some of each pad."""
    for number in range(leaves):
        if number % LEAVES_A_PAD == 0:
            rng = np.random.default_rng([seed, number, 0])
            pad = choose_pad(rng, fonts)
            chance = np.random.default_rng([seed, number, 2]).random()
            is_wanted = chance < wanted.dark
            while is_wanted and not pad.page.is_dark:
                pad = choose_pad(rng, fonts)
            empty = lay(rng, pad, pad.page.picture, str(rng.choice(GRADES[:2])))
            scale = min(1.0, FIELD_PX / empty.field_px)
            small = cv2.resize(empty.picture, None, fx=scale, fy=scale,
                               interpolation=cv2.INTER_AREA)  # fmt: skip
            empty = replace(
                empty, picture=small, field_px=empty.field_px * scale,
                first=(empty.first[0] * scale, empty.first[1] * scale),
            )  # fmt: skip
        yield [make_leaf(np.random.default_rng([seed, number, 1]), pad, empty, wanted)]


def main() -> None:
    """Write files of cases."""
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leaves", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    usual = Wanted()
    parser.add_argument("--filled", choices=FILLED, default=usual.filled, help="by what")
    parser.add_argument("--dark", type=float, default=usual.dark, help="share of dark pads")
    parser.add_argument("--shares", type=float, nargs=3, default=usual.shares, help="of each grade")
    parser.add_argument("--usual", action="store_true", help="as people do, in fonts held out")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = families(HELD_OUT if options.usual else LEARNT)
    wanted = Wanted(options.filled, tuple(options.shares), options.dark, options.usual)
    found = make_cases(options.seed, options.leaves, fonts, wanted)
    write_files(options.folder, options.seed, found, options.leaves)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    import django

    django.setup()
    sys.exit(main())
