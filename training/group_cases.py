"""Training examples of the symbol embedding: small sheets of fields with symbols.

    PYTHONPATH=. python -m training.group_cases FILE.npz --sheets 4000 --seed 1 [--validation]

Random fields are drawn next to each other (`pad_pages.py`), photographed badly and cut out slightly
misaligned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sheets.vision.pads.connected_components import (
    Blob,
    Polarity,
    find_blobs,
    intersection_over_union,
)
from sheets.vision.pads.field_features import (
    FieldFeatures,
    Mask,
    correct_illumination,
    extract_features,
    normalise_light,
)
from sheets.vision.pads.rectification import FIELD_PX
from training import symbols
from training.camera import compress
from training.commands import parse_options
from training.fonts import TRAINING, VALIDATION, families
from training.pad_pages import Fonts, Style, choose_style, choose_symbol, draw_field
from training.symbols import Symbol, distinct_symbols, exchange_colours, limit_colours

COLUMNS: Final = 8
"""Columns of a sheet."""

ROWS: Final = 4
"""Rows of a sheet."""
FIELDS: Final = COLUMNS * ROWS
"""Fields of a sheet."""

NONE: Final = -1
"""Label of a field without a symbol."""

_HOLE_SHARE: Final = 0.02
"""Share of fields that are holes."""

_MISSED_SHARE: Final = 0.02
"""Share of digits that are not detected."""

_MISTAKEN_SHARE: Final = 0.15
"""Share of fields without a digit whose symbol is mistaken for one."""

_FEW_COLOURS_SHARE: Final = 0.4
"""Share of sheets whose symbols have one or two colours."""

_EXCHANGED_SHARE: Final = 0.3
"""Share of sheets with symbols of the same shape in different colours, and of the same colour in
different shapes."""

_MAX_EXCHANGED: Final = 4
"""Maximum number of symbols from which those are made."""

_FAINT_SHARE: Final = 0.12
"""Share of sheets with faint symbols."""

_FAINT: Final = (0.2, 0.5)
"""Range of their opacity."""

_HAIRLINE_SHARE: Final = 0.1
"""Share of sheets with outlined symbols of thin lines."""

_HAIRLINE: Final = (0.03, 0.1)
"""Range of the width of these lines, relative to half the height of a symbol."""

_DIGIT_SHARE: Final = (0.95, 0.88)
"""Shares of fields with a digit, among those without and with a symbol."""

_MIN_OVERLAP: Final = 0.5
"""Minimum intersection over union of a blob's box with the digit's box for being the digit."""

_SHADOW_SHARE: Final = 0.28
"""Probability of each of two shadows."""

_SHADOW_HARDNESS: Final = (6, 200)
"""Range of the steepness of a shadow's edge, per side of the sheet."""

_FIELD_PX: Final = (30, 160)
"""Range of a field's side in the photo, in pixels."""

_PAPER: Final = (250, 250, 250)
"""Colour of the paper."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


def main() -> None:
    """Write the inputs of the network for each sheet's fields, and the symbol of each field."""
    options = parse_options("--sheets", 4000)
    rng = np.random.default_rng(options.seed)
    fonts = families(VALIDATION if options.validation else TRAINING)
    found: dict[str, list[Any]] = {}
    for _ in range(options.sheets):
        features, labels = make_sheet(rng, fonts, symbols.TRAINING)
        for name, value in (*features._asdict().items(), ("labels", labels)):
            found.setdefault(name, []).append(value)
    np.savez(options.output, **{name: np.stack(values) for name, values in found.items()})
    print(options.output, options.sheets)


