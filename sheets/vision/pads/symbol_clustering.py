"""Symbol clustering: group the fields that look the same apart from their digit.

A small network embeds each field so that equal symbols lie close to each other, also unknown ones.
`training.train_groups` trains its weights. Agglomerative clustering groups the embeddings.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.vision.network_layers import Floats, apply_convs, in_batches, load_weights
from sheets.vision.pads.digit_reading import MIN_CLEAR, DigitReading
from sheets.vision.pads.field_features import (
    FieldFeatures,
    Mask,
    extract_features,
    network_inputs,
    normalise_light,
    relative_colours,
)
from sheets.vision.pads.rectification import GridPosition
from sheets.vision.pixels import Picture

WEIGHTS: Final = Path(__file__).with_name("alike.npz")
"""File of the weights."""

LAYERS: Final = (("a", 1, 2), ("b", 1, 2), ("c", 1, 2))
"""Convolutions, as in `apply_convs`. Dense layers follow: ``d`` per field, ``e`` and ``f`` with the
sheet's context."""

EMBEDDING_SIZE: Final = 32
"""Dimensions of the embedding; one more output is the logit of having a symbol."""

BATCH_SIZE: Final = 32
"""Number of fields per batch."""

CHANNEL_ORDERS: Final = tuple(
    [*order, *(3 + colour for colour in order), 6] for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
)
"""Orders of the network's input channels in which the three colours change places."""

MIN_SYMBOL_LOGIT: Final = -1.0
"""Mean logit above which a group has a symbol. It is below 0, because a field without one would not
be a group of its own."""

_INK_QUANTILE: Final = 0.85
"""Quantile of the clear digits that bounds the usual ink; the rest may be symbols."""

_MIN_DIGITS: Final = 8
"""Minimum number of clear digits that determine the ink of digits."""

_MIN_SPREAD: Final = 0.1
"""Minimum spread of their ink relative to the background."""

_OTHER_INK: Final = 1.5
"""Distance, in spreads, from which on an ink is another one."""

Distances = NDArray[np.float64]
"""Squared distances of the embeddings of each two of N fields, N × N."""


def group_fields(
    fields: Sequence[Picture],
    numbers: Sequence[DigitReading],
    masks: Sequence[Mask | None],
    inner: tuple[float, float],
    at: Sequence[GridPosition],
) -> list[list[int]]:
    """Cluster fields by symbol; the largest group first, in each the fields that differ most from
    the others first.

    Fields with only a digit are one group, fields with nothing another.

    Args:
        fields: pictures from `correct_illumination`.
        masks: result of `digit_masks`.
        inner: width and height of a field within its border, relative to its picture.
        at: grid position of each field.
    """
    features = extract_features(normalise_light(fields, masks, inner, at), masks, inner)
    distances, symbol_logits = compare_fields(features)
    threshold = float(load_weights(WEIGHTS)["near"][0])
    plain: list[int] = []
    groups: list[list[int]] = []
    for group in cluster(distances, threshold):
        if np.mean(symbol_logits[group]) > MIN_SYMBOL_LOGIT:
            groups.append(group)
        else:
            plain += group
    bare = [i for i in plain if not numbers[i].digit]
    plain = [i for i in plain if numbers[i].digit]
    found = sorted(
        (sorted(one) for one in (plain, bare, *groups) if one), key=lambda one: (-len(one), one)
    )
    return [_outliers_first(one, distances) for one in found]


def _outliers_first(group: list[int], distances: Distances) -> list[int]:
    """Sort a group by the mean distance from its other fields, the furthest first."""
    off = distances[np.ix_(group, group)].mean(1)
    # Rounding keeps the order of identical fields.
    return [group[i] for i in np.argsort(-np.round(off, 4), kind="stable")]


def digit_masks(
    fields: Sequence[Picture], numbers: Sequence[DigitReading], inner: tuple[float, float]
) -> list[Mask | None]:
    """Return the mask of each field's digit.

    A symbol alone in its field may have been read as a digit, with any confidence. If its colour is
    not the usual ink of clear digits, it has no mask: the whole symbol would be hidden.
    """
    masks = [number.blob.mask if number.blob else None for number in numbers]
    is_clear = np.array(
        [number.digit is not None and number.confidence >= MIN_CLEAR for number in numbers]
    )
    if is_clear.sum() < _MIN_DIGITS:
        return masks
    inks = relative_colours(fields, masks, inner)
    off = np.abs(inks - np.median(inks[is_clear], axis=0)).max(1)
    usual = max(_MIN_SPREAD, float(np.quantile(off[is_clear], _INK_QUANTILE)))
    is_other = off > _OTHER_INK * usual
    return [None if other else mask for mask, other in zip(masks, is_other, strict=True)]


def compare_fields(features: FieldFeatures) -> tuple[Distances, Floats]:
    """Return the squared distances of the fields' embeddings, and the logits of having a symbol.

    Both are means over `CHANNEL_ORDERS` (test-time augmentation).
    """
    inputs = network_inputs(features)
    found = [embed([crops[..., order] for crops in inputs]) for order in CHANNEL_ORDERS]
    distances = [squared_distances(embeddings) for embeddings, _logits in found]
    return np.mean(distances, 0), np.mean([logits for _embeddings, logits in found], 0)


def squared_distances(embeddings: Floats) -> Distances:
    """Return the squared distance of each two embeddings, N × N."""
    places = embeddings.astype(np.float64)
    squares = (places**2).sum(1)
    return np.asarray(np.maximum(squares[:, None] + squares - 2 * places @ places.T, 0))


def embed(inputs: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the embeddings, N × `EMBEDDING_SIZE`, and the logit of each field having a symbol.

    Args:
        inputs: result of `network_inputs`.
    """
    weights = load_weights(WEIGHTS)

    def field_features(*batches: Floats) -> Floats:
        flat = np.concatenate([apply_convs(crops, weights, LAYERS) for crops in batches], 1)
        return np.asarray(np.maximum(flat @ weights["d"] + weights["d0"], 0))

    per_field = in_batches(field_features, BATCH_SIZE, *inputs)
    context = [
        np.broadcast_to(one, per_field.shape) for one in (per_field.mean(0), per_field.std(0))
    ]
    hidden = np.maximum(np.concatenate([per_field, *context], 1) @ weights["e"] + weights["e0"], 0)
    found = hidden @ weights["f"] + weights["f0"]
    return np.asarray(found[:, :EMBEDDING_SIZE]), np.asarray(found[:, EMBEDDING_SIZE])


def cluster(distances: Distances, threshold: float) -> list[list[int]]:
    """Agglomerative clustering by average linkage.

    Two clusters merge while the mean distance of their fields is below ``threshold``.
    """
    means = distances.copy()
    np.fill_diagonal(means, np.inf)
    groups = [[i] for i in range(len(means))]
    while True:
        i, k = (int(v) for v in np.unravel_index(means.argmin(), means.shape))
        if not means[i, k] < threshold:
            return [group for group in groups if group]
        sizes = len(groups[i]), len(groups[k])
        mean = (sizes[0] * means[i] + sizes[1] * means[k]) / sum(sizes)
        means[i], means[:, i] = mean, mean
        means[i, i] = means[k] = means[:, k] = np.inf
        groups[i], groups[k] = groups[i] + groups[k], []
