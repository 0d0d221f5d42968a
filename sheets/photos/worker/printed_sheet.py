"""Conversion of a read photo to a message for the server: pictures, places and likely answers.

It runs in the process pool.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sheets.photos.worker.messages import Box, Corners, PhotoResult, Place, SheetResult, pack
from sheets.rules import Level
from sheets.vision.decoding import unreadable_type
from sheets.vision.illumination import normalise_illumination
from sheets.vision.layouts import SheetLayout
from sheets.vision.mark_kinds import EMPTY, TAKEN_BACK
from sheets.vision.opencv_errors import memory_errors
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pages import Page, open_page, why_not_read
from sheets.vision.pixels import Picture
from sheets.vision.reading import (
    MIN_CONFIDENCE,
    Reading,
    SheetReading,
    read_photo,
    read_photo_at_corners,
)
from sheets.vision.rectification import PX_PER_MM, RectifiedSheet
from sheets.vision.reference_image import reference_image
from sheets.vision.refusals import Refused

JPEG_QUALITY: Final = 80
"""Quality of JPEGs: pen strokes stay visible, and a sheet takes about 250 kB."""

NAME_PX_PER_MM: Final = 5.0
"""Resolution of the picture of the name line, in pixels per millimetre."""

_NAME_ABOVE: Final = 0.1
"""Margin above the name line in its picture, as a share of its height: letters extend beyond it."""

_NAME_BELOW: Final = 0.5
"""Margin below the name line in its picture, as a share of its height."""

_THUMBNAIL_PX: Final = 480
"""Maximum length of a thumbnail's longer side, in pixels."""

_OUTLINE: Final = (((255, 255, 255), 9), ((225, 90, 0), 4))
"""Colours and widths in pixels of the lines around a sheet: a wide light one below a dark one."""


@memory_errors()
def read_print_photo(
    data: bytes,
    levels: Sequence[Level],
    known: Sequence[Level],
    number: int,
    corners: Corners | None = None,
) -> bytes:
    """Read a photo of printed sheets and return a packed `PhotoResult`.

    `sheets.photos.worker.tasks.read` describes the arguments; ``number`` is the index of the page.
    """
    try:
        page = open_page(data, number)
    except Refused as refused:
        return pack(PhotoResult(refused.name))
    if corners is None:
        reading = read_photo(page.photo, levels, known=known)
    else:
        reading = read_photo_at_corners(page.photo, corners, levels, known=known)
    return pack(to_photo_result(page, reading, levels))


def to_photo_result(page: Page, reading: Reading, levels: Sequence[Level]) -> PhotoResult:
    """Return the message about the reading of a photo or of a page of a document."""
    pages = page.pages
    if reading.refused:
        reason = why_not_read(page, unreadable_type(page.photo) or reading.refused)
        if pages == 1 or reason == "blank":
            return PhotoResult(reason, pages=pages)
        # A refused page of a document becomes a sheet, so that the user does not overlook it.
        with Image.open(io.BytesIO(page.photo)) as file:
            file.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX))
            thumbnail = encode(np.asarray(file.convert("RGB")), "JPEG")
            return PhotoResult(
                "", (SheetResult(reason, size=file.size, picture=thumbnail),), pages=pages
            )
    places = {level.id: i for i, level in enumerate(levels)}
    sheets = tuple(_to_sheet_result(sheet, places, reading.photo) for sheet in reading.sheets)
    return PhotoResult("", sheets, pages=pages)


def _to_sheet_result(
    sheet: SheetReading, levels: Mapping[str, int], photo: Picture | None
) -> SheetResult:
    layout, rectified = sheet.layout, sheet.rectified
    if sheet.refused or layout is None or rectified is None:
        size, thumbnail = _outlined(photo, sheet.outline) if photo is not None else ((0, 0), b"")
        return SheetResult(sheet.refused or "", -1, sheet.number, size, thumbnail)
    height, width = rectified.picture.shape[:2]
    return SheetResult(
        "",
        levels[layout.level.id],
        sheet.number,
        (width, height),
        encode(_even_light(rectified.picture, PX_PER_MM), "JPEG"),
        _blank(layout),
        _name(layout, rectified),
        (*_fields(sheet, layout, rectified), *_numbers(sheet, layout, rectified)),
        sheet.is_overexposed,
    )