def make_sheet(
    rng: Generator, fonts: Fonts, kinds: Sequence[str]
) -> tuple[FieldFeatures, NDArray[np.int16]]:
    """Return the inputs for `FIELDS` fields of one sheet, and the number of each field's symbol."""
    style = choose_style(rng, fonts, kinds)
    style.opacity *= rng.uniform(*_FAINT) if rng.random() < _FAINT_SHARE else 1
    style.symbols = _choose_symbols(rng, style)
    pitch = float(rng.integers(90, 190))
    picture, labels, boxes = _draw(rng, style, pitch)
    field_px = float(np.exp(rng.uniform(*np.log(_FIELD_PX))))
    photo = _photographed(rng, picture, field_px / pitch)
    if field_px > FIELD_PX:
        scale = FIELD_PX / field_px
        photo = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        field_px = FIELD_PX
    off = rng.normal(0, 0.012, 2)
    fields, digits = [], []
    inner = (1 - style.gap - 2 * style.line_share + rng.normal(0, 0.01),) * 2
    for i, box in enumerate(boxes):
        at = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + (i % COLUMNS, i // COLUMNS) + 0.5
        corners = (at + off + rng.normal(0, 0.01, (4, 2)) + rng.normal(0, 0.008, 2)) * field_px
        wanted = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * FIELD_PX
        homography = cv2.getPerspectiveTransform(corners.astype(np.float32), wanted)
        field = cv2.warpPerspective(photo, homography, (FIELD_PX,) * 2, flags=cv2.INTER_LINEAR)
        fields.append(field)
        ink = Polarity.LIGHT if style.inverse else Polarity.DARK
        blobs = find_blobs(field, inner, (ink,)) if box or labels[i] != NONE else []
        digits.append(_digit(rng, blobs, box, homography @ np.diag([field_px / pitch] * 2 + [1.0])))
    fields = correct_illumination(fields, inner)
    positions = [(float(i % COLUMNS), float(i // COLUMNS)) for i in range(FIELDS)]
    fields = normalise_light(fields, digits, inner, positions)
    return extract_features(fields, digits, inner), np.array(labels, np.int16)


def _choose_symbols(rng: Generator, style: Style) -> list[Symbol]:
    """Replace some symbols by others that are harder to tell apart."""
    case, found = rng.random(), style.symbols
    if case < _FEW_COLOURS_SHARE:
        found = limit_colours(rng, found, style.opacity)
    elif case < _FEW_COLOURS_SHARE + _EXCHANGED_SHARE:
        found = exchange_colours(rng, found[:_MAX_EXCHANGED], style.opacity)
    else:
        found = distinct_symbols(found, style.opacity)
    if rng.random() < _HAIRLINE_SHARE:
        width = rng.uniform(*_HAIRLINE)
        found = [one._replace(is_outlined=True, weight=width) for one in found]
    return found


def _draw(
    rng: Generator, style: Style, pitch: float
) -> tuple[NDArray[np.uint8], list[int], list[Box | None]]:
    """Draw the fields; return the symbol of each, and the box of its digit in pixels."""
    size = (round((COLUMNS + 1) * pitch), round((ROWS + 1) * pitch))
    page = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(page)
    share = rng.uniform(0.2, 0.95)
    is_tinted = style.tint != "none" or style.inverse
    last = 1 if style.tint in ("none", "all") else 6
    labels: list[int] = []
    boxes: list[Box | None] = []
    for i in range(FIELDS):
        at = ((i % COLUMNS + 0.5) * pitch, (i // COLUMNS + 0.5) * pitch, pitch)
        if rng.random() < _HOLE_SHARE:
            labels.append(NONE)
            boxes.append(None)
            continue
        symbol = choose_symbol(rng, style, share)
        has_digit = rng.random() < _DIGIT_SHARE[symbol is not None]
        digit = int(rng.integers(1, 7)) if has_digit else None
        tint = style.tints[int(rng.integers(last))] if is_tinted else None
        boxes.append(draw_field(draw, style, at, digit, symbol, tint))
        labels.append(NONE if symbol is None else symbol)
    return np.asarray(page), labels, boxes


def _photographed(rng: Generator, page: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """Photograph a sheet from straight above, in uneven light."""
    shot = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    blurred = abs(rng.normal(0, 1.1))
    if blurred > 0.3:
        shot = cv2.GaussianBlur(shot, (0, 0), blurred)
    high, wide = shot.shape[:2]
    light = rng.uniform(0.35, 1.05) * (1 + rng.normal(0, 0.07, 3))
    y, x = np.mgrid[0 : 1 : high * 1j, 0 : 1 : wide * 1j]  # type: ignore[misc]
    angle, falls = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45) * (rng.random() < 0.6)
    even = 1 - falls * (0.5 + (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle))
    for _ in range(2):
        if rng.random() < _SHADOW_SHARE:
            angle = rng.uniform(0, 2 * np.pi)
            edge = (x - rng.uniform(0.1, 0.9)) * np.cos(angle)
            edge += (y - rng.uniform(0.1, 0.9)) * np.sin(angle)
            hard = np.exp(rng.uniform(*np.log(_SHADOW_HARDNESS)))
            even = even * (1 - rng.uniform(0.1, 0.68) / (1 + np.exp(-edge * hard)))
    lit = shot.astype(np.float32) * (light * even[..., None]).astype(np.float32)
    for most, depth in ((10, 1), (5, 3)):
        noise = rng.standard_normal((high, wide, depth), np.float32)
        lit += np.float32(rng.uniform(0, most)) * noise
    if rng.random() < 0.4:
        lit += rng.uniform(0.2, 1) * (lit - cv2.GaussianBlur(lit, (0, 0), 1.4))
    shot = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        shot = compress(shot, int(rng.uniform(45, 96)))
    return shot


def _digit(
    rng: Generator, blobs: Sequence[Blob], box: Box | None, homography: NDArray[np.float64]
) -> Mask | None:
    """Return the mask of the pixels that the reader takes for the digit, or None.

    Sometimes it misses the digit, or takes a symbol for one.
    """
    if box is None:
        return blobs[0].mask if blobs and rng.random() < _MISTAKEN_SHARE else None
    if rng.random() < _MISSED_SHARE:
        return None
    corners = np.array([[(box[0], box[1]), (box[2], box[3])]])
    (x0, y0), (x1, y1) = cv2.perspectiveTransform(corners, homography)[0] / FIELD_PX
    true = (x0, y0, x1 - x0, y1 - y0)
    best = max(blobs, key=lambda blob: intersection_over_union(blob.box, true), default=None)
    return best.mask if best and intersection_over_union(best.box, true) >= _MIN_OVERLAP else None


if __name__ == "__main__":
    main()
