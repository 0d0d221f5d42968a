"""Results of photos that were read once for all tests and test processes.

Reading takes longer than everything that a test does with the result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from sheets.photos.look import look_at_photo
from sheets.rules import Level, format_level
from tests.made_once import made_once


def read_once(data: bytes, levels: Sequence[Level], known: Sequence[Level]) -> bytes:
    """Return the result of `look_at_photo`; read the photo if no test has done so."""
    choices = [[format_level(level) for level in among] for among in (levels, known)]
    asked = hashlib.sha256(json.dumps(choices).encode() + data).hexdigest()

    def make(folder: Path) -> None:
        (folder / "read").write_bytes(look_at_photo(data, levels, known))

    return (made_once(f"photo-{asked}", make) / "read").read_bytes()
