"""Picture of docs/photos.md: ``PYTHONPATH=. python -m training.pictures``.

It shows a synthetic photo, one of its sheets rectified, and the marks read.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image

from sheets.geometry import PageOptions
from sheets.levels import shipped_levels
from sheets.scanning.answered import draw_answer
from sheets.scanning.photos import open_photo
from sheets.scanning.reading import read_photo
from training.camera import photograph
from training.papers import PX_PER_MM, Filling, fill_page

FOLDER: Final = Path(__file__).parents[1] / "docs" / "images"
SEED: Final = 23
HEIGHT_PX, GAP_PX = 620, 16


def main() -> None:
    """Write the picture."""
    levels = list(shipped_levels().values())
    rng = np.random.default_rng(SEED)
    chosen = [levels[2], levels[6]]
    page, _truths = fill_page(rng, chosen, PageOptions(), Filling())
    jpeg = photograph(rng, page, PX_PER_MM, "normal").jpeg
    first = read_photo(jpeg, levels).sheets[0]
    if first.straight is None:
        raise SystemExit("Nothing was read on the photo: choose another seed.")
    shown = [open_photo(jpeg), first.straight.picture, draw_answer(first)]
    scaled = [_scaled(picture) for picture in shown]
    width = sum(one.shape[1] for one in scaled) + GAP_PX * (len(scaled) - 1)
    whole = np.full((HEIGHT_PX, width, 3), 255, np.uint8)
    left = 0
    for one in scaled:
        whole[:, left : left + one.shape[1]] = one
        left += one.shape[1] + GAP_PX
    Image.fromarray(whole).save(FOLDER / "scanning.jpg", quality=82, optimize=True)


def _scaled(picture: np.ndarray) -> np.ndarray:
    height, width = picture.shape[:2]
    size = (round(width * HEIGHT_PX / height), HEIGHT_PX)
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")
    import django

    django.setup()
    sys.exit(main())
