"""Photos for the tests: printed sheets, filled in and photographed by chance that repeats."""

from __future__ import annotations

import io
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.vision.corners import Corner
from sheets.vision.decoding import decode_photo
from sheets.vision.layouts import corner_points, layouts_of
from sheets.vision.sheet_detection import detect_sheets
from tests.shared_cache import shared
from training.camera import photograph
from training.filled_pages import PX_PER_MM, Filling, PlannedMarks, Truth, fill_page

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
    marked: list[PlannedMarks] = []
    if crosses is not None:
        fields = dict.fromkeys(crosses, "cross") | dict.fromkeys(taken_back, "taken-back")
        marked = [PlannedMarks(fields)] * len(names)
    page, truths = fill_page(rng, levels, options, FIRM, marked)
    shot = photograph(rng, page, PX_PER_MM, grade, megapixels=6 if len(names) == 2 else 4)
    return Taken(shot.jpeg, {truth.place: truth for truth in truths})


def cover_code(jpeg: bytes) -> np.ndarray:
    """The pixels of a photo of one sheet, whose QR code lies under something grey."""
    photo = decode_photo(jpeg).copy()
    (found,) = detect_sheets(photo, layouts_of(list(shipped_levels().values())))
    layout = found.layouts[0]
    corners = corner_points(layout.frame.qr).reshape(1, -1, 2)
    seen = cv2.perspectiveTransform(corners, found.to_photo(layout))[0]
    cv2.fillConvexPoly(photo, seen.astype(int), (120, 120, 120))
    return photo


def cover_markers(jpeg: bytes, place: int, count: int = 2) -> np.ndarray:
    """The pixels of a photo whose sheet at this place has lost some of its markers."""
    photo = decode_photo(jpeg).copy()
    (group,) = [
        one
        for one in detect_sheets(photo, layouts_of(list(shipped_levels().values())))
        if one.place == place
    ]
    for corners in list(group.markers.values())[:count]:
        cv2.fillConvexPoly(photo, corners.astype(int), (120, 120, 120))
    return photo


def marker_corners(jpeg: bytes, place: int) -> list[Corner]:
    """The outer corners of the markers of the sheet at this place, as shares of the photo."""
    photo = decode_photo(jpeg)
    (found,) = [
        one
        for one in detect_sheets(photo, layouts_of(list(shipped_levels().values())))
        if one.place == place
    ]
    layout = found.layouts[0]
    corners = cv2.perspectiveTransform(layout.outer_corners[None], found.to_photo(layout))[0]
    return [(float(x), float(y)) for x, y in corners / photo.shape[1::-1]]


def hide_sheet(jpeg: bytes, *, is_code_hidden: bool = False) -> tuple[bytes, list[Corner]]:
    """A photo of one sheet whose markers are all covered, and where their outer corners are.

    The corners are shares of the photo, clockwise from the top left of the sheet.
    """
    photo = decode_photo(jpeg).copy()
    (found,) = detect_sheets(photo, layouts_of(list(shipped_levels().values())))
    layout = found.layouts[0]
    to_photo = found.to_photo(layout)
    for box in (*layout.frame.markers, *([layout.frame.qr] if is_code_hidden else [])):
        seen = cv2.perspectiveTransform(corner_points(box).reshape(1, -1, 2), to_photo)[0]
        cv2.fillConvexPoly(photo, seen.astype(int), (120, 120, 120))
    return to_jpeg(photo), marker_corners(jpeg, found.place)


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
