"""Reading of an empty sheet that has no level yet: from a photo's bytes to fields and symbol
groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import floor
from operator import itemgetter
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from sheets.rules.level import format_field, parse_field
from sheets.vision.corners import Corner, locate_corners
from sheets.vision.decoding import decode_photo, explain_no_sheet, has_dark_parts, upright_size
from sheets.vision.pads.corner_grid import rectify_at_corners
from sheets.vision.pads.digit_reading import (
    MIN_CLEAR,
    BlobCache,
    DigitReading,
    continues,
    find_unframed_fields,
    has_digits,
    read_digits,
    turn_upright,
)
from sheets.vision.pads.field_features import correct_illumination
from sheets.vision.pads.lattice import MAX_CANDIDATES, MAX_ROWS, find_lattices, grow_lattice
from sheets.vision.pads.quadrilaterals import Points, Quads, Region, find_quads
from sheets.vision.pads.rectification import GridPosition, RectifiedGrid, rectify_grid
from sheets.vision.pads.symbol_clustering import digit_masks, group_fields
from sheets.vision.pixels import Picture
from sheets.vision.refusals import Refused

FORMAT: Final = "dizzle-new/1"
"""Format of `empty_sheet_document`."""

HOLE: Final = "."
"""Grid entry of a cell without a field."""

UNREAD: Final = "?"
"""Grid entry of a field without a readable digit."""

MIN_DIGITS: Final = 0.3
"""Minimum share of fields with a digit; a tiled table has none."""

_MIN_DIGITS_AT_CORNERS: Final = 0.15
"""The same if the user placed the corners and counted the fields; a photo of something else has
fewer."""

_MIN_DETECTED: Final = 0.6
"""Minimum share of fields that were detected as quadrilaterals on a clearly visible sheet."""

_MIN_SURE: Final = 0.7
"""Share of detected fields below which the user is asked whether the sheet was found as a whole."""

_MIN_CLEAR_SHARE: Final = 0.85
"""Share of fields with a clear digit that makes up for undetected quadrilaterals."""

_MOST_DETECTED: Final = 0.95
"""Share of detected fields from which on lines cannot be too faint to be detected."""

_MIN_BORDER_TO_GRAIN: Final = 4.0
"""Minimum ratio of border gradient to paper grain at which all fields can be detected."""

_MARGIN_FIELDS: Final = 4
"""Margin of the search region around a partly found sheet, in fields."""

_MARGIN_SHARE: Final = 0.3
"""The same margin as a share of the found part."""


@dataclass(frozen=True)
class FieldReading:
    """Field of an unknown sheet.

    ``digit`` is None where none can be read: there may be none, or the field is a hole between
    fields. ``confidence`` is that of the digit. ``corners`` are pixels of the upright photo, 4 × 2,
    clockwise from the field's top left. ``group`` is the cluster of fields that look the same apart
    from their digit, and ``typical`` the number of its fields that are less similar to the others.
    """

    name: str
    digit: int | None
    confidence: float
    corners: Points
    group: int
    typical: int


@dataclass(frozen=True)
class EmptySheetReading:
    """Result of reading an empty sheet; ``refused`` is the reason of a refusal, else None.

    ``shifts`` are the offsets of the rows to the right, in fields. ``rectified`` is the rectified
    upright sheet; ``positions`` has the order of ``fields``. ``outline`` is the convex hull of the
    fields, as shares of the photo's width and height, if the sheet may have more fields than were
    found.
    """

    refused: str | None
    fields: Sequence[FieldReading] = ()
    shifts: Sequence[float] = ()
    rectified: RectifiedGrid | None = None
    positions: Sequence[GridPosition] = field(default_factory=tuple)
    outline: Sequence[Corner] = ()


def read_empty_sheet(data: bytes) -> EmptySheetReading:
    """Read the sheet with the most digits in a photo."""
    try:
        photo = decode_photo(data)
    except Refused as refused:
        return EmptySheetReading(refused.name)
    upscale = upright_size(data)[0] / photo.shape[1]
    found = detect_sheet(photo)
    if found is None:
        return EmptySheetReading(explain_no_sheet(photo))
    reading = _to_reading(found, upscale)
    if reading.refused or not _may_be_partial(found):
        return reading
    return replace(reading, outline=_outline(photo, found.rectified))


def _may_be_partial(found: DetectedSheet) -> bool:
    """Whether so many fields were only inferred that rows of the sheet may be missing."""
    rectified = found.rectified
    return not _is_complete(found) or rectified.detected < _MIN_SURE * len(rectified.positions)


def _outline(photo: Picture, rectified: RectifiedGrid) -> list[Corner]:
    """Return the convex hull of the fields as shares of the photo's width and height."""
    corners = rectified.corners(rectified.positions).reshape(-1, 2)
    hull = cv2.convexHull(corners.astype(np.float32))[:, 0] / photo.shape[1::-1]
    return [(float(x), float(y)) for x, y in hull]


