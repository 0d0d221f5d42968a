"""What does the reader look at on a pad's leaf? Its fields, beside those of an empty one's photo.

Both photos have their own light, and print has any tint: what counts is how dark a pixel is beside
the ground of its field, under the light of the empty sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.patches import AROUND, SIDE, Look, Patches, cut_patches
from sheets.scanning.pixels import Ink, Picture
from sheets.scanning.straighten import PX_PER_MM, Straight
from sheets.scanning.unknown.dark import is_dark, look_at_dark
from sheets.scanning.unknown.pad import Pad

_TONES, _DISTINCT = 16, 40
"""In so many steps from black to white, in each colour, print is told apart; what is of one such
colour in fewer pixels, or fields than `_LEAST_FIELDS`, says nothing of it."""

_LEAST_FIELDS: Final = 4
_MOSTLY: Final = 0.3
"""The share of these pixels that nothing is drawn over, at least."""

_EVERY: Final = 2
"""Each second pixel each way says so as well as all of them."""

_CELLS, _TO = 32, 1.25
"""Of so many steps of each colour up to that bright it is worked out what becomes of them."""

_NEAR: Final = 0.06
"""How far colours are from each other that mostly become alike."""

_LEAST: Final = 0.06
"""A ground is never taken to be darker than this, 1 being white: noise would be ink."""

_DARKEST, _DRAWN = 0.98, 0.02
"""Where something is drawn the darkest pixels, but for so many, are so much darker than print."""

_PRINT: Final = 0.85
"""What is darker than that beside its surroundings says nothing of the light."""

_SHADOW_MM, _SOFT_MM = 15, 1.5
"""What is narrower than that, one and a half fields, is no shadow: a field that somebody has
filled in with a pale pencil would be one. And how far a shadow's edge is soft."""

_LESS_BRIGHT: Final = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
"""The shares of a leaf that may lie in a shadow, while none is on the empty sheet there."""

_BLACK: Final = 4.0
"""What is darker, 255 being white, is noise."""

_MIDDLE, _GROUND = 0.8, 0.75
"""The part of a field whose brightness says what its ground is, and the share of that which is no
brighter: large symbols leave less than half of it bare."""


def looks_beside(straight: Straight, pad: Pad) -> Iterator[Look]:
    """Patches of all fields, each moved to where its print truly lies.

    Those of a dark pad as dark fields are shown, then as all others: its pens may be dark, too.
    """
    blank = cut_patches(pad.picture.astype(np.float32) / 255, pad, {})
    if is_dark(blank):
        yield look_at_dark(straight, pad, blank)
    yield _look_at_bright(straight, pad)


def look_beside(straight: Straight, pad: Pad) -> Look:
    """The first of `looks_beside`."""
    return next(looks_beside(straight, pad))


def _look_at_bright(straight: Straight, pad: Pad) -> Look:
    by, more = _as_lit(straight.picture, pad.picture)
    photo = cut_patches(_brighter(straight.picture, by), pad, straight.shifts)
    printed = _as_shown(cut_patches(_brighter(pad.picture, more), pad, {}), photo)
    ground = _ground(printed)[:, None, None]
    inks = [np.clip(1 - some / ground, -0.25, 1) for some in (photo, printed)]
    return Look(tuple(pad.boxes), inks[0], inks[1])


def bare_fields(look: Look) -> set[str]:
    """The fields in which nothing is darker than print is there: printed crosses are crosses, too.

    A pen that draws over print of its own colour may leave nothing more; so this is no proof.
    """
    photo, printed = (some.mean(3) for some in (look.photo, look.printed))
    around = np.stack([cv2.dilate(one, np.ones((5, 5), np.uint8)) for one in printed])
    edge = round(SIDE * (1 - _MIDDLE / AROUND) / 2)
    more = (photo - around)[:, edge:-edge, edge:-edge].reshape(len(photo), -1)
    darkest = np.quantile(more, _DARKEST, axis=1)
    return {name for name, dark in zip(look.names, darkest, strict=True) if dark < _DRAWN}


