"""What is seen on a photo of an empty sheet? Run in the process that reads photos."""

from __future__ import annotations

from typing import Final

import cv2
import msgspec
import numpy as np

from sheets.photos.seen import SeenEmpty, pack
from sheets.rules import Level
from sheets.scanning.memory import memory_errors
from sheets.scanning.pages import open_page
from sheets.scanning.photos import unreadable_type
from sheets.scanning.reading import SURE
from sheets.scanning.refusals import Refused
from sheets.scanning.straighten import Bend
from sheets.scanning.unknown.around import find_areas, find_ends
from sheets.scanning.unknown.flat import FIELD_MM, FIELD_PX, Flat
from sheets.scanning.unknown.reading import NewSheet, read_flat, read_new
from sheets.scanning.unknown.template import Template, align, make_template, places_of
from sheets.workshop.seen import Seen

_LEAST_CLEAR: Final = 0.55
"""The share of fields with a clear digit above which nobody is asked which way is up: the other
ways round hardly any digit is one."""

_LEAST_SAME: Final = 0.7
"""The share of numbered fields with the level's own digit: some are read wrongly."""


@memory_errors()
def look_at_empty(data: bytes) -> bytes:
    """Read a photo of an empty sheet and pack what is to be kept of it."""
    sheet = _read_first(data)
    if sheet.refused:
        return pack(SeenEmpty(unreadable_type(data) or sheet.refused))
    return _packed(sheet)


def _read_first(data: bytes) -> NewSheet:
    """Read a photo, or the first page of a document."""
    try:
        return read_new(open_page(data, 0).photo)
    except Refused as refused:
        return NewSheet(refused.name)


@memory_errors()
def look_at_empty_of(data: bytes, level: Level) -> bytes:
    """Read a photo of the empty sheet of a level that was entered already.

    The digits say which way is up, and whether it is that sheet at all.
    """
    sheet = _read_first(data)
    if sheet.refused or sheet.flat is None:
        return pack(SeenEmpty(unreadable_type(data) or sheet.refused or "no-sheet"))
    for _quarter in range(4):
        if not sheet.refused and _is_of(sheet, level):
            return _packed(sheet)
        sheet = read_flat(sheet.flat.turned())
    return pack(SeenEmpty("other-sheet"))


def _is_of(sheet: NewSheet, level: Level) -> bool:
    aligned = align(make_template(sheet), level)
    if aligned is None:
        return False
    places = places_of(level)
    numbered = [one for one in level.fields if one.number]
    same = sum(aligned.digits.get(places[one.name]) == one.number for one in numbered)
    return same >= _LEAST_SAME * len(numbered)


@memory_errors()
def turn_empty(picture: bytes, layout: bytes) -> bytes:
    """Read a sheet that is kept once more, turned by a quarter against the clock.

    By half where rows are shifted: columns never are.

    Args:
        picture: with ``layout`` (JSON) the parts of a `Template`.
    """
    kept = Template.from_parts(picture, msgspec.json.decode(layout))
    flat = _flat(kept).turned()
    if len({y % 1 for _x, y in flat.places}) > 1:
        flat = flat.turned()
    return _packed(read_flat(flat))


def _flat(kept: Template) -> Flat:
    """The sheet as it was laid flat, at `FIELD_PX`; nothing leads back to the photo."""
    scale = FIELD_PX / kept.field_px
    size = [round(side * scale) for side in kept.picture.shape[1::-1]]
    picture = kept.picture if scale == 1 else cv2.resize(kept.picture, size)
    origin = tuple(-at / kept.field_px for at in kept.first)
    box = (0.0, 0.0, size[0] / FIELD_PX * FIELD_MM, size[1] / FIELD_PX * FIELD_MM)
    places = sorted(kept.digits, key=lambda place: (place[1], place[0]))
    return Flat(np.asarray(picture), places, origin, kept.inner, np.eye(3), Bend(box))  # type: ignore[arg-type]


def _around(sheet: NewSheet) -> tuple[list[list[str]], dict[str, int]]:
    """What may be areas, and what the arrows of rows and columns may pay."""
    if sheet.flat is None:
        return [], {}
    names = [one.name for one in sheet.fields]
    areas = [[names[i] for i in area] for area in find_areas(sheet.flat, sheet.places)]
    rows, columns = find_ends(sheet.flat, sheet.places)
    arrows = {names[i][1:]: digit for i, digit in rows.items()}
    return areas, arrows | {names[i][0]: digit for i, digit in columns.items()}


def _packed(sheet: NewSheet) -> bytes:
    """A sheet as the pages know it."""
    if sheet.refused:
        return pack(SeenEmpty(sheet.refused))
    picture, layout = make_template(sheet).to_parts()
    groups: dict[int, list[str]] = {}
    for one in sorted(sheet.fields, key=lambda field: field.typical):
        groups.setdefault(one.group, []).append(one.name)
    areas, arrows = _around(sheet)
    clear = [one for one in sheet.fields if one.digit and one.sure >= SURE]
    seen = Seen(
        columns=1 + max(ord(one.name[0]) - ord("a") for one in sheet.fields),
        rows=max(int(one.name[1:]) for one in sheet.fields),
        digits={one.name: one.digit or 0 for one in sheet.fields},
        asked=[one.name for one in sheet.fields if not one.digit or one.sure < SURE],
        shifts=[float(by) for by in sheet.shifts],
        groups=sorted(groups.values(), key=len, reverse=True),
        areas=areas,
        arrows=arrows,
        is_upright=len(clear) >= _LEAST_CLEAR * len(sheet.fields),
    )
    return pack(SeenEmpty("", picture, msgspec.json.encode(layout), msgspec.json.encode(seen)))
