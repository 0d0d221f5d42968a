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
"""Side of a crop, in pixels."""

_RIM: Final = 0.025
"""Margin inside the border that is ignored, as a share of the field's side."""

_RING: Final = 0.09
"""Width of the ring inside the border in which the background is measured, as a share of the
side."""

_MIN_BACKGROUND: Final = 0.35
"""Lower bound of a field's background relative to paper; avoids division by nearly 0."""

_MIN_DIGIT_BACKGROUND: Final = 0.1
"""Looser bound where only digit ink is measured, which is plentiful."""

_MIN_DARKER: Final = 0.13
"""Minimum relative darkness of print."""

_MIN_LIGHTER: Final = 0.17
"""Minimum relative brightness of print. It is larger because sharpening brightens paper next to
dark print."""

_MIN_HUE: Final = 0.055
"""Minimum relative deviation of a single colour."""

_MIN_GRADIENT: Final = 0.04
"""Minimum illumination gradient that is corrected, from centre to side, relative to the
background."""

_NOISE_FLOOR: Final = 12.0
"""Brightness below which a pixel is mostly noise, in grey values."""

_MAX_PRINT: Final = 0.2
"""Share of printed pixels above which the assumed background is checked."""

_MAX_HALO: Final = 0.12
"""Maximum deviation of that background from the ring, relative to paper, that is a sharpening
halo."""

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

MIN_PRINTED: Final = 0.01
"""Minimum printed share of a field, without its digit, that shows a clear symbol."""

_STRONG_QUANTILE: Final = 0.9
"""Quantile of the contrast that counts as the strongest of a symbol."""

_MIN_CORE: Final = 0.5
"""Minimum share of that contrast for a pixel of the symbol's core, without blurred edges."""

_DIGIT_MARGIN_PX: Final = 5
"""Size of the dilation that hides the surroundings of a digit, in pixels."""

_MIN_COMPONENT: Final = 0.004
"""Minimum area of a printed component, as a share of the field."""

_MAX_CORNER: Final = 0.03
"""Maximum area of a rounded corner, as a share of the field."""

_FRAME_PX: Final = 5
"""Maximum width of a frame that reaches into a field, in pixels."""

_MIN_FRAME: Final = 0.7
"""Minimum share of a side that a frame covers."""

_MARGIN: Final = 1.15
"""Side of the enlarged crop relative to the longer side of the print."""

_NEAREST_DIGITS: Final = 3
"""Number of nearest digits that determine the illumination of a field without one."""

DESCRIPTORS: Final = 14
"""Number of descriptors per field, listed in `_describe`."""

_PRINTED_AT: Final = 9
"""Index of the printed share in the descriptors."""

_SAMPLE_SIZE: Final = 36
"""Number of fields that determine the polarity of the digits."""

Mask = NDArray[np.bool_]
_Doubles = NDArray[np.float64]


class FieldFeatures(NamedTuple):
    """Features of N fields.

    ``whole`` and ``enlarged`` are N × SIDE × SIDE × 4: red, green, blue, and the digit's coverage,
    each 0 to 255. The first is the field within its border, the second its print scaled to the
    crop. ``backgrounds`` is N × 3, ``paper`` 3, ``descriptors`` N × `DESCRIPTORS`. ``strongest`` is
    the second part of `inks_on_paper`, N × 3.
    """

    whole: NDArray[np.uint8]
    enlarged: NDArray[np.uint8]
    backgrounds: Floats
    paper: Floats
    descriptors: Floats
    strongest: Floats


def extract_features(
    fields: Sequence[Picture], digits: Sequence[Mask | None], inner: tuple[float, float]
) -> FieldFeatures:
    """Extract the features of fields.

    Args:
        digits: mask of each field's digit.
        inner: width and height of a field within its border, relative to its picture.
    """
    cut = interior(fields[0].shape[0], inner)
    insides = [field[cut] for field in fields]
    hidden = [
        np.zeros(inside.shape[:2], np.uint8) if digit is None else digit[cut].astype(np.uint8)
        for inside, digit in zip(insides, digits, strict=True)
    ]
    backgrounds = _backgrounds(insides)
    paper = _paper(backgrounds)
    whole, enlarged, descriptors, strongest = [], [], [], []
    for i, (field, digit) in enumerate(zip(insides, hidden, strict=True)):
        around = cv2.dilate(digit, np.ones((_DIGIT_MARGIN_PX,) * 2, np.uint8))
        backgrounds[i], relative, found = _segment_print(field, 1 - around, backgrounds[i], paper)
        channels = np.dstack([field, 255 * digit])
        whole.append(cv2.resize(channels, (SIDE, SIDE), interpolation=cv2.INTER_AREA))
        box = cv2.boundingRect(found) if found.any() else (0, 0, *reversed(digit.shape))
        enlarged.append(_enlarge(channels, box))
        ink = relative[found > 0] if found.any() else np.zeros((1, 3), np.float32)
        tint = backgrounds[i] / np.maximum(paper, 8)
        descriptors.append(_describe(np.median(ink, axis=0), found, box, tint, digit))
        strongest.append((1 + _core_colour(ink)) * tint)
    descriptors_of, strongest_of = (
        np.array(values, np.float32) for values in (descriptors, strongest)
    )
    return FieldFeatures(
        np.stack(whole), np.stack(enlarged), backgrounds, paper, descriptors_of, strongest_of
    )


