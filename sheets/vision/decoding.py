"""Decoding of photo files: from bytes to upright RGB pixels, or a refusal."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Final

import cv2
import numpy as np
from PIL import Image
from PIL.ExifTags import Base

from sheets.vision.opencv_errors import memory_errors
from sheets.vision.pixels import Grey, Picture
from sheets.vision.refusals import Refused
from sheets.vision.webp import Header, is_webp, read_header

MAX_BYTES: Final = 20 * 2**20
"""Maximum size of a photo file in bytes."""

MAX_PIXELS: Final = 50_000_000
"""Maximum number of pixels that the file's header may declare; larger files are not decoded."""

MIN_SIDE_PX: Final = 600
"""Minimum length of the shorter side; smaller photos do not show the fields well enough."""

MAX_DECODED_PIXELS: Final = 17_000_000
"""Maximum number of pixels after decoding; larger photos are downsampled without loss of accuracy.
"""

HALF_SIZE_PIXELS: Final = 32_000_000
"""Number of pixels above which JPEGs are decoded at half their size, with a quarter of the memory.
"""

FORMATS: Final = ("JPEG", "PNG", "GIF")
"""Formats decoded with Pillow; OpenCV decodes WebP with much less memory."""

_MIN_PAPER_BRIGHTNESS: Final = 60
"""Minimum brightness of paper (0 to 255); below it, a photo without a sheet is too dark."""

_MIN_SHARPNESS: Final = 12.0
"""Minimum 99.5 % quantile of the absolute Laplacian; below it, a photo without a sheet is blurred.
"""

_MAX_DARK: Final = 110
"""Maximum brightness of dark parts, 0 to 255."""

_MIN_DARK_SHARE: Final = 0.01
"""Minimum share of dark parts in a photo that may show black fields."""

BLANK_TEST_SIZE: Final = (400, 500)
"""Size at which a page is tested for ink."""

_MIN_PAPER: Final = 128
"""Minimum brightness of the paper of a blank page, 0 to 255."""

_MIN_INK_CONTRAST: Final = 40
"""Minimum difference of brightness between paper and ink."""

_MAX_INK_SHARE: Final = 0.002
"""Share of ink from which on a page is not blank."""

_HEIC_BRANDS: Final = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
)
"""Brands in the header of HEIC files."""

_ROWS_PER_STRIP: Final = 256
"""Number of rows that are converted at a time, to bound the memory."""


def unreadable_type(data: bytes) -> str:
    """Return ``heic`` for a photo in this unsupported format of iPhones, otherwise ""."""
    return "heic" if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS else ""


@contextmanager
def decoding_errors(refusal: str) -> Iterator[None]:
    """Refuse files that decoders cannot read, as ``too-large`` or by this name."""
    try:
        # Pillow warns about sizes, which are checked here.
        with warnings.catch_warnings(action="ignore"), memory_errors():
            yield
    except (Refused, MemoryError):
        raise
    except Image.DecompressionBombError as error:
        raise Refused("too-large") from error
    except Exception as error:  # decoders raise any exception on invalid data
        raise Refused(refusal) from error


@decoding_errors("not-a-picture")
def decode_photo(data: bytes) -> Picture:
    """Decode a photo and rotate it upright; all metadata is dropped.

    Raises:
        Refused: ``not-a-picture`` (another format, or truncated), ``too-large`` or ``too-small``.
        MemoryError: this process may not have the memory that the photo needs.
    """
    if len(data) > MAX_BYTES:
        raise Refused("too-large")
    picture, orientation = _open_webp(data) if is_webp(data) else _open(data)
    return _apply_orientation(picture, orientation)


def upright_size(data: bytes) -> tuple[int, int]:
    """Return width and height of a decodable file after rotation, before downsampling."""
    if is_webp(data):
        header = read_header(data)
        size, orientation = (header.width, header.height), _orientation(_exif_of(header))
    else:
        with Image.open(io.BytesIO(data), formats=FORMATS) as file:
            size, orientation = file.size, _orientation(file.getexif())
    return size[::-1] if _is_sideways(orientation) else size


def _is_dark(photo: Picture) -> bool:
    """Return whether the paper in a photo is too dark for detection.

    Otsu's threshold separates the paper from darker parts, such as the table.
    """
    grey = _coarse_grey(photo)
    threshold, _is_bright = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    paper = grey[grey > threshold]
    return bool(np.median(paper if paper.size else grey) < _MIN_PAPER_BRIGHTNESS)


def has_dark_parts(photo: Picture) -> bool:
    """Return whether a photo may show black fields: dark areas, not only dark pixels."""
    return bool((_coarse_grey(photo) < _MAX_DARK).mean() > _MIN_DARK_SHARE)


def _coarse_grey(photo: Picture) -> Grey:
    """Return a small grey version of a photo, in which brightness is measured."""
    small = cv2.resize(photo, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)


def explain_no_sheet(photo: Picture) -> str:
    """Return the reason for a missing sheet: ``too-dark``, ``blank``, ``blurred``, ``no-sheet``."""
    if _is_dark(photo):
        return "too-dark"
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharp = np.abs(cv2.Laplacian(small, cv2.CV_16S))
    if float(np.percentile(sharp, 99.5)) >= _MIN_SHARPNESS:
        return "no-sheet"
    return "blank" if is_blank(grey) else "blurred"


