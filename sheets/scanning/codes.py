"""What does a sheet's QR code say?"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from sheets.geometry import MARKER_MM
from sheets.scanning.pixels import Picture

SAYS: Final = re.compile(r"DIZZLE:([A-Z0-9-]{1,64}):([1-9][0-9]{0,3}):([0-9A-F]{8})")
PX_PER_MM: Final = 7.0
ABOVE_MM, WIDE_MM, HIGH_MM = 16.0, 62.0, 72.0
"""Where the code may lie, whatever the form: right of the lower right marker, and below."""


class Code(NamedTuple):
    """A sheet's level, its number in one set, and the name of its form."""

    level: str
    number: int
    hash: str


def read_code(
    photo: Picture, to_photo: NDArray[np.float64], low_right: tuple[float, float]
) -> Code | None:
    """What the code beside a sheet says, if it can be read.

    ``to_photo`` takes millimetres of the leaf to pixels; ``low_right`` is the outer corner of the
    leaf's third marker.
    """
    x, y = low_right[0], low_right[1] - MARKER_MM - ABOVE_MM
    size = (round(WIDE_MM * PX_PER_MM), round(HIGH_MM * PX_PER_MM))
    onto = np.array([[1 / PX_PER_MM, 0, x], [0, 1 / PX_PER_MM, y], [0, 0, 1]])
    patch = cv2.warpPerspective(
        photo, to_photo @ onto, size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    )
    grey = cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY)
    for found in zxingcpp.read_barcodes(
        grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode), try_invert=False
    ):
        if says := SAYS.fullmatch(found.text):
            return Code(says[1].lower(), int(says[2]), says[3].lower())
    return None
