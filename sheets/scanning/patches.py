"""What does the reader look at? A small picture of each field, beside the same of its blank."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.blank import draw_blank
from sheets.scanning.forms import Form, Leaf, Rect
from sheets.scanning.pixels import Ink
from sheets.scanning.straighten import PX_PER_MM, Straight, flatten_light

SIDE: Final = 40
"""Pixels of a patch, each way."""

AROUND, AROUND_NUMBER = 1.3, 1.9
"""What a patch shows, in sides of its field or number: strokes go over borders, and rings lie
around what they mean."""

SOFT: Final = 0.42
"""How far a patch is blurred before it is made smaller, in its own pixels: lines stay whole."""

Patches = NDArray[np.float32]
"""N × `SIDE` × `SIDE` × 3: how dark each pixel is in red, green and blue, 0 paper … 1 black."""

_LEAST_COLOUR: Final = 0.12
"""Of a printed pixel, between its darkest and its brightest colour: what shows whether the print
has colours at all."""

LEAST_SEEN: Final = 0.3
"""How much of its print a patch shows at least, of a patch as dark as its blank: a pale print, a
shadow or a blur leave two thirds and more, hardly ever less, a glare nothing."""

WITHIN: Final = slice(9, 31)
"""The middle of a patch, where digits and symbols stand."""

_LEAST_PRINT: Final = 0.02
"""The spread of a printed patch from which on there is something to be seen."""


class Look(NamedTuple):
    """What may be marked on a sheet as photographed, and as printed when nobody has drawn on it.

    ``names`` are those of `Form.boxes`; ``printed`` is as pale as this print.
    """

    names: tuple[str, ...]
    photo: Patches
    printed: Patches


def look_at(straight: Straight, form: Form) -> Look:
    """Patches of all that may be marked, each moved to where its print truly lies."""
    ink = flatten_light(straight.picture, PX_PER_MM)
    photo = cut_patches(ink, form, straight.shifts)
    printed = _printed(form, bw=False)
    if not _is_coloured(photo, printed):
        printed = _printed(form, bw=True)
    dark = mean_of(printed)
    is_print = dark > 0.35
    contrast = np.median(mean_of(photo)[is_print] / dark[is_print])
    return Look(tuple(form.boxes), photo, printed * np.float32(np.clip(contrast, 0.2, 1.2)))


def mean_of(patches: Patches) -> NDArray[np.float32]:
    """How dark each pixel is, the mean of its colours: quicker than to ask NumPy for it."""
    return np.asarray((patches[..., 0] + patches[..., 1] + patches[..., 2]) / np.float32(3))


def find_unseen(look: Look) -> frozenset[str]:
    """Of which not even the print shows, all over or in the middle: strokes would not, either."""
    photo, printed = mean_of(look.photo), mean_of(look.printed)
    middle = (slice(None), WITHIN, WITHIN)
    is_unseen = _is_lost(photo, printed) | _is_lost(photo[middle], printed[middle])
    return frozenset(name for name, lost in zip(look.names, is_unseen, strict=True) if lost)


def _is_lost(photo: NDArray[np.float32], printed: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether what is printed on each of N patches is missing in its photo."""
    drawn = printed - printed.mean((1, 2), keepdims=True)
    spread = (drawn**2).mean((1, 2))
    seen = (photo * drawn).mean((1, 2))
    return np.asarray((spread > _LEAST_PRINT**2) & (seen < LEAST_SEEN * spread))


@lru_cache(maxsize=16)
def _printed(form: Form, *, bw: bool) -> Patches:
    blank = draw_blank(form, bw=bw)
    return cut_patches(1 - blank.astype(np.float32) / 255, form, {})


def cut_patches(layer: Ink, form: Leaf, shifts: Mapping[str, tuple[float, float]]) -> Patches:
    """A patch of all that may be marked, in the order of ``boxes``; with ``shifts`` as of
    `Straight`."""
    return np.stack(
        [
            _cut(
                layer, box, form.box, shifts.get(name, (0.0, 0.0)),
                AROUND_NUMBER if name in form.numbers else AROUND,
            )
            for name, box in form.boxes.items()
        ]
    )  # fmt: skip


def _is_coloured(photo: Patches, printed: Patches) -> bool:
    """Whether the photo has the print's colours, on most of the pixels that have one."""
    tint = printed - mean_of(printed)[..., None]
    strength = np.einsum("...c,...c", tint, tint)
    chosen = strength > _LEAST_COLOUR**2
    if not chosen.any():
        return True
    seen, tint = photo[chosen], tint[chosen]
    along = ((seen - mean_of(seen)[:, None]) * tint).sum(1) / strength[chosen]
    return bool(np.median(along) > 0.3)


def _cut(layer: Ink, box: Rect, of: Rect, shift: tuple[float, float], around: float) -> Ink:
    x, y, width, height = box
    side = max(width, height) * around
    left = (x + width / 2 - side / 2 - of[0] + shift[0]) * PX_PER_MM
    top = (y + height / 2 - side / 2 - of[1] + shift[1]) * PX_PER_MM
    unit = side * PX_PER_MM / SIDE
    y0, y1 = max(0, int(top) - 4), int(top + SIDE * unit) + 6
    x0, x1 = max(0, int(left) - 4), int(left + SIDE * unit) + 6
    part = cv2.GaussianBlur(layer[y0:y1, x0:x1], (0, 0), SOFT * unit)
    half = unit / 2 - 0.5
    onto = np.array([[unit, 0, left + half - x0], [0, unit, top + half - y0]], np.float32)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(part, onto, (SIDE, SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
