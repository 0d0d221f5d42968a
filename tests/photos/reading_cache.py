"""Cache of read photos, shared by all tests and their processes.

Reading a photo takes longer than all that a test does with the result. The first test that sends a
photo has it read by the code under test, as on a site; later ones get the same result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from sheets.photos.worker import empty_sheet, pad, printed_sheet
from sheets.photos.worker.messages import PadParts
from sheets.rules import Level, format_level
from tests.shared_cache import shared_folder

READERS = (
    (printed_sheet, "read_print_photo"),
    (empty_sheet, "read_empty_photo"),
    (pad, "read_pad_photo"),
)
"""Functions that take the bytes of a photo, and perhaps more, and return packed results."""


def read_once(patch: pytest.MonkeyPatch) -> None:
    """Have each photo read once for the same levels and pad."""
    for module, name in READERS:
        patch.setattr(module, name, _cached(getattr(module, name)))


def _cached(read: Callable[..., bytes]) -> Callable[..., bytes]:
    @wraps(read)
    def get(data: bytes, *more: Any) -> bytes:
        asked = json.dumps([read.__name__, *more], default=_plain).encode()
        key = hashlib.sha256(asked + data).hexdigest()

        def make(folder: Path) -> None:
            (folder / "read").write_bytes(read(data, *more))

        return (shared_folder(f"photo-{key}", make) / "read").read_bytes()

    return get


def _plain(value: Level | PadParts) -> object:
    """Return a value that JSON knows."""
    if isinstance(value, PadParts):
        return [hashlib.sha256(value.picture).hexdigest(), value.layout.decode()]
    return format_level(value)
