"""Picture of docs/photos.md: ``PYTHONPATH=. python -m training.docs_picture``.

It shows a synthetic photo, one of its sheets rectified, and the marks that were read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.vision.decoding import decode_photo
from sheets.vision.overlay import draw_overlay
from sheets.vision.reading import read_photo
from training.camera import photograph
from training.commands import set_up_django
from training.filled_pages import PX_PER_MM, Filling, fill_page

FOLDER: Final = Path(__file__).parents[1] / "docs" / "images"
"""Folder of the picture."""

SEED: Final = 35
"""Seed of the photo."""

HEIGHT_PX: Final = 620
"""Height of the picture."""

GAP_PX: Final = 16
"""Gap between its parts."""


def main() -> None:
    """Write the picture."""
    levels = list(shipped_levels().values())
    rng = np.random.default_rng(SEED)
    chosen = [levels[2], levels[6]]
    page, _truths = fill_page(rng, chosen, PageOptions(), Filling())
    jpeg = photograph(rng, page, PX_PER_MM, "normal").jpeg
    first = read_photo(jpeg, levels).sheets[0]
    if first.rectified is None:
        raise SystemExit("Nothing was read on the photo: choose another seed.")
    pictures = [decode_photo(jpeg), first.rectified.picture, draw_overlay(first)]
    scaled = [_scaled(picture) for picture in pictures]
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
    set_up_django()
    main()
