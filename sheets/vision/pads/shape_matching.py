"""Shape matching: split and merge symbol groups by normalised cross-correlation of their pictures.

The embedding (`symbol_clustering`) depends more on colour than on shape: a K and four dots in one
ink lie close to each other. Here the pictures are compared, with digits masked out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.vision.network_layers import Floats
from sheets.vision.pads.field_features import (
    MIN_PRINTED,
    FieldFeatures,
    Mask,
    has_digit,
    inks,
    printed_share,
    relative_to_background,
    select_fields,
)
from sheets.vision.pads.ink_matching import (
    is_same_ink,
    is_same_ink_on_tints,
    is_similar_ink,
    median_colours,
)

_SHIFT_RANGE: Final = range(-4, 5)
"""Range of shifts, in pixels of a crop."""

_SHIFTS: Final = [
    (x, y) for x in _SHIFT_RANGE for y in _SHIFT_RANGE if x * x + y * y <= 17 and (x, y) >= (0, 0)
]
"""Shifts between two crops, in pixels; the transposed comparison covers the opposite ones."""

_RIM_PX: Final = 1
"""Width of the ignored border, in pixels."""

_MIN_FRAME: Final = 0.7
"""Minimum printed share of a side just inside the border that is a thick frame and ignored."""

_MIN_SIMILARITY: Final = 0.75
"""Minimum similarity of two fields in a chain that show one shape."""

_MIN_SINGLE_SIMILARITY: Final = 0.6
"""The same for a field that is in no chain: it may be bent or blurred."""

_FIRM_SIMILARITIES: Final = (0.8, 0.84, 0.88, 0.92)
"""Stricter similarities that are tried to split clearly printed shapes of one ink."""

_MIN_GAP: Final = 0.08
"""Minimum difference between the similarity within and across shapes."""

_PALE_SIMILARITIES: Final = (0.6, 0.66, 0.72)
"""Similarities that are tried where nothing is printed clearly."""

_MIN_PALE_FIELDS: Final = 3
"""Minimum number of fields of each shape there."""

_MIN_COMMON: Final = 0.25
"""Minimum share of common neighbours of two similar fields."""

_MIN_CONTRAST: Final = 0.2
"""Minimum contrast of a clearly printed shape."""

_MIN_MERGE_SIMILARITY: Final = 0.76
"""Minimum median similarity of two groups that show one symbol in one ink."""

_MIN_FIRM_MERGE_SIMILARITY: Final = 0.87
"""The same where the ink may differ."""

_SAMPLE_SIZE: Final = 5
"""Number of fields per group that are compared."""

_DIGIT_MARGIN_PX: Final = 5
"""Size of the dilation that hides the surroundings of digits, in pixels."""

_NOISE: Final = 0.1
"""Contrast of paper grain relative to the background."""

_HIGH_QUANTILE: Final = 0.95
"""Quantile of similarities that bounds them but for chance pairs."""

_CONTRAST_QUANTILE: Final = 0.97
"""Quantile of a field's contrast that represents its shape."""

_EPSILON: Final = 1e-3
"""Regularisation of divisions."""


def split_by_shape(groups: Sequence[Sequence[int]], features: FieldFeatures) -> list[list[int]]:
    """Split the groups that clearly show several shapes; unclear fields join the most similar
    part."""
    found: list[list[int]] = []
    for group in groups:
        found += [
            [group[i] for i in part]
            for part in _split_group(select_fields(features, np.array(group)))
        ]
    return found


def merge_by_shape(groups: Sequence[Sequence[int]], features: FieldFeatures) -> list[list[int]]:
    """Merge groups that show the same shape in the same ink.

    The embedding separates symbols that were cropped differently or printed stronger without a
    digit.
    """
    found = [list(group) for group in groups]
    is_inked = printed_share(features) > MIN_PRINTED
    clear = [[i for i in group if is_inked[i]] for group in found]
    for i in range(len(found)):
        for k in range(i):
            one, other = clear[i], clear[k]
            if one and other and _is_same_symbol(one, other, features):
                found[i], clear[i] = found[i] + found[k], one + other
                found[k], clear[k] = [], []
    return [group for group in found if group]


def _is_same_symbol(one: Sequence[int], other: Sequence[int], features: FieldFeatures) -> bool:
    """Whether the fields of two groups mostly show one shape in one ink."""
    a, b = (median_colours(group, features) for group in (one, other))
    if is_same_ink(a, b):
        return _is_same_shape(one, other, features)
    if is_same_ink_on_tints(a, b):
        return _is_same_shape(one, other, features, is_tinted=True)
    return is_similar_ink(a, b) and _is_same_shape(
        one, other, features, is_tinted=True, min_similarity=_MIN_FIRM_MERGE_SIMILARITY
    )