def read_empty_sheet_at_corners(
    data: bytes, corners: Sequence[Corner], columns: int, rows: int
) -> EmptySheetReading:
    """Read the sheet whose corners the user placed in a photo.

    If the user counted the columns of a sheet that lies sideways as its rows, both are exchanged.

    Args:
        corners: outer corners of the grid of fields, see `sheets.vision.corners`.
        columns: number of fields in a row.
        rows: number of rows.
    """
    try:
        if not (2 <= columns <= MAX_ROWS and 2 <= rows <= MAX_ROWS):
            raise Refused("corners")
        photo = decode_photo(data)
        points = locate_corners(photo, corners)
    except Refused as refused:
        return EmptySheetReading(refused.name)
    found: list[tuple[RectifiedGrid, float]] = []
    why = "not-at-corners"
    for size in dict.fromkeys([(columns, rows), (rows, columns)]):
        try:
            found.append(turn_upright(rectify_at_corners(photo, points, *size)))
        except Refused as refused:
            why = refused.name
    rectified, share = max(found, key=itemgetter(1), default=(None, 0.0))
    if rectified is None:
        return EmptySheetReading(why)
    if share < _MIN_DIGITS_AT_CORNERS:
        return EmptySheetReading("not-at-corners")
    return read_rectified(rectified, upright_size(data)[0] / photo.shape[1])


def detect_sheet(photo: Picture, min_digits: float = MIN_DIGITS) -> DetectedSheet | None:
    """Detect a sheet and read its digits.

    Expensive passes run only if cheaper ones find too little. Once a part of a sheet was found,
    only the region around it is searched at full resolution.

    Args:
        min_digits: minimum share of fields with a digit from 1 to 6.
    """
    found = _read_candidate(photo, find_quads(photo), min_digits)
    if _needs_contrast(photo, found):
        quads = find_quads(photo, is_enhanced=True)
        enhanced = _read_candidate(photo, quads, min_digits)
        if _is_complete(enhanced) and not _is_complete(found):
            return enhanced
        found = _better(found, enhanced)
    if _is_complete(found):
        return found
    within = _search_region(photo, found) if found else None
    quads = find_quads(photo, within, at_full_resolution=True)
    return _better(found, _read_candidate(photo, quads, min_digits))


def _needs_contrast(photo: Picture, found: DetectedSheet | None) -> bool:
    """Whether lines may be missing that contrast enhancement shows.

    Lines between black fields are hardly brighter than the fields, and in poor light lines are
    hardly darker than the paper.
    """
    is_faint = found is not None and _is_faint(found.rectified)
    return is_faint or (not _is_complete(found) and has_dark_parts(photo))


def _is_faint(rectified: RectifiedGrid) -> bool:
    """Whether borders hardly stand out from the grain of the paper, and some were not detected."""
    is_lacking = rectified.detected < _MOST_DETECTED * len(rectified.positions)
    return is_lacking and rectified.border_to_grain < _MIN_BORDER_TO_GRAIN


def _better(one: DetectedSheet | None, other: DetectedSheet | None) -> DetectedSheet | None:
    """Return the one with more clear digits, or else with more detected fields."""
    return max((sheet for sheet in (one, other) if sheet), key=_quality, default=None)


def _search_region(photo: Picture, found: DetectedSheet) -> Region:
    """Return the region of a photo that contains all of a partly found sheet."""
    corners = found.rectified.corners(found.rectified.positions)
    low, high = corners.min((0, 1)), corners.max((0, 1))
    field = np.ptp(corners, axis=1).max(0)
    more = np.maximum(_MARGIN_FIELDS * field, _MARGIN_SHARE * (high - low))
    left, top = np.maximum(0, low - more).astype(int).tolist()
    right, bottom = np.minimum(photo.shape[1::-1], high + more).astype(int).tolist()
    return left, top, right, bottom


class DetectedSheet(NamedTuple):
    """Rectified upright sheet, the digit of each of its fields, and cached connected components."""

    rectified: RectifiedGrid
    numbers: list[DigitReading]
    cache: BlobCache


def _read_candidate(photo: Picture, quads: Quads, min_digits: float) -> DetectedSheet | None:
    """Detect and read the sheet among some quadrilaterals."""
    rectified = _rectify_best(photo, quads, min_digits)
    return _read_digits(rectified) if rectified else None


def _is_complete(found: DetectedSheet | None) -> bool:
    """Whether so many fields were detected that no whole rows are missing, and the sheet does not
    continue."""
    if found is None:
        return False
    fields = len(found.rectified.positions)
    clear, detected = _quality(found)
    is_enough = detected >= _MIN_DETECTED * fields or clear >= _MIN_CLEAR_SHARE * fields
    return is_enough and not continues(*found)


def _quality(found: DetectedSheet) -> tuple[int, int]:
    """Return the number of clear digits and of detected fields."""
    return sum(one.confidence >= MIN_CLEAR for one in found.numbers), found.rectified.detected


