"""Accuracy on real photos and on real pen strokes, which are not part of this repository.

    python bench/real.py FOLDER

FOLDER has three parts; a missing one is skipped:

- `sudoku/`: photos of sudokus, with `truth.json`. A sudoku is a printed grid with digits, like the
  empty sheet of a pad. It also has the digits 7 to 9, which the digit classifier must not mistake
  for others.
- `strokes.json`: strokes of letters by several people. They replace the simulated crosses and
  circles on synthetic photos of printed sheets.
- `forms/`: photos of sheets of other origin, which the app must refuse.

`docs/measuring-photos.md` describes the files.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.printed_photos import LEVELS, Counts, Share, marks_of, print_row, take  # noqa: E402  first: settings

# isort: split

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from numpy.random import Generator  # noqa: E402

from sheets.vision.decoding import decode_photo, upright_size  # noqa: E402
from sheets.vision.evaluation import Evaluation  # noqa: E402
from sheets.vision.mark_kinds import CIRCLED, CROSS  # noqa: E402
from sheets.vision.pads.digit_reading import DigitReading  # noqa: E402
from sheets.vision.pads.empty_sheet_reading import detect_sheet, read_empty_sheet  # noqa: E402
from sheets.vision.quarter_turns import turns_until_upright  # noqa: E402
from sheets.vision.reading import MIN_CONFIDENCE, read_photo  # noqa: E402
from training.camera import GRADES  # noqa: E402
from training.filled_pages import DrawMark, Filling  # noqa: E402
from training.marks import Hand, Strokes  # noqa: E402
from training.pens import Points, turned  # noqa: E402

SIDE: Final = 9
"""Fields of a row, and of a column, of a sudoku."""

MIN_DIGITS: Final = 0.08
"""Minimum share of fields with a digit from 1 to 6. A sudoku has fewer of them than a pad."""

MAX_DISTANCE: Final = 0.35
"""Maximum distance between the middle of a cell and the field that was found, in cells."""

KNOWN: Final = range(1, 7)
"""Digits that the classifier knows."""

DRAWINGS: Final = {CROSS: "x", CIRCLED: "o"}
"""Letter that is drawn as each kind of mark."""

JITTER_DEGREES, JITTER_SCALE = 6.0, 0.08
"""Standard deviations with which the repetitions of a mark by one person differ."""


def main() -> None:
    """Print a table for each part of the folder."""
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("--photos", type=int, default=12, help="with real strokes, of each grade")
    parser.add_argument("--seed", type=int, default=77000, help="of the first of these photos")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    folder = options.folder
    if folder is None or not folder.is_dir():
        print("skipped: these photos are not part of the repository, name their folder")
        return
    for part, measure in (
        ("sudoku/truth.json", measure_sudokus),
        ("forms", measure_forms),
        ("strokes.json", lambda path: measure_strokes(path, options.photos, options.seed)),
    ):
        if (folder / part).exists():
            measure(folder / part)
        else:
            print(f"skipped: {folder / part} is missing")


# Sudokus -----------------------------------------------------------------------------------------


@dataclass
class Sudokus:
    """Counts over all photos; a confident reading is a digit with 95 % confidence or more."""

    complete: Share = field(default_factory=Share)
    found: Share = field(default_factory=Share)
    upright: Share = field(default_factory=Share)
    right: Share = field(default_factory=Share)
    confident_wrong: Share = field(default_factory=Share)
    unknown_confident: Share = field(default_factory=Share)
    empty_confident: Share = field(default_factory=Share)

    def add(
        self, digits: Sequence[Sequence[int]], cells: Mapping[tuple[int, int], DigitReading]
    ) -> None:
        """Compare the fields that were found, by row and column, with the printed digits."""
        self.complete.add(len(cells) == SIDE * SIDE)
        for row in range(SIDE):
            for column in range(SIDE):
                cell = cells.get((row, column))
                self.found.add(cell is not None)
                if cell is not None:
                    self._add_digit(digits[row][column], cell)

    def _add_digit(self, true: int, cell: DigitReading) -> None:
        is_confident = cell.digit is not None and cell.confidence >= MIN_CONFIDENCE
        if true in KNOWN:
            self.right.add(cell.digit == true)
            self.confident_wrong.add(is_confident and cell.digit != true)
        elif true:
            self.unknown_confident.add(is_confident)
        else:
            self.empty_confident.add(is_confident)


def measure_sudokus(truth: Path) -> None:
    """Detect the grid of each sudoku and read its digits."""
    sudokus = Sudokus()
    for name, true in json.loads(truth.read_text()).items():
        data = truth.with_name(name).read_bytes()
        photo = decode_photo(data)
        corners = np.array(true["corners_px"], np.float32) * photo.shape[1] / upright_size(data)[0]
        found = detect_sheet(photo, MIN_DIGITS)
        cells: dict[tuple[int, int], DigitReading] = {}
        if found:
            quads = found.rectified.corners(found.rectified.positions)
            corners = orient(corners, quads, found.numbers, true["digits"])
            cells = assign_cells(corners, quads, found.numbers)
            sudokus.upright.add(is_upright(corners, quads))
        sudokus.add(true["digits"], cells)
        if len(cells) < SIDE * SIDE:
            print(f"{name}: {len(cells)} of {SIDE * SIDE} cells found")
    print("sudokus")
    for label, share in (
        ("grids complete", sudokus.complete),
        ("cells found", sudokus.found),
        ("upright, of the grids found", sudokus.upright),
        ("digits 1-6 right", sudokus.right),
        ("digits 1-6 confident but wrong", sudokus.confident_wrong),
        ("digits 7-9 confidently read as 1-6", sudokus.unknown_confident),
        ("empty cells confidently read as 1-6", sudokus.empty_confident),
    ):
        print_row(label.ljust(36), [share.format(), f"{share.part} of {share.total}"])


def to_grid(corners: Points) -> Points:
    """Return the homography from the photo to cells; ``corners`` as in `truth.json`."""
    ends = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, ends))


def orient(
    corners: Points,
    quads: Points,
    readings: Sequence[DigitReading],
    digits: Sequence[Sequence[int]],
) -> Points:
    """Return the corners, beginning with that of the top left digit.

    In some files they begin with another one: the orientation in the EXIF data is not that of the
    photo. The order with the most digits read correctly is the right one.
    """

    def count_right(turn: int) -> int:
        cells = assign_cells(np.roll(corners, turn, axis=0), quads, readings)
        return sum(digits[row][column] == cell.digit for (row, column), cell in cells.items())

    return np.roll(corners, max(range(4), key=count_right), axis=0)


def assign_cells(
    corners: Points, quads: Points, readings: Sequence[DigitReading]
) -> dict[tuple[int, int], DigitReading]:
    """Return the readings by row and column; readings elsewhere are left out.

    Args:
        corners: corners of the grid in the photo, 4 × 2.
        quads: corners of the fields that were found, N × 4 × 2.
        readings: reading of each of them.
    """
    middles = cv2.perspectiveTransform(quads.mean(1)[None], to_grid(corners))[0] - 0.5
    cells = {}
    for (x, y), reading in zip(middles, readings, strict=True):
        row, column = round(float(y)), round(float(x))
        is_near = np.hypot(x - column, y - row) < MAX_DISTANCE
        if is_near and 0 <= row < SIDE and 0 <= column < SIDE:
            cells[row, column] = reading
    return cells


def is_upright(corners: Points, quads: Points) -> bool:
    """Return whether the fields' top left corners are at the top left of the grid's cells."""
    ends = cv2.perspectiveTransform(quads.reshape(1, -1, 2), to_grid(corners))[0].reshape(-1, 4, 2)
    along = np.median(ends[:, 1] - ends[:, 0], axis=0)
    return turns_until_upright(*along) == 0


# Forms -------------------------------------------------------------------------------------------


def measure_forms(folder: Path) -> None:
    """Print how each photo of a foreign sheet is refused."""
    print("\nforeign sheets, as printed sheets and as the empty sheet of a pad")
    for path in sorted(folder.glob("*.jpg")):
        data = path.read_bytes()
        reading = read_photo(data, LEVELS)
        sheets = [sheet.refused or "read" for sheet in reading.sheets]
        printed = reading.refused or ", ".join(sheets)
        print_row(path.name.ljust(36), [printed, read_empty_sheet(data).refused or "read"])


# Strokes -----------------------------------------------------------------------------------------

People = Mapping[str, Sequence[Strokes]]
"""One drawing of a letter by each person, by letter."""


def measure_strokes(path: Path, photos: int, seed: int) -> None:
    """Read printed sheets with real crosses and circles: people mixed, and one person per sheet."""
    drawings: People = {
        letter: [normalised(person) for person in people]
        for letter, people in json.loads(path.read_text()).items()
    }
    for label, handwriting in (
        ("simulated strokes", None),
        ("real strokes, mixed on each sheet", lambda rng: mixed(drawings)),
        ("real strokes, one person per sheet", lambda rng: of_one_person(rng, drawings)),
    ):
        print(f"\n{label}")
        print_row("", GRADES)
        counts, evaluations = [], []
        for grade in GRADES:
            one, evaluation = read_with(Filling(handwriting=handwriting), grade, photos, seed)
            counts.append(one)
            evaluations.append(evaluation)
        print_row("right, clear", [one.right.format() for one in counts])
        print_row("asked, clear", [one.unsure.format() for one in counts])
        for name, what, how in (
            ("sure and wrong", "fields", "bad"),
            ("numbers right", "numbers", "right"),
            ("sheets refused", "sheets", "refused"),
        ):
            print_row(name, [f"{one.share(what, how) or 0:.2f} %" for one in evaluations])
        print_row("clear fields", [str(one.right.total) for one in counts])


def read_with(filling: Filling, grade: str, photos: int, seed: int) -> tuple[Counts, Evaluation]:
    """Read photos of one grade, and compare the readings with the truth."""
    counts, evaluation = Counts(), Evaluation()
    for number in range(seed, seed + photos):
        jpeg, truths = take(number, grade, filling)
        sheets = {sheet.number: sheet for sheet in read_photo(jpeg, LEVELS).sheets}
        for truth in truths:
            sheet = sheets.get(truth.number)
            if sheet is None or sheet.refused:
                evaluation.refuse()
                continue
            evaluation.add(sheet, marks_of(truth))
            counts.add_fields(sheet, truth)
    return counts, evaluation


def normalised(strokes: Sequence[Sequence[Sequence[float]]]) -> Strokes:
    """Return strokes of x, y and time as polylines within a unit square around their centre."""
    lines = [np.array(stroke, float)[:, :2] for stroke in strokes]
    low, high = (f([f(line, axis=0) for line in lines], axis=0) for f in (np.min, np.max))
    return [(line - (low + high) / 2) / (high - low).max() for line in lines]


def mixed(drawings: People) -> dict[str, DrawMark]:
    """Return functions that draw each mark as one of all people draws it."""

    def draw(kind: str) -> DrawMark:
        people = drawings[DRAWINGS[kind]]
        return lambda rng, hand: jittered(rng, people[int(rng.integers(len(people)))], kind, hand)

    return {kind: draw(kind) for kind in DRAWINGS}


def of_one_person(rng: Generator, drawings: People) -> dict[str, DrawMark]:
    """Return functions that draw all marks as one person draws them, with small variations."""

    def draw(kind: str, strokes: Strokes) -> DrawMark:
        return lambda rng, hand: jittered(rng, strokes, kind, hand)

    chosen = rng.random()
    return {
        kind: draw(kind, drawings[letter][int(chosen * len(drawings[letter]))])
        for kind, letter in DRAWINGS.items()
    }


def jittered(rng: Generator, strokes: Strokes, kind: str, hand: Hand) -> Strokes:
    """Return strokes in the size of a mark, with a random rotation, scale and offset."""
    size = hand.size if kind == CROSS else 2 * rng.uniform(0.42, 0.82)
    scale = size * rng.normal(1, JITTER_SCALE, 2)
    turn, middle = rng.normal(0, JITTER_DEGREES), rng.normal(0, hand.off, 2)
    return [turned(stroke * scale, turn) + middle for stroke in strokes]


if __name__ == "__main__":
    main()
