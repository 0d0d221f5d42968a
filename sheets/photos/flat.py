"""Re-encoding of a rectified sheet for storage: only its pixels remain, in bounded size."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from sheets.photos.seen import MAX_PICTURE_BYTES, StoredPicture, pack

MAX_SIDE_PX: Final = 3000
"""Maximum length of the longer side: sheets are rectified at 8 pixels per millimetre."""

QUALITIES: Final = (75, 50, 25, 10)
"""JPEG qualities, tried in this order until the picture is small enough."""


def clean(data: bytes) -> bytes:
    """Re-encode a JPEG that the page has sent, for `sheets.photos.seen.unpack`.

    Empty for other data, and for a picture that does not fit into `MAX_PICTURE_BYTES`.
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
