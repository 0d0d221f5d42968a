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

from sheets.vision.network_layers import Floats, Weights, conv_layer, load_weights
from sheets.vision.pads.digit_reading import MIN_CLEAR, DigitReading
from sheets.vision.pads.faint_print import find_faint_print, merge_faint_print
from sheets.vision.pads.field_features import (
    FieldFeatures,
    Mask,
    brighten_shadowed,
    extract_features,
    has_light_digits,
    invert_fields,
    network_inputs,
    printed_share,
    relative_colours,
    select_fields,
)
from sheets.vision.pads.ink_matching import split_by_ink
from sheets.vision.pads.rectification import GridPosition
from sheets.vision.pads.shape_matching import merge_by_shape, split_by_shape
from sheets.vision.pixels import Picture

WEIGHTS: Final = Path(__file__).with_name("alike.npz")
"""File of the weights."""

LAYERS: Final = ("a", "b", "c")
"""Names of the 3 × 3 convolutions, each followed by 2 × 2 pooling. Dense layers follow: ``d`` per
field, ``e`` and ``f`` with the sheet's context."""

EMBEDDING_SIZE: Final = 32
"""Dimensions of the embedding; one more output is the logit of having a symbol."""

BATCH_SIZE: Final = 32
"""Number of fields per batch."""

_CENTROID_FACTOR: Final = 1.3
"""Factor on the squared distance threshold for centroids, relative to that of two fields."""

_SYMBOL_FACTOR: Final = 1.5
"""The same among fields with symbols, whose shapes are compared afterwards."""

_LARGE_FACTOR: Final = 0.35
"""Limit of the factor for large clusters, whose centroids average out noise."""

_MIN_SYMBOL_LOGIT: Final = -2.0
"""Mean logit above which a cluster has symbols."""

_MIN_PRINTED: Final = 0.03
"""Minimum printed share of a field without a digit that has a symbol."""

_INK_QUANTILE: Final = 0.85
"""Quantile of the clear digits that bounds the usual ink; the rest may be symbols."""

_MIN_DIGITS: Final = 8
"""Minimum number of clear digits that determine the ink of digits."""

_MIN_SPREAD: Final = 0.1
"""Minimum spread of their ink relative to the background."""

_OTHER_INK: Final = 1.5
"""Distance, in spreads, from which on an ink is another one."""


def group_fields(
    fields: Sequence[Picture],
    numbers: Sequence[DigitReading],
    masks: Sequence[Mask | None],
    inner: tuple[float, float],
    at: Sequence[GridPosition],
) -> list[list[int]]:
    """Cluster fields by symbol; the largest group first, in each the fields furthest from its
    median first.

    Fields with only a digit are one group, fields with nothing another.

    Args:
        fields: pictures from `correct_illumination`.
        masks: result of `digit_masks`.
        inner: width and height of a field within its border, relative to its picture.
        at: grid position of each field.
    """
    if has_light_digits(fields, masks, inner):
        fields = invert_fields(fields, masks, at)
    else:
        fields = brighten_shadowed(fields, inner)
    features = extract_features(fields, masks, inner)
    embeddings, symbol_logits = embed(features)
    threshold = float(load_weights(WEIGHTS)["near"][0])
    plain: list[int] = []
    with_symbols: list[int] = []
    for group in cluster(embeddings, _CENTROID_FACTOR * threshold):
        if np.mean(symbol_logits[group]) > _MIN_SYMBOL_LOGIT:
            with_symbols += group
        else:
            plain += group
    # Print in a field without a digit is a symbol, however unlikely it looks.
    is_printed = printed_share(features) > _MIN_PRINTED
    printed = [i for i in plain if not numbers[i].digit and is_printed[i]]
    with_symbols += printed
    plain = [i for i in plain if i not in printed]
    groups = []
    if with_symbols:
        clusters = cluster(embeddings[with_symbols], _SYMBOL_FACTOR * threshold)
        parts = split_by_shape([[with_symbols[i] for i in one] for one in clusters], features)
        groups = split_by_ink(merge_by_shape(parts, features), features)
    boxes = [one.blob.box if one.blob else None for one in numbers]
    if faint := find_faint_print(fields, boxes, inner, plain):
        others = find_faint_print(fields, boxes, inner, with_symbols)
        groups = merge_faint_print(faint, others, groups)
        plain = sorted(set(plain).difference(*groups))
    bare = [i for i in plain if not numbers[i].digit]
    plain = [i for i in plain if numbers[i].digit]
    found = sorted(
        (sorted(one) for one in (plain, bare, *groups) if one), key=lambda one: (-len(one), one)
    )
    return [_outliers_first(one, embeddings) for one in found]


