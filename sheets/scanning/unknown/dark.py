"""What does the reader look at on a leaf whose fields are darker than what is printed on them?

Beside the ground of such a field a bright digit is out of all bounds, and a pen shows that is
brighter than its paper. So the leaf is shown as if it were a usual one: print darker than its
ground, as much as it differs from it, and marks as dark as what they change, wherever that is.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.patches import AROUND, SIDE, Look, Patches, cut_patches, mean_of
from sheets.scanning.pixels import Ink, Picture
from sheets.scanning.straighten import PX_PER_MM, Straight
from sheets.scanning.unknown.pad import Pad

Numbers = NDArray[np.float32]

_MIDDLE: Final = 0.8
"""The part of a field whose usual brightness is its ground."""

_FAR: Final = 0.03
"""The darkest and the brightest pixels, but for so many, say which way print differs."""

_MOSTLY: Final = 0.6
"""The share of fields whose print is brighter than their ground on a dark leaf, at least."""

_DIFFERS: Final = 0.02
_LEAST: Final = 0.004

_AS_DARK: Final = 0.45
"""How dark the brightest print is shown: strokes across it are darker still."""

_ROOM: Final = 0.25
"""What changes by so much of the brightest print is as dark as it can be, at least."""

_NEAR_MM: Final = 31
"""Light is told by so wide a part of the leaf: half of that nothing is drawn on."""

_STEP: Final = 24.0
"""Of the logarithm of a ratio, as bytes."""

_TRIES: Final = 5
_SPREAD, _WORTH = 0.03, 100.0
"""By how much of the brightest print pixels differ that show the same, and as how many pixels that
know nothing of each other those of a field count."""

_FREE: Final = (1.0, 1.0, 1.0, 0.5, 0.05, 0.05, 0.05, 0.15, 0.15)
_BOUND: Final = (1.0, 1.0, 1.0, 0.2, 0.006, 0.006, 0.006, 0.02, 0.02)
"""How far a field may be off, by itself and beside others like it: in pixels to the right and down,
in sharpness, in contrast, in each colour (in parts of the brightest print), and from its left to
its right and from above to below (in parts of its ground)."""

_OF_ALL: Final = slice(2, 7)
"""What fields have in common: not where they lie, nor how shadows run across them."""

_LIKE_FIELDS, _LIKE_TINT = 4.0, 0.06
"""How far away fields may be, and how other their tint, to be asked what a field is like."""


def is_dark(blank: Patches) -> bool:
    """Whether print is brighter than its ground on most of the fields of an empty sheet."""
    low, ground, high = np.quantile(_inside(mean_of(blank)), (_FAR, 0.5, 1 - _FAR), axis=1)
    return bool((high - ground > ground - low + _DIFFERS).mean() >= _MOSTLY)


def look_at_dark(straight: Straight, pad: Pad, blank: Patches) -> Look:
    """Patches of all fields, each moved to where its print truly lies, as of a usual leaf.

    ``blank`` are those of the empty sheet.
    """
    lit = straight.picture.astype(np.float32) / 255 / _light(straight.picture, pad.picture)
    photo = cut_patches(lit, pad, straight.shifts)
    places = np.array([box[:2] for box in pad.boxes.values()]) / next(iter(pad.boxes.values()))[2]
    printed = _fitted(_as_bright(blank, photo), photo, _like(blank, places.astype(np.float32)))
    ground = np.median(_inside(printed), axis=1)[:, None, None]
    high = _brightest(printed)[:, None, None, None]
    room = np.maximum(high - ground.mean(3, keepdims=True), 0.2 * high)
    shown = _AS_DARK * np.clip(np.abs(printed - ground) / room, 0, 1)
    darker = (printed - photo) / np.maximum(printed, _ROOM * high)
    brighter = (photo - printed) / np.maximum(high - printed, _ROOM * high)
    marks = np.clip(np.maximum(darker, brighter), 0, 1)
    return Look(tuple(pad.boxes), shown + marks * (1 - shown), shown)


def _inside(patches: Numbers) -> Numbers:
    """The pixels of each field but for its border."""
    edge = round(SIDE * (1 - _MIDDLE / AROUND) / 2)
    part = patches[:, edge:-edge, edge:-edge]
    return np.asarray(part.reshape(len(part), -1, *part.shape[3:]))


def _brightest(printed: Patches) -> Numbers:
    """How bright the print of each field is; of one with nothing on it, how bright it would be."""
    ground, high = np.quantile(_inside(mean_of(printed)), (0.5, 1 - _FAR), axis=1)
    usual = np.minimum(np.median(high), 1.5 * ground)
    return np.asarray(np.maximum(np.maximum(high, usual), 0.05), np.float32)


def _light(photo: Picture, blank: Picture) -> Ink:
    """How bright the photo is beside the empty sheet's, in each colour, roughly.

    Strokes may be brighter or darker than paper: so neither says it, but what is most.
    """
    size = tuple(max(1, round(side / PX_PER_MM)) for side in photo.shape[1::-1])
    seen, empty = (
        cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 1
        for one in (photo, blank)
    )
    ratio = np.log(seen / np.maximum(empty, 6))
    # Print is paler or brighter in another photo than its ground is.
    behind = cv2.morphologyEx(empty, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    bare = np.asarray((empty <= 1.3 * behind + 4).all(2, keepdims=True), np.float32)
    share = cv2.blur(bare, (9, 9))[..., None]
    near = cv2.blur(np.asarray(ratio * bare), (9, 9)) / np.maximum(share, 1e-3)
    ratio = np.where(bare > 0, ratio, near)
    levels = np.clip(np.round(ratio * _STEP + 128), 0, 255).astype(np.uint8)
    usual = cv2.medianBlur(levels, _NEAR_MM).astype(np.float32)
    light = np.exp((cv2.GaussianBlur(usual, (0, 0), 5) - 128) / _STEP)
    wide = cv2.resize(light, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide, np.float32)


def _as_bright(blank: Patches, photo: Patches) -> Patches:
    """The print as another camera shows it, roughly: each colour by one straight line."""
    found = np.empty_like(blank)
    for colour in range(3):
        before, after = (one[:, 4:-4:3, 4:-4:3, colour].ravel() for one in (blank, photo))
        # There is less print than ground: each brightness counts alike.
        counts, edges = np.histogram(before, 12)
        often = counts[np.digitize(before, edges[1:-1])]
        weight = share = 1 / np.maximum(often, len(before) / 100)
        terms = np.stack([before, np.ones_like(before)], 1)
        line = np.array([1.0, 0.0])
        for _ in range(2 * _TRIES):
            weighted = (terms * weight[:, None]).T
            line = np.linalg.solve(weighted @ terms + 1e-9 * np.eye(2), weighted @ after)
            weight = share / np.maximum(np.abs(after - terms @ line), 0.01)
        found[..., colour] = np.maximum(line[0] * blank[..., colour] + line[1], _LEAST)
    return found


def _like(blank: Patches, places: Numbers) -> Numbers:
    """How much each of N fields says of each other: near ones, of about the same tint."""
    tint = np.median(_inside(blank), axis=1)
    far = [
        ((one[:, None] - one[None]) ** 2).sum(2) / by**2
        for one, by in ((places, _LIKE_FIELDS), (tint, _LIKE_TINT))
    ]
    return np.asarray(np.exp(-far[0] - far[1]) + 1e-6, np.float32)


def _fitted(printed: Patches, photo: Patches, like: Numbers) -> Patches:
    """The print of each field, moved a little, as sharp and as bright as this photo shows it.

    Whatever is drawn differs by far more than the rest, and so hardly counts; but where it covers
    most of a field, only other fields say how that looks below it.
    """
    terms = _terms(printed)
    edge = round(SIDE * (1 - _MIDDLE / AROUND) / 2) - 1
    part = np.s_[:, edge:-edge, edge:-edge]
    known = terms[part].reshape(len(printed), -1, terms.shape[-1])
    differs = (photo - printed)[part].reshape(len(printed), -1)
    high = _brightest(printed)[:, None]
    found = np.zeros((len(printed), terms.shape[-1]), np.float32)
    for bounds in (_FREE, _BOUND):
        usual = np.zeros_like(found)
        usual[:, _OF_ALL] = _usual(found[:, _OF_ALL], like)
        wide = np.tile(np.array(bounds, np.float32), (len(printed), 1))
        wide[:, 4:7] *= high
        tight = np.asarray(1 / wide**2, np.float32)
        found = _solved(known, differs, _SPREAD * high, usual, tight)
    found[:, :3] = np.clip(found[:, :3], -1, 1)
    moved = printed + np.einsum("nyxck,nk->nyxc", terms, found)
    return np.asarray(np.maximum(moved, _LEAST), np.float32)


def _terms(printed: Patches) -> Numbers:
    """What each of the ways in which a field may be off changes, N × side × side × 3 × ways."""
    down, right = np.gradient(printed, axis=(1, 2))
    ground = np.median(_inside(printed), axis=1)[:, None, None]
    terms = np.zeros((*printed.shape, len(_FREE)), np.float32)
    terms[..., 0], terms[..., 1] = right, down
    terms[..., 2] = np.gradient(down, axis=1) + np.gradient(right, axis=2)
    terms[..., 3] = printed - ground
    for colour in range(3):
        terms[..., colour, 4 + colour] = 1
    ramp = np.linspace(-AROUND, AROUND, SIDE, dtype=np.float32)
    bright = ground.mean(3, keepdims=True)
    terms[..., 7] = bright * ramp[None, None, :, None]
    terms[..., 8] = bright * ramp[None, :, None, None]
    return terms


def _usual(found: Numbers, like: Numbers) -> Numbers:
    """Of each field what is usual among those like it, N × ways: the middle of what they have."""
    usual = np.empty_like(found)
    for way in range(found.shape[1]):
        order = np.argsort(found[:, way])
        weight = np.cumsum(like[:, order], axis=1)
        middle = (weight >= weight[:, -1:] / 2).argmax(1)
        usual[:, way] = found[order[middle], way]
    return usual


def _solved(
    terms: Numbers, differs: Numbers, spread: Numbers, usual: Numbers, tight: Numbers
) -> Numbers:
    """How far off each field is, N × ways, where far more counts hardly more than a little more."""
    found = usual
    ways = range(terms.shape[2])
    for _ in range(_TRIES):
        off = np.abs(differs - np.einsum("npk,nk->np", terms, found)) / spread
        weight = _WORTH / terms.shape[1] / spread**2 / np.maximum(off, 1)
        weighted = np.swapaxes(terms * weight[..., None], 1, 2)
        normal = weighted @ terms
        normal[:, ways, ways] += tight
        wanted = weighted @ differs[..., None] + (tight * usual)[..., None]
        found = np.linalg.solve(normal, wanted)[..., 0].astype(np.float32)
    return found
