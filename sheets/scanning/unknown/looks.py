"""What does a field look like apart from its digit? Two pictures and a few numbers, for a network.

All colours are seen beside the field's own ground and beside the brightest ground of the sheet:
the same symbol may lie on several tints, and the light may fall off.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.layers import Floats
from sheets.scanning.pixels import Grey, Picture
from sheets.scanning.unknown.flat import Place

SIDE: Final = 24
"""A field is looked at in so many pixels."""

_RIM, _RING = 0.025, 0.09
_DARKEST, _SHADED = 0.35, 0.1
"""How bright a ground is taken to be at least beside the paper; and where only the ink of digits is
asked about, of which there is enough."""

_CONTRAST, _LIGHTER, _HUE = 0.13, 0.17, 0.055
"""How what is printed differs from its field's ground: darker, brighter, or in its hue alone.
Phones sharpen: beside what is dark, paper is brighter than it is."""

_EVEN, _FAINT = 0.04, 12.0
"""How uneven the light on a field is at least, from its middle to a side, to be made even; and what
is no brighter than so many grey values is mostly noise."""

_MUCH, _HALO = 0.2, 0.12
"""What seems to be printed on more of a field than that may be its ground, and how far that lies
off the ring inside its border, beside the paper, at most."""

_SHADE, _LIT = 0.35, 0.7
"""How bright a field in a deep shadow is at most, beside the paper, and is made."""

_ROUNDS, _LEAST_WIDTH = 3, 3.0
"""So often what is far off the slope of the light is taken for print or border, and counts less;
and how far that is at least, in grey values."""

_MIDDLE: Final = 0.7
"""So bright, beside the paper, is 0 for the network."""

LEAST_INK: Final = 0.01
"""How much of a field is printed on at least, beside its digit, where a symbol is clear."""

_STRONG, _CORE = 0.9, 0.5
"""What is half as strong as the strongest of a symbol, but for a tenth, is none of its edges."""

_AROUND_PX: Final = 5
_LEAST_PIECE, _CORNER = 0.004, 0.03
_FRAME_PX, _FRAME = 5, 0.7
"""How wide what reaches in of a frame is at most, and how much of a side it covers at least."""

_MARGIN: Final = 1.15

_ASIDE: Final = 3
"""So many of the nearest digits say how bright one would be where none is."""

TOLD: Final = 14
"""So many numbers say what is seen; `_numbers` says which."""

_INKED: Final = 9
_ASKED: Final = 36
"""So many fields say whether digits are brighter than their grounds."""

Mask = NDArray[np.bool_]
_Doubles = NDArray[np.float64]


class Looks(NamedTuple):
    """Of N fields.

    ``whole`` and ``near`` are N × SIDE × SIDE × 4: red, green, blue, and how much of a pixel is the
    digit's, all 0 to 255; the whole field within its border, and what stands out in it made as
    large as it goes. ``grounds`` N × 3, ``paper`` 3; ``told`` N × `TOLD`; ``strongest`` N × 3: as
    the second of `printed_inks`.
    """

    whole: NDArray[np.uint8]
    near: NDArray[np.uint8]
    grounds: Floats
    paper: Floats
    told: Floats
    strongest: Floats


def take_looks(
    fields: Sequence[Picture], digits: Sequence[Mask | None], inner: tuple[float, float]
) -> Looks:
    """``digits``: which of a field's pixels are its digit's; ``inner``: how wide and how high a
    field is within its border, of its picture."""
    cut = within_border(fields[0].shape[0], inner)
    insides = [field[cut] for field in fields]
    hidden = [
        np.zeros(inside.shape[:2], np.uint8) if digit is None else digit[cut].astype(np.uint8)
        for inside, digit in zip(insides, digits, strict=True)
    ]
    grounds = _grounds(insides)
    paper = _paper(grounds)
    whole, near, told, strongest = [], [], [], []
    for i, (field, digit) in enumerate(zip(insides, hidden, strict=True)):
        around = cv2.dilate(digit, np.ones((_AROUND_PX,) * 2, np.uint8))
        grounds[i], beside, found = _print_of(field, 1 - around, grounds[i], paper)
        seen = np.dstack([field, 255 * digit])
        whole.append(cv2.resize(seen, (SIDE, SIDE), interpolation=cv2.INTER_AREA))
        box = cv2.boundingRect(found) if found.any() else (0, 0, *reversed(digit.shape))
        near.append(_enlarged(seen, box))
        ink = beside[found > 0] if found.any() else np.zeros((1, 3), np.float32)
        tint = grounds[i] / np.maximum(paper, 8)
        told.append(_numbers(np.median(ink, axis=0), found, box, tint, digit))
        strongest.append((1 + _strongest(ink)) * tint)
    told_of, strongest_of = (np.array(some, np.float32) for some in (told, strongest))
    return Looks(np.stack(whole), np.stack(near), grounds, paper, told_of, strongest_of)


def _print_of(
    field: Picture, free: Grey, ground: Floats, paper: Floats
) -> tuple[Floats, Floats, Grey]:
    """The ground of a field, how much each pixel differs from it, and 1 where something is printed
    that is no digit; ``free`` is 0 where the digit is, ``ground`` that of the ring.

    Phones sharpen: beside a black border the ring of a dark field is brighter than the rest, which
    would all be print.
    """
    beside = _beside(field, ground, paper)
    found = _without_specks(_printed(beside) * free)
    if found.mean() > _MUCH:
        own = np.asarray(np.median(field[free > 0], axis=0), np.float32)
        beside_own = _beside(field, own, paper)
        rest = _without_specks(_printed(beside_own) * free)
        is_halo = np.abs(own - ground).max() < _HALO * paper.max()
        if is_halo and rest.mean() < found.mean():
            return own, beside_own, rest
    return ground, beside, found


def even_light(fields: Sequence[Picture], inner: tuple[float, float]) -> list[Picture]:
    """The fields as if no shadow fell off across them; ``inner`` as of `take_looks`.

    At the edge of a shadow one side of a field is darker than the other, and a part of its ground
    would be taken for print.
    """
    side = fields[0].shape[0]
    cut = within_border(side, inner)
    y, x = (np.mgrid[:side, :side] - (side - 1) / 2) / side
    terms = np.stack([np.ones_like(x), x, y], -1)
    ring = np.zeros((side, side), bool)
    ring[cut] = _ring(ring[cut].shape)
    at = terms[ring][::2]
    values = np.stack([np.asarray(field)[ring][::2].mean(1) for field in fields])
    usual = np.median(values, axis=1)
    slopes = _slopes(at, values, usual)
    found = [np.asarray(field) for field in fields]
    for i in np.flatnonzero(np.abs(slopes[:, 1:]).max(1) > 2 * _EVEN * usual):
        light = np.maximum(terms @ slopes[i] + _FAINT, _FAINT / 2)
        brighter = np.clip((usual[i] + _FAINT) / light, 0.5, 2)
        found[i] = np.clip(found[i] * brighter[..., None], 0, 255).astype(np.uint8)
    return found


def are_dark(
    fields: Sequence[Picture], digits: Sequence[Mask | None], inner: tuple[float, float]
) -> bool:
    """Whether digits are mostly brighter than the grounds of their fields; as of `take_looks`."""
    shown = [i for i, digit in enumerate(digits) if digit is not None and digit.any()]
    some = shown[:: ceil(len(shown) / _ASKED) or 1]
    inks = colours_of([fields[i] for i in some], [digits[i] for i in some], inner)
    return bool(some and np.median(inks.mean(1)) > 0)


def inverted(
    fields: Sequence[Picture], digits: Sequence[Mask | None], places: Sequence[Place]
) -> list[Picture]:
    """The fields as if print were darker than its ground, which on black fields is brighter.

    Beside a black ground all that is printed would be out of all bounds, and one ink another on
    each tint. ``digits`` as of `take_looks`; they come out black. What light falls on a field is
    told by its digit, where it has none by those around it; ``places`` says where fields are.
    """
    white = {i: np.median(fields[i][mask].max(-1)) for i, mask in enumerate(digits)
             if mask is not None and mask.any()}  # fmt: skip
    at = np.array(places, float)
    shown = np.array(list(white), int)
    found = []
    for i, one in enumerate(fields):
        apart = np.hypot(*(at[shown] - at[i]).T)
        nearest = [i] if i in white else shown[np.argsort(apart, kind="stable")[:_ASIDE]]
        light = np.median([white[k] for k in nearest]) if white else 1.0
        lit = one * (255 / max(float(light), 1.0))
        found.append(255 - np.clip(lit, 0, 255).astype(np.uint8))
    return found


def out_of_shade(fields: Sequence[Picture], inner: tuple[float, float]) -> list[Picture]:
    """The fields, those in a deep shadow as bright as others: their digits are darker than they are
    all the same, so it is no tint. ``inner`` as of `take_looks`."""
    cut = within_border(fields[0].shape[0], inner)
    grounds = _grounds([field[cut] for field in fields]).max(1)
    bright = float(np.percentile(grounds, 90))
    return [
        field
        if ground > _SHADE * bright
        else cv2.convertScaleAbs(field, alpha=_LIT * bright / max(float(ground), _FAINT))
        for field, ground in zip(fields, grounds, strict=True)
    ]


def _slopes(at: _Doubles, values: _Doubles, usual: _Doubles) -> _Doubles:
    """The plane through the values of each of N fields, N × 3: what is far off counts little."""
    products = (at[:, :, None] * at[:, None]).reshape(len(at), -1)
    off = values - usual[:, None]
    slopes: _Doubles = np.zeros((len(values), at.shape[1]))
    for _ in range(_ROUNDS):
        width = np.maximum(_LEAST_WIDTH, 1.5 * np.median(np.abs(off), axis=1))
        weights = 1 / (1 + (off / width[:, None]) ** 2) ** 2
        squares = (weights @ products).reshape(-1, at.shape[1], at.shape[1])
        squares += 1e-6 * np.eye(at.shape[1])
        sums = ((weights * values) @ at)[..., None]
        slopes = np.asarray(np.linalg.solve(squares, sums)[..., 0], np.float64)
        off = values - slopes @ at.T
    return slopes


def colours_of(
    fields: Sequence[Picture], masks: Sequence[Mask | None], inner: tuple[float, float]
) -> Floats:
    """The usual colour of some pixels of each field beside its ground, N × 3; 0 where none are."""
    found = np.zeros((len(fields), 3), np.float32)
    if not len(fields):
        return found
    cut = within_border(fields[0].shape[0], inner)
    grounds = _grounds([field[cut] for field in fields])
    paper = _paper(grounds)
    for i, (field, mask) in enumerate(zip(fields, masks, strict=True)):
        if mask is not None:
            own = np.median(field[mask], axis=0)
            found[i] = (own - grounds[i]) / np.maximum(grounds[i], _SHADED * paper)
    return found


def some_of(looks: Looks, part: slice | NDArray[np.int64]) -> Looks:
    """Those of some fields."""
    return Looks(
        looks.whole[part],
        looks.near[part],
        looks.grounds[part],
        looks.paper,
        looks.told[part],
        looks.strongest[part],
    )


def seen(looks: Looks) -> tuple[Floats, Floats]:
    """The two pictures as the network has them, N × SIDE × SIDE × 7.

    The colours beside the ground, those beside the paper, and the digit.
    """
    paper = np.maximum(looks.paper, 8)
    pictures = []
    for picture in (looks.whole, looks.near):
        parts: list[Floats] = [
            beside_grounds(looks, picture),
            np.asarray(picture[..., :3].astype(np.float32) / paper - _MIDDLE, np.float32),
            np.asarray(picture[..., 3:] / np.float32(255), np.float32),
        ]
        pictures.append(np.clip(np.concatenate(parts, 3), -1, 1.5).astype(np.float32))
    return pictures[0], pictures[1]


def beside_grounds(looks: Looks, picture: Picture) -> Floats:
    """How much each pixel of ``whole`` or ``near`` differs from the ground of its field, for each
    colour."""
    grounds = looks.grounds[:, None, None]
    beside = np.maximum(grounds, _DARKEST * looks.paper + 1)
    return np.asarray((picture[..., :3].astype(np.float32) - grounds) / beside, np.float32)


def inks(looks: Looks) -> Floats:
    """The usual colour, beside its ground, of what is printed on each field and no digit, N × 3."""
    return looks.told[:, :3]


def printed_inks(looks: Looks) -> Floats:
    """The usual and the strongest colour of that beside the paper of the sheet, which is 1, for
    what is printed on other tints, too: N × 2 × 3."""
    return np.stack([looks.told[:, 3:6] + _MIDDLE, looks.strongest], 1)


def tints(looks: Looks) -> Floats:
    """The ground of each field beside the paper, which is 1, N × 3."""
    return looks.told[:, 6:9] + _MIDDLE


def have_digits(looks: Looks) -> Mask:
    """Which fields have a digit."""
    return np.asarray(looks.told[:, -1] > 0)


def inked_share(looks: Looks) -> Floats:
    """How much of each field something is printed on that is no digit."""
    return looks.told[:, _INKED]


def within_border(side: int, inner: tuple[float, float], rim: float = _RIM) -> tuple[slice, slice]:
    """The part of a field's picture that is so far within its border, in fields."""
    x, y = (round(((1 - one) / 2 + rim) * side) for one in inner)
    return slice(y, side - y), slice(x, side - x)


