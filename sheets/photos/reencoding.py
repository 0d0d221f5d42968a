"""Re-encoding of an uploaded picture for storage: it keeps only the pixels, with a size limit."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from sheets.photos.worker.messages import MAX_PICTURE_BYTES, StoredPicture, pack

MAX_SIDE_PX: Final = 3000
"""Maximum length of the longer side of a picture; rectified sheets have 8 pixels per mm."""

QUALITIES: Final = (75, 50, 25, 10)
"""JPEG qualities, tried in this order until the picture is small enough."""


def reencode(data: bytes) -> bytes:
    """Re-encode a JPEG that the page has sent, and return it as a packed `StoredPicture`.

    Empty if the data is no JPEG, or if the picture is larger than `MAX_SIDE_PX` or, at all
    `QUALITIES`, than `MAX_PICTURE_BYTES`.
    """
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as sent:
            if max(sent.size) > MAX_SIDE_PX:
                return b""
            picture = sent.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return b""
    for quality in QUALITIES:
        written = io.BytesIO()
        picture.save(written, "JPEG", quality=quality)
        if written.tell() <= MAX_PICTURE_BYTES:
            return pack(StoredPicture(written.getvalue(), picture.width, picture.height))
    return b""
