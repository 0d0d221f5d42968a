"""Is it a photo, and what does it show? The bytes of a file become pixels, or a refusal."""

from __future__ import annotations

import io
import warnings
from math import ceil
from typing import Final

import cv2
import numpy as np
from PIL import Image
from PIL.ExifTags import Base

from sheets.scanning.memory import memory_errors
from sheets.scanning.pixels import Grey, Picture
from sheets.scanning.refusals import Refused
from sheets.scanning.webp import Header, is_webp, read_header

MAX_BYTES: Final = 20 * 2**20
MAX_PIXELS: Final = 50_000_000
"""As the file's header says them: nothing larger is decoded."""

MIN_SIDE_PX: Final = 600
"""A shorter side than this shows no field well enough."""

ENOUGH_PIXELS: Final = 17_000_000
"""Larger pictures are made smaller: no field gets clearer by them."""

HALVED_PIXELS: Final = 32_000_000
"""Larger JPEGs are decoded at half their size, which needs a quarter of the memory."""

FORMATS: Final = ("JPEG", "PNG", "GIF")
"""Of those that Pillow decodes; WebP needs much less memory with OpenCV."""

_DARK, _BLURRED = 60, 12.0
"""Of a photo in which no sheet is found: below which brightness paper is too dark, 0 to 255, and
how sharp its sharpest parts are at least."""

_COARSE, _BLACK, _LEAST_PART = 1 / 8, 110, 0.01
"""In how small a picture parts are looked at, how dark they are, and how much of the photo."""

_SMALL, _LEAST_PAPER, _INK, _MOST_INK = (400, 500), 128, 40, 0.002
"""Size in which a page is tested for ink, the least brightness of its paper, how much darker ink is
at least, and below which share of ink the page is blank."""

_HEIC: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_ROWS: Final = 256
"""So many of the photo are made at once."""


def unreadable_type(data: bytes) -> str:
    """Name the type of a file that is no photo but could become one: ``heic``, as iPhones keep
    photos. Empty for any other file."""
    return "heic" if data[4:8] == b"ftyp" and data[8:12] in _HEIC else ""


def open_photo(data: bytes) -> Picture:
    """The photo the right way up, without anything that the file says beside its pixels.

    Raises:
        Refused: ``not-a-picture`` (another format, or cut short), ``too-large`` or ``too-small``.
        MemoryError: this process may not have the memory that the picture needs.
    """
    if len(data) > MAX_BYTES:
        raise Refused("too-large")
    try:
        with warnings.catch_warnings(), memory_errors():
            warnings.simplefilter("ignore")  # of Pillow, about sizes: they are checked here
            picture, turned = _open_webp(data) if is_webp(data) else _open(data)
            return _upright(picture, turned)
    except (Refused, MemoryError):
        raise
    except Image.DecompressionBombError as error:
        raise Refused("too-large") from error
    except Exception as error:  # decoders raise whatever they like about bytes that are no picture
        raise Refused("not-a-picture") from error


def upright_size(data: bytes) -> tuple[int, int]:
    """How wide and high the picture of a file is that `open_photo` has opened, the right way up.

    It may have been opened smaller.
    """
    if is_webp(data):
        header = read_header(data)
        size, turned = (header.width, header.height), _turned(_exif_of(header))
    else:
        with Image.open(io.BytesIO(data), formats=FORMATS) as file:
            size, turned = file.size, _turned(file.getexif())
    return size[::-1] if turned >= 5 else size


def _is_dark(photo: Picture) -> bool:
    """Whether paper is so dark in a photo that a sheet may not be seen in it.

    Otsu's threshold tells paper from what is darker, such as the table below it.
    """
    small = cv2.resize(photo, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    threshold, _is_bright = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    paper = grey[grey > threshold]
    return bool(np.median(paper if paper.size else grey) < _DARK)


def has_dark_parts(photo: Picture) -> bool:
    """Whether black fields may be somewhere: parts that are dark all over, not pixels alone."""
    small = cv2.resize(photo, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_AREA)
    is_part = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY) < _BLACK
    return bool(is_part.mean() > _LEAST_PART)


def why_nothing(photo: Picture) -> str:
    """Why no sheet was found in a photo: ``too-dark``, ``blank``, ``blurred`` or ``no-sheet``."""
    if _is_dark(photo):
        return "too-dark"
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharp = np.abs(cv2.Laplacian(small, cv2.CV_16S))
    if float(np.percentile(sharp, 99.5)) >= _BLURRED:
        return "no-sheet"
    return "blank" if is_blank(grey) else "blurred"


def is_blank(grey: Grey) -> bool:
    """Whether a page has no ink."""
    small = cv2.resize(grey, _SMALL, interpolation=cv2.INTER_AREA)
    # Not the median: that may be the table on which a sheet lies.
    paper = float(np.percentile(small, 99))
    return bool(paper > _LEAST_PAPER and (small < paper - _INK).mean() < _MOST_INK)


