"""Digit reading: the digit of each field, its confidence, and the sheet's orientation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sheets.vision.pads.connected_components import Blob, Box, Polarity, find_blobs, usual_polarity
from sheets.vision.pads.digit_classifier import CLASSES, classify
from sheets.vision.pads.lattice import Lattice
from sheets.vision.pads.quadrilaterals import Points
from sheets.vision.pads.rectification import (
    FIELD_PX,
    GridPosition,
    RectifiedGrid,
    candidate_positions,
    crop_quads,
)
from sheets.vision.pixels import Picture

SAMPLE_SIZE: Final = 36
"""Maximum number of fields that decide orientation and polarity."""

MIN_CLEAR: Final = 0.9
"""Minimum confidence of a clear digit."""

MIN_PROBABILITY: Final = 0.5
"""Minimum probability of a digit."""

_ENOUGH_DARK: Final = 0.6
"""Share of fields with a dark digit above which light ones are not searched for the orientation."""

_MAX_CHANCE: Final = 1
"""Number of clear digits of the other polarity that may be chance."""

_PREVIEW_SIZE: Final = 18
"""Number of quadrilaterals in the preview of a lattice."""

_MIN_PREVIEW_SHARE: Final = 0.07
"""Minimum share of them with a digit, in any orientation."""

_MARGIN: Final = 0.2
"""Margin of a field that is ignored when its polarity is measured, as a share of its side."""

_MIN_USUAL: Final = 8
"""Minimum number of clear digits from which usual positions are derived."""

_MAX_OFFSET: Final = 0.09
"""Maximum distance from a usual position, in fields."""

_MAX_LOG_HEIGHT: Final = 0.17
"""Maximum difference from the usual height of a digit, in natural logarithms."""

_MIN_CLUSTER: Final = 4
"""Minimum number of digits at one position within fields."""

_MAX_CLUSTERS: Final = 3
"""Maximum number of such positions."""

_MIN_EVIDENCE: Final = 3
"""Minimum number of digits outside known fields that is not chance."""

_MIN_PROTRUSION: Final = 0.1
"""Minimum protrusion out of the usual box of a blob that merges a digit and a symbol, in fields."""

_MAX_LOG_ASPECT: Final = 0.2
"""Maximum difference in the logarithm of the aspect ratio within one digit."""

_RIM: Final = 0.12
"""Margin of a position in which borders of neighbours may lie, in fields."""

_FULL: Final = 0.9
"""Share of a position from which on a blob is its background."""

_UNUSUAL_FACTOR: Final = 0.6
"""Factor on the probability of a digit at an unusual position or of an unusual size."""


ScoredBlobs = tuple[list[Blob], NDArray[np.float32]]
"""Blobs of a field and the probability of each of `CLASSES` for each of them."""

BlobCache = dict[tuple[GridPosition, Polarity, bool], ScoredBlobs]
"""Cache of scored blobs by position, polarity, and whether the field was blurred."""


@dataclass
class DigitReading:
    """Digit of a field with its confidence; ``digit`` is None if none can be read.

    ``blob`` is the connected component of the digit.
    """

    digit: int | None
    confidence: float
    blob: Blob | None


def has_digits(photo: Picture, lattice: Lattice) -> bool:
    """Preview before rectification: whether a sample of a lattice's quadrilaterals has digits."""
    crops = crop_quads(photo, lattice, ceil(len(lattice.at) / _PREVIEW_SIZE))
    return (
        max(_digit_shares(crops, (1, 1), range(4), _MIN_PREVIEW_SHARE).values())
        >= _MIN_PREVIEW_SHARE
    )


def turn_upright(rectified: RectifiedGrid) -> tuple[RectifiedGrid, float]:
    """Turn the sheet so that most digits stand upright; return it and its share of fields with a
    digit."""
    step = ceil(len(rectified.positions) / SAMPLE_SIZE)
    crops = [rectified.crop(position) for position in rectified.positions[::step]]
    # Only rows are shifted, so such a sheet has two possible orientations.
    turns = (
        (0, 2)
        if any(x % 1 != rectified.positions[0][0] % 1 for x, _ in rectified.positions)
        else range(4)
    )
    shares = _digit_shares(crops, rectified.inner, turns, _ENOUGH_DARK)
    best = max(shares, key=lambda turn: shares[turn])
    for _ in range(best):
        rectified = rectified.turned()
    return rectified, shares[best]


