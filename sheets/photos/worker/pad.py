"""Reading of photos of filled sheets of a bought pad; runs in the process pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np

from sheets.photos.worker.messages import Corners, PadParts, PhotoResult, TurnedPicture, pack
from sheets.photos.worker.printed_sheet import encode, to_photo_result
from sheets.rules import Level
from sheets.vision.opencv_errors import memory_errors
from sheets.vision.pads.filled_sheet_reading import read_filled_sheet, read_filled_sheet_at_corners
from sheets.vision.pads.template import Template
from sheets.vision.pages import open_page
from sheets.vision.pixels import Picture
from sheets.vision.reading import Reading, read_photo
from sheets.vision.refusals import Refused

WHICH_WAY: Final = "which-way"
"""Reason for the refusal of a sheet that fits its template in several orientations.

It is a key of the refusals in `sheets.text.photos`.
"""

_TURNED_PX: Final = 360
"""Length of the longer side of the small pictures of orientations, in pixels."""

_MAX_TURNS_TRIED: Final = 2
"""Maximum number of possible orientations in which reading is tried.

If it succeeds in none, the sheet is from another pad, and the user is not asked to choose.
"""


@memory_errors()
def read_pad_photo(
    data: bytes,
    levels: Sequence[Level],
    own: Level,
    pad: PadParts,
    turn: int | None,
    number: int,
    corners: Corners | None = None,
) -> bytes:
    """Read a photo of a filled sheet of a pad and return a packed `PhotoResult`.

    If the photo shows the app's own print of a level instead, that is read by its markers.

    Args:
        levels: levels that sheets with markers may have.
        own: level of the pad, one of the levels.
        pad: template of the pad's empty sheet.
        turn: orientation that the user has chosen, as in `read_filled_sheet`; the photo is then not
            searched for markers.
        number: index of the document's page to read.
        corners: outer corners of the grid of fields, if the user placed them.
    """
    try:
        page = open_page(data, number)
    except Refused as refused:
        return pack(PhotoResult(refused.name))
    photo = page.photo
    template = Template.from_parts(pad.picture, msgspec.json.decode(pad.layout))
    if corners is not None:
        placed = read_filled_sheet_at_corners(photo, corners, template, own)
        return pack(to_photo_result(page, placed, levels))
    reading = (
        Reading("no-sheet", []) if turn is not None else read_photo(photo, levels, known=(own,))
    )
    if any(sheet.refused is None for sheet in reading.sheets):
        return pack(to_photo_result(page, reading, levels))
    filled = read_filled_sheet(photo, template, own, turn)
    if len(filled.turns) > 1:
        for one in filled.turns[:_MAX_TURNS_TRIED]:
            tried = read_filled_sheet(photo, template, own, one)
            if tried.sheets and (rectified := tried.sheets[0].rectified):
                turned = _show_turns(rectified.picture, one, filled.turns)
                return pack(PhotoResult(WHICH_WAY, turned=turned, pages=page.pages))
    # If a sheet with markers was found, its refusal is more precise.
    return pack(
        to_photo_result(page, reading if reading.sheets and filled.refused else filled, levels)
    )


def _show_turns(flat: Picture, turn: int, turns: Sequence[int]) -> tuple[TurnedPicture, ...]:
    """Return small pictures of a sheet in all orientations; ``flat`` shows it with ``turn``."""
    scale = _TURNED_PX / max(flat.shape)
    small = cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return tuple(
        TurnedPicture(one, encode(np.ascontiguousarray(np.rot90(small, one - turn)), "JPEG"))
        for one in turns
    )
