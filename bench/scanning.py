"""How well are photos of filled sheets read, and how fast?

Photos of the synthesiser in `training/`, two sheets each, of every grade. Beside the time stands
the floor in the same run: decode the file, look for markers once in the whole photo, and lay one
page flat. `--photos N` of each grade; the same number gives the same photos.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
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
from sheets.scanning.kinds import EMPTY, TAKEN_BACK  # noqa: E402
from sheets.scanning.photos import open_photo  # noqa: E402
from sheets.scanning.reading import SURE, Reading, read_photo  # noqa: E402
from training.camera import GRADES, photograph  # noqa: E402
from training.papers import PX_PER_MM, Filling, Truth, fill_page  # noqa: E402

LEVELS = list(shipped_levels().values())
PRINTS = ({}, {"bw": True}, {"paper": "letter"})
FLAT_PX = (2376, 1680)
"""A page at 8 pixels a millimetre."""


def main() -> None:
    """Print a row for each grade."""
    parser = ArgumentParser()
    parser.add_argument("--photos", type=int, default=6, help="of each grade")
    count = parser.parse_args().photos
    cv2.setNumThreads(1)
    print("grade   right    sure+wrong  unsure   refused  time / floor (95 %)")
    for grade in GRADES:
        tally: Counter[str] = Counter()
        ratios = []
        for seed in range(count):
            jpeg, truths = shot(seed, grade)
            floor = seconds(lambda jpeg=jpeg: lay_once(jpeg))
            start = time.process_time()
            reading = read_photo(jpeg, LEVELS)
            ratios.append((time.process_time() - start) / floor)
            count_up(tally, reading, truths)
        print(
            f"{grade:7} {share(tally, 'right', 'fields')}  {share(tally, 'bad', 'fields')}   "
            f"{share(tally, 'unsure', 'fields')}  {share(tally, 'refused', 'sheets')}  "
            f"{np.quantile(ratios, 0.95):.1f}  ({tally['fields']} fields)",
            flush=True,
        )


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


def count_up(tally: Counter[str], reading: Reading, truths: list[Truth]) -> None:
    """Compare what was read with what is true; printed fields are not asked for."""
    by_place = {sheet.place: sheet for sheet in reading.sheets}
    for truth in truths:
        tally["sheets"] += 1
        sheet = by_place.get(truth.place)
        if sheet is None or sheet.refused:
            tally["refused"] += 1
            continue
        best = sheet.best()
        for name, kind in truth.fields.items():
            if kind == "printed":
                continue
            found, sure = best[name]
            is_right = found == (EMPTY if kind == TAKEN_BACK else kind)
            tally["fields"] += 1
            tally["right"] += is_right
            tally["unsure"] += sure < SURE
            tally["bad"] += sure >= SURE and not is_right


def share(tally: Counter[str], what: str, of: str) -> str:
    """A share in percent."""
    return f"{100 * tally[what] / max(1, tally[of]):6.2f} %"


if __name__ == "__main__":
    main()