def _is_same_shape(
    one: Sequence[int],
    other: Sequence[int],
    features: FieldFeatures,
    *,
    is_tinted: bool = False,
    min_similarity: float = _MIN_MERGE_SIMILARITY,
) -> bool:
    """Whether the fields of two groups mostly show one shape.

    Fields with a digit are compared if both groups have some: without a digit a symbol may be
    larger, and digits of another ink may be visible. ``is_tinted`` ignores the hue relative to
    backgrounds; ``min_similarity`` is that of a match.
    """
    with_digit = has_digit(features)
    with_digits, without_digits = (
        [[i for i in part if with_digit[i] == has_one] for part in (one, other)]
        for has_one in (True, False)
    )
    if all(with_digits):
        similarity, count = _sample_similarities(with_digits, features, is_tinted=is_tinted)
        return _median_across(similarity, count) > min_similarity and not _is_clearly_different(
            similarity, count
        )
    return any(
        _median_across(*_sample_similarities(parts, features, is_tinted=is_tinted)) > min_similarity
        for parts in (without_digits, (one, other))
        if all(parts)
    )


def _sample_similarities(
    groups: Sequence[Sequence[int]], features: FieldFeatures, *, is_tinted: bool
) -> tuple[Floats, int]:
    """Return the pairwise similarities of samples of two groups, and the size of the first
    sample."""
    samples = [part[:: max(1, len(part) // _SAMPLE_SIZE)][:_SAMPLE_SIZE] for part in groups]
    fields = select_fields(features, np.array([*samples[0], *samples[1]]))
    similarities = []
    for picture, weights in _crops(fields, _DIGIT_MARGIN_PX):
        denoised = _suppress_noise(picture)
        similarities.append(
            _similarities(
                _project_on_ink(denoised, inks(fields)) if is_tinted else denoised, weights
            )
        )
    return np.maximum(*similarities), len(samples[0])


def _median_across(similarity: Floats, count: int) -> float:
    """Return the median similarity across two groups; ``count`` is the size of the first."""
    return float(np.median(similarity[:count, count:]))


def _is_clearly_different(similarity: Floats, count: int) -> bool:
    """Whether each of two groups is far more similar within than across."""
    parts = range(count), range(count, len(similarity))
    return (
        min(map(len, parts)) > 1
        and _similarity_gap(parts, similarity, 1 - _HIGH_QUANTILE) > _MIN_GAP
    )


def _project_on_ink(pictures: Floats, colours: Floats) -> Floats:
    """Project each pixel on its field's ink colour, N × side × side × 1."""
    lengths = np.maximum(np.linalg.norm(colours, axis=1, keepdims=True), _EPSILON)
    return np.asarray(np.einsum("nyxc,nc->nyx", pictures, colours / lengths)[..., None])


def _split_group(features: FieldFeatures) -> list[list[int]]:
    """Return the parts of one group."""
    pictures = _crops(features)
    whole, weights = pictures[0]
    strengths = np.sqrt((whole**2).sum(3))
    most = np.array(
        [
            np.quantile(one[at], _CONTRAST_QUANTILE) if (at := own > 0.5).any() else 0.0
            for one, own in zip(strengths, weights, strict=True)
        ]
    )
    is_clear = (most > _MIN_CONTRAST) & (printed_share(features) > MIN_PRINTED)
    clear = np.flatnonzero(is_clear)
    every = list(range(len(whole)))
    similarity = np.maximum(*(_similarities(*one) for one in pictures))
    if len(clear) < 2:
        return _split_pale(every, similarity)
    parts = _link_components(clear, remove_accidental_pairs(similarity > _MIN_SIMILARITY))
    several = [part for part in parts if len(part) > 1]
    if several:
        for (one,) in (part for part in parts if len(part) == 1):
            nearest = int(np.argmax([similarity[one, part].max() for part in several]))
            if similarity[one, several[nearest]].max() > _MIN_SINGLE_SIMILARITY:
                several[nearest].append(one)
            else:
                several.append([one])
        parts = several
    else:
        parts = _link_components(clear, similarity > _MIN_SINGLE_SIMILARITY)
    with_digit = has_digit(features)
    parts = [firmer for part in parts for firmer in _split_firmly(part, similarity, with_digit)]
    _add_to_most_similar(parts, np.flatnonzero(~is_clear).tolist(), similarity)
    return parts


def _split_pale(fields: list[int], similarity: Floats) -> list[list[int]]:
    """Split a group without clear shapes only if each part is far more similar within than
    across."""
    found = [fields]
    for min_similarity in _PALE_SIMILARITIES:
        parts = _link_components(
            np.array(fields), remove_accidental_pairs(similarity > min_similarity)
        )
        several = [part for part in parts if len(part) >= _MIN_PALE_FIELDS]
        if len(several) > 1 and _similarity_gap(several, similarity, 0.5) > _MIN_GAP:
            rest = [i for part in parts if len(part) < _MIN_PALE_FIELDS for i in part]
            _add_to_most_similar(several, rest, similarity)
            found = several
    return found


def _similarity_gap(parts: Sequence[Sequence[int]], similarity: Floats, share: float) -> float:
    """Return the lowest quantile ``share`` within a part minus the highest similarity across
    parts."""
    within = min(float(np.quantile(_pairwise(similarity, one), share)) for one in parts)
    across = max(
        float(np.quantile(similarity[np.ix_(one, other)], _HIGH_QUANTILE))
        for one, other in combinations(parts, 2)
    )
    return within - across


def _add_to_most_similar(parts: list[list[int]], fields: Sequence[int], similarity: Floats) -> None:
    for i in fields:
        parts[int(np.argmax([similarity[i, part].max() for part in parts]))].append(i)


def _split_firmly(part: list[int], similarity: Floats, with_digit: Mask) -> list[list[int]]:
    """Split a part into shapes that are clearly more similar within than across.

    Only fields with a digit decide: without one the same symbol may be larger.
    """
    found = [part]
    with_digits = [i for i in part if with_digit[i]]
    for min_similarity in _FIRM_SIMILARITIES:
        parts = _link_components(np.array(with_digits), similarity > min_similarity)
        if len(parts) < 2 or min(map(len, parts)) < 2:
            continue
        if _similarity_gap(parts, similarity, 1 - _HIGH_QUANTILE) > _MIN_GAP:
            _add_to_most_similar(parts, [i for i in part if not with_digit[i]], similarity)
            found = parts
    return found


def _pairwise(similarity: Floats, part: Sequence[int]) -> Floats:
    """Return the similarities of all pairs in a part."""
    return similarity[np.ix_(part, part)][np.triu_indices(len(part), 1)]


def remove_accidental_pairs(is_similar: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the N × N similarity relation without accidental pairs.

    A pair of fields is accidental if few other fields are similar to both. It would merge two
    groups of symbols into one.
    """
    others = is_similar & ~np.eye(len(is_similar), dtype=bool)
    common = others.astype(np.int64) @ others
    own = np.diag(common)
    min_common = _MIN_COMMON * (np.minimum(own[:, None], own) - 1)
    return np.asarray(is_similar & (common >= min_common))


def _link_components(fields: NDArray[np.int64], is_similar: NDArray[np.bool_]) -> list[list[int]]:
    """Single-linkage: return the connected components of the similarity graph."""
    left = [int(i) for i in fields]
    parts = []
    while left:
        part = [left.pop()]
        for i in part:
            part += [k for k in left if is_similar[i, k]]
            left = [k for k in left if not is_similar[i, k]]
        parts.append(part)
    return parts


def _crops(features: FieldFeatures, margin_px: int = 3) -> list[tuple[Floats, Floats]]:
    """Return both crops of each field relative to the background, each with its weights.

    The weight is the share of a pixel that shows neither digit nor border, N × side × side.
    ``margin_px`` is the size of the dilation of digits, in pixels.
    """
    found = []
    for picture in (features.whole, features.enlarged):
        kernel = np.ones((margin_px,) * 2, np.uint8)
        digits = np.stack([cv2.dilate(one, kernel) for one in picture[..., 3]])
        found.append((relative_to_background(features, picture), 1 - digits / np.float32(255)))
    whole, weights = found[0]
    found[0] = whole, weights * _frame_weights(whole)
    return found


def _frame_weights(pictures: Floats) -> Floats:
    """Return 0 on borders and frames of N fields and 1 elsewhere, N × side × side."""
    within = np.zeros(pictures.shape[:3], np.float32)
    within[:, _RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX] = 1
    is_printed = np.abs(pictures).max(3) > _NOISE
    for i in (_RIM_PX, -1 - _RIM_PX):
        within[is_printed[:, i].mean(1) > _MIN_FRAME, i] = 0
        within[is_printed[:, :, i].mean(1) > _MIN_FRAME, :, i] = 0
    return within


def _similarities(pictures: Floats, weights: Floats) -> Floats:
    """Return the maximum cosine similarity over small shifts for all pairs, N × N.

    Only pixels with weight in both count; 1 means equal up to contrast.
    """
    count = len(pictures)
    ink, squares = pictures * weights[..., None], (pictures**2).sum(3) * weights
    rows = [one.reshape(count, -1) for one in (ink, squares, weights)]
    best = np.full((count, count), -1, np.float32)
    for dx, dy in _SHIFTS:
        moved = [_shift(one, dx, dy).reshape(count, -1) for one in (ink, squares, weights)]
        norm = (rows[1] @ moved[2].T) * (rows[2] @ moved[1].T)
        best = np.maximum(best, rows[0] @ moved[0].T / np.sqrt(norm + _EPSILON))
    return np.asarray(np.maximum(best, best.T))


def _suppress_noise(pictures: Floats) -> Floats:
    """Soft-threshold each pixel by the noise level."""
    strengths = np.sqrt((pictures**2).sum(3, keepdims=True))
    kept = np.maximum(0, 1 - _NOISE / np.maximum(strengths, _NOISE))
    return np.asarray(pictures * kept, np.float32)


def _shift(pictures: Floats, dx: int, dy: int) -> Floats:
    """Shift pictures to the right and down, filling with 0."""
    high, wide = pictures.shape[1:3]
    found = np.zeros_like(pictures)
    into = slice(max(0, dy), high + min(0, dy)), slice(max(0, dx), wide + min(0, dx))
    of = slice(max(0, -dy), high + min(0, -dy)), slice(max(0, -dx), wide + min(0, -dx))
    found[:, into[0], into[1]] = pictures[:, of[0], of[1]]
    return found
