"""Template of an empty sheet: its rectified picture and the grid positions of its fields.

Photos of filled sheets are registered to it. Grid positions are counted in fields to the right and
down from the centre of ``a1``; shifted rows have fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

import cv2
import msgspec
import numpy as np
from msgspec import Meta, Struct

from sheets.rules.level import Field, Level, parse_field
from sheets.vision.pads.empty_sheet_reading import EmptySheetReading
from sheets.vision.pads.lattice import MAX_ROWS
from sheets.vision.pads.rectification import FIELD_PX, GridPosition
from sheets.vision.pixels import Picture
from sheets.vision.webp import is_webp, read_header

FORMAT: Final = "dizzle-template/1"
"""Format of the stored layout."""

MAX_BYTES: Final = 400_000
"""Maximum size of the picture's file."""

MAX_PX: Final = 34 * FIELD_PX
"""Maximum side of the picture in pixels: the largest level and its margins."""

_QUALITIES: Final = (85, 75, 60, 45, 30)
"""WebP qualities that are tried, the best first."""

_MARGIN: Final = 1.5
"""Margin around the fields, in fields: strokes cross borders, and titles identify the sheet."""

_MIN_COMMON: Final = 0.75
"""Minimum share of a level's fields that were detected on the empty sheet."""

_MIN_USED: Final = 0.5
"""Minimum share of the detected fields that are fields of the level."""

_QUARTERS: Final = 4
"""Resolution of shifts: parts of a field."""


class TemplateError(ValueError):
    """Error for parts that are no template, with a message of one line."""


