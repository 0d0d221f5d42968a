"""Accuracy and CPU time of reading photos of pads: empty sheets and filled ones.

The sheets are random (`training/pad_pages.py`, `training/pads.py`), with fonts and symbols that the
networks were not trained on, and photographed by `training/camera.py`. Filled sheets are read with
one easy photo of the empty sheet; the question which way is up gets the right answer. The CPU time
is compared with the minimum work in the same run, as in `bench/printed_photos.py`. The same seed
gives the same photos if the same fonts are installed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.printed_photos import Counts, marks_of, print_counts, print_row  # noqa: E402  first: settings

# isort: split

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from sheets.vision.decoding import upright_size  # noqa: E402
from sheets.vision.evaluation import Evaluation, TrueMarks, format_evaluations  # noqa: E402
from sheets.vision.pads.empty_sheet_reading import EmptySheetReading, FieldReading, read_empty_sheet  # noqa: E402
from sheets.vision.pads.evaluation import (  # noqa: E402
    EmptySheetEvaluation,
    FieldPair,
    TrueField,
    format_empty_evaluations,
)
from sheets.vision.pads.filled_sheet_reading import read_filled_sheet  # noqa: E402
from sheets.vision.pads.template import Template, align, make_template  # noqa: E402
from sheets.vision.quarter_turns import turns_until_upright  # noqa: E402
from sheets.vision.timing import measure_relative_time  # noqa: E402
from training.camera import GRADES, Shot, photograph  # noqa: E402
from training.filled_pages import Filling  # noqa: E402
from training.fonts import HELD_OUT, families  # noqa: E402
from training.pad_pages import PX_PER_MM, DrawnField, Fonts, Page, draw_page  # noqa: E402
from training.pads import SyntheticPad, choose_pad, fill_pad  # noqa: E402
from training.symbols import HELD_OUT as HELD_OUT_SYMBOLS  # noqa: E402

MEGAPIXELS: Final = 12.0
"""Size of the photos."""

MAX_DISTANCE: Final = 0.35
"""Maximum distance between the drawn middle of a field and the found one, in field widths."""

MIN_FITTED: Final = 12
"""Minimum number of fields found to estimate how the paper is curled."""

SHEETS: Final = 2
"""Number of filled sheets of each pad."""


def main() -> None:
    """Print a column for each grade."""
    parser = ArgumentParser()
    parser.add_argument("--photos", type=int, default=12, help="of empty sheets, of each grade")
    parser.add_argument("--filled", type=int, default=6, help="pads with filled sheets")
    parser.add_argument("--seed", type=int, default=5000, help="of the first photo")
    parser.add_argument("--grades", nargs="+", choices=GRADES, default=GRADES)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = families(HELD_OUT)
    if missing := [font for font in HELD_OUT if font not in fonts]:
        print("the photos differ, because these fonts are missing:", *missing)
    empty = [EmptySheets(grade) for grade in options.grades]
    filled = [FilledSheets(grade) for grade in options.grades]
    for sheets in empty:
        for number in range(options.photos):
            sheets.add_photo(options.seed + number, fonts)
    print(format_empty_evaluations({one.grade: one.evaluation for one in empty}))
    for pads in filled:
        for number in range(options.filled):
            pads.add_pad(options.seed + number, fonts)
    print_filled(filled)


# Empty sheets ------------------------------------------------------------------------------------


@dataclass
class EmptySheets:
    """Results of the photos of empty sheets, of one grade."""

    grade: str
    evaluation: EmptySheetEvaluation = field(default_factory=EmptySheetEvaluation)

    def add_photo(self, seed: int, fonts: Fonts) -> None:
        """Draw an empty sheet, read a photo of it, and compare the reading with the drawing."""
        rng = np.random.default_rng([seed, GRADES.index(self.grade)])
        page = draw_page(rng, fonts, HELD_OUT_SYMBOLS)
        shot = photograph(rng, page.picture, PX_PER_MM, self.grade, MEGAPIXELS)
        sheet, times = measure_relative_time(shot.jpeg, lambda: read_empty_sheet(shot.jpeg))
        self.evaluation.times.append(times)
        fields = [truth_of(drawn) for drawn in page.fields.values()]
        if sheet.refused:
            self.evaluation.refuse(fields)
        else:
            self.evaluation.add(fields, *match(page, shot, sheet))


def truth_of(drawn: DrawnField) -> TrueField:
    """Return the ground truth of a drawn field."""
    return TrueField(drawn.digit, drawn.symbol)


def match(
    page: Page, shot: Shot, sheet: EmptySheetReading
) -> tuple[list[FieldPair], list[FieldReading]]:
    """Return pairs of a field and its reading, and the readings that are no field."""
    height, width = page.picture.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) / PX_PER_MM
    wide, high = upright_size(shot.jpeg)
    scale = (wide * high / MEGAPIXELS / 1e6) ** 0.5  # a messenger may have reduced the photo
    to_page = cv2.getPerspectiveTransform((shot.corners * scale).astype(np.float32), corners)
    seen = np.array([one.corners.mean(0) for one in sheet.fields])
    at = cv2.perspectiveTransform(seen[None], to_page)[0]
    found = match_nearest(page, at)
    while len(found) >= MIN_FITTED and len(found) < len(page.fields):
        more = match_nearest(page, flatten(page, at, found))
        if len(more) <= len(found):
            break
        found = more
    pairs = [(truth_of(page.fields[name]), sheet.fields[i]) for name, i in found.items()]
    return pairs, [one for i, one in enumerate(sheet.fields) if i not in found.values()]


def match_nearest(page: Page, at: NDArray[np.float64]) -> dict[tuple[int, int], int]:
    """Return the nearest of some positions on the page, in millimetres, for each field near one."""
    found: dict[tuple[int, int], int] = {}
    for name, drawn in page.fields.items():
        distances = np.hypot(*(at - middle_of(drawn)).T) / drawn.box[2]
        i = int(distances.argmin())
        if distances[i] < MAX_DISTANCE and i not in found.values():
            found[name] = i
    return found


def flatten(
    page: Page, at: NDArray[np.float64], found: dict[tuple[int, int], int]
) -> NDArray[np.float64]:
    """Move positions on curled paper by a quadratic polynomial, fitted to the fields found."""
    x, y = ((at - at.mean(0)) / at.std(0)).T
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    chosen = list(found.values())
    true = np.array([middle_of(page.fields[name]) for name in found])
    moves, *_ = np.linalg.lstsq(terms[chosen], true - at[chosen], rcond=None)
    return at + terms @ moves


def middle_of(drawn: DrawnField) -> NDArray[np.float64]:
    """Return the middle of a drawn field, in millimetres."""
    return np.array(drawn.box[:2]) + np.array(drawn.box[2:]) / 2


# Filled sheets -----------------------------------------------------------------------------------


@dataclass
class FilledSheets:
    """Results of the photos of filled sheets, of one grade."""

    grade: str
    evaluation: Evaluation = field(default_factory=Evaluation)
    counts: Counts = field(default_factory=Counts)
    unusable: int = 0
    turned: int = 0

    def add_pad(self, seed: int, fonts: Fonts) -> None:
        """Photograph the empty sheet of a pad, and read filled ones."""
        rng = np.random.default_rng([seed, GRADES.index(self.grade), 1])
        pad = choose_pad(rng, fonts)
        template = take_template(rng, pad)
        if template is None:
            self.unusable += 1
            return
        for _ in range(SHEETS):
            self._add_sheet(rng, pad, template)

    def _add_sheet(self, rng: np.random.Generator, pad: SyntheticPad, template: Template) -> None:
        """Compare the reading of a filled sheet with the ground truth."""
        picture, truth = fill_pad(rng, pad, Filling())
        shot = photograph(rng, picture, PX_PER_MM, self.grade, MEGAPIXELS)
        reading, times = measure_relative_time(
            shot.jpeg, lambda: read_filled_sheet(shot.jpeg, template, pad.level)
        )
        self.evaluation.times.append(times)
        if len(reading.turns) > 1:
            self.turned += 1
            turn = turns_until_upright(*(shot.corners[1] - shot.corners[0]))
            reading = read_filled_sheet(shot.jpeg, template, pad.level, turn)
        sheet = next((sheet for sheet in reading.sheets if not sheet.refused), None)
        if sheet is None:
            self.evaluation.refuse()
            return
        self.evaluation.add(sheet, TrueMarks(marks_of(truth).fields, {}))
        self.counts.add_fields(sheet, truth)


def take_template(rng: np.random.Generator, pad: SyntheticPad) -> Template | None:
    """Return the template of a pad from a photo of its empty sheet; None if the photo is bad."""
    empty = read_empty_sheet(
        photograph(rng, pad.page.picture, PX_PER_MM, GRADES[0], MEGAPIXELS).jpeg
    )
    if empty.refused:
        return None
    template = make_template(empty)
    return template if align(template, pad.level) else None


def print_filled(results: list[FilledSheets]) -> None:
    """Print the table of filled sheets."""
    print("\nfilled sheets")
    print(format_evaluations({one.grade: one.evaluation for one in results}))
    print_counts([one.counts for one in results])
    print_row("empty unusable", [str(one.unusable) for one in results])
    print_row("asked what is up", [str(one.turned) for one in results])


if __name__ == "__main__":
    main()