def _rectify_best(photo: Picture, quads: Quads, min_digits: float) -> RectifiedGrid | None:
    """Rectify the lattice with the most digits and turn it upright."""
    best: tuple[float, RectifiedGrid] | None = None
    tried = 0
    for lattice in find_lattices(quads):
        if tried == MAX_CANDIDATES or (best and best[0] > len(lattice.at)):
            break
        if not has_digits(photo, lattice):
            continue
        tried += 1
        rectified, share = turn_upright(rectify_grid(photo, grow_lattice(quads, lattice)))
        digits = share * len(rectified.positions)
        if share >= min_digits and (best is None or digits > best[0]):
            best = digits, rectified
    return best and best[1]


def read_rectified(rectified: RectifiedGrid, upscale: float = 1.0) -> EmptySheetReading:
    """Read a rectified upright sheet.

    Args:
        upscale: factor by which the photo was downscaled when it was opened.
    """
    return _to_reading(_read_digits(rectified), upscale)


def _read_digits(rectified: RectifiedGrid) -> DetectedSheet:
    """Read the digits of a sheet, and add fields that only their digits reveal."""
    cache: BlobCache = {}
    numbers = read_digits(rectified, cache)
    if more := find_unframed_fields(rectified, numbers, cache):
        rectified = replace(rectified, positions=[*rectified.positions, *more])
        numbers = read_digits(rectified, cache)
    return DetectedSheet(rectified, numbers, cache)


def _to_reading(found: DetectedSheet, upscale: float) -> EmptySheetReading:
    """Group the fields by symbol and build the result; ``upscale`` as in `read_rectified`."""
    rectified, numbers, _known = found
    columns, shifts = _assign_columns(rectified.positions)
    top = min(y for x, y in rectified.positions)
    rows = [round(y - top) for x, y in rectified.positions]
    if max(*columns, *rows) >= MAX_ROWS:
        return EmptySheetReading("no-sheet")
    order = sorted(range(len(rows)), key=lambda i: (rows[i], columns[i]))
    crops = correct_illumination(
        [rectified.crop(position) for position in rectified.positions], rectified.inner
    )
    masks = digit_masks(crops, numbers, rectified.inner)
    for number, mask in zip(numbers, masks, strict=True):
        if number.blob and mask is None:
            # A symbol alone in its field may look like a digit; it mostly has another ink.
            number.confidence = min(number.confidence, MIN_CLEAR)
    groups = group_fields(crops, numbers, masks, rectified.inner, rectified.positions)
    group_of = {
        i: (number, typical)
        for number, group in enumerate(groups)
        for typical, i in enumerate(group)
    }
    corners = rectified.corners(rectified.positions) * upscale
    fields = [
        FieldReading(
            format_field(columns[i], rows[i]),
            numbers[i].digit,
            numbers[i].confidence,
            corners[i],
            *group_of[i],
        )
        for i in order
    ]
    return EmptySheetReading(
        None, fields, shifts, rectified, [rectified.positions[i] for i in order]
    )


def _assign_columns(positions: Sequence[GridPosition]) -> tuple[list[int], list[float]]:
    """Return the column of each field and the shift of each row.

    Rows with equal shifts keep their columns aligned. The base is chosen for the fewest columns.
    """
    parts = Counter(x % 1 for x, _y in positions)
    options = []
    for base in parts:
        columns = [floor(x - base + 0.01) for x, _y in positions]
        shift = {y: (x - base) % 1 for x, y in positions}
        options.append((max(columns) - min(columns), sum(shift.values()), columns, shift))
    _wide, _sum, columns, shift = min(options, key=lambda option: option[:2])
    first = min(columns)
    top, bottom = (round(one(shift)) for one in (min, max))
    rows = {round(y): by for y, by in shift.items()}
    return [column - first for column in columns], [
        rows.get(y, 0.0) for y in range(top, bottom + 1)
    ]


def empty_sheet_document(
    photo: str, sheet: EmptySheetReading, seconds: float, page: int | None = None
) -> dict[str, Any]:
    """Return a ``dizzle-new/1`` document; ``page`` is the number of the page in a longer file."""
    digits = {one.name: str(one.digit) if one.digit else UNREAD for one in sheet.fields}
    positions = [parse_field(name) for name in digits]
    wide, high = (max((position[i] + 1 for position in positions), default=0) for i in (0, 1))
    groups: dict[int, list[str]] = {}
    for one in sheet.fields:
        groups.setdefault(one.group, []).append(one.name)
    return {
        "format": FORMAT,
        "photo": photo,
        "page": page,
        "refused": sheet.refused,
        "seconds": round(seconds, 3),
        "grid": [[digits.get(format_field(x, y), HOLE) for x in range(wide)] for y in range(high)],
        "sure": {one.name: floor(1000 * one.confidence) / 1000 for one in sheet.fields},
        "groups": [groups[number] for number in sorted(groups)],
        "corners": {one.name: np.round(one.corners, 1).tolist() for one in sheet.fields},
    }
