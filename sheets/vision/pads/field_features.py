"""Features of fields apart from their digit, for the embedding network: two crops and descriptors.

Colours are measured relative to the field's own background and to the paper, because a symbol may
lie on several tints and illumination falls off.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.network_layers import Floats
from sheets.vision.pads.rectification import GridPosition
from sheets.vision.pixels import Grey, Picture

SIDE: Final = 24
"""Side of a whole field in the network's input, in pixels."""

PRINT_SIDE: Final = 32
"""Side of the enlarged print in the network's input, in pixels."""

_MIN_CONTRAST: Final = 0.08
"""Minimum contrast of print with its background, relative to the background."""

_MIN_COMPONENT: Final = 0.003
"""Minimum area of a printed component, as a share of the field."""

_PRINT_MARGIN: Final = 1.15
"""Side of the enlarged crop relative to the longer side of the print."""

_MIN_PRINT_PX: Final = 12
"""Minimum longer side of the print in a field's picture, in pixels; a smaller one is a speck."""

_RIM: Final = 0.025
"""Margin inside the border that is ignored, as a share of the field's side."""

_RING: Final = 0.09
"""Width of the ring inside the border in which the background is measured, as a share of the
side."""

_MIN_BACKGROUND: Final = 0.35
"""Lower bound of a field's background relative to paper; avoids division by nearly 0."""

_MIN_DIGIT_BACKGROUND: Final = 0.1
"""Looser bound where only digit ink is measured, which is plentiful."""

_MIN_GRADIENT: Final = 0.04
"""Minimum illumination gradient that is corrected, from centre to side, relative to the
background."""

_NOISE_FLOOR: Final = 12.0
"""Brightness below which a pixel is mostly noise, in grey values."""

_SHADOW: Final = 0.35
"""Maximum brightness of a field in deep shadow, relative to paper."""

_LIT: Final = 0.7
"""Brightness to which it is raised."""

_IRLS_ROUNDS: Final = 3
"""Number of iterations of the robust plane fit."""

_MIN_SCALE: Final = 3.0
"""Minimum scale of its residuals, in grey values."""

_OFFSET: Final = 0.7
"""Brightness relative to paper that maps to 0 in the network's input."""

_DIGIT_MARGIN_PX: Final = 5
"""Size of the dilation that hides the surroundings of a digit, in pixels."""

_NEAREST_DIGITS: Final = 3
"""Number of nearest digits that determine the illumination of a field without one."""

_SAMPLE_SIZE: Final = 36
"""Number of fields that determine the polarity of the digits."""

Mask = NDArray[np.bool_]
_Doubles = NDArray[np.float64]


class FieldFeatures(NamedTuple):
    """Features of N fields.

    ``whole`` is N × SIDE × SIDE × 4, the field within its border: red, green and blue, and the
    coverage by the digit and its surroundings, each 0 to 255. ``enlarged`` is the same for the
    print apart from the digit, N × PRINT_SIDE × PRINT_SIDE × 4. ``backgrounds`` is N × 3, ``paper``
    3, in grey values.
    """

    whole: NDArray[np.uint8]
    enlarged: NDArray[np.uint8]
    backgrounds: Floats
    paper: Floats


def extract_features(
    fields: Sequence[Picture], digits: Sequence[Mask | None], inner: tuple[float, float]
) -> FieldFeatures:
    """Extract the features of fields.

    Args:
        digits: mask of each field's digit.
        inner: width and height of a field within its border, relative to its picture.
    """
    cut = _interior(fields[0].shape[0], inner)
    insides = [field[cut] for field in fields]
    backgrounds = _backgrounds(insides)
    paper = _paper(backgrounds)
    around = np.ones((_DIGIT_MARGIN_PX,) * 2, np.uint8)
    whole, enlarged = [], []
    for inside, digit, background in zip(insides, digits, backgrounds, strict=True):
        hidden: Grey = np.zeros(inside.shape[:2], np.uint8)
        if digit is not None:
            hidden = np.asarray(cv2.dilate(digit[cut].astype(np.uint8), around), np.uint8)
        channels = np.dstack([inside, 255 * hidden])
        whole.append(cv2.resize(channels, (SIDE, SIDE), interpolation=cv2.INTER_AREA))
        scale = np.maximum(background, _MIN_BACKGROUND * paper + 1)
        enlarged.append(_enlarge(channels, _print_box(inside, hidden, background, scale)))
    return FieldFeatures(np.stack(whole), np.stack(enlarged), backgrounds, paper)