def _digit_shares(
    crops: Sequence[Picture], inner: tuple[float, float], turns: Iterable[int], enough: float
) -> dict[int, float]:
    """Return the share of fields with a digit in each orientation.

    Light digits count only where fewer than ``enough`` fields have a dark one.
    """
    turns = tuple(turns)
    best = np.zeros((len(turns), len(crops)))
    for polarity in Polarity:
        fields = [find_blobs(crop, inner, (polarity,), is_upright=False) for crop in crops]
        best = np.maximum(best, [_best_probabilities(fields, turn) for turn in turns])
        if best.mean(1).max() >= enough:
            break
    return dict(zip(turns, best.mean(1).tolist(), strict=True))


def _best_probabilities(fields: Sequence[list[Blob]], turn: int) -> list[float]:
    """Return the probability of the likeliest digit of each field in an orientation."""
    return [float(one[:, 1:].max()) if len(one) else 0.0 for one in _classify(fields, turn)]


def read_digits(rectified: RectifiedGrid, cache: BlobCache | None = None) -> list[DigitReading]:
    """Read the digit of each position of a sheet.

    ``cache`` holds scored blobs of this picture: more positions may be added later without scoring
    the others again.
    """
    fields, probabilities = _score_fields(rectified, {} if cache is None else cache)
    first = [_best_digit(blobs, one) for blobs, one in zip(fields, probabilities, strict=True)]
    usual = _usual_positions(first)
    if len(usual) < _MIN_USUAL:
        return first
    weighted = [
        one * _position_factors(blobs, usual)
        for blobs, one in zip(fields, probabilities, strict=True)
    ]
    found = [_best_digit(*field) for field in zip(fields, weighted, strict=True)]
    plain = [_best_digit(*_plain_only(*one)).digit for one in zip(fields, weighted, strict=True)]
    return _cut_touching_symbols(rectified, found, plain, usual)


def _plain_only(
    blobs: Sequence[Blob], probabilities: NDArray[np.float32]
) -> tuple[list[Blob], NDArray[np.float32]]:
    """Return the blobs found without blurring, and their probabilities."""
    kept = [i for i, blob in enumerate(blobs) if not blob.is_soft]
    return [blobs[i] for i in kept], probabilities[kept]


def _cut_touching_symbols(
    rectified: RectifiedGrid,
    numbers: Sequence[DigitReading],
    plain: Sequence[int | None],
    usual: Points,
) -> list[DigitReading]:
    """Read unclear digits again within the boxes where digits usually lie.

    A symbol of the same ink may touch its digit. Clipping to the box separates them; otherwise the
    symbol would be taken for a part of the digit. ``plain`` are the digits read without
    blurring.
    """
    found = list(numbers)
    boxes = _usual_boxes(numbers)
    pending = [
        (i, box)
        for i, one in enumerate(numbers)
        for box in boxes
        if one.confidence < MIN_CLEAR
        or (one.blob and _has_protrusion(one.blob.box, box) and not _has_usual_aspect(one, numbers))
    ]
    cut = [
        find_blobs(rectified.crop(rectified.positions[i]), rectified.inner, within=box)
        for i, box in pending
    ]
    for (i, _box), blobs, probabilities in zip(pending, cut, _classify(cut), strict=True):
        one, first = _best_digit(blobs, probabilities * _position_factors(blobs, usual)), numbers[i]
        if one.digit != plain[i]:
            # Part of a symbol may look like a digit.
            one.confidence = min(one.confidence, MIN_CLEAR)
        is_better = first.confidence < MIN_CLEAR and one.confidence > found[i].confidence
        if one.confidence >= MIN_CLEAR and (is_better or one.digit == first.digit):
            found[i] = one
    return found


def _has_protrusion(box: Box, usual: Box) -> bool:
    """Whether exactly one side of a box lies far outside the usual box."""
    out = (
        usual[0] - box[0],
        usual[1] - box[1],
        box[0] + box[2] - usual[0] - usual[2],
        box[1] + box[3] - usual[1] - usual[3],
    )
    return (
        sum(one > _MIN_PROTRUSION for one in out) == 1
        and sum(abs(one) < _MAX_OFFSET for one in out) == 3
    )


def _has_usual_aspect(number: DigitReading, numbers: Sequence[DigitReading]) -> bool:
    """Whether most occurrences of the same digit have this aspect ratio.

    Old-style figures descend (3, 4, 5) or ascend (6).
    """
    if number.blob is None:
        return False
    kind = [one.blob for one in numbers
            if one.blob and one.digit == number.digit and one.confidence >= MIN_CLEAR]  # fmt: skip
    off = [abs(_log_aspect(one) - _log_aspect(number.blob)) < _MAX_LOG_ASPECT for one in kind]
    return bool(off) and sum(off) > len(off) / 2


def _log_aspect(blob: Blob) -> float:
    """Return the logarithm of height / width."""
    return float(np.log(blob.box[3] / blob.box[2]))


