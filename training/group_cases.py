"""Make small sheets of fields with symbols, as the reader of unknown sheets cuts them out.

    PYTHONPATH=. python -m training.group_cases FILE.npz --sheets 4000 --seed 1 [--held-out]

Fields side by side are drawn by chance (`foreign.py`), photographed badly and cut out a little off.
"""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sheets.scanning.unknown.blobs import Blob, Ink, find_blobs, overlap
from sheets.scanning.unknown.flat import FIELD_PX
from sheets.scanning.unknown.looks import Looks, Mask, take_looks
from training import fonts as all_fonts
from training import symbols
from training.foreign import Fonts, Style, choose_style, choose_symbol, draw_field
from training.symbols import in_few_colours

COLUMNS, ROWS = 8, 4
FIELDS: Final = COLUMNS * ROWS
NONE: Final = -1

_HOLES, _MISSED, _MISTAKEN = 0.02, 0.02, 0.15
"""How many fields are holes, of how many the digit is not seen, and how often a symbol alone in its
field is taken for one."""

_FEW_COLOURS: Final = 0.4
"""How many sheets have symbols in one or two colours only."""

_LEAST: Final = 0.5
_SHADOW, _HARD = 0.28, (6, 200)
"""How often one of two shadows lies on a sheet, and how quickly its edge rises, of its sides."""

_PAPER: Final = (250, 250, 250)

Box = tuple[float, float, float, float]


def main() -> None:
    """Write what is seen of each sheet's fields, and which symbol each has."""
    parser = ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--sheets", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="what nothing is learnt from")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    part = (all_fonts.HELD_OUT, symbols.HELD_OUT) if options.held_out else (
        all_fonts.LEARNT, symbols.LEARNT)  # fmt: skip
    fonts = all_fonts.families(part[0])
    found: dict[str, list[Any]] = {}
    for _ in range(options.sheets):
        looks, signs = make_sheet(rng, fonts, part[1])
        for name, value in (*looks._asdict().items(), ("signs", signs)):
            found.setdefault(name, []).append(value)
    np.savez(options.file, **{name: np.stack(values) for name, values in found.items()})
    print(options.file, options.sheets)


