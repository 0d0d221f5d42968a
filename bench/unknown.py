"""How well are photos of unknown sheets read, empty ones and filled ones, and how fast?

Sheets drawn by chance (`training/foreign.py`) in fonts that nothing has learnt from, photographed
by `training/camera.py`. Beside the time the floor in the same run, as in `bench/scanning.py`. The
same number gives the same photos, where the same fonts are there.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
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

from bench._pads import print_filled  # noqa: E402
from sheets.scanning.photos import upright_size  # noqa: E402
from sheets.scanning.reading import SURE  # noqa: E402
from sheets.scanning.timed import beside_floor  # noqa: E402
from sheets.scanning.unknown.reading import NewField, NewSheet, read_new  # noqa: E402
from training.camera import GRADES, Shot, photograph  # noqa: E402
from training.fonts import HELD_OUT, LEARNT, families  # noqa: E402
from training.foreign import PX_PER_MM, Drawn, Fonts, Page, draw_page  # noqa: E402
from training.symbols import HELD_OUT as HELD_OUT_KINDS  # noqa: E402

MEGAPIXELS = 12.0
NEAR = 0.35
"""How far, in fields, the middle of a field may lie off where it is."""


@dataclass
class Counts:
    """What was right and wrong in all photos of a grade."""

    of: Counter[str] = field(default_factory=Counter)
    ratios: list[float] = field(default_factory=list)

    def share(self, part: str, whole: str) -> str:
        """In percent."""
        return f"{100 * self.of[part] / max(1, self.of[whole]):.2f} %"


def main() -> None:
    """Print a column for each grade."""
    parser = ArgumentParser()
    parser.add_argument("--photos", type=int, default=12, help="of each grade")
    parser.add_argument("--seed", type=int, default=5000, help="of the first photo")
    parser.add_argument("--learnt", action="store_true", help="in the fonts that were learnt from")
    parser.add_argument("--wrong", action="store_true", help="list what is sure and wrong")
    parser.add_argument("--filled", type=int, default=6, help="pads of each grade, two leaves each")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    wanted = LEARNT if options.learnt else HELD_OUT
    fonts = families(wanted)
    if missing := [one for one in wanted if one not in fonts]:
        print("other sheets than with all fonts: not there are", *missing)
    print_empty(options.photos, options.seed, fonts, is_told=options.wrong)
    print()
    print_filled(options.filled, options.seed, fonts, is_told=options.wrong)


def print_empty(photos: int, first: int, fonts: Fonts, *, is_told: bool = False) -> None:
    """The table of empty sheets: so many photos from a seed on."""
    grades = GRADES[:2]
    counts = {grade: Counts() for grade in grades}
    for grade in grades:
        for seed in range(first, first + photos):
            page, shot = take(seed, grade, fonts)
            sheet, times = beside_floor(shot.jpeg, lambda jpeg=shot.jpeg: read_new(jpeg))
            if times is not None:
                counts[grade].ratios.append(times)
            count(counts[grade], page, shot, sheet, f"{grade} {seed}" if is_told else "")
    print(f"{'':30}" + "".join(f"{grade:>14}" for grade in grades))
    for label, part, whole in (
        ("sheets refused", "refused", "sheets"),
        ("fields found", "found", "fields"),
        ("digits right", "right", "digits"),
        ("sure and wrong", "sure wrong", "digits"),
        ("digits to ask about", "asked", "digits"),
        ("like symbols together", "together", "like"),
        ("unlike symbols together", "mixed", "unlike"),
    ):
        row(label, [one.share(part, whole) for one in counts.values()])
    for label in (
        "fields",
        "phantoms asked about",
        "phantoms not asked about",
        "groups",
        "symbols",
    ):
        row(label, [str(one.of[label]) for one in counts.values()])
    for label, share in (("time / floor, 95 %", 0.95), ("its median", 0.5)):
        row(label, [f"{np.quantile(one.ratios or [0], share):.1f}" for one in counts.values()])


def row(label: str, cells: list[str]) -> None:
    """A line of the table."""
    print(f"{label:30}" + "".join(f"{cell:>14}" for cell in cells))


def take(seed: int, grade: str, fonts: Fonts) -> tuple[Page, Shot]:
    """A photo of 12 megapixels, and what it shows."""
    rng = np.random.default_rng([seed, GRADES.index(grade)])
    page = draw_page(rng, fonts, HELD_OUT_KINDS)
    return page, photograph(rng, page.picture, PX_PER_MM, grade, MEGAPIXELS)


def count(counts: Counts, page: Page, shot: Shot, sheet: NewSheet, told: str) -> None:
    """Compare what was read on a photo with what was drawn."""
    counts.of["sheets"] += 1
    counts.of["fields"] += len(page.fields)
    counts.of["digits"] += sum(one.digit is not None for one in page.fields.values())
    if sheet.refused:
        counts.of["refused"] += 1
        if told:
            print(told, sheet.refused)
        return
    pairs, phantoms = matched(page, shot, sheet)
    for one in phantoms:
        is_sure = one.digit is not None and one.sure >= SURE
        counts.of["phantoms not asked about" if is_sure else "phantoms asked about"] += 1
        if told and one.digit:
            print(told, "phantom", one.name, one.digit, f"{one.sure:.3f}")
    counts.of["found"] += len(pairs)
    if told and len(pairs) < len(page.fields):
        print(told, "found", len(pairs), "of", len(page.fields))
    for drawn, seen in pairs:
        if drawn.digit is not None:
            counts.of["right"] += seen.digit == drawn.digit
            counts.of["asked"] += seen.sure < SURE
        is_wrong = seen.digit != drawn.digit and seen.sure >= SURE
        counts.of["sure wrong"] += is_wrong
        if told and is_wrong:
            print(told, seen.name, "read", seen.digit, "is", drawn.digit, f"{seen.sure:.3f}")
    count_groups(counts, pairs)


def count_groups(counts: Counts, pairs: list[tuple[Drawn, NewField]]) -> None:
    """Which two fields are said to look alike, of those where one has a symbol at least."""
    counts.of["groups"] += len({seen.group for _drawn, seen in pairs})
    counts.of["symbols"] += len({drawn.symbol for drawn, _seen in pairs})
    for (drawn, seen), (other, theirs) in combinations(pairs, 2):
        if drawn.symbol is None and other.symbol is None:
            continue
        like = "like" if drawn.symbol == other.symbol else "unlike"
        counts.of[like] += 1
        counts.of["together" if like == "like" else "mixed"] += seen.group == theirs.group


def matched(
    page: Page, shot: Shot, sheet: NewSheet
) -> tuple[list[tuple[Drawn, NewField]], list[NewField]]:
    """Each field with what was seen there, and what was seen where no field is."""
    height, width = page.picture.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) / PX_PER_MM
    wide, high = upright_size(shot.jpeg)
    scale = (wide * high / MEGAPIXELS / 1e6) ** 0.5  # a messenger may have made it small
    to_page = cv2.getPerspectiveTransform((shot.corners * scale).astype(np.float32), corners)
    seen = np.array([one.corners.mean(0) for one in sheet.fields])
    at = cv2.perspectiveTransform(seen[None], to_page)[0]
    rest = dict(enumerate(sheet.fields))
    pairs = []
    for drawn in page.fields.values():
        middle = np.array(drawn.box[:2]) + np.array(drawn.box[2:]) / 2
        off = np.hypot(*(at - middle).T) / drawn.box[2]
        i = int(off.argmin())
        if off[i] < NEAR and i in rest:
            pairs.append((drawn, rest.pop(i)))
    return pairs, list(rest.values())


if __name__ == "__main__":
    main()