def _usual_boxes(numbers: Sequence[DigitReading]) -> list[Box]:
    """Return a box for each usual position of clear digits."""
    left = [one.blob for one in numbers if one.blob and one.confidence >= MIN_CLEAR]
    least = max(_MIN_CLUSTER, len(left) // 20)
    boxes = []
    while len(left) >= least:
        where = np.array([_centre_and_height(blob) for blob in left])
        is_near = (
            np.abs(where[:, None] - where) < (_MAX_OFFSET / 2, _MAX_OFFSET / 2, _MAX_LOG_HEIGHT / 2)
        ).all(2)
        most = is_near[int(is_near.sum(1).argmax())]
        if most.sum() < least:
            break
        sides = np.array([blob.box for blob, one in zip(left, most, strict=True) if one])
        low = np.quantile(sides[:, :2], 0.1, axis=0)
        high = np.quantile(sides[:, :2] + sides[:, 2:], 0.9, axis=0)
        boxes.append((*low.tolist(), *(high - low).tolist()))
        left = [blob for blob, one in zip(left, most, strict=True) if not one]
    return boxes[:_MAX_CLUSTERS]


def _score_fields(
    rectified: RectifiedGrid, cache: BlobCache
) -> tuple[list[list[Blob]], list[NDArray[np.float32]]]:
    """Return the blobs of each field and their class probabilities.

    The usual polarity comes first. The other one is searched in fields without a clear digit and,
    if some are found, in all. Where none is clear, the field is blurred, because hairlines
    are lost in noise.
    """
    first = _usual_polarity(rectified)
    other = Polarity.LIGHT if first is Polarity.DARK else Polarity.DARK
    scored = _score(rectified, rectified.positions, first, cache)
    fields = [list(blobs) for blobs, _probabilities in scored]
    probabilities = [one for _blobs, one in scored]

    def extend(pending: Sequence[int], polarity: Polarity, *, is_soft: bool = False) -> int:
        found = _score(
            rectified, [rectified.positions[i] for i in pending], polarity, cache, is_soft=is_soft
        )
        for i, (blobs, one) in zip(pending, found, strict=True):
            fields[i] += blobs
            probabilities[i] = np.concatenate([probabilities[i], one])
        return sum(_has_clear_digit(one) for _blobs, one in found)

    pending = [i for i, one in enumerate(probabilities) if not _has_clear_digit(one)]
    polarities = [first]
    if extend(pending, other) > _MAX_CHANCE:
        extend(sorted(set(range(len(fields))) - set(pending)), other)
        polarities.append(other)
    pending = [i for i, one in enumerate(probabilities) if not _has_clear_digit(one)]
    for polarity in polarities:
        extend(pending, polarity, is_soft=True)
    return fields, probabilities


def _usual_polarity(rectified: RectifiedGrid) -> Polarity:
    """Return the polarity of most of a sample of fields."""
    off = round(_MARGIN * FIELD_PX)
    step = ceil(len(rectified.positions) / SAMPLE_SIZE)
    crops = [
        rectified.crop(position)[off:-off, off:-off].mean(2) / 255
        for position in rectified.positions[::step]
    ]
    return usual_polarity(np.stack(crops).reshape(len(crops), -1))


def _score(
    rectified: RectifiedGrid,
    positions: Sequence[GridPosition],
    polarity: Polarity,
    cache: BlobCache,
    *,
    is_soft: bool = False,
) -> list[ScoredBlobs]:
    """Return scored blobs of one polarity at some positions, from the cache where possible."""
    pending = [position for position in positions if (position, polarity, is_soft) not in cache]
    fields = [
        find_blobs(rectified.crop(position), rectified.inner, (polarity,), is_soft=is_soft)
        for position in pending
    ]
    for position, blobs, probabilities in zip(pending, fields, _classify(fields), strict=True):
        cache[position, polarity, is_soft] = blobs, probabilities
    return [cache[position, polarity, is_soft] for position in positions]


def _has_clear_digit(probabilities: NDArray[np.float32]) -> bool:
    return bool(len(probabilities)) and bool(probabilities[:, 1:].max() >= MIN_CLEAR)


def find_unframed_fields(
    rectified: RectifiedGrid, numbers: Sequence[DigitReading], cache: BlobCache
) -> list[GridPosition]:
    """Find positions between fields that have no visible border but a digit as other fields have.

    If there are several, each such position with print is a field, also with a symbol and no digit.
    ``cache`` as in `read_digits`.
    """
    fields, clear = _score_candidates(rectified, numbers, 0, tuple(Polarity), cache)
    if len(clear) < max(_MIN_EVIDENCE, len(rectified.positions) // 25):
        return sorted(clear)
    return [
        position
        for position, blobs in fields.items()
        if position in clear or any(_is_print(blob, rectified.inner) for blob in blobs)
    ]


def continues(rectified: RectifiedGrid, numbers: Sequence[DigitReading], cache: BlobCache) -> bool:
    """Whether digits lie outside the known fields as within them, so that the sheet continues
    there.

    ``cache`` as in `read_digits`.
    """
    clear = Counter(
        polarity
        for (_place, polarity, _is_soft), (_blobs, one) in cache.items()
        if _has_clear_digit(one)
    )
    polarities = [polarity for polarity, count in clear.items() if count > _MAX_CHANCE]
    return len(_score_candidates(rectified, numbers, 1, polarities, cache)[1]) >= _MIN_EVIDENCE


def _score_candidates(
    rectified: RectifiedGrid,
    numbers: Sequence[DigitReading],
    ring: int,
    polarities: Sequence[Polarity],
    cache: BlobCache,
) -> tuple[dict[GridPosition, list[Blob]], set[GridPosition]]:
    """Return the blobs at candidate positions, and the positions with a digit as in fields."""
    usual = _usual_positions(numbers)
    if len(usual) < _MIN_USUAL or not polarities:
        return {}, set()
    pending = sorted(
        one for one in candidate_positions(set(rectified.positions), ring) if rectified.covers(one)
    )
    found: dict[GridPosition, list[Blob]] = {}
    clear = set()
    for position, *judged in zip(
        pending,
        *(_score(rectified, pending, polarity, cache) for polarity in polarities),
        strict=True,
    ):
        found[position] = [blob for blobs, _probabilities in judged for blob in blobs]
        one = _best_digit(
            found[position], np.concatenate([probabilities for _blobs, probabilities in judged])
        )
        if (
            one.blob
            and one.confidence >= MIN_CLEAR
            and _position_factors([one.blob], usual)[0, 0] == 1
        ):
            clear.add(position)
    return found, clear


def _is_print(blob: Blob, inner: tuple[float, float]) -> bool:
    """Whether a blob is print: off the rim, where a neighbour's border may lie, and no
    background."""
    left, top, wide, high = blob.box
    is_all = min(wide / inner[0], high / inner[1]) > _FULL
    return min(left, top, 1 - left - wide, 1 - top - high) > _RIM and not is_all


def _usual_positions(numbers: Sequence[DigitReading]) -> NDArray[np.float64]:
    """Return centre and log height of each clear digit, N × 3."""
    found = [
        _centre_and_height(one.blob) for one in numbers if one.blob and one.confidence >= MIN_CLEAR
    ]
    return np.array(found, float).reshape(-1, 3)


def _classify(fields: Sequence[Sequence[Blob]], turn: int = 0) -> list[NDArray[np.float32]]:
    """Return the class probabilities of the blobs of each field, rotated by quarter turns."""
    patches = [np.rot90(blob.patch, turn) for blobs in fields for blob in blobs]
    probabilities = (
        classify(np.stack(patches)) if patches else np.zeros((0, len(CLASSES)), np.float32)
    )
    ends = np.cumsum([0, *(len(blobs) for blobs in fields)])
    return [probabilities[start:end] for start, end in pairwise(ends)]


def _centre_and_height(blob: Blob) -> tuple[float, float, float]:
    """Return the centre of a blob and the logarithm of its height."""
    left, top, wide, high = blob.box
    return left + wide / 2, top + high / 2, float(np.log(high))


def _position_factors(blobs: Sequence[Blob], others: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return a factor for each blob, N × 1: 1 at a usual position with a usual height, less
    elsewhere."""
    where = np.array([_centre_and_height(blob) for blob in blobs]).reshape(-1, 1, 3)
    off = np.abs(others - where) / (_MAX_OFFSET, _MAX_OFFSET, _MAX_LOG_HEIGHT)
    least = max(3, len(others) // 50)
    is_usual = (off.max(2) < 1).sum(1, keepdims=True) >= least
    return np.where(is_usual, np.float32(1), np.float32(_UNUSUAL_FACTOR))


def _best_digit(blobs: Sequence[Blob], probabilities: NDArray[np.float32]) -> DigitReading:
    """Return the likeliest digit of a field; a second candidate lowers its confidence."""
    if not len(blobs):
        return DigitReading(None, 0.0, None)
    best = int(probabilities[:, 1:].max(1).argmax())
    kind = int(probabilities[best, 1:].argmax()) + 1
    confidence = float(probabilities[best, kind])
    other = float(np.delete(probabilities[:, 1:], kind - 1, axis=1).max())
    confidence = (
        confidence * confidence / (confidence + other) if other > MIN_PROBABILITY else confidence
    )
    if confidence < MIN_PROBABILITY:
        return DigitReading(None, confidence, None)
    return DigitReading(CLASSES[kind], confidence, blobs[best])
