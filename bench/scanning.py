"""How well are photos of filled sheets read, and how fast?

Photos of the synthesiser in `training/`, two sheets each, of every grade, of the shipped levels:
the network has learnt from others. Beside it one plain threshold on the straightened sheets; beside
the time the floor in the same run: decode the file, look for markers once in the whole photo, and
lay one page flat. `--photos N` of each grade; the same number gives the same photos.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django  # noqa: E402

django.setup()

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from sheets.geometry import PageOptions  # noqa: E402
from sheets.levels import shipped_levels  # noqa: E402
from sheets.rules.level import SHAPES  # noqa: E402
from sheets.scanning.checked import Check, OnPaper, format_checks  # noqa: E402
from sheets.scanning.kinds import CIRCLED, CROSS, EMPTY, EXPLODED, TAKEN_BACK  # noqa: E402
from sheets.scanning.patches import Look  # noqa: E402
from sheets.scanning.photos import open_photo  # noqa: E402
from sheets.scanning.reading import SURE, read_photo  # noqa: E402
from sheets.scanning.seen import see_sheets  # noqa: E402
from training.camera import GRADES, photograph  # noqa: E402
from training.papers import PX_PER_MM, Filling, Truth, fill_page  # noqa: E402

LEVELS = list(shipped_levels().values())
PRINTS = ({}, {"bw": True}, {"paper": "letter"})
FLAT_PX = (2376, 1680)
"""A page at 8 pixels a millimetre."""


INKED, FEW, MANY = 0.22, 0.05, 0.35
"""The plain threshold: what counts as ink, the share of a field that is a cross, and a scribble."""


def main() -> None:
    """Print a column for each grade."""
    parser = ArgumentParser()
    parser.add_argument("--photos", type=int, default=6, help="of each grade")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo")
    parser.add_argument("--wrong", action="store_true", help="list what is sure and wrong")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    checks = {grade: Check() for grade in GRADES}
    plain = {grade: [0, 0] for grade in GRADES}
    ratios: dict[str, list[float]] = {grade: [] for grade in GRADES}
    for grade in GRADES:
        for seed in range(options.seed, options.seed + options.photos):
            jpeg, truths = shot(seed, grade)
            floor = seconds(lambda jpeg=jpeg: lay_once(jpeg))
            ratios[grade].append(seconds(lambda jpeg=jpeg: read_photo(jpeg, LEVELS)) / floor)
            check_photo(checks[grade], plain[grade], jpeg, truths, options.wrong and (grade, seed))
    print(format_checks(checks))
    row(
        "plain threshold", [f"{100 * right / max(1, all_):.2f} %" for right, all_ in plain.values()]
    )
    row("time / floor", [f"{np.quantile(some, 0.95):.1f}" for some in ratios.values()])
    row("its median", [f"{np.median(some):.1f}" for some in ratios.values()])
    print("\nwhere the answer was given with …, so many were right (all grades)")
    for end, count, right in sum_up(checks.values()):
        print(f"up to {end:<6} {count:7} fields {right:7.2f} %")


def row(label: str, cells: list[str]) -> None:
    """A line below the table of `format_checks`."""
    print(f"{label:16}" + "".join(f"{cell:>12}" for cell in cells))


def sum_up(checks: Iterable[Check]) -> list[tuple[float, int, float]]:
    """The reliability of all grades together."""
    total: dict[float, list[float]] = {}
    for check in checks:
        for end, count, right in check.reliability():
            counts = total.setdefault(end, [0, 0])
            counts[0] += count
            counts[1] += count * right / 100
    return [(end, int(count), 100 * right / count) for end, (count, right) in sorted(total.items())]


def shot(seed: int, grade: str) -> tuple[bytes, list[Truth]]:
    """A photo of 12 megapixels with two sheets."""
    rng = np.random.default_rng([seed, GRADES.index(grade)])
    levels = [LEVELS[int(i)] for i in rng.integers(0, len(LEVELS), 2)]
    options = PageOptions(per_page=2, **PRINTS[seed % len(PRINTS)])
    page, truths = fill_page(rng, levels, options, Filling())
    return photograph(rng, page, PX_PER_MM, grade).jpeg, truths


def lay_once(jpeg: bytes) -> None:
    """The least that has to be done with a photo."""
    photo = open_photo(jpeg)
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cv2.aruco.ArucoDetector(dictionary).detectMarkers(grey)
    cv2.warpPerspective(photo, np.eye(3), FLAT_PX)


def seconds(work: Callable[[], None]) -> float:
    """The processor's time for some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def check_photo(
    check: Check, plain: list[int], jpeg: bytes, truths: list[Truth], told: object
) -> None:
    """Compare what was read with what is true, and what a threshold says."""
    by_place = {sheet.place: sheet for sheet in read_photo(jpeg, LEVELS).sheets}
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
