"""Decoding of the QR codes of sheets.

A standard decoder reads them anywhere in the photo. A code that is too blurred for it is correlated
with the few possible codes: those of the levels and layouts that are searched for.
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

from sheets.art.layout import Box
from sheets.printing.machine_codes import qr_content, qr_modules
from sheets.vision.layouts import PrintLayout
from sheets.vision.pixels import Grey, Picture

CODE_PATTERN: Final = re.compile(r"DIZZLE:([A-Z0-9-]{1,64}):([1-9][0-9]{0,3}):([0-9A-F]{8})")
"""Content of a sheet's QR code: level, number of the sheet in its set, layout hash."""


class SheetCode(NamedTuple):
    """Content of a QR code: level, number of the sheet in its set, and layout hash."""

    level: str
    number: int
    hash: str


class LocatedCode(NamedTuple):
    """A code and its centre in pixels of the photo."""

    code: SheetCode
    middle: NDArray[np.float64]


def read_codes(grey: Grey) -> list[LocatedCode]:
    """Decode all QR codes of sheets in a photo."""
    found = []
    only = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    for one in zxingcpp.read_barcodes(grey, formats=only, try_invert=False):
        if code := _parse_code(one.text):
            at = one.position
            corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            found.append(LocatedCode(code, np.mean([(point.x, point.y) for point in corners], 0)))
    return found


def _parse_code(text: str) -> SheetCode | None:
    match = CODE_PATTERN.fullmatch(text)
    return SheetCode(match[1].lower(), int(match[2]), match[3].lower()) if match else None


MAX_NUMBER: Final = 6
"""Maximum number of a sheet in its set among the possible codes of a blurred one."""

MIN_CORRELATION: Final = 0.4
"""Minimum correlation of a blurred code with the best possible code."""

MIN_CORRELATION_LEAD: Final = 0.15
"""Minimum lead of the best code over the second best, over the modules that differ."""

_MODULE_PX: Final = 4
"""Side of a module (a square of the QR code) in a sampled code, in pixels."""

_SEARCH_PX: Final = 28
"""Maximum offset of a code from its expected place, in pixels of the sampled code."""


def match_blurred_code(
    photo: Picture,
    layouts: Sequence[PrintLayout],
    to_photo: Callable[[PrintLayout], NDArray[np.float64]],
) -> SheetCode | None:
    """Return the possible code that correlates best with a blurred one, or None if none is clear.

    Args:
        to_photo: returns the homography from millimetres of a layout's sheet to pixels.
    """
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    found: list[tuple[float, SheetCode]] = []
    for some in _by_module_count(layouts).values():
        codes = [_possible_codes(layout) for layout in some]
        modules = np.array([[_module_values(code) for code in one] for one in codes])
        varied = modules.std((0, 1)) > 0
        for layout, its_codes, its_modules in zip(some, codes, modules, strict=True):
            seen = _sample_modules(grey, to_photo(layout), layout.frame.qr, its_modules.mean(0))[
                varied
            ]
            correlations = [float(np.corrcoef(one[varied], seen)[0, 1]) for one in its_modules]
            found.append(max(zip(correlations, its_codes, strict=True)))
    best_correlation, best = max(found, default=(0.0, None))
    others = [correlations for correlations, code in found if code != best]
    is_clear = best_correlation - max(others, default=0.0) > MIN_CORRELATION_LEAD
    return best if is_clear and best_correlation > MIN_CORRELATION else None


def _possible_codes(layout: PrintLayout) -> list[SheetCode]:
    level = layout.level.id.lower()
    return [SheetCode(level, number, layout.hash) for number in range(1, MAX_NUMBER + 1)]


def _by_module_count(layouts: Sequence[PrintLayout]) -> dict[int, list[PrintLayout]]:
    """Group the layouts that have a code by the code's number of modules."""
    found: dict[int, list[PrintLayout]] = {}
    for layout in layouts:
        if layout.frame.qr:
            found.setdefault(len(_module_values(_possible_codes(layout)[0])), []).append(layout)
    return found


@lru_cache(maxsize=512)
def _module_values(code: SheetCode) -> NDArray[np.float64]:
    """Return the modules of a code: 1 for dark, -1 for light."""
    rows = qr_modules(qr_content(code.level, code.number, code.hash))
    return np.array([[1.0 if one == "1" else -1.0 for one in row] for row in rows])


def _sample_modules(
    grey: Grey, to_photo: NDArray[np.float64], box: Box | None, common: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the darkness of each module.

    Template matching with the mean of the layout's possible codes locates the code.
    """
    x, y, width, _height = box or (0.0, 0.0, 1.0, 1.0)
    side = len(common)
    module = width / side
    onto = np.array(
        [
            [module / _MODULE_PX, 0, x - _SEARCH_PX * module / _MODULE_PX],
            [0, module / _MODULE_PX, y - _SEARCH_PX * module / _MODULE_PX],
            [0, 0, 1],
        ]
    )
    size = (side * _MODULE_PX + 2 * _SEARCH_PX,) * 2
    patch = 255 - cv2.warpPerspective(
        grey, to_photo @ onto, size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    )
    template = cv2.resize(
        common.astype(np.float32),
        None,
        fx=_MODULE_PX,
        fy=_MODULE_PX,
        interpolation=cv2.INTER_NEAREST,
    )
    match = cv2.matchTemplate(patch.astype(np.float32), template, cv2.TM_CCOEFF_NORMED)
    _low, _high, _at, (dx, dy) = cv2.minMaxLoc(match)
    found = patch[dy : dy + side * _MODULE_PX, dx : dx + side * _MODULE_PX]
    flat = found - cv2.GaussianBlur(found.astype(np.float32), (0, 0), 6 * _MODULE_PX)
    return cv2.resize(flat, (side, side), interpolation=cv2.INTER_AREA).astype(np.float64)
