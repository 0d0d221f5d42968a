"""OpenCV's errors about missing memory, as Python's own exception."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import cv2


@contextmanager
def memory_errors() -> Iterator[None]:
    """Raise MemoryError where OpenCV reports that it could not allocate memory.

    Its own allocator sets an error code; from C++ containers only the message is left.
    """
    try:
        yield
    except cv2.error as error:
        if getattr(error, "code", None) == cv2.Error.StsNoMem or "bad_alloc" in str(error):
            raise MemoryError from error
        raise
