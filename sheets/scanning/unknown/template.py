"""What is kept of a photo of an empty sheet, so that photos of filled ones can be read beside it?

Its picture, laid flat, and where its fields are on it. Places are counted in fields, to the right
and down from the middle of ``a1``; rows that are shifted have parts of fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

import cv2
import msgspec
import numpy as np
from msgspec import Meta, Struct

from sheets.rules.level import Field, Level
from sheets.scanning.pixels import Picture
from sheets.scanning.unknown.flat import FIELD_PX, Place
from sheets.scanning.unknown.lattice import MOST_ROWS
from sheets.scanning.unknown.reading import NewSheet
from sheets.scanning.webp import is_webp, read_header

FORMAT: Final = "dizzle-template/1"
MOST_BYTES: Final = 400_000
MOST_PX: Final = 34 * FIELD_PX
"""How wide and how high a picture is at most: as many fields as a level may have, and paper."""

_QUALITIES: Final = (85, 75, 60, 45, 30)
_AROUND: Final = 1.5
"""Fields of paper that are kept all round: strokes go over borders, and titles say what it is."""

_LEAST_COMMON, _LEAST_USED = 0.75, 0.5
"""The share of a level's fields that were seen on the empty sheet, and of what was seen that is
one of its fields."""

_QUARTERS: Final = 4


class TemplateError(ValueError):
    """Parts that are no template, in one line."""


class _Seen(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    x: Annotated[float, Meta(ge=-2 * MOST_ROWS, le=2 * MOST_ROWS)]
    y: Annotated[int, Meta(ge=-2 * MOST_ROWS, le=2 * MOST_ROWS)]
    digit: Annotated[int, Meta(ge=0, le=6)]


_Px = Annotated[float, Meta(ge=-4 * MOST_PX, le=4 * MOST_PX)]
_Share = Annotated[float, Meta(gt=0, le=1)]


class _Layout(Struct, forbid_unknown_fields=True):
    format: Literal["dizzle-template/1"]
    field_px: Annotated[float, Meta(ge=8, le=FIELD_PX)]
    first: tuple[_Px, _Px]
    inner: tuple[_Share, _Share]
    places: Annotated[list[_Seen], Meta(min_length=1, max_length=MOST_ROWS**2)]


@dataclass(frozen=True, eq=False)
class Template:
    """An empty sheet.

    ``picture`` is that of the sheet laid flat, ``data`` the same as the bytes of a WebP file;
    ``field_px`` is how far it is there from field to field, ``first`` where the middle of ``a1``
    lies, in pixels; ``inner`` how much of the way to the next field a field is. ``digits`` are
    those that were read, by the places of all fields that were seen (0: none).
    """

    picture: Picture
    data: bytes
    field_px: float
    first: tuple[float, float]
    inner: tuple[float, float]
    digits: Mapping[Place, int]

    def moved(self, columns: float, rows: int) -> Template:
        """The same where so many columns and rows more begin before all others, or fewer."""
        return replace(
            self,
            first=(self.first[0] - columns * self.field_px, self.first[1] - rows * self.field_px),
            digits={(x + columns, y + rows): digit for (x, y), digit in self.digits.items()},
        )

    def middle(self, place: Place) -> tuple[float, float]:
        """Where the middle of a place lies on the picture, in pixels."""
        x, y = (self.first[i] + place[i] * self.field_px for i in (0, 1))
        return x, y

    def covers(self, place: Place) -> bool:
        """Whether the picture shows the whole of a place."""
        sizes, half = (self.picture.shape[1], self.picture.shape[0]), self.field_px / 2
        middles = self.middle(place)
        return all(half <= at <= size - half for at, size in zip(middles, sizes, strict=True))

    def to_parts(self) -> tuple[bytes, dict[str, Any]]:
        """The bytes of its picture, and where its fields are as plain JSON."""
        seen = [_Seen(x, round(y), digit) for (x, y), digit in self.digits.items()]
        layout = _Layout(FORMAT, self.field_px, self.first, self.inner, seen)
        return self.data, msgspec.to_builtins(layout)

    @classmethod
    def from_parts(cls, data: bytes, layout: object) -> Template:
        """What `to_parts` gave.

        Raises:
            TemplateError: for anything else.
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
    """The picture of some bytes, decoded only if they say that it is as small as it should be."""
    try:
        header = read_header(data) if is_webp(data) and len(data) <= MOST_BYTES else None
    except Exception as error:  # whatever bytes make of it that are no picture
        raise TemplateError("the picture: cut short") from error
    if header is None or max(header.width, header.height) > MOST_PX or header.is_animated:
        raise TemplateError("the picture: no WebP, or too large")
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    if found is None:
        raise TemplateError("the picture: cut short")
    return found


