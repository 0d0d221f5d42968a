"""How long does it take until a large photo without a sheet is refused?

Pictures of 12 megapixels that were drawn, not photographed: noise, shapes by chance, and tiles,
which lie as fields do. Seconds of the processor, also beside the floor in the same run, as in
`bench/scanning.py`.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.http.render_pool import ONE_THREAD  # noqa: E402

os.environ.update(ONE_THREAD)  # as the site reads them: threads that only wait would count, too

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from PIL import Image  # noqa: E402

from sheets.scanning.timed import beside_floor  # noqa: E402
from sheets.scanning.unknown.reading import NewSheet, read_new  # noqa: E402

SIZE = (3000, 4000, 3)
PALE, DARK, LINE = (225, 220, 210), (120, 90, 70), (90, 80, 70)


def main() -> None:
    """Print a line for each picture."""
    cv2.setNumThreads(1)
    for name, draw in PICTURES.items():
        stream = io.BytesIO()
        Image.fromarray(draw()).save(stream, "JPEG", quality=90)
        sheet, seconds, times = timed(stream.getvalue())
        print(f"{name:18} {sheet.refused or 'read':10} {seconds:5.1f} s {times:5.1f} floors")


def timed(jpeg: bytes) -> tuple[NewSheet, float, float]:
    """What is read, how many seconds it takes, and how many floors that is."""
    spent = 0.0

    def read() -> NewSheet:
        nonlocal spent
        start = time.process_time()
        sheet = read_new(jpeg)
        spent = time.process_time() - start
        return sheet

    sheet, times = beside_floor(jpeg, read)
    return sheet, spent, times or 0.0


def draw_noise() -> NDArray[np.uint8]:
    """No two pixels alike."""
    return np.random.default_rng(1).integers(0, 256, SIZE, np.uint8)


def draw_shapes() -> NDArray[np.uint8]:
    """Rectangles and ellipses by chance."""
    rng = np.random.default_rng(2)
    picture = np.full(SIZE, PALE, np.uint8)
    for _ in range(1500):
        x, y = (int(v) for v in rng.integers(0, (SIZE[1], SIZE[0])))
        wide, high = (int(v) for v in rng.integers(20, 200, 2))
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        if rng.random() < 0.5:
            cv2.rectangle(picture, (x, y), (x + wide, y + high), colour, -1)
        else:
            cv2.ellipse(picture, (x, y), (wide, high), float(rng.integers(180)), 0, 360, colour, -1)
    return picture


def draw_tiles(side: int, letters: str = "") -> NDArray[np.uint8]:
    """A table of square tiles, with letters on them or none."""
    picture = np.full(SIZE, PALE, np.uint8)
    count = 0
    for y in range(0, SIZE[0], side):
        for x in range(0, SIZE[1], side):
            cv2.rectangle(picture, (x, y), (x + side, y + side), LINE, max(2, side // 25))
            if letters:
                at = (x + side // 3, y + 2 * side // 3)
                letter = letters[count % len(letters)]
                cv2.putText(picture, letter, at, 0, side / 50, DARK, max(2, side // 20))
                count += 1
    return picture


PICTURES: dict[str, Callable[[], NDArray[np.uint8]]] = {
    "noise": draw_noise,
    "1,500 shapes": draw_shapes,
    "tiles of 250 px": lambda: draw_tiles(250),
    "lettered tiles": lambda: draw_tiles(250, "KRWXM"),
    "tiles of 120 px": lambda: draw_tiles(120),
    "tiles of 60 px": lambda: draw_tiles(60),
}


if __name__ == "__main__":
    main()
