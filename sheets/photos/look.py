"""Conversion of a photo's reading for the page: pictures, places, and answers by likelihood.

It runs in the process that reads photos.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sheets.photos.seen import Box, Place, SeenPhoto, SeenSheet, pack
from sheets.rules import Level
from sheets.scanning.blank import blank_of
from sheets.scanning.forms import Leaf
from sheets.scanning.kinds import EMPTY, TAKEN_BACK
from sheets.scanning.memory import memory_errors
from sheets.scanning.pages import Page, open_page, why_not_read
from sheets.scanning.photos import unreadable_type
from sheets.scanning.pixels import Picture
from sheets.scanning.reading import SURE, Reading, SheetReading, read_photo
from sheets.scanning.refusals import Refused
from sheets.scanning.straighten import PX_PER_MM, Straight, flatten_light
from sheets.scanning.unknown.pad import Pad

JPEG_QUALITY: Final = 80
"""Quality of JPEGs: strokes on a field stay visible, and a sheet takes about 250 kB."""

NAME_PX_PER_MM: Final = 5.0
"""Resolution of the picture of the written name, in pixels per millimetre."""

_NAME_ABOVE: Final = 0.1
"""Margin above the name line, as a share of its height: letters extend beyond the line."""

_NAME_BELOW: Final = 0.5
"""Margin below the name line, as a share of its height."""

_THUMBNAIL_PX: Final = 480
"""Maximum length of a thumbnail's longer side, in pixels."""

_OUTLINE: Final = (((255, 255, 255), 9), ((225, 90, 0), 4))
"""Colours and widths in pixels of the lines around a sheet: a wide light one below a dark one."""


@memory_errors()
def read_print_photo(
    data: bytes, levels: Sequence[Level], known: Sequence[Level], number: int
) -> bytes:
    """Read a photo of printed sheets and pack the result, see `sheets.photos.work.read`."""
    try:
        page = open_page(data, number)
    except Refused as refused:
        return pack(SeenPhoto(refused.name))
    return pack(to_seen_photo(page, read_photo(page.photo, levels, known=known), levels))


def to_seen_photo(page: Page, reading: Reading, levels: Sequence[Level]) -> SeenPhoto:
    """Convert the reading of a photo's page for the web page."""
    pages = page.pages
    if reading.refused:
        why = why_not_read(page, unreadable_type(page.photo) or reading.refused)
        if pages == 1 or why == "blank":
            return SeenPhoto(why, pages=pages)
        # A refused page of a document becomes a sheet, so that the user does not overlook it.
        with Image.open(io.BytesIO(page.photo)) as file:
            file.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX))
            thumbnail = encode(np.asarray(file.convert("RGB")), "JPEG")
            return SeenPhoto("", (SeenSheet(why, size=file.size, picture=thumbnail),), pages=pages)
    places = {level.id: i for i, level in enumerate(levels)}
    sheets = tuple(_to_seen_sheet(sheet, places, reading.photo) for sheet in reading.sheets)
    return SeenPhoto("", sheets, pages=pages)


def _to_seen_sheet(
    sheet: SheetReading, levels: Mapping[str, int], photo: Picture | None
) -> SeenSheet:
    form, straight = sheet.form, sheet.straight
    if sheet.refused or form is None or straight is None:
        size, thumbnail = _outlined(photo, sheet.outline) if photo is not None else ((0, 0), b"")
        return SeenSheet(sheet.refused or "", -1, sheet.number, size, thumbnail)
    height, width = straight.picture.shape[:2]
    return SeenSheet(
        "",
        levels[form.level.id],
        sheet.number,
        (width, height),
        encode(_even_light(straight.picture, PX_PER_MM), "JPEG"),
        _blank(form),
        _name(form, straight),
        (*_fields(sheet, form, straight), *_numbers(sheet, form, straight)),
        sheet.is_bleached,
    )


def _outlined(photo: Picture, outline: NDArray[np.float64] | None) -> tuple[tuple[int, int], bytes]:
    """Return the photo as a small JPEG with a line around one sheet, and its size in pixels."""
    scale = min(1.0, _THUMBNAIL_PX / max(photo.shape))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if outline is not None:
        corners = np.round(outline * scale).astype(np.int32)
        for colour, width in _OUTLINE:
            cv2.polylines(small, [corners], isClosed=True, color=colour, thickness=width)
    return (small.shape[1], small.shape[0]), encode(small, "JPEG")


def _blank(form: Leaf) -> bytes:
    blank = blank_of(form)
    if isinstance(form, Pad):  # its empty sheet is a photo, too
        return encode(_even_light(blank, PX_PER_MM), "JPEG")
    return encode(blank, "PNG")


def _fields(sheet: SheetReading, form: Leaf, straight: Straight) -> list[Place]:
    """Return the fields with more than one possible answer."""
    best = sheet.best()
    places = []
    for at, likely in sheet.answers.items():
        kind, confidence = best[at]
        merged = {name: share for name, share in likely.items() if name != TAKEN_BACK}
        others = sorted(merged, key=lambda name: -merged[name])
        answers = dict.fromkeys((kind, *others))
        if len(answers) > 1:
            values = tuple("" if name == EMPTY else name for name in answers)
            places.append(Place(at, (_box(form, straight, at),), (), values, confidence < SURE))
    return places


def _numbers(sheet: SheetReading, form: Leaf, straight: Straight) -> list[Place]:
    """Return the flags and races with their numbers; an empty answer means that none is circled.

    On a pad the position of the numbers is unknown: the scoring asks for them instead.
    """
    best = sheet.best_numbers()
    places = []
    for track, likely in sheet.circled.items():
        rooms = {name: room for name, room in form.numbers.items() if room.track == track}
        if not rooms:
            continue
        answers = sorted(likely, key=lambda points: -likely[points])
        places.append(
            Place(
                track.replace("-", " ", 1),
                tuple(_box(form, straight, name) for name in rooms),
                tuple(str(room.points) for room in rooms.values()),
                tuple("" if points is None else str(points) for points in answers),
                best[track][1] < SURE,
            )
        )
    return places


def _box(form: Leaf, straight: Straight, name: str) -> Box:
    """Return the box of a field or number in the rectified picture, in pixels."""
    x, y, width, height = form.boxes[name]
    dx, dy = straight.shifts[name]
    left, top = form.box[:2]
    box = (x - left + dx, y - top + dy, width, height)
    return tuple(round(side * PX_PER_MM) for side in box)  # type: ignore[return-value]


def _name(form: Leaf, straight: Straight) -> bytes:
    """Return a JPEG of the name line; empty if the sheet has none."""
    if not form.name:
        return b""
    x, y, width, height = form.name
    box = (x, y - _NAME_ABOVE * height, width, (1 + _NAME_ABOVE + _NAME_BELOW) * height)
    written = straight.lens.look(box, NAME_PX_PER_MM)
    return encode(_even_light(written, NAME_PX_PER_MM), "JPEG")


def _even_light(picture: Picture, px_per_mm: float) -> Picture:
    """Correct uneven illumination, so that pale strokes in shadows are visible."""
    ink = np.clip(flatten_light(picture, px_per_mm), 0, 1)
    return np.round(255 * (1 - ink)).astype(np.uint8)


def encode(picture: Picture, format: str) -> bytes:
    """Encode a picture as the bytes of a JPEG or PNG file."""
    file = io.BytesIO()
    image = Image.fromarray(picture)
    if format == "PNG":
        image = image.quantize(64, dither=Image.Dither.NONE)  # flat colours: a tenth of the bytes
    image.save(file, format, quality=JPEG_QUALITY)
    return file.getvalue()
