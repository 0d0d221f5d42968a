"""Training examples of the digit classifier: patches of digits and of other print on pads.

    PYTHONPATH=. python -m training.digit_cases FILE.npz --fields 40000 --seed 1 [--validation]

Fields are drawn in random free fonts (`fonts.py`), blurred, slightly rotated and photographed
badly; `sheets.vision.pads.connected_components` cuts the patches out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sheets.vision.pads.connected_components import find_blobs, intersection_over_union
from sheets.vision.pads.rectification import FIELD_PX
from training import symbols
from training.camera import compress
from training.commands import parse_options
from training.fonts import TRAINING, VALIDATION, families
from training.pad_pages import Fonts, choose_style, choose_symbol, draw_field

NONE: Final = 0
"""Label of a patch that is not an upright digit."""

OTHER_DIGITS: Final = (0, 7, 8, 9)
"""Digits that pads do not have in fields, but elsewhere; they are labelled `NONE`."""

_OTHER_SHARE: Final = 0.3
"""Share of fields with one of them."""

_FIELDS_PER_STYLE: Final = 8
"""Number of fields drawn in one style."""

_MIN_OVERLAP: Final = 0.5
"""Minimum intersection over union of a blob's box with the digit's box for the digit's label."""

_MAX_NONE_OVERLAP: Final = 0.3
"""Maximum intersection over union of a blob's box with the digit's box for the label `NONE`."""


def main() -> None:
    """Write the patches and their digits (0 for none)."""
    options = parse_options("--fields", 20000)
    rng = np.random.default_rng(options.seed)
    fonts = families(VALIDATION if options.validation else TRAINING)
    patches, digits = [], []
    for _ in range(options.fields // _FIELDS_PER_STYLE):
        for patch, digit in make_cases(rng, fonts, symbols.TRAINING):
            patches.append(np.round((patch + 0.3) / 1.6 * 255).astype(np.uint8))
            digits.append(digit)
    np.savez_compressed(
        options.output, patches=np.stack(patches), digits=np.array(digits, np.uint8)
    )
    print(options.output, len(digits), np.bincount(digits))


def make_cases(
    rng: Generator, fonts: Fonts, kinds: Sequence[str]
) -> list[tuple[NDArray[np.float32], int]]:
    """Make the patches of some fields of one style, each with its digit, or 0."""
    style = choose_style(rng, fonts, kinds)
    blurred, noisy = abs(rng.normal(0, 1.3)), rng.uniform(0, 14)
    inner = 1 - style.gap - 2 * style.line_share + rng.normal(0, 0.01)
    found = []
    for _ in range(_FIELDS_PER_STYLE):
        digit = _choose_digit(rng)
        symbol = choose_symbol(rng, style, 0.5)
        tint = style.tints[int(rng.integers(6))] if style.tint != "none" or style.inverse else None
        pitch = float(rng.integers(90, 190))
        drawn = Image.new("RGB", (round(2 * pitch),) * 2, (250, 250, 250))
        draw = ImageDraw.Draw(drawn)
        box = None
        for dx, dy in ((-0.5, -0.5), (0.5, -0.5), (1.5, 0.5), (-0.5, 0.5), (0.5, 1.5), (0.5, 0.5)):
            is_own = (dx, dy) == (0.5, 0.5)
            given = digit if is_own else int(rng.integers(1, 7))
            at = (dx * pitch, dy * pitch, pitch)
            box = draw_field(draw, style, at, given, symbol if is_own else None, tint)
        turn = int(rng.integers(4)) if rng.random() < 0.3 else 0
        field, homography = _photographed(rng, np.asarray(drawn), pitch, blurred, noisy)
        found += _label(field, inner, digit, box, homography, turn)
    return found


def _choose_digit(rng: Generator) -> int | None:
    """Choose the digit of a field; None for no digit."""
    if rng.random() < _OTHER_SHARE:
        return int(rng.choice(OTHER_DIGITS))
    return int(rng.integers(1, 7)) if rng.random() < 0.93 else None


def _photographed(
    rng: Generator, drawn: NDArray[np.uint8], pitch: float, blurred: float, noisy: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the middle field as cut out of a rectified photo, and the homography to its pixels."""
    corners = np.array([(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]) * pitch
    corners = corners + rng.normal(0, 0.012 * pitch, (4, 2)) + rng.normal(0, 0.012 * pitch, 2)
    side = FIELD_PX
    wanted = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    homography = cv2.getPerspectiveTransform(corners.astype(np.float32), wanted)
    field_px = rng.uniform(26, 110)  # how large the field was in the photo
    small = cv2.resize(
        drawn, None, fx=field_px / pitch, fy=field_px / pitch, interpolation=cv2.INTER_AREA
    )
    if blurred > 0.3:
        small = cv2.GaussianBlur(small, (0, 0), blurred * min(1.0, field_px / 60))
    light = rng.uniform(0.35, 1.05) * (1 + rng.normal(0, 0.06, 3))
    slope = np.linspace(1 - rng.uniform(0, 0.3), 1, small.shape[1])[None, :, None]
    lit = small.astype(np.float32) * light * (slope if rng.random() < 0.5 else 1)
    lit += rng.normal(0, noisy * rng.uniform(0.3, 1), (*small.shape[:2], 1))
    if rng.random() < 0.4:
        lit += rng.uniform(0.2, 1) * (lit - cv2.GaussianBlur(lit, (0, 0), 1.4))
    shot = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        shot = compress(shot, int(rng.uniform(45, 96)))
    back = homography @ np.diag([pitch / field_px, pitch / field_px, 1.0])
    return cv2.warpPerspective(shot, back, (side, side), flags=cv2.INTER_LINEAR), homography


def _label(
    field: NDArray[np.uint8],
    inner: float,
    digit: int | None,
    box: tuple[float, float, float, float] | None,
    homography: NDArray[np.float64],
    turn: int,
) -> list[tuple[NDArray[np.float32], int]]:
    """Label the blobs of a field after a rotation by quarter turns; a rotated digit is none."""
    true = None
    if box is not None:
        corners = np.array([[(box[0], box[1]), (box[2], box[3])]])
        (x0, y0), (x1, y1) = cv2.perspectiveTransform(corners, homography)[0] / FIELD_PX
        true = (x0, y0, x1 - x0, y1 - y0)
    found = []
    for blob in find_blobs(field, (inner, inner)):
        common = intersection_over_union(blob.box, true) if true else 0.0
        patch = np.rot90(blob.patch, turn).copy()
        if common >= _MIN_OVERLAP and digit is not None:
            if turn == 0 and digit not in OTHER_DIGITS:
                found.append((patch, digit))
            elif turn != 2 or digit not in (1, 9):  # upside down they look like 1 and 6
                found.append((patch, NONE))
        elif common <= _MAX_NONE_OVERLAP:
            found.append((patch, NONE))
    return found


if __name__ == "__main__":
    main()
