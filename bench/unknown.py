"""Accuracy and CPU time of reading photos of pads: empty sheets and filled ones.

The sheets are random (`training/foreign.py`, `training/pads.py`), with fonts and symbols that the
networks were not trained on, and photographed by `training/camera.py`. Filled sheets are read with
one easy photo of the empty sheet; the question which way is up gets the right answer. The CPU time
is compared with the minimum work in the same run, as in `bench/scanning.py`. The same seed gives
the same photos if the same fonts are installed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.scanning import Counts, marks_of, print_counts, print_row  # noqa: E402  first: settings

# isort: split

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from sheets.scanning.checked import Check, OnPaper, format_checks  # noqa: E402
from sheets.scanning.photos import upright_size  # noqa: E402
from sheets.scanning.reading import SURE  # noqa: E402
from sheets.scanning.timed import beside_floor  # noqa: E402
from sheets.scanning.unknown.filled import read_filled  # noqa: E402
from sheets.scanning.unknown.found import turn_until_upright  # noqa: E402
from sheets.scanning.unknown.reading import NewField, NewSheet, read_new  # noqa: E402
from sheets.scanning.unknown.template import Template, align, make_template  # noqa: E402
from training.camera import GRADES, Shot, photograph  # noqa: E402
from training.fonts import HELD_OUT, families  # noqa: E402
from training.foreign import PX_PER_MM, Drawn, Fonts, Page, draw_page  # noqa: E402
from training.pads import Pad, choose_pad, fill_pad  # noqa: E402
from training.papers import Filling  # noqa: E402
from training.symbols import HELD_OUT as HELD_OUT_SYMBOLS  # noqa: E402

MEASURED: Final = GRADES[:2]
"""Grades of the photos."""

MEGAPIXELS: Final = 12.0
"""Size of the photos."""

MAX_DISTANCE: Final = 0.35
"""Maximum distance between the middle of a field and where it was found, in fields."""

SHEETS: Final = 2
"""Number of filled sheets of each pad."""

COUNTED: Final = (
    *("fields", "phantoms asked about", "phantoms not asked about", "groups", "symbols"),
)
"""Counts of empty sheets that are printed as they are; phantoms are found fields that are none."""


def main() -> None:
    """Print a column for each grade."""
    parser = ArgumentParser()
    parser.add_argument("--photos", type=int, default=12, help="of empty sheets, of each grade")
    parser.add_argument("--filled", type=int, default=6, help="pads with filled sheets")
    parser.add_argument("--seed", type=int, default=5000, help="of the first photo")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = families(HELD_OUT)
    if missing := [font for font in HELD_OUT if font not in fonts]:
        print("the photos differ, because these fonts are missing:", *missing)
    empty = [EmptySheets(grade) for grade in MEASURED]
    filled = [FilledSheets(grade) for grade in MEASURED]
    for sheets in empty:
        for number in range(options.photos):
            sheets.add_photo(options.seed + number, fonts)
    print_empty(empty)
    for pads in filled:
        for number in range(options.filled):
            pads.add_pad(options.seed + number, fonts)
    print_filled(filled)


# Empty sheets ------------------------------------------------------------------------------------


@dataclass
class EmptySheets:
    """Results of the photos of one grade."""

    grade: str
    counts: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)

    def add_photo(self, seed: int, fonts: Fonts) -> None:
        """Draw an empty sheet, photograph and read it, and compare both."""
        rng = np.random.default_rng([seed, GRADES.index(self.grade)])
        page = draw_page(rng, fonts, HELD_OUT_SYMBOLS)
        shot = photograph(rng, page.picture, PX_PER_MM, self.grade, MEGAPIXELS)
        sheet, times = beside_floor(shot.jpeg, lambda: read_new(shot.jpeg))
        if times is not None:
            self.times.append(times)
        self.counts["sheets"] += 1
        self.counts["fields"] += len(page.fields)
        self.counts["digits"] += sum(one.digit is not None for one in page.fields.values())
        if sheet.refused:
            self.counts["refused"] += 1
            return
        pairs, phantoms = match(page, shot, sheet)
        for one in phantoms:
            is_sure = one.digit is not None and one.sure >= SURE
            self.counts["phantoms not asked about" if is_sure else "phantoms asked about"] += 1
        self.counts["found"] += len(pairs)
        for drawn, seen in pairs:
            if drawn.digit is not None:
                self.counts["right"] += seen.digit == drawn.digit
                self.counts["asked"] += seen.sure < SURE
            self.counts["sure wrong"] += seen.digit != drawn.digit and seen.sure >= SURE
        self._add_groups(pairs)

    def _add_groups(self, pairs: list[tuple[Drawn, NewField]]) -> None:
        """Count pairs of fields in one group, if at least one of the two has a symbol."""
        self.counts["groups"] += len({seen.group for _drawn, seen in pairs})
        self.counts["symbols"] += len({drawn.symbol for drawn, _seen in pairs})
        for (drawn, seen), (other, other_seen) in combinations(pairs, 2):
            if drawn.symbol is None and other.symbol is None:
                continue
            is_like = drawn.symbol == other.symbol
            self.counts["like" if is_like else "unlike"] += 1
            self.counts["together" if is_like else "mixed"] += seen.group == other_seen.group

    def share(self, part: str, whole: str) -> str:
        """Return a share in percent."""
        return f"{100 * self.counts[part] / max(1, self.counts[whole]):.2f} %"


def match(
    page: Page, shot: Shot, sheet: NewSheet
) -> tuple[list[tuple[Drawn, NewField]], list[NewField]]:
    """Return each field with the one that was found there, and the found ones that are none."""
    height, width = page.picture.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) / PX_PER_MM
    wide, high = upright_size(shot.jpeg)
    scale = (wide * high / MEGAPIXELS / 1e6) ** 0.5  # a messenger may have reduced the photo
    to_page = cv2.getPerspectiveTransform((shot.corners * scale).astype(np.float32), corners)
    seen = np.array([one.corners.mean(0) for one in sheet.fields])
    at = cv2.perspectiveTransform(seen[None], to_page)[0]
    rest = dict(enumerate(sheet.fields))
    pairs = []
    for drawn in page.fields.values():
        middle = np.array(drawn.box[:2]) + np.array(drawn.box[2:]) / 2
        distances = np.hypot(*(at - middle).T) / drawn.box[2]
        i = int(distances.argmin())
        if distances[i] < MAX_DISTANCE and i in rest:
            pairs.append((drawn, rest.pop(i)))
    return pairs, list(rest.values())


def print_empty(results: list[EmptySheets]) -> None:
    """Print the table of empty sheets."""
    print("empty sheets".ljust(30) + "".join(f"{one.grade:>12}" for one in results))
    for label, part, whole in (
        ("sheets refused", "refused", "sheets"),
        ("fields found", "found", "fields"),
        ("digits right", "right", "digits"),
        ("sure and wrong", "sure wrong", "digits"),
        ("digits to ask about", "asked", "digits"),
        ("like symbols together", "together", "like"),
        ("unlike symbols together", "mixed", "unlike"),
    ):
        print_row(label.ljust(30), [one.share(part, whole) for one in results])
    for label in COUNTED:
        print_row(label.ljust(30), [str(one.counts[label]) for one in results])
    for label, share in (("time / minimum, p95", 0.95), ("its median", 0.5)):
        cells = [f"{np.quantile(one.times or [0], share):.1f}" for one in results]
        print_row(label.ljust(30), cells)


# Filled sheets -----------------------------------------------------------------------------------


@dataclass
class FilledSheets:
    """Results of the pads of one grade."""

    grade: str
    check: Check = field(default_factory=Check)
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

    def _add_sheet(self, rng: np.random.Generator, pad: Pad, template: Template) -> None:
        """Compare the reading of a filled sheet with what is on it."""
        picture, truth = fill_pad(rng, pad, Filling())
        shot = photograph(rng, picture, PX_PER_MM, self.grade, MEGAPIXELS)
        reading, times = beside_floor(
            shot.jpeg, lambda: read_filled(shot.jpeg, template, pad.level)
        )
        self.check.time(times)
        if len(reading.turns) > 1:
            self.turned += 1
            turn = turn_until_upright(*(shot.corners[1] - shot.corners[0]))
            reading = read_filled(shot.jpeg, template, pad.level, turn)
        sheet = next((sheet for sheet in reading.sheets if not sheet.refused), None)
        if sheet is None:
            self.check.refuse()
            return
        self.check.add(sheet, OnPaper(marks_of(truth).fields, {}))
        self.counts.add_fields(sheet, truth)


def take_template(rng: np.random.Generator, pad: Pad) -> Template | None:
    """Return the empty sheet from a photo, if the photo is good enough to make a level of it."""
    empty = read_new(photograph(rng, pad.page.picture, PX_PER_MM, GRADES[0], MEGAPIXELS).jpeg)
    if empty.refused:
        return None
    template = make_template(empty)
    return template if align(template, pad.level) else None


def print_filled(results: list[FilledSheets]) -> None:
    """Print the table of filled sheets."""
    print("\nfilled sheets")
    print(format_checks({one.grade: one.check for one in results}))
    print_counts([one.counts for one in results])
    print_row("empty unusable", [str(one.unusable) for one in results])
    print_row("asked what is up", [str(one.turned) for one in results])


if __name__ == "__main__":
    main()