def is_blank(grey: Grey) -> bool:
    """Return whether a page has no ink."""
    small = cv2.resize(grey, BLANK_TEST_SIZE, interpolation=cv2.INTER_AREA)
    # Not the median, which may be the table around a sheet.
    paper = float(np.percentile(small, 99))
    return bool(paper > _MIN_PAPER and (small < paper - _MIN_INK_CONTRAST).mean() < _MAX_INK_SHARE)


def _open(data: bytes) -> tuple[Picture, int]:
    """Decode a file with Pillow; return the pixels and the EXIF orientation."""
    with Image.open(io.BytesIO(data), formats=FORMATS) as file:
        width, height = file.size
        _check_size(width, height)
        if width * height > HALF_SIZE_PIXELS and file.format == "JPEG":
            file.draft("RGB", (width // 2, height // 2))
        return pixels_of(file), _orientation(file.getexif())


def pixels_of(file: Image.Image) -> Picture:
    """Return the RGB pixels of an opened file, at most `MAX_DECODED_PIXELS`."""
    file.load()
    brightest = _max_value(file)
    size = _decoded_size(*file.size)
    picture = np.empty((size[1], size[0], 3), np.uint8)
    # In strips, because each step copies its input.
    for top in range(0, size[1], _ROWS_PER_STRIP):
        low = min(top + _ROWS_PER_STRIP, size[1])
        first, last = (row * file.height / size[1] for row in (top, low))
        part = file.crop((0, int(first), file.width, ceil(last)))
        plain = _to_rgb(part, brightest)
        if size != file.size:
            box = (0, first - int(first), file.width, last - int(first))
            plain = plain.resize((size[0], low - top), Image.Resampling.BOX, box)
        picture[top:low] = np.asarray(plain)
    return picture


def _open_webp(data: bytes) -> tuple[Picture, int]:
    header = read_header(data)
    _check_size(header.width, header.height)
    if header.is_animated and header.width * header.height > MAX_DECODED_PIXELS:
        raise Refused("too-large")  # decoding needs memory for three pictures
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        # The decoder does not say why. It needs up to eight bytes per pixel.
        np.empty(8 * header.width * header.height, np.uint8)
        raise Refused("not-a-picture")
    height, width = picture.shape[:2]
    if width * height > MAX_DECODED_PIXELS:
        picture = cv2.resize(picture, _decoded_size(width, height), interpolation=cv2.INTER_AREA)
    if picture.shape[2] == 4:
        picture = _composite_on_white(picture)
    return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), _orientation(_exif_of(header))


def _exif_of(header: Header) -> Image.Exif:
    exif = Image.Exif()
    exif.load(header.exif)
    return exif


def _orientation(exif: Image.Exif) -> int:
    """Return the EXIF orientation, see `_apply_orientation`."""
    return int(exif.get(Base.Orientation, 1))


def _composite_on_white(picture: Picture) -> Picture:
    """Composite a picture with an alpha channel on white."""
    opaque = np.empty((*picture.shape[:2], 3), np.uint8)
    for top in range(0, len(picture), _ROWS_PER_STRIP):
        part = picture[top : top + _ROWS_PER_STRIP].astype(np.uint16)
        alpha = part[..., 3:]
        opaque[top : top + _ROWS_PER_STRIP] = (
            part[..., :3] * alpha + 255 * (255 - alpha) + 127
        ) // 255
    return opaque


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise Refused("too-large")
    if min(width, height) < MIN_SIDE_PX:
        raise Refused("too-small")


def _decoded_size(width: int, height: int) -> tuple[int, int]:
    """Return the size of a photo after downsampling."""
    share = min(1.0, (MAX_DECODED_PIXELS / (width * height)) ** 0.5)
    return int(width * share), int(height * share)


def _is_deep(picture: Image.Image) -> bool:
    """Return whether the picture has 16 bits per channel, which Pillow would clip to 8."""
    return picture.mode.startswith("I") or picture.mode == "F"


def _max_value(picture: Image.Image) -> float:
    most = picture.getextrema()[1]
    return 255.0 if isinstance(most, tuple) else float(most)


def _to_rgb(picture: Image.Image, brightest: float) -> Image.Image:
    """Convert to RGB, composited on white."""
    if _is_deep(picture):
        values = np.asarray(picture, np.float32) * (255 / max(1.0, brightest))
        picture = Image.fromarray(values.astype(np.uint8))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        with_alpha = picture.convert("RGBA")
        picture = Image.new("RGB", with_alpha.size, "white")
        picture.paste(with_alpha, mask=with_alpha.getchannel("A"))
    return picture.convert("RGB")


def _is_sideways(orientation: int) -> bool:
    return 5 <= orientation <= 8


def _apply_orientation(picture: Picture, orientation: int) -> Picture:
    """Rotate and flip by the EXIF orientation: 1 is upright, with 6 the top is at the right."""
    if _is_sideways(orientation):
        picture = cv2.transpose(picture)
    axis = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return picture if axis is None else cv2.flip(picture, axis, dst=picture)  # saves memory