def make_template(sheet: NewSheet) -> Template:
    """What is kept of an empty sheet that was read.

    Raises:
        ValueError: nothing was read on it.
    """
    flat = sheet.flat
    if flat is None or not sheet.fields:
        raise ValueError("nothing was read on this sheet")
    (x, y), name = sheet.places[0], sheet.fields[0].name
    row = int(name[1:]) - 1
    # Of the place of a1 in a row that is not shifted, in the lattice's own way.
    a1 = (x - (ord(name[0]) - ord("a")) - sheet.shifts[row], y - row)
    spans = []
    for i, size in ((0, flat.picture.shape[1]), (1, flat.picture.shape[0])):
        lowest, highest = (f(place[i] for place in sheet.places) for f in (min, max))
        ends = [(end - flat.origin[i]) * FIELD_PX
                for end in (lowest - 0.5 - _AROUND, highest + 0.5 + _AROUND)]  # fmt: skip
        spans.append((max(0, round(ends[0])), min(size, round(ends[1]))))
    (left, right), (top, low) = spans
    picture = np.ascontiguousarray(flat.picture[top:low, left:right])
    first = ((a1[0] - flat.origin[0]) * FIELD_PX - left, (a1[1] - flat.origin[1]) * FIELD_PX - top)
    digits = {
        (px - a1[0], py - a1[1]): one.digit or 0
        for (px, py), one in zip(sheet.places, sheet.fields, strict=True)
    }
    return _packed(picture, first, flat.inner, digits)


def _packed(
    picture: Picture,
    first: tuple[float, float],
    inner: tuple[float, float],
    digits: Mapping[Place, int],
) -> Template:
    """As large as it may be: a large sheet is kept with less of its detail."""
    for scale in (1.0, 0.75, 0.5):
        small = picture
        if scale < 1:
            small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        for quality in _QUALITIES:
            bgr = cv2.cvtColor(small, cv2.COLOR_RGB2BGR)
            _is_fine, data = cv2.imencode(".webp", bgr, [cv2.IMWRITE_WEBP_QUALITY, quality])
            if len(data) <= MOST_BYTES:
                at = (first[0] * scale, first[1] * scale)
                kept = _decode(data.tobytes())
                return Template(kept, data.tobytes(), FIELD_PX * scale, at, inner, digits)
    raise ValueError("no picture of a sheet is as large as this one")


def places_of(level: Level) -> dict[str, Place]:
    """The place of each field of a level."""
    return {one.name: place_of(one, level.shifts) for one in level.fields}


def place_of(field: Field, shifts: Sequence[float]) -> Place:
    """Where a field is, with the shift of its row if rows are shifted."""
    return field.column + (shifts[field.row] if shifts else 0.0), float(field.row)


def align(template: Template, level: Level) -> Template | None:
    """The template with a level's names: its columns and rows begin where the level's do.

    People add rows and columns, and take phantom ones out, after the photo was read; then all names
    are others. None where it is the template of another level.
    """
    wanted = {place_of(one, level.shifts): one.number for one in level.fields}
    ways = _differences(wanted, template.digits)
    best: tuple[float, float, Template] | None = None
    for columns, rows in ways:
        moved = template.moved(columns, rows)
        common = wanted.keys() & moved.digits.keys()
        least = max(_LEAST_COMMON * len(wanted), _LEAST_USED * len(moved.digits))
        if len(common) < least or not all(map(moved.covers, wanted)):
            continue
        alike = sum(wanted[place] == moved.digits[place] for place in common)
        way = (-len(common) - alike, abs(columns) + abs(rows))
        if best is None or way < best[:2]:
            best = (*way, moved)
    return best and best[2]


def fits(template: Template, level: Level) -> bool:
    """Whether the template can be that of a level."""
    return align(template, level) is not None


def _differences(wanted: Iterable[Place], seen: Iterable[Place]) -> list[tuple[float, int]]:
    """From seen places to wanted ones: the ways that most of the fields have in common."""
    ends, starts = (np.array(list(some)) * _QUARTERS for some in (wanted, seen))
    steps = np.round(ends[:, None] - starts[None]).astype(np.int64).reshape(-1, 2)
    low = steps.min(0)
    across, down = np.ptp(steps, axis=0) + 1
    # One number for each way, to count: to sort pairs of numbers takes ten times as long.
    counts = np.bincount((steps - low) @ (down, 1), minlength=across * down)
    (most,) = np.nonzero(counts >= _LEAST_COMMON * len(ends))
    ways = np.stack([most // down, most % down], 1) + low
    return [(float(x) / _QUARTERS, round(y / _QUARTERS)) for x, y in ways]