class _Seen(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    x: Annotated[float, Meta(ge=-2 * MAX_ROWS, le=2 * MAX_ROWS)]
    y: Annotated[int, Meta(ge=-2 * MAX_ROWS, le=2 * MAX_ROWS)]
    digit: Annotated[int, Meta(ge=0, le=6)]


_Px = Annotated[float, Meta(ge=-4 * MAX_PX, le=4 * MAX_PX)]
_Share = Annotated[float, Meta(gt=0, le=1)]


class _Layout(Struct, forbid_unknown_fields=True):
    format: Literal["dizzle-template/1"]
    field_px: Annotated[float, Meta(ge=8, le=FIELD_PX)]
    first: tuple[_Px, _Px]
    inner: tuple[_Share, _Share]
    places: Annotated[list[_Seen], Meta(min_length=1, max_length=MAX_ROWS**2)]


@dataclass(frozen=True, eq=False)
class Template:
    """Template of an empty sheet.

    ``picture`` is the rectified sheet, ``data`` its WebP file. ``field_px`` is the pitch in pixels,
    ``first`` the centre of ``a1`` in pixels, ``inner`` the size of a field relative to the pitch.
    ``digits`` are those that were read, by the positions of all detected fields (0: none).
    """

    picture: Picture
    data: bytes
    field_px: float
    first: tuple[float, float]
    inner: tuple[float, float]
    digits: Mapping[GridPosition, int]

    def moved(self, columns: float, rows: int) -> Template:
        """Return the template with ``columns`` and ``rows`` added to all positions.

        Columns are fractions for shifted rows. The picture stays."""
        return replace(
            self,
            first=(self.first[0] - columns * self.field_px, self.first[1] - rows * self.field_px),
            digits={(x + columns, y + rows): digit for (x, y), digit in self.digits.items()},
        )

    def centre(self, position: GridPosition) -> tuple[float, float]:
        """Return the centre of a position on the picture, in pixels."""
        x, y = (self.first[i] + position[i] * self.field_px for i in (0, 1))
        return x, y

    def covers(self, position: GridPosition) -> bool:
        """Whether the picture contains a position completely."""
        sizes, half = (self.picture.shape[1], self.picture.shape[0]), self.field_px / 2
        centres = self.centre(position)
        return all(half <= at <= size - half for at, size in zip(centres, sizes, strict=True))

    def to_parts(self) -> tuple[bytes, dict[str, Any]]:
        """Return the bytes of the picture, and the layout as plain JSON."""
        detected = [_Seen(x, round(y), digit) for (x, y), digit in self.digits.items()]
        layout = _Layout(FORMAT, self.field_px, self.first, self.inner, detected)
        return self.data, msgspec.to_builtins(layout)

    @classmethod
    def from_parts(cls, data: bytes, layout: object) -> Template:
        """Restore a template from what `to_parts` returned: WebP picture, layout as JSON.

        Raises:
            TemplateError: the picture or the layout is invalid.
        """
        try:
            known = msgspec.convert(layout, _Layout)
        except msgspec.ValidationError as error:
            raise TemplateError(f"the layout: {error}") from error
        digits = {(one.x, float(one.y)): one.digit for one in known.places}
        if len(digits) < len(known.places) or any(x * _QUARTERS % 1 for x, _y in digits):
            raise TemplateError("the layout: two fields at one place, or one between places")
        picture = _decode(data)
        return cls(picture, data, known.field_px, known.first, known.inner, digits)


def _decode(data: bytes) -> Picture:
    """Decode a picture only if its header shows a permitted size."""
    try:
        header = read_header(data) if is_webp(data) and len(data) <= MAX_BYTES else None
    except Exception as error:  # whatever bytes make of it that are no picture
        raise TemplateError("the picture: cut short") from error
    if header is None or max(header.width, header.height) > MAX_PX or header.is_animated:
        raise TemplateError("the picture: no WebP, or too large")
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    if found is None:
        raise TemplateError("the picture: cut short")
    return found


def make_template(sheet: EmptySheetReading) -> Template:
    """Build the template of an empty sheet.

    Raises:
        ValueError: nothing was read on it.
    """
    rectified = sheet.rectified
    if rectified is None or not sheet.fields:
        raise ValueError("nothing was read on this sheet")
    x, y = sheet.positions[0]
    column, row = parse_field(sheet.fields[0].name)
    # Position of a1 in a row without a shift, in the lattice's orientation.
    a1 = (x - column - sheet.shifts[row], y - row)
    spans = []
    for i, size in ((0, rectified.picture.shape[1]), (1, rectified.picture.shape[0])):
        lowest, highest = (f(position[i] for position in sheet.positions) for f in (min, max))
        ends = [(end - rectified.origin[i]) * FIELD_PX
                for end in (lowest - 0.5 - _MARGIN, highest + 0.5 + _MARGIN)]  # fmt: skip
        spans.append((max(0, round(ends[0])), min(size, round(ends[1]))))
    (left, right), (top, low) = spans
    picture = np.ascontiguousarray(rectified.picture[top:low, left:right])
    first = (
        (a1[0] - rectified.origin[0]) * FIELD_PX - left,
        (a1[1] - rectified.origin[1]) * FIELD_PX - top,
    )
    digits = {
        (px - a1[0], py - a1[1]): one.digit or 0
        for (px, py), one in zip(sheet.positions, sheet.fields, strict=True)
    }
    return _compress(picture, first, rectified.inner, digits)


def _compress(
    picture: Picture,
    first: tuple[float, float],
    inner: tuple[float, float],
    digits: Mapping[GridPosition, int],
) -> Template:
    """Encode the picture within `MAX_BYTES`, at a lower quality or resolution if necessary."""
    for scale in (1.0, 0.75, 0.5):
        small = picture
        if scale < 1:
            small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        for quality in _QUALITIES:
            bgr = cv2.cvtColor(small, cv2.COLOR_RGB2BGR)
            _is_fine, data = cv2.imencode(".webp", bgr, [cv2.IMWRITE_WEBP_QUALITY, quality])
            if len(data) <= MAX_BYTES:
                at = (first[0] * scale, first[1] * scale)
                kept = _decode(data.tobytes())
                return Template(kept, data.tobytes(), FIELD_PX * scale, at, inner, digits)
    raise ValueError("no picture of a sheet is as large as this one")


def grid_positions(level: Level) -> dict[str, GridPosition]:
    """Return the grid position of each field of a level."""
    return {one.name: _grid_position(one, level.shifts) for one in level.fields}


def _grid_position(field: Field, shifts: Sequence[float]) -> GridPosition:
    """Return the grid position of a field, including the shift of its row."""
    return field.column + (shifts[field.row] if shifts else 0.0), float(field.row)


def align(template: Template, level: Level) -> Template | None:
    """Align a template to a level's names; None if it is the template of another level.

    Users add rows and columns, and remove phantom ones, after the photo was read, which changes all
    names.
    """
    wanted = {_grid_position(one, level.shifts): one.number for one in level.fields}
    offsets = _frequent_offsets(wanted, template.digits)
    best: tuple[float, float, Template] | None = None
    for columns, rows in offsets:
        moved = template.moved(columns, rows)
        common = wanted.keys() & moved.digits.keys()
        least = max(_MIN_COMMON * len(wanted), _MIN_USED * len(moved.digits))
        if len(common) < least or not all(map(moved.covers, wanted)):
            continue
        matches = sum(wanted[position] == moved.digits[position] for position in common)
        cost = (-len(common) - matches, abs(columns) + abs(rows))
        if best is None or cost < best[:2]:
            best = (*cost, moved)
    return best and best[2]


def fits(template: Template, level: Level) -> bool:
    """Whether the template may be that of a level."""
    return align(template, level) is not None


def _frequent_offsets(
    wanted: Iterable[GridPosition], detected: Iterable[GridPosition]
) -> list[tuple[float, int]]:
    """Return the offsets from detected to wanted positions that most of the fields share."""
    ends, starts = (np.array(list(some)) * _QUARTERS for some in (wanted, detected))
    steps = np.round(ends[:, None] - starts[None]).astype(np.int64).reshape(-1, 2)
    low = steps.min(0)
    across, down = np.ptp(steps, axis=0) + 1
    # One integer per offset: sorting pairs takes ten times as long.
    counts = np.bincount((steps - low) @ (down, 1), minlength=across * down)
    (frequent,) = np.nonzero(counts >= _MIN_COMMON * len(ends))
    offsets = np.stack([frequent // down, frequent % down], 1) + low
    return [(float(x) / _QUARTERS, round(y / _QUARTERS)) for x, y in offsets]
