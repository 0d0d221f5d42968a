"""Input patches of a pad whose fields are darker than its print.

Relative to such a background, light digits and pens are out of range. The patches are converted to
dark print on light paper: print by its contrast, marks by the change they cause.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.vision.illumination import dark_illumination
from sheets.vision.pads.connected_components import PRINT_TAIL, Polarity, usual_polarity
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.patches import (
    FIELD_SCALE,
    INTERIOR_EDGE,
    SIDE,
    Patches,
    SheetPatches,
    cut_patches,
    interior,
    mean_darkness,
)
from sheets.vision.rectification import PX_PER_MM, RectifiedSheet

Numbers = NDArray[np.float32]

_MIN_BRIGHTNESS: Final = 0.004
"""Lower bound of the predicted print."""

_PRINT_DARKNESS: Final = 0.45
"""Darkness at which the brightest print is shown; strokes over it are darker."""

_FULL_CHANGE: Final = 0.25
"""Lower bound of the change, relative to the brightest print, that is shown as black."""

_IRLS_ROUNDS: Final = 5
"""Number of iterations of the robust fit."""

_RESIDUAL_SCALE: Final = 0.03
"""Standard deviation of pixels that show the same, relative to the brightest print."""

_EFFECTIVE_PIXELS: Final = 100.0
"""Effective number of independent pixels of a field."""

_LOOSE_PRIORS: Final = (1.0, 1.0, 1.0, 0.5, 0.05, 0.05, 0.05, 0.15, 0.15)
"""Standard deviations of the deformation parameters in the first fit.

They are x and y shift in pixels, sharpness, contrast, offset of each colour relative to the
brightest print, and horizontal and vertical illumination gradient relative to the background.
"""
_TIGHT_PRIORS: Final = (1.0, 1.0, 1.0, 0.2, 0.006, 0.006, 0.006, 0.02, 0.02)
"""The same around the median of similar fields, in the second fit."""

_SHARED: Final = slice(2, 7)
"""Parameters that similar fields share: neither shifts nor gradients."""

_SIMILAR_FIELDS: Final = 4.0
"""Kernel bandwidth of the distance between similar fields, in fields."""

_SIMILAR_TINT: Final = 0.06
"""Kernel bandwidth of the difference of their tints."""


def is_dark_pad(blank: Patches) -> bool:
    """Whether print is brighter than its background on most fields of an empty sheet."""
    return usual_polarity(interior(mean_darkness(blank))) is Polarity.LIGHT


def dark_patches(straight: RectifiedSheet, pad: PadForm, blank: Patches) -> SheetPatches:
    """Return the patches of all fields, each aligned to its print, as dark print on light paper.

    ``blank`` are those of the empty sheet.
    """
    illuminated = (
        straight.picture.astype(np.float32)
        / 255
        / dark_illumination(straight.picture, pad.picture, PX_PER_MM)
    )
    photo = cut_patches(illuminated, pad, straight.shifts)
    positions = (
        np.array([box[:2] for box in pad.boxes.values()]) / next(iter(pad.boxes.values()))[2]
    )
    printed = _fit_deformation(
        _match_brightness(blank, photo),
        photo,
        _field_similarity(blank, positions.astype(np.float32)),
    )
    background = np.median(interior(printed), axis=1)[:, None, None]
    high = _print_brightness(printed)[:, None, None, None]
    room = np.maximum(high - background.mean(3, keepdims=True), 0.2 * high)
    shown = _PRINT_DARKNESS * np.clip(np.abs(printed - background) / room, 0, 1)
    darker = (printed - photo) / np.maximum(printed, _FULL_CHANGE * high)
    brighter = (photo - printed) / np.maximum(high - printed, _FULL_CHANGE * high)
    marks = np.clip(np.maximum(darker, brighter), 0, 1)
    return SheetPatches(tuple(pad.boxes), shown + marks * (1 - shown), shown)


def _print_brightness(printed: Patches) -> Numbers:
    """Return the brightness of each field's print, or the usual one where a field has none."""
    background, high = np.quantile(interior(mean_darkness(printed)), (0.5, 1 - PRINT_TAIL), axis=1)
    prior = np.minimum(np.median(high), 1.5 * background)
    return np.asarray(np.maximum(np.maximum(high, prior), 0.05), np.float32)