def _as_shown(printed: Patches, photo: Patches) -> Patches:
    """The print as another camera shows it: each colour becomes what it mostly is there.

    Strokes may cover more than half of it, but hardly any of that is equally dark. Colours of few
    fields become what those near them do.
    """
    before, after = (some[:, ::_EVERY, ::_EVERY].reshape(-1, 3) for some in (printed, photo))
    field = np.repeat(np.arange(len(printed)), len(before) // len(printed))
    steps = np.clip(np.round(before * _TONES), 0, 2 * _TONES).astype(np.intp)
    _names, colour = np.unique(steps @ (1, 100, 10_000), return_inverse=True)
    order = np.argsort(colour, kind="stable")
    known, moves = [], []
    for some in np.split(order, np.cumsum(np.bincount(colour))[:-1]):
        if len(some) >= _DISTINCT and len(np.unique(field[some])) >= _LEAST_FIELDS:
            move = after[some] - before[some]
            known.append(before[some].mean(0))
            moves.append([_mostly(move[:, i]) for i in range(3)])
    if not known:
        return printed
    return printed + _between(printed, np.array(known, np.float32), np.array(moves, np.float32))


def _between(printed: Patches, known: NDArray[np.float32], moves: NDArray[np.float32]) -> Patches:
    """How far each pixel's colour moves, if those that are known, K × 3, move so far."""
    axis = np.linspace(0, _TO, _CELLS, dtype=np.float32)
    cells = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1).reshape(-1, 3)
    products = cells @ known.T
    far = ((cells**2).sum(1)[:, None] - 2 * products + (known**2).sum(1)) / (2 * _NEAR**2)
    near = np.exp(far.min(1, keepdims=True) - far)
    table = near @ moves / near.sum(1, keepdims=True)
    cell = np.clip(np.round(printed * ((_CELLS - 1) / _TO)), 0, _CELLS - 1).astype(np.int32)
    return np.asarray(table[(cell[..., 0] * _CELLS + cell[..., 1]) * _CELLS + cell[..., 2]])


def _mostly(values: NDArray[np.float32]) -> float:
    """The middle of the narrowest span that so many of some values lie in."""
    values = np.sort(values)
    count = max(1, round(_MOSTLY * len(values)))
    first = int((values[count - 1 :] - values[: len(values) - count + 1]).argmin())
    return float(values[first + count // 2])


def _as_lit(photo: Picture, blank: Picture) -> tuple[Ink, Ink]:
    """By how much the photo, and the empty sheet's, would be brighter in one light without shadows.

    In each colour, a pixel for each millimetre.
    """
    size = tuple(max(1, round(side / PX_PER_MM)) for side in photo.shape[1::-1])
    seen, empty = (
        cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        for one in (photo, blank)
    )
    light = _light(seen, empty)
    more = _without_shadow(light, empty)
    return np.asarray(more / light), more


def _brighter(picture: Picture, by: Ink) -> Ink:
    """A picture, 1 being white, times what `_as_lit` gives."""
    wide = cv2.resize(by / 255, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, wide, dtype=cv2.CV_32F), np.float32)


def _light(seen: Ink, empty: Ink) -> Ink:
    """How bright the photo is beside the empty sheet's, if nothing is drawn."""
    ratio = seen / np.maximum(empty, 16)
    # Print is paler or darker in another photo than its ground is.
    around = cv2.morphologyEx(empty, cv2.MORPH_CLOSE, np.ones((6, 6), np.uint8))
    ratio[(empty < _PRINT * around).any(2)] = 0
    wide = cv2.morphologyEx(ratio, cv2.MORPH_CLOSE, np.ones((_SHADOW_MM,) * 2, np.uint8))
    return np.maximum(cv2.GaussianBlur(wide, (0, 0), _SOFT_MM), 0.02)


def _without_shadow(light: Ink, empty: Ink) -> Ink:
    """By how much the empty sheet would be brighter where only its photo has a shadow.

    How bright the leaf is beside it where neither has one is not known: it is taken to be what
    leaves least of the shadow's edges.
    """
    ways = np.quantile(light, _LESS_BRIGHT, axis=(0, 1)).astype(np.float32)
    more = np.maximum(light / ways[:, None, None], 1)
    lit = np.log(np.maximum(empty, _BLACK) * more)
    edges = [np.abs(np.diff(lit, axis=axis)).sum((1, 2, 3)) for axis in (1, 2)]
    return np.asarray(more[np.argmin(edges[0] + edges[1])])


def _ground(printed: Patches) -> NDArray[np.float32]:
    """What is not print in each field, N × 3."""
    edge = round(SIDE * (1 - _MIDDLE / AROUND) / 2)
    inside = printed[:, edge:-edge, edge:-edge].reshape(len(printed), -1, 3)
    return np.maximum(np.quantile(inside, _GROUND, axis=1), _LEAST).astype(np.float32)
