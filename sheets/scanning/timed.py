"""How long does reading a photo take, beside the least that has to be done with it?

That least, the floor, is to decode the file, look for markers once in the whole photo, and lay one
page flat. Both are the processor's time of this process: what else runs on the machine counts
little.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

import cv2
import numpy as np

from sheets.scanning.photos import open_photo
from sheets.scanning.refusals import Refused

T = TypeVar("T")

LARGE_PX: Final = 10_000_000
"""Time is told of photos above it: of small ones nearly all of the floor is gone, and little of
the reading."""

FLAT_PX: Final = (2376, 1680)
"""A page at 8 pixels a millimetre."""


def beside_floor(data: bytes, work: Callable[[], T]) -> tuple[T, float | None]:
    """What some work with a photo gives, and how many times the floor it takes.

    None of a photo that is not large, or none at all.
    """
    start = time.process_time()
    size = _floor(data)
    begun = time.process_time()
    found = work()
    times = (time.process_time() - begun) / (begun - start)
    return found, times if size > LARGE_PX else None


def _floor(data: bytes) -> int:
    """Do the least with a photo; gives its size in pixels, 0 of what is refused."""
    try:
        photo = open_photo(data)
    except Refused:
        return 0
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cv2.aruco.ArucoDetector(dictionary).detectMarkers(grey)
    cv2.warpPerspective(photo, np.eye(3), FLAT_PX)
    return grey.size