def _match_brightness(blank: Patches, photo: Patches) -> Patches:
    """Map the print's brightness to the photo's by a robust line per colour."""
    found = np.empty_like(blank)
    for colour in range(3):
        before, after = (one[:, 4:-4:3, 4:-4:3, colour].ravel() for one in (blank, photo))
        # Print is rarer than background: each brightness gets the same weight.
        counts, edges = np.histogram(before, 12)
        often = counts[np.digitize(before, edges[1:-1])]
        weight = share = 1 / np.maximum(often, len(before) / 100)
        terms = np.stack([before, np.ones_like(before)], 1)
        line = np.array([1.0, 0.0])
        for _ in range(2 * _IRLS_ROUNDS):
            weighted = (terms * weight[:, None]).T
            line = np.linalg.solve(weighted @ terms + 1e-9 * np.eye(2), weighted @ after)
            weight = share / np.maximum(np.abs(after - terms @ line), 0.01)
        found[..., colour] = np.maximum(line[0] * blank[..., colour] + line[1], _MIN_BRIGHTNESS)
    return found


def _field_similarity(blank: Patches, positions: Numbers) -> Numbers:
    """Return the weights of N fields for each other, by distance and tint."""
    tint = np.median(interior(blank), axis=1)
    far = [
        ((one[:, None] - one[None]) ** 2).sum(2) / by**2
        for one, by in ((positions, _SIMILAR_FIELDS), (tint, _SIMILAR_TINT))
    ]
    return np.asarray(np.exp(-far[0] - far[1]) + 1e-6, np.float32)


def _fit_deformation(printed: Patches, photo: Patches, similarity: Numbers) -> Patches:
    """Fit shift, sharpness and brightness of each field's print to the photo.

    Marks differ far more than the rest and hardly count in the robust fit. Where they cover most of
    a field, similar fields determine its appearance.
    """
    terms = _jacobian(printed)
    edge = INTERIOR_EDGE - 1
    part = np.s_[:, edge:-edge, edge:-edge]
    known = terms[part].reshape(len(printed), -1, terms.shape[-1])
    differs = (photo - printed)[part].reshape(len(printed), -1)
    high = _print_brightness(printed)[:, None]
    found = np.zeros((len(printed), terms.shape[-1]), np.float32)
    for bounds in (_LOOSE_PRIORS, _TIGHT_PRIORS):
        prior = np.zeros_like(found)
        prior[:, _SHARED] = _weighted_median(found[:, _SHARED], similarity)
        wide = np.tile(np.array(bounds, np.float32), (len(printed), 1))
        wide[:, 4:7] *= high
        precision = np.asarray(1 / wide**2, np.float32)
        found = _solve(known, differs, _RESIDUAL_SCALE * high, prior, precision)
    found[:, :3] = np.clip(found[:, :3], -1, 1)
    moved = printed + np.einsum("nyxck,nk->nyxc", terms, found)
    return np.asarray(np.maximum(moved, _MIN_BRIGHTNESS), np.float32)


def _jacobian(printed: Patches) -> Numbers:
    """Return the derivative of a field with respect to each parameter, N × side × side × 3 ×
    parameters."""
    down, right = np.gradient(printed, axis=(1, 2))
    background = np.median(interior(printed), axis=1)[:, None, None]
    terms = np.zeros((*printed.shape, len(_LOOSE_PRIORS)), np.float32)
    terms[..., 0], terms[..., 1] = right, down
    terms[..., 2] = np.gradient(down, axis=1) + np.gradient(right, axis=2)
    terms[..., 3] = printed - background
    for colour in range(3):
        terms[..., colour, 4 + colour] = 1
    ramp = np.linspace(-FIELD_SCALE, FIELD_SCALE, SIDE, dtype=np.float32)
    bright = background.mean(3, keepdims=True)
    terms[..., 7] = bright * ramp[None, None, :, None]
    terms[..., 8] = bright * ramp[None, :, None, None]
    return terms


def _weighted_median(found: Numbers, similarity: Numbers) -> Numbers:
    """Return the weighted median of the parameters among similar fields, N × parameters."""
    prior = np.empty_like(found)
    for parameter in range(found.shape[1]):
        order = np.argsort(found[:, parameter])
        weight = np.cumsum(similarity[:, order], axis=1)
        centre = (weight >= weight[:, -1:] / 2).argmax(1)
        prior[:, parameter] = found[order[centre], parameter]
    return prior


def _solve(
    terms: Numbers, differs: Numbers, scale: Numbers, prior: Numbers, precision: Numbers
) -> Numbers:
    """Solve for the parameters, N × parameters, by iteratively reweighted least squares."""
    found = prior
    diagonal = range(terms.shape[2])
    for _ in range(_IRLS_ROUNDS):
        off = np.abs(differs - np.einsum("npk,nk->np", terms, found)) / scale
        weight = _EFFECTIVE_PIXELS / terms.shape[1] / scale**2 / np.maximum(off, 1)
        weighted = np.swapaxes(terms * weight[..., None], 1, 2)
        normal = weighted @ terms
        normal[:, diagonal, diagonal] += precision
        wanted = weighted @ differs[..., None] + (precision * prior)[..., None]
        found = np.linalg.solve(normal, wanted)[..., 0].astype(np.float32)
    return found