def _grounds(fields: Sequence[Picture]) -> Floats:
    """The own colour of each field, N × 3: just inside its border, where hardly anything is
    printed."""
    rings = np.stack(fields)[:, _ring(fields[0].shape[:2])]
    return np.asarray(np.median(rings, axis=1), np.float32)


def _ring(shape: tuple[int, ...]) -> Mask:
    """The pixels just inside a field's border."""
    rim = max(2, round(_RING * shape[0]))
    ring = np.ones(shape, bool)
    ring[rim:-rim, rim:-rim] = False
    return ring


def _paper(grounds: Floats) -> Floats:
    """The brightest ground of the sheet, but for a tenth."""
    return np.asarray(np.percentile(grounds, 90, axis=0), np.float32)


def _beside(field: Picture, ground: Floats, paper: Floats) -> Floats:
    """How much each pixel differs from the ground, for each colour."""
    soft = cv2.GaussianBlur(field, (3, 3), 0).astype(np.float32)
    # On a dark ground the least difference would be a great one, beside the ground.
    return np.asarray((soft - ground) / np.maximum(ground, _DARKEST * paper + 1), np.float32)


def _printed(beside: Floats) -> Grey:
    """1 where something is printed."""
    # Colour by colour: along the last axis of three NumPy takes ten times as long.
    red, green, blue = cv2.split(beside)
    low, high = (one(one(red, green), blue) for one in (np.minimum, np.maximum))
    mean = (red + green + blue) / 3
    hue = np.maximum(high - mean, mean - low)
    differs = (low < -_CONTRAST) | (high > _LIGHTER) | (hue > _HUE)
    return np.asarray(differs, np.uint8)


