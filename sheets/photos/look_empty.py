"""Reading of photos of empty sheets, in the process that reads photos."""

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

_MIN_CLEAR_SHARE: Final = 0.55
"""Minimum share of fields with a clear digit for the sheet to count as upright. In the other
orientations hardly any field has one. Below it, the user chooses the orientation."""

_MIN_MATCH_SHARE: Final = 0.7
"""Minimum share of numbered fields whose digit is the level's: some digits are misread."""


@memory_errors()
def read_empty_photo(data: bytes) -> bytes:
    """Read a photo of an empty sheet and pack the parts to store."""
    sheet = _read_first(data)
    if sheet.refused:
        return pack(SeenEmpty(unreadable_type(data) or sheet.refused))
    return _pack_sheet(sheet)


def _read_first(data: bytes) -> NewSheet:
    """Read a photo, or the first page of a document."""
    try:
        return read_new(open_page(data, 0).photo)
    except Refused as refused:
        return NewSheet(refused.name)


@memory_errors()
def read_empty_photo_of(data: bytes, level: Level) -> bytes:
    """Read a photo of the empty sheet of an entered level and pack the parts to store.

    The digits decide the orientation, and whether it is a sheet of that level.
    """
    sheet = _read_first(data)
    if sheet.refused or sheet.flat is None:
        return pack(SeenEmpty(unreadable_type(data) or sheet.refused or "no-sheet"))
    for _quarter in range(4):
        if not sheet.refused and _is_of(sheet, level):
            return _pack_sheet(sheet)
        sheet = read_flat(sheet.flat.turned())
    return pack(SeenEmpty("other-sheet"))


def _is_of(sheet: NewSheet, level: Level) -> bool:
    aligned = align(make_template(sheet), level)
    if aligned is None:
        return False
    places = places_of(level)
    numbered = [one for one in level.fields if one.number]
    same = sum(aligned.digits.get(places[one.name]) == one.number for one in numbered)
    return same >= _MIN_MATCH_SHARE * len(numbered)


@memory_errors()
def turn_empty(picture: bytes, layout: bytes) -> bytes:
    """Turn a stored empty sheet by a quarter counter-clockwise, read it and pack the result.

    If its rows are shifted, turn it by a half: columns are never shifted.

    Args:
        picture: with ``layout`` (JSON) the parts of a `Template`.
    """
    kept = Template.from_parts(picture, msgspec.json.decode(layout))
    flat = _flat(kept).turned()
    if len({y % 1 for _x, y in flat.places}) > 1:
        flat = flat.turned()
    return _pack_sheet(read_flat(flat))


def _flat(kept: Template) -> Flat:
    """Restore the rectified sheet at `FIELD_PX`; the mapping to the photo is lost."""
    scale = FIELD_PX / kept.field_px
    size = [round(side * scale) for side in kept.picture.shape[1::-1]]
    picture = kept.picture if scale == 1 else cv2.resize(kept.picture, size)
    origin = tuple(-at / kept.field_px for at in kept.first)
    box = (0.0, 0.0, size[0] / FIELD_PX * FIELD_MM, size[1] / FIELD_PX * FIELD_MM)
    places = sorted(kept.digits, key=lambda place: (place[1], place[0]))
    return Flat(np.asarray(picture), places, origin, kept.inner, np.eye(3), Bend(box))  # type: ignore[arg-type]


def _find_areas_and_arrows(sheet: NewSheet) -> tuple[list[list[str]], dict[str, int]]:
    """Find possible areas, and possible points of the arrows of rows and columns."""
    if sheet.flat is None:
        return [], {}
    names = [one.name for one in sheet.fields]
    areas = [[names[i] for i in area] for area in find_areas(sheet.flat, sheet.places)]
    rows, columns = find_ends(sheet.flat, sheet.places)
    arrows = {names[i][1:]: digit for i, digit in rows.items()}
    return areas, arrows | {names[i][0]: digit for i, digit in columns.items()}


def _pack_sheet(sheet: NewSheet) -> bytes:
    """Pack a sheet's template and its `Seen`, or the reason why it was not read."""
    if sheet.refused:
        return pack(SeenEmpty(sheet.refused))
    picture, layout = make_template(sheet).to_parts()
    groups: dict[int, list[str]] = {}
    for one in sorted(sheet.fields, key=lambda field: field.typical):
        groups.setdefault(one.group, []).append(one.name)
    areas, arrows = _find_areas_and_arrows(sheet)
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
        is_upright=len(clear) >= _MIN_CLEAR_SHARE * len(sheet.fields),
    )
    return pack(SeenEmpty("", picture, msgspec.json.encode(layout), msgspec.json.encode(seen)))
