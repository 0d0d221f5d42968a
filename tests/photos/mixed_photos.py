"""Test photos like those of users: printed sheets, pads, other pictures, broken files."""

from __future__ import annotations

import io
import json
import re
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PIL import Image

from sheets.http.process_pool import PHOTO_READING, TaskFailed, TaskPool, Work
from sheets.levels import shipped_levels
from sheets.photos.worker import tasks
from sheets.photos.worker.messages import EmptySheetResult, PhotoResult, unpack
from tests.vision.filled_sheet_shots import take_filled_sheet
from tests.vision.shots import take

LARGE: Final = (8160, 6120)
"""Width and height of a phone's largest photos, in pixels: 50 megapixels."""


class TaskResult(NamedTuple):
    """Outcome of a photo, and the maximum memory of the process that read it.

    ``outcome`` is ``read`` for each sheet, the name of a refusal, or that of an exception; then
    the memory is unknown and 0.
    """

    outcome: str
    mib: float


class Upload(NamedTuple):
    """An uploaded file, and whether it is sent as the empty sheet of a pad."""

    name: str
    data: bytes
    is_empty_sheet: bool = False

    def read_by(self, pool: TaskPool) -> TaskResult:
        """Read the file in the pool, as the site does."""
        if self.is_empty_sheet:
            reading: Work = partial(tasks.read_empty, self.data)
        else:
            levels = tuple(shipped_levels().values())
            reading = partial(tasks.read, self.data, levels, levels)
        try:
            return TaskResult(*json.loads(pool.run(PHOTO_READING, partial(_measured, reading))))
        except TaskFailed as problem:
            return TaskResult(type(problem).__name__, 0.0)


def _measured(reading: Work) -> bytes:
    """Run the reading task in the worker and return the fields of its `TaskResult` as JSON."""
    packed = reading()
    if reading.func is tasks.read_empty:  # type: ignore[attr-defined]
        outcome = unpack(packed, EmptySheetResult).refused or "read"
    else:
        photo = unpack(packed, PhotoResult)
        outcome = photo.refused or ", ".join(sheet.refused or "read" for sheet in photo.sheets)
    status = Path("/proc/self/status").read_text("ascii")
    (most,) = re.findall(r"VmHWM:\s*(\d+) kB", status)
    return json.dumps([outcome, int(most) / 1024]).encode()


def different_photos() -> list[Upload]:
    """Return twelve photos of different kinds."""
    two, one = take("level-1", "level-5").jpeg, take("level-3", seed=6).jpeg
    return [
        Upload("two sheets", two),
        Upload("one sheet", one),
        Upload("one hard sheet", take("level-6", seed=8, grade="hard").jpeg),
        Upload("pad", take_filled_sheet(3).empty, is_empty_sheet=True),
        Upload("another pad", take_filled_sheet(4).empty, is_empty_sheet=True),
        Upload("filled sheet of a pad", take_filled_sheet(3).jpeg),
        Upload("two sheets, 50 megapixels", _enlarged(two, "JPEG")),
        Upload("two sheets, 50 megapixels, PNG", _enlarged(two, "PNG")),
        Upload(
            "a pad, 50 megapixels",
            _enlarged(take_filled_sheet(4).empty, "JPEG"),
            is_empty_sheet=True,
        ),
        Upload("no sheet", _noise()),
        Upload("half a photo", two[: len(two) // 2]),
        Upload("no photo", b"%PDF-1.7 and so on"),
    ]


def costly_photos() -> list[Upload]:
    """Return photos of 50 megapixels in the formats that need the most memory for decoding."""
    two = take("level-1", "level-5").jpeg
    return [
        Upload("progressive JPEG", _enlarged(two, "JPEG", progressive=True)),
        Upload("PNG with a clear part", _enlarged(two, "PNG", is_clear=True)),
        Upload("WebP", _enlarged(two, "WEBP", method=0)),
        Upload("lossless WebP", _enlarged(two, "WEBP", method=0, lossless=True)),
    ]


def mixed_photos(rounds: int) -> list[Upload]:
    """Return each of the different photos `rounds` times, in an order that is random but fixed."""
    photos = different_photos()
    order = np.random.default_rng(47).permutation(rounds * len(photos))
    return [photos[int(i) % len(photos)] for i in order]


def _enlarged(photo: bytes, kind: str, *, is_clear: bool = False, **options: bool | int) -> bytes:
    large, stream = Image.open(io.BytesIO(photo)).resize(LARGE), io.BytesIO()
    if kind == "PNG" or options.get("lossless"):
        large = large.quantize(32)  # few colours, so that the file is below the site's size limit
    if is_clear:
        large = large.convert("RGBA")
        large.putpixel((0, 0), (0, 0, 0, 0))
    large.save(stream, kind, **options)
    return stream.getvalue()


def _noise() -> bytes:
    stream = io.BytesIO()
    pixels = np.random.default_rng(1).integers(0, 256, (1500, 2000, 3), np.uint8)
    Image.fromarray(pixels).save(stream, "JPEG")
    return stream.getvalue()
