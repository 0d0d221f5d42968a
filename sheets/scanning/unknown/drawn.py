"""How is an unknown sheet shown with what was seen on it?"""

from __future__ import annotations

from typing import Final

import cv2

from sheets.scanning.answered import ASKED_COLOUR, SURE_COLOUR
from sheets.scanning.pixels import Picture
from sheets.scanning.reading import SURE
from sheets.scanning.unknown.flat import FIELD_PX
from sheets.scanning.unknown.reading import UNREAD, NewSheet

_ENLARGED: Final = 2
_INSET: Final = 0.04
_LETTER_PX: Final = 22
"""How high letters of OpenCV are at scale 1."""


def draw_new(sheet: NewSheet) -> Picture:
    """The sheet laid flat and turned upright, each field framed, with its digit and its group.

    What the reader is unsure of has a thick frame and a colour of its own. Raises ValueError for a
    refused sheet.
    """
    if sheet.flat is None:
        raise ValueError("nothing was seen on this photo")
    side = FIELD_PX * _ENLARGED
    picture = cv2.resize(sheet.flat.picture, None, fx=_ENLARGED, fy=_ENLARGED)
    for one, place in zip(sheet.fields, sheet.places, strict=True):
        x, y = (round((place[i] - 0.5 - sheet.flat.origin[i] + _INSET) * side) for i in (0, 1))
        size = round((1 - 2 * _INSET) * side)
        colour = SURE_COLOUR if one.sure >= SURE else ASKED_COLOUR
        width = 2 if one.sure >= SURE else 5
        cv2.rectangle(picture, (x, y), (x + size, y + size), colour, width, cv2.LINE_AA)
        told = f"{one.digit or UNREAD} {one.group + 1}"
        scale = 0.24 * side / _LETTER_PX
        at = (x + 4, y + size - 5)
        for shown, thick in (((255, 255, 255), 6), (colour, 2)):
            cv2.putText(
                picture, told, at, cv2.FONT_HERSHEY_SIMPLEX, scale, shown, thick, cv2.LINE_AA
            )
    return picture
