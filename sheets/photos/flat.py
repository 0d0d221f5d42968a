"""A flat sheet that is to be kept: written anew, so that nothing but its pixels stays."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from sheets.photos.seen import Kept, pack

MOST_PX: Final = 3000
"""Of its longer side: sheets are laid flat at 8 pixels a millimetre."""

QUALITY: Final = 75


def clean(data: bytes) -> bytes:
    """A JPEG that the page has sent, for `sheets.photos.seen.unpack_kept`; empty for all else."""
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as sent:
            if max(sent.size) > MOST_PX:
                return b""
            picture = sent.convert("RGB")
    except (OSError, SyntaxError, ValueError):
        return b""
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=QUALITY)
    return pack(Kept(written.getvalue(), picture.width, picture.height))
