"""What is on a photo of an empty sheet that nobody has entered? From its bytes to its fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import Any, Final, NamedTuple

import numpy as np

from sheets.scanning.photos import has_dark_parts, open_photo, upright_size, why_nothing
from sheets.scanning.pixels import Picture
from sheets.scanning.refusals import Refused
from sheets.scanning.unknown.alike import digit_masks, group_fields
from sheets.scanning.unknown.flat import Flat, Place, lay_flat
from sheets.scanning.unknown.lattice import MOST_ROWS, MOST_TRIED, find_lattices, grown
from sheets.scanning.unknown.looks import even_light
from sheets.scanning.unknown.numbers import (
    CLEAR,
    Known,
    Number,
    find_unframed,
    go_on,
    read_numbers,
    seem_to_have_digits,
    upright,
)
from sheets.scanning.unknown.quads import Part, Points, Quads, find_quads

FORMAT: Final = "dizzle-new/1"
HOLE, UNREAD = ".", "?"

_LEAST_DIGITS, _MOST_DIGITS = 0.3, 0.6
"""The share of fields with a digit: a tiled table has none. Where there are not more than the
second, what goes on beside a lattice has to have the first by itself."""

_LEAST_SEEN, _LEAST_CLEAR = 0.6, 0.85
"""The share of fields that are seen as patches, on a sheet that is seen clearly; where so many have
a clear digit they are fields in any case."""

_ENOUGH_SEEN: Final = 2000
"""Where so many patches were seen contrast is no matter."""

_MORE_FIELDS, _MORE = 4, 0.3
"""How far a sheet may go on beside what was found of it: in fields, and in parts of that."""


@dataclass(frozen=True)
class NewField:
    """A field of an unknown sheet.

    ``digit`` is None where none can be read (there may be none, or no field at all: a hole closed
    in by fields looks like one), ``sure`` how sure the digit is; ``corners`` are pixels of the
    upright photo, clockwise from the field's top left, 4 × 2; ``group`` says with which others it
    looks alike apart from the digit, and ``typical`` how many of them are less like the others.
    """

    name: str
    digit: int | None
    sure: float
    corners: Points
    group: int
    typical: int


@dataclass(frozen=True)
class NewSheet:
    """What was seen; ``refused`` is why nothing was, else None.

    ``shifts`` are how far each row lies to the right, in fields; ``flat`` is the sheet laid flat
    and turned upright, with its places in the order of ``fields``.
    """

    refused: str | None
    fields: Sequence[NewField] = ()
    shifts: Sequence[float] = ()
    flat: Flat | None = None
    places: Sequence[Place] = field(default_factory=tuple)


def read_new(data: bytes) -> NewSheet:
    """Look at a photo for the sheet that has the most digits."""
    try:
        photo = open_photo(data)
    except Refused as refused:
        return NewSheet(refused.name)
    larger = upright_size(data)[0] / photo.shape[1]
    found = _find(photo)
    return _sheet(found, larger) if found else NewSheet(why_nothing(photo))


def _find(photo: Picture) -> _Found | None:
    """The sheet as it is seen best, each next look only where those before were not enough.

    Where a sheet was seen every pixel is looked at around it alone, and around what more of it was
    seen so, as long as it goes on.
    """
    found = _seen_best(photo, None, None, is_fine=False)
    if found and not _is_sparse(found):
        return found
    while True:
        within = _around(photo, found) if found else None
        better = _seen_best(photo, within, found, is_fine=True)
        if not better or better is found or not (within and go_on(*better)):
            return better
        found = better


def _seen_best(
    photo: Picture, within: Part | None, found: _Found | None, *, is_fine: bool
) -> _Found | None:
    """What is seen of a sheet in a part of a photo, or was ``found`` before if that is more.

    Between black fields lines are hardly brighter than they are: they are seen with more contrast.
    """
    for is_stronger in (False, True):
        quads = find_quads(photo, within, is_fine=is_fine, is_stronger=is_stronger)
        seen = [one for one in (found, _look(photo, quads)) if one]
        found = max(seen, key=_how_well, default=None)
        is_enough = found and not _is_sparse(found)
        if is_enough or is_stronger or len(quads.middles) >= _ENOUGH_SEEN:
            break
        if not has_dark_parts(photo):
            break
    return found


def _around(photo: Picture, found: _Found) -> Part:
    """The part of a photo in which all of a sheet lies of which some was found."""
    corners = found.flat.corners(found.flat.places)
    low, high = corners.min((0, 1)), corners.max((0, 1))
    field = np.ptp(corners, axis=1).max(0)
    more = np.maximum(_MORE_FIELDS * field, _MORE * (high - low))
    left, top = np.maximum(0, low - more).astype(int).tolist()
    right, bottom = np.minimum(photo.shape[1::-1], high + more).astype(int).tolist()
    return left, top, right, bottom


class _Found(NamedTuple):
    """A sheet laid flat and turned upright, what stands in each of its fields, and what is known of
    places on it."""

    flat: Flat
    numbers: list[Number]
    known: Known


def _look(photo: Picture, quads: Quads) -> _Found | None:
    """The sheet that some of these patches are fields of."""
    flat = _find_sheet(photo, quads)
    return _read(flat) if flat else None


def _is_sparse(found: _Found) -> bool:
    """Whether so few of its fields were seen at once that whole rows may be missing, too, or more
    of them go on beside it."""
    fields = len(found.flat.places)
    clear, seen = _how_well(found)
    is_few = seen < _LEAST_SEEN * fields and clear < _LEAST_CLEAR * fields
    return is_few or go_on(*found)


def _how_well(found: _Found) -> tuple[int, int]:
    """How many digits were read clearly, and how many fields were seen."""
    return sum(one.sure >= CLEAR for one in found.numbers), found.flat.seen


def _find_sheet(photo: Picture, quads: Quads) -> Flat | None:
    """The sheet laid flat and turned upright, if some of these patches are its fields."""
    best: tuple[float, Flat] | None = None
    lattices = find_lattices(quads)
    tried = 0
    while lattices and tried < MOST_TRIED and not (best and best[0] > len(lattices[0].at)):
        lattice = lattices.pop(0)
        share = 0.0
        if seem_to_have_digits(photo, lattice):
            tried += 1
            wider = grown(quads, lattice)
            flat, share = upright(lay_flat(photo, wider))
            if share < _MOST_DIGITS and len(wider.at) > len(lattice.at):
                # A table's tiles may be just as large, and go on where the sheet ends.
                alone, its_share = upright(lay_flat(photo, lattice))
                more = len(flat.places) - len(alone.places)
                if share * len(flat.places) - its_share * len(alone.places) < _LEAST_DIGITS * more:
                    flat, share = alone, its_share
        if share < _LEAST_DIGITS:
            lattices.sort(key=lattice.is_like)
        elif best is None or share * len(flat.places) > best[0]:
            best = share * len(flat.places), flat
    return best and best[1]


def read_flat(flat: Flat, larger: float = 1.0) -> NewSheet:
    """Look at a sheet that was laid flat and turned upright.

    Args:
        larger: how much larger the photo was before it was opened.
    """
    return _sheet(_read(flat), larger)


def _read(flat: Flat) -> _Found:
    """The numbers of a sheet, and fields that are told by theirs."""
    known: Known = {}
    numbers = read_numbers(flat, known)
    if more := find_unframed(flat, numbers, known):
        flat = replace(flat, places=[*flat.places, *more])
        numbers = read_numbers(flat, known)
    return _Found(flat, numbers, known)


def _sheet(found: _Found, larger: float) -> NewSheet:
    """All of it, with the groups of fields that look alike; ``larger`` as of `read_flat`."""
    flat, numbers, _known = found
    columns, shifts = _columns(flat.places)
    top = min(y for _x, y in flat.places)
    rows = [round(y - top) for _x, y in flat.places]
    if max(*columns, *rows) >= MOST_ROWS:
        return NewSheet("no-sheet")
    order = sorted(range(len(rows)), key=lambda i: (rows[i], columns[i]))
    crops = even_light([flat.crop(place) for place in flat.places], flat.inner)
    masks = digit_masks(crops, numbers, flat.inner)
    for number, mask in zip(numbers, masks, strict=True):
        if number.blob and mask is None:
            # A symbol alone in its field may look like a digit; it mostly has another ink.
            number.sure = min(number.sure, CLEAR)
    groups = group_fields(crops, numbers, masks, flat.inner, flat.places)
    group_of = {
        i: (number, typical)
        for number, group in enumerate(groups)
        for typical, i in enumerate(group)
    }
    corners = flat.corners(flat.places) * larger
    fields = [
        NewField(
            f"{chr(ord('a') + columns[i])}{rows[i] + 1}",
            numbers[i].digit,
            numbers[i].sure,
            corners[i],
            *group_of[i],
        )
        for i in order
    ]
    return NewSheet(None, fields, shifts, flat, [flat.places[i] for i in order])


def _columns(places: Sequence[Place]) -> tuple[list[int], list[float]]:
    """Which column each field is in, and how far to the right its row is shifted.

    Rows that are shifted alike keep their columns below each other; which of them count as shifted
    is said so that there are as few columns as can be.
    """
    parts = Counter(x % 1 for x, _y in places)
    ways = []
    for base in parts:
        columns = [floor(x - base + 0.01) for x, _y in places]
        shift = {y: (x - base) % 1 for x, y in places}
        ways.append((max(columns) - min(columns), sum(shift.values()), columns, shift))
    _wide, _sum, columns, shift = min(ways, key=lambda way: way[:2])
    first = min(columns)
    top, bottom = (round(one(shift)) for one in (min, max))
    rows = {round(y): by for y, by in shift.items()}
    return [column - first for column in columns], [
        rows.get(y, 0.0) for y in range(top, bottom + 1)
    ]


def new_document(
    photo: str, sheet: NewSheet, seconds: float, page: int | None = None
) -> dict[str, Any]:
    """A ``dizzle-new/1`` document; ``page`` is the number of the page in a longer file."""
    digits = {one.name: str(one.digit) if one.digit else UNREAD for one in sheet.fields}
    places = [(ord(name[0]) - ord("a"), int(name[1:]) - 1) for name in digits]
    wide, high = (max((place[i] + 1 for place in places), default=0) for i in (0, 1))
    groups: dict[int, list[str]] = {}
    for one in sheet.fields:
        groups.setdefault(one.group, []).append(one.name)
    return {
        "format": FORMAT,
        "photo": photo,
        "page": page,
        "refused": sheet.refused,
        "seconds": round(seconds, 3),
        "grid": [
            [digits.get(f"{chr(ord('a') + x)}{y + 1}", HOLE) for x in range(wide)]
            for y in range(high)
        ],
        "sure": {one.name: floor(1000 * one.sure) / 1000 for one in sheet.fields},
        "groups": [groups[number] for number in sorted(groups)],
        "corners": {one.name: np.round(one.corners, 1).tolist() for one in sheet.fields},
    }