def _segment_print(
    field: Picture, free: Grey, background: Floats, paper: Floats
) -> tuple[Floats, Floats, Grey]:
    """Segment the print of a field: return background, relative difference and print mask.

    ``free`` is 0 on the digit, ``background`` is that of the ring. Next to a black border
    sharpening makes the ring of a dark field brighter than its interior, all of which would be
    segmented as print.
    """
    relative = _relative(field, background, paper)
    found = _remove_specks(_binarise(relative) * free)
    if found.mean() > _MAX_PRINT:
        own = np.asarray(np.median(field[free > 0], axis=0), np.float32)
        own_relative = _relative(field, own, paper)
        rest = _remove_specks(_binarise(own_relative) * free)
        is_halo = np.abs(own - background).max() < _MAX_HALO * paper.max()
        if is_halo and rest.mean() < found.mean():
            return own, own_relative, rest
    return background, relative, found


def correct_illumination(fields: Sequence[Picture], inner: tuple[float, float]) -> list[Picture]:
    """Remove illumination gradients across fields; ``inner`` as in `extract_features`.

    At the edge of a shadow, part of the background would be segmented as print.
    """
    side = fields[0].shape[0]
    cut = interior(side, inner)
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
    cut = interior(fields[0].shape[0], inner)
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
    cut = interior(fields[0].shape[0], inner)
    backgrounds = _backgrounds([field[cut] for field in fields])
    paper = _paper(backgrounds)
    for i, (field, mask) in enumerate(zip(fields, masks, strict=True)):
        if mask is not None:
            own = np.median(field[mask], axis=0)
            found[i] = (own - backgrounds[i]) / np.maximum(
                backgrounds[i], _MIN_DIGIT_BACKGROUND * paper
            )
    return found


def select_fields(features: FieldFeatures, part: slice | NDArray[np.int64]) -> FieldFeatures:
    """Return the features of some fields."""
    return FieldFeatures(
        features.whole[part],
        features.enlarged[part],
        features.backgrounds[part],
        features.paper,
        features.descriptors[part],
        features.strongest[part],
    )


def network_inputs(features: FieldFeatures) -> tuple[Floats, Floats]:
    """Return the two crops as input of the network, N × SIDE × SIDE × 7.

    The channels are colours relative to the background, relative to paper, and the digit mask.
    """
    paper = np.maximum(features.paper, 8)
    pictures = []
    for picture in (features.whole, features.enlarged):
        parts: list[Floats] = [
            relative_to_background(features, picture),
            np.asarray(picture[..., :3].astype(np.float32) / paper - _OFFSET, np.float32),
            np.asarray(picture[..., 3:] / np.float32(255), np.float32),
        ]
        pictures.append(np.clip(np.concatenate(parts, 3), -1, 1.5).astype(np.float32))
    return pictures[0], pictures[1]


def relative_to_background(features: FieldFeatures, picture: Picture) -> Floats:
    """Return the difference of each pixel of a crop from its field's background, in each colour."""
    backgrounds = features.backgrounds[:, None, None]
    scale = np.maximum(backgrounds, _MIN_BACKGROUND * features.paper + 1)
    return np.asarray((picture[..., :3].astype(np.float32) - backgrounds) / scale, np.float32)


def inks(features: FieldFeatures) -> Floats:
    """Return the median colour of each field's print relative to its background, N × 3."""
    return features.descriptors[:, :3]


def inks_on_paper(features: FieldFeatures) -> Floats:
    """Return the median and strongest colour of each field's print relative to paper, N × 2 × 3.

    Relative to paper, inks on different tints can be compared. Paper is 1.
    """
    return np.stack([features.descriptors[:, 3:6] + _OFFSET, features.strongest], 1)


