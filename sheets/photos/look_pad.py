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
from sheets.scanning.photos import open_photo
from sheets.scanning.reading import Reading, read_photo
from sheets.scanning.unknown.filled import FilledReading, read_filled
from sheets.scanning.unknown.template import Template

WHICH_WAY: Final = "which-way"
"""Why a sheet that looks alike several ways round is not read, as `sheets.texts.photos` has it."""

_TURNED_PX: Final = 320


def look_at_pad(
    data: bytes, levels: Sequence[Level], own: Level, pad: PadParts, turn: int | None
) -> bytes:
    """Read a photo and pack what is to be shown of it.

    Sheets with our markers are read by these: somebody may have printed the level here, too.

    Args:
        levels: what sheets with markers may be; ``own``, one of them, is that of the pad.
        pad: what is kept of its empty sheet.
        turn: as of `read_filled`; only the pad's leaf is looked for then.
    """
    reading = (
        Reading("no-sheet", []) if turn is not None else read_photo(data, levels, known=(own,))
    )
    if any(sheet.refused is None for sheet in reading.sheets):
        return pack(seen_photo(data, reading, levels))
    template = Template.from_parts(pad.picture, msgspec.json.decode(pad.layout))
    filled = read_filled(data, template, own, turn)
    if len(filled.turns) > 1:
        return pack(SeenPhoto(WHICH_WAY, turned=_turned(data, filled)))
    # What is said of one of our sheets that was found is more to the point.
    return pack(seen_photo(data, reading if reading.sheets and filled.refused else filled, levels))


def _turned(data: bytes, filled: FilledReading) -> tuple[Turned, ...]:
    photo = open_photo(data)
    scale = _TURNED_PX / max(photo.shape)
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return tuple(
        Turned(turn, encoded(np.ascontiguousarray(np.rot90(small, turn)), "JPEG"))
        for turn in filled.turns
    )