def _without_specks(mask: Grey) -> Grey:
    """Without what is too small to be printed, lies along the border or rounds its corner."""
    mask = _without_frame(mask)
    high, wide = mask.shape
    _count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    x, y, across, down, area = stats.T
    at_side, at_end = (x == 0) | (x + across == wide), (y == 0) | (y + down == high)
    is_along = (at_side | at_end) & (np.minimum(across, down) <= 5)
    is_along |= at_side & at_end & (area < _CORNER * mask.size)
    kept = (area >= _LEAST_PIECE * mask.size) & ~is_along
    kept[0] = False
    return np.asarray(kept[labels], np.uint8)


def _without_frame(mask: Grey) -> Grey:
    """Without a thick frame that reaches in; a symbol may touch it."""
    found = mask.copy()
    for side in (found, found[::-1], found.T, found.T[::-1]):
        (along,) = np.nonzero(side[:_FRAME_PX].mean(1) > _FRAME)
        if len(along):
            side[: along[-1] + 2] = 0
    return found


def _enlarged(seen: Picture, box: Sequence[int]) -> Picture:
    """A part of a field, square, with a margin."""
    x, y, wide, high = box
    scale = SIDE / (_MARGIN * max(wide, high, 6))
    way = np.array([[scale, 0, SIDE / 2 - scale * (x + (wide - 1) / 2) - 0.5],
                    [0, scale, SIDE / 2 - scale * (y + (high - 1) / 2) - 0.5]])  # fmt: skip
    return cv2.warpAffine(
        seen, way, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _strongest(ink: Floats) -> Floats:
    """The colour of N pixels where they differ most from their ground: the blurred edges of a
    hairline are most of it, and where a phone sharpens there is more of what lies around it."""
    strengths = np.abs(ink).max(1)
    least = _CORE * np.quantile(strengths, _STRONG)
    return np.asarray(np.median(ink[strengths >= least], axis=0), np.float32)


def _numbers(
    colour: Floats, found: Grey, box: Sequence[int], ground: Floats, digit: Grey
) -> list[float]:
    """The usual colour of what stands out beside the ground and beside the paper, the ground's own,
    how much there is of it, where, and whether there is a digit."""
    high, wide = found.shape
    return [
        *colour, *((1 + colour) * ground - _MIDDLE), *(ground - _MIDDLE), found.mean(),
        (box[0] + box[2] / 2) / wide - 0.5, (box[1] + box[3] / 2) / high - 0.5,
        max(box[2] / wide, box[3] / high), float(digit.any()),
    ]  # fmt: skip