def make_sheet(
    rng: Generator, fonts: Fonts, kinds: Sequence[str]
) -> tuple[Looks, NDArray[np.int16]]:
    """What is seen of `FIELDS` fields of one sheet, and the number of each one's symbol."""
    style = choose_style(rng, fonts, kinds)
    if rng.random() < _FEW_COLOURS:
        style.symbols = in_few_colours(rng, style.symbols, style.shown)
    pitch = float(rng.integers(90, 190))
    picture, signs, boxes = _draw(rng, style, pitch)
    seen_px = rng.uniform(28, 90)  # how large a field is in the photo
    photo = _photographed(rng, picture, seen_px / pitch)
    off = rng.normal(0, 0.012, 2)
    fields, digits = [], []
    inner = (1 - style.gap - 2 * style.line_share + rng.normal(0, 0.01),) * 2
    for i, box in enumerate(boxes):
        at = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + (i % COLUMNS, i // COLUMNS) + 0.5
        corners = (at + off + rng.normal(0, 0.01, (4, 2)) + rng.normal(0, 0.008, 2)) * seen_px
        wanted = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * FIELD_PX
        way = cv2.getPerspectiveTransform(corners.astype(np.float32), wanted)
        field = cv2.warpPerspective(photo, way, (FIELD_PX,) * 2, flags=cv2.INTER_LINEAR)
        fields.append(field)
        ink = Ink.LIGHT if style.inverse else Ink.DARK
        blobs = find_blobs(field, inner, (ink,)) if box or signs[i] != NONE else []
        digits.append(_digit(rng, blobs, box, way @ np.diag([seen_px / pitch] * 2 + [1.0])))
    return take_looks(fields, digits, inner), np.array(signs, np.int16)


def _draw(
    rng: Generator, style: Style, pitch: float
) -> tuple[NDArray[np.uint8], list[int], list[Box | None]]:
    """The fields side by side; the symbol of each, and where its digit is, in pixels."""
    size = (round((COLUMNS + 1) * pitch), round((ROWS + 1) * pitch))
    page = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(page)
    share = rng.uniform(0.2, 0.95)
    is_tinted = style.tint != "none" or style.inverse
    last = 1 if style.tint in ("none", "all") else 6
    signs: list[int] = []
    boxes: list[Box | None] = []
    for i in range(FIELDS):
        at = ((i % COLUMNS + 0.5) * pitch, (i // COLUMNS + 0.5) * pitch, pitch)
        if rng.random() < _HOLES:
            signs.append(NONE)
            boxes.append(None)
            continue
        symbol = choose_symbol(rng, style, share)
        digit = int(rng.integers(1, 7)) if symbol is None or rng.random() < 0.88 else None
        tint = style.tints[int(rng.integers(last))] if is_tinted else None
        boxes.append(draw_field(rng, draw, style, at, digit, symbol, tint))
        signs.append(NONE if symbol is None else symbol)
    return np.asarray(page), signs, boxes


def _photographed(rng: Generator, page: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """A photo of it from straight above, in uneven light."""
    shot = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    blurred = abs(rng.normal(0, 1.1))
    if blurred > 0.3:
        shot = cv2.GaussianBlur(shot, (0, 0), blurred)
    high, wide = shot.shape[:2]
    light = rng.uniform(0.35, 1.05) * (1 + rng.normal(0, 0.07, 3))
    y, x = np.mgrid[0 : 1 : high * 1j, 0 : 1 : wide * 1j]  # type: ignore[misc]
    way, falls = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45) * (rng.random() < 0.6)
    even = 1 - falls * (0.5 + (x - 0.5) * np.cos(way) + (y - 0.5) * np.sin(way))
    for _ in range(2):
        if rng.random() < _SHADOW:
            way = rng.uniform(0, 2 * np.pi)
            edge = (x - rng.uniform(0.1, 0.9)) * np.cos(way)
            edge += (y - rng.uniform(0.1, 0.9)) * np.sin(way)
            hard = np.exp(rng.uniform(*np.log(_HARD)))
            even = even * (1 - rng.uniform(0.1, 0.68) / (1 + np.exp(-edge * hard)))
    lit = shot.astype(np.float32) * (light * even[..., None]).astype(np.float32)
    for most, depth in ((10, 1), (5, 3)):
        noise = rng.standard_normal((high, wide, depth), np.float32)
        lit += np.float32(rng.uniform(0, most)) * noise
    if rng.random() < 0.4:
        lit += rng.uniform(0.2, 1) * (lit - cv2.GaussianBlur(lit, (0, 0), 1.4))
    shot = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        stream = io.BytesIO()
        Image.fromarray(shot).save(stream, "JPEG", quality=int(rng.uniform(45, 96)))
        shot = np.asarray(Image.open(stream))
    return shot


def _digit(
    rng: Generator, blobs: Sequence[Blob], box: Box | None, way: NDArray[np.float64]
) -> Mask | None:
    """Which pixels of a field the reader takes for its digit's.

    Now and then it sees none, or takes what stands where no digit is for one.
    """
    if box is None:
        return blobs[0].mask if blobs and rng.random() < _MISTAKEN else None
    if rng.random() < _MISSED:
        return None
    corners = np.array([[(box[0], box[1]), (box[2], box[3])]])
    (x0, y0), (x1, y1) = cv2.perspectiveTransform(corners, way)[0] / FIELD_PX
    true = (x0, y0, x1 - x0, y1 - y0)
    best = max(blobs, key=lambda blob: overlap(blob.box, true), default=None)
    return best.mask if best and overlap(best.box, true) >= _LEAST else None


if __name__ == "__main__":
    sys.exit(main())
