"""How is what was read on a leaf of somebody's pad shown? Run in the process that reads photos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np

from sheets.photos.look import encoded, seen_photo
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
"""Why a sheet that looks alike several ways round is not read, as `sheets.texts.photos` has it."""

_TURNED_PX: Final = 360

_TRIED: Final = 2
"""So many ways round are tried before nobody is asked: it is the leaf of another pad."""


@memory_errors()
def look_at_pad(
    data: bytes,
    levels: Sequence[Level],
    own: Level,
    pad: PadParts,
    turn: int | None,
    number: int,
) -> bytes:
    """Read a photo and pack what is to be shown of it.

    Sheets with our markers are read by these: somebody may have printed the level here, too.

    Args:
        levels: what sheets with markers may be; ``own``, one of them, is that of the pad.
        pad: what is kept of its empty sheet.
        turn: as of `read_filled`; only the pad's leaf is looked for then.
        number: that of the page, see `sheets.photos.work.read`.
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
        return pack(seen_photo(page, reading, levels))
    template = Template.from_parts(pad.picture, msgspec.json.decode(pad.layout))
    filled = read_filled(photo, template, own, turn)
    if len(filled.turns) > 1:
        for one in filled.turns[:_TRIED]:
            tried = read_filled(photo, template, own, one)
            if tried.sheets and (straight := tried.sheets[0].straight):
                turned = _turned(straight.picture, one, filled.turns)
                return pack(SeenPhoto(WHICH_WAY, turned=turned, pages=page.pages))
    # What is said of one of our sheets that was found is more to the point.
    return pack(seen_photo(page, reading if reading.sheets and filled.refused else filled, levels))


def _turned(flat: Picture, turn: int, turns: Sequence[int]) -> tuple[Turned, ...]:
    """A sheet laid flat, which is upright with this turn, as it is with the others."""
    scale = _TURNED_PX / max(flat.shape)
    small = cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return tuple(
        Turned(one, encoded(np.ascontiguousarray(np.rot90(small, one - turn)), "JPEG"))
        for one in turns
    )
