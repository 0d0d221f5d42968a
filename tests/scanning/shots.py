"""Photos for the tests: printed sheets, filled in and photographed by chance that repeats."""

from __future__ import annotations

import io
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image

from sheets.geometry import PageOptions
from sheets.levels import shipped_levels
from sheets.scanning.forms import corner_points, forms_of
from sheets.scanning.locate import locate
from sheets.scanning.photos import open_photo
from tests.made_once import shared
from training.camera import photograph
from training.papers import PX_PER_MM, Filling, Marked, Truth, fill_page

FIRM = Filling(families=("gel", "felt"), methods=("ribbon", "discs"), taken_back=0, stray=0)
"""People who cross out once and for all."""


class Taken(NamedTuple):
    """The bytes of a photo, and what is on its sheets by their place on the page."""

    jpeg: bytes
    truths: dict[int, Truth]


@shared
def take(
    *names: str,
    seed: int = 1,
    grade: str = "easy",
    paper: str = "a4",
    large: bool = False,
    crosses: tuple[str, ...] | None = None,
    taken_back: tuple[str, ...] = (),
) -> Taken:
    """A photo of the sheets of some levels, on one page; with ``crosses`` those alone on each.

    ``taken_back`` are some more, that are none any more: they are asked about.
    """
    rng = np.random.default_rng(seed)
    levels = [shipped_levels()[name] for name in names]
    options = PageOptions(paper=paper, large=large, per_page=2 if len(names) == 2 else 0)
    marked: list[Marked] = []
    if crosses is not None:
        fields = dict.fromkeys(crosses, "cross") | dict.fromkeys(taken_back, "taken-back")
        marked = [Marked(fields)] * len(names)
    page, truths = fill_page(rng, levels, options, FIRM, marked)
    shot = photograph(rng, page, PX_PER_MM, grade, megapixels=6 if len(names) == 2 else 4)
    return Taken(shot.jpeg, {truth.place: truth for truth in truths})


def cover_code(jpeg: bytes) -> np.ndarray:
    """The pixels of a photo of one sheet, whose QR code lies under something grey."""
    photo = open_photo(jpeg).copy()
    (found,) = locate(photo, forms_of(list(shipped_levels().values())))
    form = found.forms[0]
    corners = corner_points(form.frame.qr).reshape(1, -1, 2)
    seen = cv2.perspectiveTransform(corners, found.to_photo(form))[0]
    cv2.fillConvexPoly(photo, seen.astype(int), (120, 120, 120))
    return photo


def cover_markers(jpeg: bytes, place: int, count: int = 2) -> np.ndarray:
    """The pixels of a photo whose sheet at this place has lost some of its markers."""
    photo = open_photo(jpeg).copy()
    (group,) = [
        one
        for one in locate(photo, forms_of(list(shipped_levels().values())))
        if one.place == place
    ]
    for corners in list(group.markers.values())[:count]:
        cv2.fillConvexPoly(photo, corners.astype(int), (120, 120, 120))
    return photo


def noise(mean: int) -> np.ndarray:
    """The pixels of a photo of nothing, of this mean brightness."""
    return np.random.default_rng(1).normal(mean, 12, (900, 1200, 3)).clip(0, 255).astype(np.uint8)


def noise_on_cloth(mean: int) -> np.ndarray:
    """Paper that has a third of the picture, on a cloth that is black."""
    photo = noise(15)
    photo[150:750, 300:900] = noise(mean)[150:750, 300:900]
    return photo


def to_jpeg(pixels: np.ndarray, quality: int = 88) -> bytes:
    """Pixels as a phone would send them."""
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "JPEG", quality=quality)
    return stream.getvalue()