def _outlined(photo: Picture, outline: NDArray[np.float64] | None) -> tuple[tuple[int, int], bytes]:
    """Return the photo as a small JPEG with a line around one sheet: (width, height), bytes."""
    scale = min(1.0, _THUMBNAIL_PX / max(photo.shape))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if outline is not None:
        corners = np.round(outline * scale).astype(np.int32)
        for colour, width in _OUTLINE:
            cv2.polylines(small, [corners], isClosed=True, color=colour, thickness=width)
    return (small.shape[1], small.shape[0]), encode(small, "JPEG")


def _blank(layout: SheetLayout) -> bytes:
    blank = reference_image(layout)
    if isinstance(layout, PadForm):  # its empty sheet is a photo, too
        return encode(_even_light(blank, PX_PER_MM), "JPEG")
    return encode(blank, "PNG")


def _fields(sheet: SheetReading, layout: SheetLayout, rectified: RectifiedSheet) -> list[Place]:
    """Return the fields with more than one possible value."""
    best = sheet.best()
    places = []
    for at, likely in sheet.answers.items():
        kind, confidence = best[at]
        merged = {name: share for name, share in likely.items() if name != TAKEN_BACK}
        others = sorted(merged, key=lambda name: -merged[name])
        answers = dict.fromkeys((kind, *others))
        if len(answers) > 1:
            values = tuple("" if name == EMPTY else name for name in answers)
            places.append(
                Place(at, (_box(layout, rectified, at),), (), values, confidence < MIN_CONFIDENCE)
            )
    return places


def _numbers(sheet: SheetReading, layout: SheetLayout, rectified: RectifiedSheet) -> list[Place]:
    """Return the flags and races with their numbers; an empty answer means no circled number.

    The positions of numbers on sheets of a pad are unknown, so the list is empty for them; the page
    of the scoring asks for the numbers.
    """
    best = sheet.best_numbers()
    places = []
    for track, likely in sheet.circled.items():
        rooms = {name: room for name, room in layout.numbers.items() if room.track == track}
        if not rooms:
            continue
        answers = sorted(likely, key=lambda points: -likely[points])
        places.append(
            Place(
                track.replace("-", " ", 1),
                tuple(_box(layout, rectified, name) for name in rooms),
                tuple(str(room.points) for room in rooms.values()),
                tuple("" if points is None else str(points) for points in answers),
                best[track][1] < MIN_CONFIDENCE,
            )
        )
    return places


def _box(layout: SheetLayout, rectified: RectifiedSheet, name: str) -> Box:
    """Return the box of a field or number in the rectified picture, in pixels."""
    x, y, width, height = layout.boxes[name]
    dx, dy = rectified.shifts[name]
    left, top = layout.box[:2]
    box = (x - left + dx, y - top + dy, width, height)
    return tuple(round(side * PX_PER_MM) for side in box)  # type: ignore[return-value]


def _name(layout: SheetLayout, rectified: RectifiedSheet) -> bytes:
    """Return a JPEG of the handwritten name; empty if the sheet has no name line."""
    if not layout.name:
        return b""
    x, y, width, height = layout.name
    box = (x, y - _NAME_ABOVE * height, width, (1 + _NAME_ABOVE + _NAME_BELOW) * height)
    written = rectified.sampler.sample(box, NAME_PX_PER_MM)
    return encode(_even_light(written, NAME_PX_PER_MM), "JPEG")


def _even_light(picture: Picture, px_per_mm: float) -> Picture:
    """Correct uneven illumination, so that pale strokes in shadows are visible."""
    ink = np.clip(normalise_illumination(picture, px_per_mm), 0, 1)
    return np.round(255 * (1 - ink)).astype(np.uint8)


def encode(picture: Picture, format: str) -> bytes:
    """Encode a picture as the bytes of a JPEG or PNG file."""
    file = io.BytesIO()
    image = Image.fromarray(picture)
    if format == "PNG":
        image = image.quantize(64, dither=Image.Dither.NONE)  # flat colours: a tenth of the bytes
    image.save(file, format, quality=JPEG_QUALITY)
    return file.getvalue()
