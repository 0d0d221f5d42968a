"""Accuracy and CPU time of reading photos of filled sheets that the app printed.

The photos are synthetic (`training/`), of every grade, with two sheets each of the shipped levels;
the network was trained on other levels. Bots have played the games on the sheets, so all marks are
legal, except for crosses taken back and stray marks. The accuracy is compared with a baseline, one
darkness threshold on the rectified sheets. The CPU time is compared with the minimum work in the
same run (`sheets/vision/timing.py`), for photos that kept their 12 megapixels. The same seed gives
the same photos.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

from sheets.http.process_pool import ONE_THREAD  # noqa: E402

os.environ.update(ONE_THREAD)  # as on the site; the CPU time of waiting threads would count

import django  # noqa: E402

django.setup()

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from sheets.levels import shipped_levels  # noqa: E402
from sheets.printing.geometry import PageOptions  # noqa: E402
from sheets.rules.level import SHAPES, Level  # noqa: E402
from sheets.rules.paper_scoring import score_paper  # noqa: E402
from sheets.scoring.marks import read_paper  # noqa: E402
from sheets.vision.evaluation import Evaluation, TrueMarks, format_evaluations, format_table  # noqa: E402
from sheets.vision.mark_kinds import CIRCLED, CROSS, EMPTY, EXPLODED, TAKEN_BACK  # noqa: E402
from sheets.vision.patches import SheetPatches  # noqa: E402
from sheets.vision.reading import MIN_CONFIDENCE, SheetReading, read_photo  # noqa: E402
from sheets.vision.timing import measure_relative_time  # noqa: E402
from training.camera import GRADES, photograph  # noqa: E402
from training.filled_pages import PX_PER_MM, Filling, Truth, fill_page  # noqa: E402
from training.games import play_sheet  # noqa: E402

LEVELS: Final = list(shipped_levels().values())
"""Levels of the sheets."""

PRINT_OPTIONS: Final[Sequence[dict[str, Any]]] = ({}, {"bw": True}, {"paper": "letter"})
"""Options of the prints, in turn."""

INK: Final = 0.22
"""Baseline: minimum darkness of ink, compared with the unmarked sheet."""

CROSS_SHARE, SCRIBBLE_SHARE = 0.05, 0.35
"""Baseline: shares of a field above which ink is a cross, or an exploded bomb."""


def main() -> None:
    """Print a column for each grade."""
    parser = ArgumentParser()
    parser.add_argument("--photos", type=int, default=6, help="of each grade")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    results = {grade: Result() for grade in GRADES}
    for grade, result in results.items():
        for seed in range(options.seed, options.seed + options.photos):
            result.add_photo(*take(seed, grade))
    counts = [result.counts for result in results.values()]
    print(format_evaluations({grade: result.evaluation for grade, result in results.items()}))
    print_row("baseline", [result.baseline.format() for result in results.values()])
    print_counts(counts)
    print_row("points as read", [one.as_read.format(1) for one in counts])
    print_row("after questions", [one.answered.format(1) for one in counts])
    print_row("questions", [f"{one.questions / max(1, one.as_read.total):.1f}" for one in counts])
    print("\ncalibration: right answers by confidence, all grades")
    print_calibration([result.evaluation for result in results.values()])


def take(seed: int, grade: str, filling: Filling | None = None) -> tuple[bytes, list[Truth]]:
    """Return a photo of 12 megapixels with two sheets, and the ground truth of them."""
    rng = np.random.default_rng([seed, GRADES.index(grade)])
    levels = [LEVELS[int(i)] for i in rng.integers(0, len(LEVELS), 2)]
    options = PageOptions(per_page=2, **PRINT_OPTIONS[seed % len(PRINT_OPTIONS)])
    filling = filling or Filling()
    marked = [play_sheet(rng, level, filling) for level in levels]
    page, truths = fill_page(rng, levels, options, filling, marked)
    return photograph(rng, page, PX_PER_MM, grade).jpeg, truths


@dataclass
class Share:
    """Part of a total."""

    part: int = 0
    total: int = 0

    def add(self, counts: bool) -> None:
        """Add one to the total and, if it ``counts``, also to the part."""
        self.part += counts
        self.total += 1

    def format(self, digits: int = 2) -> str:
        """Return the share in percent."""
        return f"{100 * self.part / max(1, self.total):.{digits}f} %"


@dataclass
class Counts:
    """Counts of fields and sheets of one grade.

    Attributes:
        right: fields that were read correctly.
        unsure: fields with too low confidence, about which the app asks.
        unsure_alone: the same, without the doubts that the rules of the game add.
        taken_back: fields with a cross taken back, about which the app asks.
        as_read: sheets with the right points before the questions.
        answered: sheets with the right points after the questions.
        questions: number of all questions.

    Fields with notes or stray marks are left out.
    """

    right: Share = field(default_factory=Share)
    unsure: Share = field(default_factory=Share)
    unsure_alone: Share = field(default_factory=Share)
    taken_back: Share = field(default_factory=Share)
    as_read: Share = field(default_factory=Share)
    answered: Share = field(default_factory=Share)
    questions: int = 0

    def add_fields(self, sheet: SheetReading, truth: Truth) -> None:
        """Compare the fields of a sheet with the ground truth."""
        without_rules = replace(sheet, layout=None).best()
        for at, (kind, sure) in sheet.best().items():
            if len(sheet.answers[at]) == 1 or at in truth.strays | truth.noted:
                continue
            if truth.fields[at] == TAKEN_BACK:
                self.taken_back.add(sure < MIN_CONFIDENCE)
                continue
            self.right.add(kind == truth.fields[at])
            self.unsure.add(sure < MIN_CONFIDENCE)
            self.unsure_alone.add(without_rules[at][1] < MIN_CONFIDENCE)

    def add_points(self, sheet: SheetReading, truth: TrueMarks) -> None:
        """Compare the points of a sheet as read, and after the questions, with the right ones."""
        best: dict[str, tuple[object, float]] = {**sheet.best(), **sheet.best_numbers()}
        right: dict[str, object] = {**truth.fields, **truth.numbers}
        asked = [at for at, (_value, sure) in best.items() if sure < MIN_CONFIDENCE]
        read = {at: value for at, (value, _sure) in best.items()}
        level = sheet.layout.level if sheet.layout else LEVELS[0]
        points = points_of(level, right)
        self.questions += len(asked)
        self.as_read.add(points_of(level, read) == points)
        self.answered.add(points_of(level, read | {at: right.get(at) for at in asked}) == points)


def points_of(level: Level, found: Mapping[str, object]) -> int:
    """Return the points of a sheet with these marks, in a game of several players."""
    marks = {
        at.replace("-", " ", 1): str(value)
        for at, value in found.items()
        if value is not None and value not in (EMPTY, "printed")
    }
    paper = read_paper(level, ["", ""], [marks, {}], False)
    return score_paper(paper).scores[0].total


def marks_of(truth: Truth) -> TrueMarks:
    """Return the marks of a correct reading: crosses taken back do not count."""
    fields = {
        name: EMPTY if kind in (TAKEN_BACK, "printed") else kind
        for name, kind in truth.fields.items()
    }
    numbers = {
        track: int(points)
        for track, some in truth.numbers.items()
        for points, how in some.items()
        if how == CIRCLED
    }
    return TrueMarks(fields, numbers)


class Result:
    """Results of one grade."""

    def __init__(self) -> None:
        self.evaluation, self.counts, self.baseline = Evaluation(), Counts(), Share()

    def add_photo(self, jpeg: bytes, truths: list[Truth]) -> None:
        """Read a photo, and compare the reading and the baseline with the truth."""
        reading, times = measure_relative_time(jpeg, lambda: read_photo(jpeg, LEVELS))
        self.evaluation.times.append(times)
        sheets = {sheet.place: sheet for sheet in reading.sheets}
        for truth in truths:
            sheet = sheets.get(truth.place)
            if sheet is None or sheet.refused or sheet.patches is None:
                self.evaluation.refuse()
                continue
            marks = marks_of(truth)
            self.evaluation.add(sheet, marks)
            self.counts.add_points(sheet, marks)
            self.counts.add_fields(sheet, truth)
            found = read_by_threshold(sheet.patches)
            for name, kind in truth.fields.items():
                if kind != "printed":
                    right = CROSS if marks.fields[name] in SHAPES else marks.fields[name]
                    self.baseline.add(found[name] == right)


def read_by_threshold(look: SheetPatches) -> dict[str, str]:
    """Return the kind of mark of each field, by the share that is darker than on an empty sheet."""
    found = {}
    for name, photo, printed in zip(look.names, look.photo, look.printed, strict=True):
        around = cv2.dilate(printed.mean(2), np.ones((3, 3), np.uint8))
        share = float(((photo.mean(2) - around)[9:31, 9:31] > INK).mean())
        found[name] = (
            EXPLODED if share > SCRIBBLE_SHARE else CROSS if share > CROSS_SHARE else EMPTY
        )
    return found


def print_row(label: str, cells: Sequence[str]) -> None:
    """Print a row below the table of `format_evaluations`."""
    print(format_table([(label, cells)]))


def print_counts(counts: Collection[Counts]) -> None:
    """Print the counts of fields."""
    print_row("right, clear", [one.right.format() for one in counts])
    print_row("unsure, clear", [one.unsure.format() for one in counts])
    print_row("without rules", [one.unsure_alone.format() for one in counts])
    print_row("taken back asked", [one.taken_back.format() for one in counts])


def print_calibration(checks: Iterable[Evaluation]) -> None:
    """Print how many answers of each range of confidence are right."""
    total: dict[float, list[float]] = {}
    for evaluation in checks:
        for end, count, percent in evaluation.reliability():
            sums = total.setdefault(end, [0, 0])
            sums[0] += count
            sums[1] += count * percent / 100
    for end, (fields, right) in sorted(total.items()):
        print(f"up to {end:<6} {fields:7.0f} fields {100 * right / fields:7.2f} %")


if __name__ == "__main__":
    main()