def _print_box(inside: Picture, hidden: Grey, background: Floats, scale: Floats) -> Sequence[int]:
    """Return x, y, width and height of a field's print apart from its digit, or of the field."""
    soft = cv2.GaussianBlur(np.asarray(inside), (3, 3), 0)
    contrast = (np.abs(soft - background) / scale).max(2) * (hidden == 0)
    grey = np.clip(contrast * 255, 0, 255).astype(np.uint8)
    least, _ = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    mask = (grey > max(least, 255 * _MIN_CONTRAST)).astype(np.uint8)
    _count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    is_print = stats[:, cv2.CC_STAT_AREA] >= _MIN_COMPONENT * mask.size
    is_print[0] = False
    found = is_print[labels]
    return cv2.boundingRect(found.astype(np.uint8)) if found.any() else (0, 0, *mask.shape[::-1])


def _enlarge(picture: Picture, box: Sequence[int]) -> Picture:
    """Return a square crop around a box, with a margin."""
    x, y, wide, high = box
    scale = PRINT_SIDE / (_PRINT_MARGIN * max(wide, high, _MIN_PRINT_PX))
    affine = np.array([[scale, 0, PRINT_SIDE / 2 - scale * (x + (wide - 1) / 2) - 0.5],
                    [0, scale, PRINT_SIDE / 2 - scale * (y + (high - 1) / 2) - 0.5]])  # fmt: skip
    return cv2.warpAffine(
        picture, affine, (PRINT_SIDE,) * 2, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def normalise_light(
    fields: Sequence[Picture],
    digits: Sequence[Mask | None],
    inner: tuple[float, float],
    positions: Sequence[GridPosition],
) -> list[Picture]:
    """Return pictures in which all digits are dark and no field lies in deep shadow.

    Args:
        digits, inner: as in `extract_features`.
        positions: grid position of each field.
    """
    if has_light_digits(fields, digits, inner):
        return invert_fields(fields, digits, positions)
    return brighten_shadowed(fields, inner)


def correct_illumination(fields: Sequence[Picture], inner: tuple[float, float]) -> list[Picture]:
    """Remove illumination gradients across fields; ``inner`` as in `extract_features`.

    At the edge of a shadow, part of the background would be segmented as print.
    """
    side = fields[0].shape[0]
    cut = _interior(side, inner)
    y, x = (np.mgrid[:side, :side] - (side - 1) / 2) / side
    terms = np.stack([np.ones_like(x), x, y], -1)
    ring = np.zeros((side, side), bool)
    ring[cut] = _ring(ring[cut].shape)
    at = terms[ring][::2]
    values = np.stack([np.asarray(field)[ring][::2].mean(1) for field in fields])
    usual = np.median(values, axis=1)
    slopes = _fit_planes(at, values, usual)
    found = [np.asarray(field) for field in fields]
    for i in np.flatnonzero(np.abs(slopes[:, 1:]).max(1) > 2 * _MIN_GRADIENT * usual):
        light = np.maximum(terms @ slopes[i] + _NOISE_FLOOR, _NOISE_FLOOR / 2)
        brighter = np.clip((usual[i] + _NOISE_FLOOR) / light, 0.5, 2)
        found[i] = np.clip(found[i] * brighter[..., None], 0, 255).astype(np.uint8)
    return found


def has_light_digits(
    fields: Sequence[Picture], digits: Sequence[Mask | None], inner: tuple[float, float]
) -> bool:
    """Whether digits are mostly brighter than their backgrounds; arguments as in
    `extract_features`."""
    shown = [i for i, digit in enumerate(digits) if digit is not None and digit.any()]
    sample = shown[:: ceil(len(shown) / _SAMPLE_SIZE) or 1]
    inks = relative_colours([fields[i] for i in sample], [digits[i] for i in sample], inner)
    return bool(sample and np.median(inks.mean(1)) > 0)


def invert_fields(
    fields: Sequence[Picture], digits: Sequence[Mask | None], positions: Sequence[GridPosition]
) -> list[Picture]:
    """Invert fields with light print, normalising the illumination of each first.

    Relative to a black background all contrasts would be out of range, and one ink would differ on
    each tint. The digits, which become black, measure the illumination; a field without one takes
    the median of its nearest. ``digits`` as in `extract_features`.
    """
    white = {i: np.median(fields[i][mask].max(-1)) for i, mask in enumerate(digits)
             if mask is not None and mask.any()}  # fmt: skip
    at = np.array(positions, float)
    shown = np.array(list(white), int)
    found = []
    for i, one in enumerate(fields):
        apart = np.hypot(*(at[shown] - at[i]).T)
        nearest = [i] if i in white else shown[np.argsort(apart, kind="stable")[:_NEAREST_DIGITS]]
        light = np.median([white[k] for k in nearest]) if white else 1.0
        lit = one * (255 / max(float(light), 1.0))
        found.append(255 - np.clip(lit, 0, 255).astype(np.uint8))
    return found


def brighten_shadowed(fields: Sequence[Picture], inner: tuple[float, float]) -> list[Picture]:
    """Brighten fields in deep shadow; ``inner`` as in `extract_features`.

    Their digits are even darker, so the darkness is no tint.
    """
    cut = _interior(fields[0].shape[0], inner)
    backgrounds = _backgrounds([field[cut] for field in fields]).max(1)
    bright = float(np.percentile(backgrounds, 90))
    return [
        field
        if background > _SHADOW * bright
        else cv2.convertScaleAbs(field, alpha=_LIT * bright / max(float(background), _NOISE_FLOOR))
        for field, background in zip(fields, backgrounds, strict=True)
    ]


def _fit_planes(at: _Doubles, values: _Doubles, usual: _Doubles) -> _Doubles:
    """Fit a plane to each of N fields by iteratively reweighted least squares, N × 3."""
    products = (at[:, :, None] * at[:, None]).reshape(len(at), -1)
    off = values - usual[:, None]
    slopes: _Doubles = np.zeros((len(values), at.shape[1]))
    for _ in range(_IRLS_ROUNDS):
        width = np.maximum(_MIN_SCALE, 1.5 * np.median(np.abs(off), axis=1))
        weights = 1 / (1 + (off / width[:, None]) ** 2) ** 2
        squares = (weights @ products).reshape(-1, at.shape[1], at.shape[1])
        squares += 1e-6 * np.eye(at.shape[1])
        sums = ((weights * values) @ at)[..., None]
        slopes = np.asarray(np.linalg.solve(squares, sums)[..., 0], np.float64)
        off = values - slopes @ at.T
    return slopes


def relative_colours(
    fields: Sequence[Picture], masks: Sequence[Mask | None], inner: tuple[float, float]
) -> Floats:
    """Return the median colour of masked pixels relative to the field's background, N × 3; 0
    without any."""
    found = np.zeros((len(fields), 3), np.float32)
    if not len(fields):
        return found
    cut = _interior(fields[0].shape[0], inner)
    backgrounds = _backgrounds([field[cut] for field in fields])
    paper = _paper(backgrounds)
    for i, (field, mask) in enumerate(zip(fields, masks, strict=True)):
        if mask is not None:
            own = np.median(field[mask], axis=0)
            found[i] = (own - backgrounds[i]) / np.maximum(
                backgrounds[i], _MIN_DIGIT_BACKGROUND * paper
            )
    return found


def network_inputs(features: FieldFeatures) -> tuple[Floats, Floats]:
    """Return both crops as input of the network, N × side × side × 7.

    The channels are colours relative to the background, relative to paper, and the coverage by the
    digit, where the colours are those of the background.
    """
    backgrounds = features.backgrounds[:, None, None]
    paper = np.maximum(features.paper, 8)
    found = []
    for crops in (features.whole, features.enlarged):
        hidden = crops[..., 3:] / np.float32(255)
        off = (crops[..., :3] - backgrounds) * (1 - hidden)
        parts = [
            off / np.maximum(backgrounds, _MIN_BACKGROUND * paper + 1),
            (backgrounds + off) / paper - _OFFSET,
            hidden,
        ]
        found.append(np.clip(np.concatenate(parts, 3), -1, 1.5).astype(np.float32))
    return found[0], found[1]


def _interior(side: int, inner: tuple[float, float]) -> tuple[slice, slice]:
    """Return the slices of a field's picture within its border and the margin `_RIM`."""
    x, y = (round(((1 - one) / 2 + _RIM) * side) for one in inner)
    return slice(y, side - y), slice(x, side - x)


def _backgrounds(fields: Sequence[Picture]) -> Floats:
    """Return the median colour of the ring inside each field's border, N × 3."""
    rings = np.stack(fields)[:, _ring(fields[0].shape[:2])]
    return np.asarray(np.median(rings, axis=1), np.float32)


def _ring(shape: tuple[int, ...]) -> Mask:
    """Return the mask of that ring."""
    rim = max(2, round(_RING * shape[0]))
    ring = np.ones(shape, bool)
    ring[rim:-rim, rim:-rim] = False
    return ring


def _paper(backgrounds: Floats) -> Floats:
    """Return the 90th percentile of the backgrounds in each colour."""
    return np.asarray(np.percentile(backgrounds, 90, axis=0), np.float32)