def _outliers_first(group: list[int], embeddings: Floats) -> list[int]:
    """Sort a group by distance from the median of its embeddings, the furthest first."""
    off = ((embeddings[group] - np.median(embeddings[group], axis=0)) ** 2).sum(1)
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


def embed(features: FieldFeatures) -> tuple[Floats, Floats]:
    """Return the embeddings, N × `EMBEDDING_SIZE`, and the logit of each field having a symbol."""
    weights = load_weights(WEIGHTS)
    count = len(features.descriptors)
    parts = [slice(i, i + BATCH_SIZE) for i in range(0, count, BATCH_SIZE)]
    per_field = np.concatenate(
        [_field_features(weights, select_fields(features, part)) for part in parts]
    )
    context = [
        np.broadcast_to(one, per_field.shape) for one in (per_field.mean(0), per_field.std(0))
    ]
    hidden = np.maximum(np.concatenate([per_field, *context], 1) @ weights["e"] + weights["e0"], 0)
    found = hidden @ weights["f"] + weights["f0"]
    return np.asarray(found[:, :EMBEDDING_SIZE]), np.asarray(found[:, EMBEDDING_SIZE])


def _field_features(weights: Weights, features: FieldFeatures) -> Floats:
    """Return the features of each field without context."""
    parts = []
    for patches in network_inputs(features):
        for name in LAYERS:
            patches = conv_layer(patches, weights, name, pooled=2)
        parts.append(patches.reshape(len(patches), -1))
    found = np.concatenate([*parts, features.descriptors], 1) @ weights["d"] + weights["d0"]
    return np.asarray(np.maximum(found, 0), np.float32)


def cluster(embeddings: Floats, threshold: float) -> list[list[int]]:
    """Agglomerative clustering of embeddings by centroid distance.

    ``threshold`` is the squared distance at which two fields are equally likely the same or
    different. It is lower for large clusters, whose centroids average out noise.
    """
    centroids = embeddings.astype(np.float64)
    sizes = np.ones(len(centroids))
    groups: list[list[int]] = [[i] for i in range(len(centroids))]
    distances = np.stack(
        [_distances(centroids, sizes, i, threshold) for i in range(len(centroids))]
    )
    while True:
        i, k = (int(v) for v in np.unravel_index(distances.argmin(), distances.shape))
        if not distances[i, k] < 1:
            return [group for group in groups if group]
        centroids[i] = (centroids[i] * sizes[i] + centroids[k] * sizes[k]) / (sizes[i] + sizes[k])
        sizes[i] += sizes[k]
        groups[i], groups[k] = groups[i] + groups[k], []
        off = np.where(
            [bool(group) for group in groups], _distances(centroids, sizes, i, threshold), np.inf
        )
        distances[i], distances[:, i] = off, off
        distances[k], distances[:, k] = np.inf, np.inf


def _distances(
    centroids: NDArray[np.float64], sizes: NDArray[np.float64], i: int, threshold: float
) -> NDArray[np.float64]:
    """Return the distances of all clusters from one, relative to the threshold: below 1 they may
    merge."""
    allowed = threshold * (_LARGE_FACTOR + (1 - _LARGE_FACTOR) * (1 / sizes + 1 / sizes[i]) / 2)
    off = ((centroids - centroids[i]) ** 2).sum(1) / allowed
    off[i] = np.inf
    return np.asarray(off, np.float64)
