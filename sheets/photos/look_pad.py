"""Reading of photos of a bought pad's filled sheets, in the process that reads photos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np

from sheets.photos.look import encode, to_seen_photo
from sheets.photos.seen import PadParts, SeenPhoto, Turned, pack
from sheets.rules import Level
from sheets.scanning.memory import memory_errors
from sheets.scanning.pages import open_page
from sheets.scanning.pixels import Picture
from sheets.scanning.reading import Reading, read_photo
from sheets.scanning.refusals import Refused
from sheets.scanning.unknown.filled import read_filled
from sheets.scanning.unknown.template import Template

WHICH_WAY: Final = "which-way"
"""Refusal of a sheet whose print fits in several orientations, a name of `sheets.texts.photos`."""

_TURNED_PX: Final = 360
"""Length of the longer side of a picture that shows an orientation, in pixels."""

_MAX_TURNS_TRIED: Final = 2
"""Maximum number of orientations to try. If none can be read, it is the sheet of another pad, and
the user is not asked for the orientation."""


@memory_errors()
def read_pad_photo(
    data: bytes,
    levels: Sequence[Level],
    own: Level,
    pad: PadParts,
    turn: int | None,
    number: int,
) -> bytes:
    """Read a photo of a pad's filled sheet and pack the result.

    Our own prints of the level are read by their markers.

    Args:
        levels: levels that sheets with markers may have.
        own: level of the pad, one of the levels.
        pad: template of the pad's empty sheet.
        turn: as in `read_filled`; if given, sheets with markers are not searched for.
        number: index of the page, see `sheets.photos.work.read`.
    """
    try:
        page = open_page(data, number)
    except Refused as refused:
        return pack(SeenPhoto(refused.name))
    photo = page.photo
    reading = (
        Reading("no-sheet", []) if turn is not None else read_photo(photo, levels, known=(own,))
    )
    if any(sheet.refused is None for sheet in reading.sheets):
        return pack(to_seen_photo(page, reading, levels))
    template = Template.from_parts(pad.picture, msgspec.json.decode(pad.layout))
    filled = read_filled(photo, template, own, turn)
    if len(filled.turns) > 1:
        for one in filled.turns[:_MAX_TURNS_TRIED]:
            tried = read_filled(photo, template, own, one)
            if tried.sheets and (straight := tried.sheets[0].straight):
                turned = _show_turns(straight.picture, one, filled.turns)
                return pack(SeenPhoto(WHICH_WAY, turned=turned, pages=page.pages))
    # If a sheet with markers was found, its refusal is more precise.
    return pack(
        to_seen_photo(page, reading if reading.sheets and filled.refused else filled, levels)
    )


def _show_turns(flat: Picture, turn: int, turns: Sequence[int]) -> tuple[Turned, ...]:
    """Return small pictures of a sheet with each of the turns, given the picture with ``turn``."""
    scale = _TURNED_PX / max(flat.shape)
    small = cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return tuple(
        Turned(one, encode(np.ascontiguousarray(np.rot90(small, one - turn)), "JPEG"))
        for one in turns
    )
