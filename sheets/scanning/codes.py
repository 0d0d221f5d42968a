"""What does a sheet's QR code say?

First as any reader of such codes would read it, where it should lie, then wherever in the photo one
lies. One that is too blurred for that is compared with the few codes that it can be: those of the
levels and forms that are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from sheets.artwork.layout import Box
from sheets.geometry import MARKER_MM
from sheets.printing.codes import qr_content, qr_modules
from sheets.scanning.forms import Form
from sheets.scanning.pixels import Grey, Picture

SAYS: Final = re.compile(r"DIZZLE:([A-Z0-9-]{1,64}):([1-9][0-9]{0,3}):([0-9A-F]{8})")
PX_PER_MM: Final = (7.0, 10.0)
"""So large it is looked at, one after the other: sharp ones are read from few pixels."""

ABOVE_MM, WIDE_MM, HIGH_MM = 16.0, 62.0, 72.0
"""Where the code may lie, whatever the form: right of the lower right marker, and below."""


class Code(NamedTuple):
    """A sheet's level, its number in one set, and the name of its form."""

    level: str
    number: int
    hash: str


class Lying(NamedTuple):
    """A code that was read in a whole photo: its middle is in pixels."""

    code: Code
    middle: NDArray[np.float64]


def read_codes(photo: Picture) -> list[Lying]:
    """All codes of sheets that can be read anywhere in a photo."""
    found = []
    for one in _read(cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)):
        if code := _said(one.text):
            at = one.position
            corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            found.append(Lying(code, np.mean([(point.x, point.y) for point in corners], 0)))
    return found


def read_code(
    photo: Picture, to_photo: NDArray[np.float64], low_right: tuple[float, float]
) -> Code | None:
    """What the code beside a sheet says, if it can be read.

    ``to_photo`` takes millimetres of the leaf to pixels; ``low_right`` is the outer corner of the
    leaf's third marker.
    """
    x, y = low_right[0], low_right[1] - MARKER_MM - ABOVE_MM
    for px_per_mm in PX_PER_MM:
        size = (round(WIDE_MM * px_per_mm), round(HIGH_MM * px_per_mm))
        onto = np.array([[1 / px_per_mm, 0, x], [0, 1 / px_per_mm, y], [0, 0, 1]])
        patch = cv2.warpPerspective(
            photo, to_photo @ onto, size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
        )
        for found in _read(cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY)):
            if code := _said(found.text):
                return code
    return None


def _read(grey: Grey) -> list[zxingcpp.Barcode]:
    only = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    return list(zxingcpp.read_barcodes(grey, formats=only, try_invert=False))


def _said(text: str) -> Code | None:
    says = SAYS.fullmatch(text)
    return Code(says[1].lower(), int(says[2]), says[3].lower()) if says else None


NUMBERS: Final = 6
"""Of so many sheets of a set the blurred codes are known."""

LEAST_ALIKE, LEAST_AHEAD = 0.4, 0.15
"""How well a blurred code fits the one it is taken for, and how much better than all others: over
the modules in which they differ."""

_PX, _ASIDE = 4, 28
"""Pixels of a module, and how many a code may lie off where it should."""


def guess_code(
    photo: Picture, forms: Sequence[Form], to_photo: Callable[[Form], NDArray[np.float64]]
) -> Code | None:
    """What the code says that is too blurred to be read, if it is one of these forms'.

    ``to_photo`` takes millimetres of a form's leaf to pixels.
    """
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    found: list[tuple[float, Code]] = []
    for some in _by_side(forms).values():
        codes = [_codes(form) for form in some]
        modules = np.array([[_modules(code) for code in one] for one in codes])
        varied = modules.std((0, 1)) > 0
        for form, its_codes, its_modules in zip(some, codes, modules, strict=True):
            seen = _sampled(grey, to_photo(form), form.frame.qr, its_modules.mean(0))[varied]
            alike = [float(np.corrcoef(one[varied], seen)[0, 1]) for one in its_modules]
            found.append(max(zip(alike, its_codes, strict=True)))
    alike_best, best = max(found, default=(0.0, None))
    others = [alike for alike, code in found if code != best]
    is_clear = alike_best - max(others, default=0.0) > LEAST_AHEAD
    return best if is_clear and alike_best > LEAST_ALIKE else None


def _codes(form: Form) -> list[Code]:
    level = form.level.id.lower()
    return [Code(level, number, form.hash) for number in range(1, NUMBERS + 1)]


def _by_side(forms: Sequence[Form]) -> dict[int, list[Form]]:
    """The forms with a code, by its number of modules."""
    found: dict[int, list[Form]] = {}
    for form in forms:
        if form.frame.qr:
            found.setdefault(len(_modules(_codes(form)[0])), []).append(form)
    return found


@lru_cache(maxsize=512)
def _modules(code: Code) -> NDArray[np.float64]:
    """1 for a dark module, -1 for a light one."""
    rows = qr_modules(qr_content(code.level, code.number, code.hash))
    return np.array([[1.0 if one == "1" else -1.0 for one in row] for row in rows])


def _sampled(
    grey: Grey, to_photo: NDArray[np.float64], box: Box | None, common: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How dark each module is; the code is found by what its form's codes have in common."""
    x, y, width, _height = box or (0.0, 0.0, 1.0, 1.0)
    side = len(common)
    module = width / side
    onto = np.array(
        [[module / _PX, 0, x - _ASIDE * module / _PX], [0, module / _PX, y - _ASIDE * module / _PX],
         [0, 0, 1]]
    )  # fmt: skip
    size = (side * _PX + 2 * _ASIDE,) * 2
    patch = 255 - cv2.warpPerspective(
        grey, to_photo @ onto, size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    )
    template = cv2.resize(
        common.astype(np.float32), None, fx=_PX, fy=_PX, interpolation=cv2.INTER_NEAREST
    )
    match = cv2.matchTemplate(patch.astype(np.float32), template, cv2.TM_CCOEFF_NORMED)
    _low, _high, _at, (dx, dy) = cv2.minMaxLoc(match)
    found = patch[dy : dy + side * _PX, dx : dx + side * _PX]
    flat = found - cv2.GaussianBlur(found.astype(np.float32), (0, 0), 6 * _PX)
    return cv2.resize(flat, (side, side), interpolation=cv2.INTER_AREA).astype(np.float64)
