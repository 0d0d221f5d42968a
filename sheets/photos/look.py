"""How is what was read on a photo shown? Pictures, places on them, and answers by likelihood."""

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

QUALITY: Final = 80
"""Of the JPEGs: a field's strokes show, and a sheet is some 250 kB."""

NAME_PX_PER_MM: Final = 5.0
_NAME_ABOVE, _NAME_BELOW = 0.1, 0.5
"""Shares of the name line's height that are shown above and below it: letters reach over it."""

_THUMBNAIL_PX: Final = 480
_OUTLINE: Final = (((255, 255, 255), 9), ((225, 90, 0), 4))
"""Colours and widths in pixels of the line around a sheet, a light one below a dark one."""


@memory_errors()
def look_at_photo(
    data: bytes, levels: Sequence[Level], known: Sequence[Level], number: int
) -> bytes:
    """Read a photo and pack what is to be shown of it, see `sheets.photos.work.read`."""
    try:
        page = open_page(data, number)
    except Refused as refused:
        return pack(SeenPhoto(refused.name))
    return pack(seen_photo(page, read_photo(page.photo, levels, known=known), levels))


def seen_photo(page: Page, reading: Reading, levels: Sequence[Level]) -> SeenPhoto:
    """What is shown of a photo that was read."""
    pages = page.pages
    if reading.refused:
        why = why_not_read(page, unreadable_type(page.photo) or reading.refused)
        if pages == 1 or why == "blank":
            return SeenPhoto(why, pages=pages)
        # As a sheet, so that a page among others is not overlooked.
        with Image.open(io.BytesIO(page.photo)) as file:
            file.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX))
            thumbnail = encoded(np.asarray(file.convert("RGB")), "JPEG")
            return SeenPhoto("", (SeenSheet(why, size=file.size, picture=thumbnail),), pages=pages)
    places = {level.id: i for i, level in enumerate(levels)}
    sheets = tuple(_seen(sheet, places, reading.photo) for sheet in reading.sheets)
    return SeenPhoto("", sheets, pages=pages)


def _seen(sheet: SheetReading, levels: Mapping[str, int], photo: Picture | None) -> SeenSheet:
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
        encoded(_evened(straight.picture, PX_PER_MM), "JPEG"),
        _blank(form),
        _name(form, straight),
        (*_fields(sheet, form, straight), *_numbers(sheet, form, straight)),
        sheet.is_bleached,
    )


def _outlined(photo: Picture, outline: NDArray[np.float64] | None) -> tuple[tuple[int, int], bytes]:
    """The photo as a small JPEG with a line around one of its sheets, and its size in pixels."""
    scale = min(1.0, _THUMBNAIL_PX / max(photo.shape))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if outline is not None:
        corners = np.round(outline * scale).astype(np.int32)
        for colour, width in _OUTLINE:
            cv2.polylines(small, [corners], isClosed=True, color=colour, thickness=width)
    return (small.shape[1], small.shape[0]), encoded(small, "JPEG")


def _blank(form: Leaf) -> bytes:
    blank = blank_of(form)
    if isinstance(form, Pad):  # a photo, too
        return encoded(_evened(blank, PX_PER_MM), "JPEG")
    return encoded(blank, "PNG")


def _fields(sheet: SheetReading, form: Leaf, straight: Straight) -> list[Place]:
    """Each field of which there is more than one thing to say."""
    best = sheet.best()
    places = []
    for at, likely in sheet.answers.items():
        kind, sure = best[at]
        merged = {name: share for name, share in likely.items() if name != TAKEN_BACK}
        others = sorted(merged, key=lambda name: -merged[name])
        answers = dict.fromkeys((kind, *others))
        if len(answers) > 1:
            values = tuple("" if name == EMPTY else name for name in answers)
            places.append(Place(at, (_box(form, straight, at),), (), values, sure < SURE))
    return places


def _numbers(sheet: SheetReading, form: Leaf, straight: Straight) -> list[Place]:
    """Each flag and race with its numbers; no number stands for none of them.

    Where nobody knows where these are, on a pad, the scoring itself asks.
    """
    best = sheet.best_numbers()
    places = []
    for track, likely in sheet.circled.items():
        rooms = {name: room for name, room in form.numbers.items() if room.track == track}
        if not rooms:
            continue
        # On a leaf of a pad nobody knows where they stand: its flags, or its area, are shown.
        fields = form.level.names(form.level.number_tracks[track.replace("-", " ", 1)].fields)
        answers = sorted(likely, key=lambda points: -likely[points])
        places.append(
            Place(
                track.replace("-", " ", 1),
                tuple(_box(form, straight, name) for name in rooms or fields),
                tuple(str(room.points) for room in rooms.values()) or ("",) * len(fields),
                tuple("" if points is None else str(points) for points in answers),
                best[track][1] < SURE,
            )
        )
    return places


def _box(form: Leaf, straight: Straight, name: str) -> Box:
    """Where something lies in the flat picture."""
    x, y, width, height = form.boxes[name]
    dx, dy = straight.shifts[name]
    left, top = form.box[:2]
    box = (x - left + dx, y - top + dy, width, height)
    return tuple(round(side * PX_PER_MM) for side in box)  # type: ignore[return-value]


def _name(form: Leaf, straight: Straight) -> bytes:
    """Where its player has written a name."""
    if not form.name:
        return b""
    x, y, width, height = form.name
    box = (x, y - _NAME_ABOVE * height, width, (1 + _NAME_ABOVE + _NAME_BELOW) * height)
    written = straight.lens.look(box, NAME_PX_PER_MM)
    return encoded(_evened(written, NAME_PX_PER_MM), "JPEG")


def _evened(picture: Picture, px_per_mm: float) -> Picture:
    """As under a lamp that lights all of it alike: people see pale strokes in shadows, too."""
    ink = np.clip(flatten_light(picture, px_per_mm), 0, 1)
    return np.round(255 * (1 - ink)).astype(np.uint8)


def encoded(picture: Picture, format: str) -> bytes:
    """A picture as the bytes of a file."""
    file = io.BytesIO()
    image = Image.fromarray(picture)
    if format == "PNG":
        image = image.quantize(64, dither=Image.Dither.NONE)  # flat colours: a tenth of the bytes
    image.save(file, format, quality=QUALITY)
    return file.getvalue()