def _open(data: bytes) -> tuple[Picture, int]:
    """The pixels, and how the camera was held, as EXIF says it."""
    with Image.open(io.BytesIO(data), formats=FORMATS) as file:
        width, height = file.size
        _check_size(width, height)
        if width * height > HALVED_PIXELS and file.format == "JPEG":
            file.draft("RGB", (width // 2, height // 2))
        return pixels_of(file), _turned(file.getexif())


def pixels_of(file: Image.Image) -> Picture:
    """The pixels of an opened file in red, green and blue, at most `ENOUGH_PIXELS`."""
    file.load()
    brightest = _brightest(file)
    size = _size(*file.size)
    picture = np.empty((size[1], size[0], 3), np.uint8)
    # By and by: each step below would else have a copy of the whole.
    for top in range(0, size[1], _ROWS):
        low = min(top + _ROWS, size[1])
        first, last = (row * file.height / size[1] for row in (top, low))
        part = file.crop((0, int(first), file.width, ceil(last)))
        plain = _plain(part, brightest)
        if size != file.size:
            box = (0, first - int(first), file.width, last - int(first))
            plain = plain.resize((size[0], low - top), Image.Resampling.BOX, box)
        picture[top:low] = np.asarray(plain)
    return picture


def _open_webp(data: bytes) -> tuple[Picture, int]:
    header = read_header(data)
    _check_size(header.width, header.height)
    if header.is_animated and header.width * header.height > ENOUGH_PIXELS:
        raise Refused("too-large")  # whoever decodes it needs three whole pictures
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        # The decoder does not say why. It needs eight bytes a pixel, most of them without loss.
        np.empty(8 * header.width * header.height, np.uint8)
        raise Refused("not-a-picture")
    height, width = picture.shape[:2]
    if width * height > ENOUGH_PIXELS:
        picture = cv2.resize(picture, _size(width, height), interpolation=cv2.INTER_AREA)
    if picture.shape[2] == 4:
        picture = _on_paper(picture)
    return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), _turned(_exif_of(header))


def _exif_of(header: Header) -> Image.Exif:
    exif = Image.Exif()
    exif.load(header.exif)
    return exif


def _turned(exif: Image.Exif) -> int:
    """How the camera was held, see `_upright`."""
    return int(exif.get(Base.Orientation, 1))


def _on_paper(picture: Picture) -> Picture:
    """White where it was clear, without its fourth channel that said so."""
    opaque = np.empty((*picture.shape[:2], 3), np.uint8)
    for top in range(0, len(picture), _ROWS):
        part = picture[top : top + _ROWS].astype(np.uint16)
        alpha = part[..., 3:]
        opaque[top : top + _ROWS] = (part[..., :3] * alpha + 255 * (255 - alpha) + 127) // 255
    return opaque


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise Refused("too-large")
    if min(width, height) < MIN_SIDE_PX:
        raise Refused("too-small")


def _size(width: int, height: int) -> tuple[int, int]:
    """How large a picture becomes."""
    share = min(1.0, (ENOUGH_PIXELS / (width * height)) ** 0.5)
    return int(width * share), int(height * share)


def _is_deep(picture: Image.Image) -> bool:
    """Whether it has 16 bits, which Pillow would clip to 8."""
    return picture.mode.startswith("I") or picture.mode == "F"


def _brightest(picture: Image.Image) -> float:
    most = picture.getextrema()[1]
    return 255.0 if isinstance(most, tuple) else float(most)


def _plain(picture: Image.Image, brightest: float) -> Image.Image:
    """In red, green and blue, on paper where it is clear."""
    if _is_deep(picture):
        values = np.asarray(picture, np.float32) * (255 / max(1.0, brightest))
        picture = Image.fromarray(values.astype(np.uint8))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        with_alpha = picture.convert("RGBA")
        picture = Image.new("RGB", with_alpha.size, "white")
        picture.paste(with_alpha, mask=with_alpha.getchannel("A"))
    return picture.convert("RGB")


def _upright(picture: Picture, turned: int) -> Picture:
    """Turned and flipped as EXIF says: with 1 it is upright, with 6 its top is at its right."""
    if turned in (5, 7):
        picture = cv2.transpose(picture)
    if turned in (2, 4):
        return cv2.flip(picture, 1 if turned == 2 else 0)
    ways = {
        3: cv2.ROTATE_180,
        6: cv2.ROTATE_90_CLOCKWISE,
        7: cv2.ROTATE_180,
        8: cv2.ROTATE_90_COUNTERCLOCKWISE,
    }
    return cv2.rotate(picture, ways[turned]) if turned in ways else picture
