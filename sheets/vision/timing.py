"""CPU time of reading a photo, relative to the minimum work.

The minimum work is to decode the file, detect markers once in the whole photo, and warp one page.
Both are CPU time of this process, so that other load on the machine matters little.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

import cv2
import numpy as np

from sheets.vision.decoding import decode_photo
from sheets.vision.refusals import Refused

T = TypeVar("T")

MIN_TIMED_PX: Final = 10_000_000
"""Minimum number of pixels of a timed photo. On smaller ones the minimum work shrinks much more
than the reading."""

PAGE_PX: Final = (2376, 1680)
"""Size of a page at 8 pixels per millimetre."""


def measure_relative_time(data: bytes, work: Callable[[], T]) -> tuple[T, float | None]:
    """Return the result of ``work``, and its CPU time relative to the minimum work.

    The time is None for a photo that is small or cannot be decoded.
    """
    start = time.process_time()
    size = _minimum_work(data)
    begun = time.process_time()
    found = work()
    times = (time.process_time() - begun) / (begun - start)
    return found, times if size > MIN_TIMED_PX else None


def _minimum_work(data: bytes) -> int:
    """Do the minimum work; return the number of pixels, 0 for a refused photo."""
    try:
        photo = decode_photo(data)
    except Refused:
        return 0
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cv2.aruco.ArucoDetector(dictionary).detectMarkers(grey)
    cv2.warpPerspective(photo, np.eye(3), PAGE_PX)
    return grey.size