def tints(features: FieldFeatures) -> Floats:
    """Return the background of each field relative to paper, N × 3."""
    return features.descriptors[:, 6:9] + _OFFSET


def has_digit(features: FieldFeatures) -> Mask:
    """Return which fields have a digit."""
    return np.asarray(features.descriptors[:, -1] > 0)


def printed_share(features: FieldFeatures) -> Floats:
    """Return the printed share of each field, without its digit."""
    return features.descriptors[:, _PRINTED_AT]


def interior(side: int, inner: tuple[float, float], rim: float = _RIM) -> tuple[slice, slice]:
    """Return the slices of a field's picture within its border and a margin of ``rim`` fields."""
    x, y = (round(((1 - one) / 2 + rim) * side) for one in inner)
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


def _relative(field: Picture, background: Floats, paper: Floats) -> Floats:
    """Return the difference of each pixel from the background, as a share of the background."""
    soft = cv2.GaussianBlur(field, (3, 3), 0).astype(np.float32)
    # On a dark background a small difference would be a large relative one.
    return np.asarray(
        (soft - background) / np.maximum(background, _MIN_BACKGROUND * paper + 1), np.float32
    )


def _binarise(relative: Floats) -> Grey:
    """Return 1 where something is printed."""
    # Per channel: a reduction along the last axis of three takes NumPy ten times as long.
    red, green, blue = cv2.split(relative)
    low, high = (one(one(red, green), blue) for one in (np.minimum, np.maximum))
    mean = (red + green + blue) / 3
    hue = np.maximum(high - mean, mean - low)
    differs = (low < -_MIN_DARKER) | (high > _MIN_LIGHTER) | (hue > _MIN_HUE)
    return np.asarray(differs, np.uint8)


def _remove_specks(mask: Grey) -> Grey:
    """Remove components that are too small, lie along the border or round its corner."""
    mask = _remove_frame(mask)
    high, wide = mask.shape
    _count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    x, y, across, down, area = stats.T
    at_side, at_end = (x == 0) | (x + across == wide), (y == 0) | (y + down == high)
    is_along = (at_side | at_end) & (np.minimum(across, down) <= 5)
    is_along |= at_side & at_end & (area < _MAX_CORNER * mask.size)
    kept = (area >= _MIN_COMPONENT * mask.size) & ~is_along
    kept[0] = False
    return np.asarray(kept[labels], np.uint8)


def _remove_frame(mask: Grey) -> Grey:
    """Remove a thick frame that reaches into the field; a symbol may touch it."""
    found = mask.copy()
    for side in (found, found[::-1], found.T, found.T[::-1]):
        (along,) = np.nonzero(side[:_FRAME_PX].mean(1) > _MIN_FRAME)
        if len(along):
            side[: along[-1] + 2] = 0
    return found


def _enlarge(picture: Picture, box: Sequence[int]) -> Picture:
    """Return a square crop around a box, with a margin."""
    x, y, wide, high = box
    scale = SIDE / (_MARGIN * max(wide, high, 6))
    affine = np.array([[scale, 0, SIDE / 2 - scale * (x + (wide - 1) / 2) - 0.5],
                    [0, scale, SIDE / 2 - scale * (y + (high - 1) / 2) - 0.5]])  # fmt: skip
    return cv2.warpAffine(
        picture, affine, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _core_colour(ink: Floats) -> Floats:
    """Return the median colour of the N pixels with the most contrast.

    Blurred edges dominate hairlines, and sharpening halos surround them.
    """
    strengths = np.abs(ink).max(1)
    least = _MIN_CORE * np.quantile(strengths, _STRONG_QUANTILE)
    return np.asarray(np.median(ink[strengths >= least], axis=0), np.float32)


def _describe(
    colour: Floats, found: Grey, box: Sequence[int], background: Floats, digit: Grey
) -> list[float]:
    """Return the descriptors of a field.

    They are the print's colour relative to background and to paper, the background relative to
    paper, the printed share, its position and size, and whether there is a digit.
    """
    high, wide = found.shape
    return [
        *colour, *((1 + colour) * background - _OFFSET), *(background - _OFFSET), found.mean(),
        (box[0] + box[2] / 2) / wide - 0.5, (box[1] + box[3] / 2) / high - 0.5,
        max(box[2] / wide, box[3] / high), float(digit.any()),
    ]  # fmt: skip
