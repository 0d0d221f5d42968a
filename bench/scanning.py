"""How well are photos of filled sheets read, and how fast?

Photos of the synthesiser in `training/`, two sheets each, of every grade, of the shipped levels:
the network has learnt from others. What is on a sheet comes from a whole game of bots, so that
all but crosses taken back and strays is legal; `--filled chance` marks fields like those that the
network has learnt from; `--extreme` leaves sheets empty, with one mark, or with a mark on every
field by a felt pen of up to 2.2 mm. Beside it one plain threshold on the straightened sheets;
beside the time the floor in the same run (`sheets/scanning/timed.py`); both only for photos that
kept their 12 megapixels. `--photos N` of each grade; the same number gives the same photos.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

from sheets.http.render_pool import ONE_THREAD  # noqa: E402

os.environ.update(ONE_THREAD)  # as the site reads them: threads that only wait would count, too

import django  # noqa: E402

django.setup()

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from sheets.geometry import PageOptions  # noqa: E402
from sheets.levels import shipped_levels  # noqa: E402
from sheets.rules.level import SHAPES, Level  # noqa: E402
from sheets.rules.paper import score_paper  # noqa: E402
from sheets.scanning.checked import BINS, Check, OnPaper, format_checks  # noqa: E402
from sheets.scanning.kinds import CIRCLED, CROSS, EMPTY, EXPLODED, TAKEN_BACK  # noqa: E402
from sheets.scanning.patches import Look  # noqa: E402
from sheets.scanning.photos import open_photo  # noqa: E402
from sheets.scanning.reading import SURE, SheetReading, read_photo  # noqa: E402
from sheets.scanning.seen import see_sheets  # noqa: E402
from sheets.scanning.timed import beside_floor  # noqa: E402
from sheets.scoring.marks import read_paper  # noqa: E402
from training.camera import GRADES, photograph  # noqa: E402
from training.games import FILLED, play_sheets  # noqa: E402
from training.papers import PX_PER_MM, Filling, Truth, fill_page  # noqa: E402

LEVELS = list(shipped_levels().values())
PRINTS = ({}, {"bw": True}, {"paper": "letter"})
_CLEAN = Filling(taken_back=0, stray=0, notes=(1, 0, 0))
EXTREMES = {
    "none": replace(_CLEAN, extremes=(1, 0, 0)),
    "one": replace(_CLEAN, extremes=(0, 1, 0)),
    "every": replace(_CLEAN, extremes=(0, 0, 1), families=("wide felt",)),
}
"""How sheets are filled that have no mark, one, or one on every field, and nothing else."""

INKED, FEW, MANY = 0.22, 0.05, 0.35
"""The plain threshold: what counts as ink, the share of a field that is a cross, and a scribble."""


def main() -> None:
    """Print a column for each grade."""
    parser = ArgumentParser()
    parser.add_argument("--photos", type=int, default=6, help="of each grade")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo")
    parser.add_argument("--wrong", action="store_true", help="list what is sure and wrong")
    parser.add_argument(
        "--unknown", type=int, default=6, help="photos of unknown sheets, of each grade; 0: none"
    )
    parser.add_argument("--filled", choices=FILLED, default=FILLED[0], help="what fills sheets in")
    parser.add_argument("--extreme", choices=EXTREMES, help="how many fields have a mark")
    parser.add_argument("--diagram", type=Path, help="write how honest the answers are as an SVG")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    checks = {grade: Check() for grade in GRADES}
    scores = {grade: Scores() for grade in GRADES}
    plain = {grade: [0, 0] for grade in GRADES}
    for grade in GRADES:
        for seed in range(options.seed, options.seed + options.photos):
            jpeg, truths = shot(seed, grade, options.filled, EXTREMES.get(options.extreme))
            told = options.wrong and (grade, seed)
            check_photo(checks[grade], scores[grade], plain[grade], jpeg, truths, told)
    print(format_checks(checks))
    row(
        "plain threshold", [f"{100 * right / max(1, all_):.2f} %" for right, all_ in plain.values()]
    )
    print_clear(scores.values())
    row("points as read", [one.share(one.as_read) for one in scores.values()])
    row("after asking", [one.share(one.answered) for one in scores.values()])
    row("asked a sheet", [f"{one.asked / max(1, one.sheets):.1f}" for one in scores.values()])
    print("\nwhere the answer was given with …, so many were right (all grades)")
    for end, count, right in sum_up(checks.values()):
        print(f"up to {end:<6} {count:7} fields {right:7.2f} %")
    if options.unknown:
        # It needs what is here.
        from bench.unknown import HELD_OUT, families, print_empty, print_filled

        fonts = families(HELD_OUT)
        print("\nsheets without markers: empty ones")
        print_empty(options.unknown, 5000 + options.seed, fonts)
        print("\nfilled ones, beside a photo of the empty one")
        print_filled(options.unknown, 5000 + options.seed, fonts)
    if options.diagram:
        options.diagram.write_text(draw_honesty(checks.values()), "utf-8")


def draw_honesty(checks: Iterable[Check]) -> str:
    """The reliability diagram: for each group of answers, how sure they are and how many are right.

    A dot above the line is too modest, one below it too sure; its label is how many there are.
    """

    def place(share: float) -> float:
        """From 50 to 100 %: what is nearly sure has most of the room."""
        return 40 + 320 * (1 - np.log10(1 + 99 * (1 - share) / 0.5) / 2)

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 400" font-family="sans-serif" '
        'font-size="11"><rect width="430" height="400" fill="#fff"/>'
    ]
    for share in (0.5, 0.8, 0.9, 0.95, 0.99, 1.0):
        at = place(share)
        lines.append(
            f'<path d="M{at:.1f} 360V40M40 {400 - at:.1f}H360" stroke="#ddd"/>'
            f'<text x="{at:.1f}" y="374" text-anchor="middle">{100 * share:g} %</text>'
            f'<text x="36" y="{404 - at:.1f}" text-anchor="end">{100 * share:g}</text>'
        )
    lines.append('<path d="M40 360 360 40" stroke="#1f4fb8" stroke-width="1.5"/>')
    lines.append('<text x="200" y="392" text-anchor="middle">how sure the answers are</text>')
    lines.append('<text x="40" y="28">how many of them are right</text>')
    starts = dict(zip(BINS, (0.4, *BINS), strict=False))
    for end, count, right in sum_up(checks):
        x, y = place(max(0.5, (starts[end] + end) / 2)), 400 - place(max(0.5, right / 100))
        lines.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#a3211c"/>'
            f'<text x="{x + 9:.1f}" y="{y + 12:.1f}">{count}</text>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"


def row(label: str, cells: list[str]) -> None:
    """A line below the table of `format_checks`."""
    print(f"{label:16}" + "".join(f"{cell:>12}" for cell in cells))


def print_clear(scores: Collection[Scores]) -> None:
    """What `Scores` counts of fields, a column for each."""
    for label, some in (
        ("right, clear", [one.right for one in scores]),
        ("unsure, clear", [one.clear for one in scores]),
        ("not by rules", [one.seen for one in scores]),
        ("taken back asked", [one.doubtful for one in scores]),
    ):
        row(label, [f"{100 * count / max(1, all_):.2f} %" for count, all_ in some])


def sum_up(checks: Iterable[Check]) -> list[tuple[float, int, float]]:
    """The reliability of all grades together."""
    total: dict[float, list[float]] = {}
    for check in checks:
        for end, count, right in check.reliability():
            counts = total.setdefault(end, [0, 0])
            counts[0] += count
            counts[1] += count * right / 100
    return [(end, int(count), 100 * right / count) for end, (count, right) in sorted(total.items())]


def shot(
    seed: int, grade: str, filled: str, filling: Filling | None = None
) -> tuple[bytes, list[Truth]]:
    """A photo of 12 megapixels with two sheets; ``filled`` is one of `FILLED`."""
    rng = np.random.default_rng([seed, GRADES.index(grade)])
    levels = [LEVELS[int(i)] for i in rng.integers(0, len(LEVELS), 2)]
    options = PageOptions(per_page=2, **PRINTS[seed % len(PRINTS)])
    filling = filling or Filling()
    marked = play_sheets(rng, levels, filling, filled)
    page, truths = fill_page(rng, levels, options, filling, marked)
    return photograph(rng, page, PX_PER_MM, grade).jpeg, truths


class Scores:
    """Of so many sheets: whose points are right as read, and once a person has answered."""

    def __init__(self) -> None:
        self.sheets = self.as_read = self.answered = self.asked = 0
        # Of fields, so many of all: right, asked about.
        self.right, self.clear, self.seen, self.doubtful = [0, 0], [0, 0], [0, 0], [0, 0]

    def count(self, sheet: SheetReading, truth: Truth) -> None:
        """Count what is right and asked where nothing else was drawn, a note or a stray, and what
        is asked where a cross was taken back.

        ``seen`` leaves out what only the rules doubt, rightly where no game has been played.
        """
        looked_at = replace(sheet, form=None).best()
        for at, (kind, sure) in sheet.best().items():
            if len(sheet.answers[at]) > 1 and at not in truth.strays | truth.noted:
                if truth.fields[at] == TAKEN_BACK:
                    _count(self.doubtful, counts=sure < SURE)
                    continue
                _count(self.right, counts=kind == truth.fields[at])
                _count(self.clear, counts=sure < SURE)
                _count(self.seen, counts=looked_at[at][1] < SURE)

    def add(self, sheet: SheetReading, fields: dict[str, str], numbers: dict[str, int]) -> None:
        """Score a sheet as it was read, as it is after its questions, and as it is in truth."""
        best: dict[str, tuple[object, float]] = {**sheet.best(), **sheet.best_numbers()}
        true: dict[str, object] = {**fields, **numbers}
        asked = [at for at, (_value, sure) in best.items() if sure < SURE]
        read = {at: value for at, (value, _sure) in best.items()}
        level = sheet.form.level if sheet.form else LEVELS[0]
        points = points_of(level, true)
        self.sheets += 1
        self.asked += len(asked)
        self.as_read += points_of(level, read) == points
        self.answered += points_of(level, read | {at: true.get(at) for at in asked}) == points

    def share(self, count: int) -> str:
        """In percent of the sheets."""
        return f"{100 * count / max(1, self.sheets):.1f} %"


def _count(of_all: list[int], *, counts: bool) -> None:
    of_all[0] += counts
    of_all[1] += 1


def points_of(level: Level, found: Mapping[str, object]) -> int:
    """What a sheet with these marks is worth, as one of several."""
    marks = {
        at.replace("-", " ", 1): str(value)
        for at, value in found.items()
        if value is not None and value not in (EMPTY, "printed")
    }
    paper = read_paper(level, ["", ""], [marks, {}], False)
    return score_paper(paper).scores[0].total


def check_photo(
    check: Check,
    scores: Scores,
    plain: list[int],
    jpeg: bytes,
    truths: list[Truth],
    told: object,
) -> None:
    """Compare what was read with what is true, and what a threshold says."""
    reading, times = beside_floor(jpeg, lambda: read_photo(jpeg, LEVELS))
    check.time(times)
    by_place = {sheet.place: sheet for sheet in reading.sheets}
    looks = {sheet.place: sheet.look for sheet in see_sheets(open_photo(jpeg), LEVELS)}
    for truth in truths:
        sheet, look = by_place.get(truth.place), looks.get(truth.place)
        if sheet is None or sheet.refused or look is None:
            check.refuse()
            continue
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
        check.add(sheet, OnPaper(fields, numbers))
        scores.add(sheet, fields, numbers)
        scores.count(sheet, truth)
        told_plain = by_threshold(look)
        for name, kind in truth.fields.items():
            if kind != "printed":
                plain[0] += told_plain[name] == (CROSS if fields[name] in SHAPES else fields[name])
                plain[1] += 1
        if told:
            for name, (kind, sure) in sheet.best().items():
                if sure >= SURE and kind != fields[name]:
                    print(
                        told, truth.place, name, kind, f"{sure:.4f}", truth.fields[name], truth.ways
                    )


def by_threshold(look: Look) -> dict[str, str]:
    """The share of a field that is darker than its blank, against two numbers."""
    found = {}
    for name, photo, printed in zip(look.names, look.photo, look.printed, strict=True):
        around = cv2.dilate(printed.mean(2), np.ones((3, 3), np.uint8))
        share = float(((photo.mean(2) - around)[9:31, 9:31] > INKED).mean())
        found[name] = EXPLODED if share > MANY else CROSS if share > FEW else EMPTY
    return found


if __name__ == "__main__":
    main()
