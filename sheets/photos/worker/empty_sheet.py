"""Reading of photos of empty sheets; runs in the process pool."""

from __future__ import annotations

from typing import Final

import cv2
import msgspec
import numpy as np

from sheets.photos.worker.messages import Corners, EmptySheetResult, GridCorners, pack
from sheets.rules import Level
from sheets.rules.level import parse_field
from sheets.vision.decoding import unreadable_type
from sheets.vision.opencv_errors import memory_errors
from sheets.vision.pads.areas_and_arrows import find_areas, find_end_numbers
from sheets.vision.pads.empty_sheet_reading import (
    EmptySheetReading,
    read_empty_sheet,
    read_empty_sheet_at_corners,
    read_rectified,
)
from sheets.vision.pads.rectification import FIELD_MM, FIELD_PX, RectifiedGrid
from sheets.vision.pads.template import Template, align, grid_positions, make_template
from sheets.vision.pages import open_page
from sheets.vision.reading import MIN_CONFIDENCE
from sheets.vision.rectification import WarpModel
from sheets.vision.refusals import Refused
from sheets.workshop.photo_result import EmptySheetContent

_MIN_CLEAR_SHARE: Final = 0.55
"""Share of fields with a clear digit from which a sheet counts as upright.

In other orientations hardly any field has a clear digit. Below this share the user is asked to
choose the orientation.
"""

_MIN_MATCH_SHARE: Final = 0.7
"""Share of fields with the number of the level from which a sheet counts as a sheet of the level.

It is below 1 because some digits are misread.
"""


@memory_errors()
def read_empty_photo(data: bytes, grid: GridCorners | None = None) -> bytes:
    """Read a photo of an empty sheet and return a packed `EmptySheetResult`.

    Args:
        data: the photo.
        grid: what the user said about a sheet that was not found, or only in part.
    """
    sheet = _read_first(data, grid)
    if sheet.refused:
        return pack(EmptySheetResult(unreadable_type(data) or sheet.refused))
    return _pack_sheet(sheet)


def _read_first(data: bytes, grid: GridCorners | None) -> EmptySheetReading:
    """Read a photo, or the first page of a document."""
    try:
        photo = open_page(data, 0).photo
        if grid:
            return read_empty_sheet_at_corners(photo, grid.corners, grid.columns, grid.rows)
        return read_empty_sheet(photo)
    except Refused as refused:
        return EmptySheetReading(refused.name)


@memory_errors()
def read_empty_photo_of(data: bytes, level: Level, corners: Corners | None = None) -> bytes:
    """Read a photo of the empty sheet of a level and return a packed `EmptySheetResult`.

    The digits decide the orientation, and whether it is a sheet of this level.

    Args:
        data: the photo.
        level: the level whose sheet it should be.
        corners: outer corners of the grid of fields, if the user placed them.
    """
    grid = None
    if corners is not None:
        positions = np.array(list(grid_positions(level).values()))
        columns, rows = np.rint(np.ptp(positions, axis=0) + 1).astype(int).tolist()
        grid = GridCorners(corners, columns, rows)
    sheet = _read_first(data, grid)
    if sheet.refused or sheet.rectified is None:
        return pack(EmptySheetResult(unreadable_type(data) or sheet.refused or "no-sheet"))
    for quarter in range(4):
        if quarter:
            sheet = read_rectified(sheet.rectified.turned())
        if not sheet.refused and _is_of(sheet, level):
            return _pack_sheet(sheet)
    return pack(EmptySheetResult("other-sheet"))


def _is_of(sheet: EmptySheetReading, level: Level) -> bool:
    aligned = align(make_template(sheet), level)
    if aligned is None:
        return False
    positions = grid_positions(level)
    numbered = [one for one in level.fields if one.number]
    same = sum(aligned.digits.get(positions[one.name]) == one.number for one in numbered)
    return same >= _MIN_MATCH_SHARE * len(numbered)


@memory_errors()
def turn_empty(picture: bytes, layout: bytes) -> bytes:
    """Turn a stored empty sheet by a quarter counter-clockwise and read it again.

    If its columns would then be shifted, it is turned by another quarter: only rows can be shifted.

    Args:
        picture: picture of the sheet's `Template`.
        layout: layout of the template as JSON.

    Returns:
        A packed `EmptySheetResult`.
    """
    kept = Template.from_parts(picture, msgspec.json.decode(layout))
    rectified = _flat(kept).turned()
    if len({y % 1 for _x, y in rectified.positions}) > 1:
        rectified = rectified.turned()
    return _pack_sheet(read_rectified(rectified))


def _flat(kept: Template) -> RectifiedGrid:
    """Restore the rectified sheet from a template, scaled to `FIELD_PX` per field.

    It has no mapping to the photo, which was not stored.
    """
    scale = FIELD_PX / kept.field_px
    size = [round(side * scale) for side in kept.picture.shape[1::-1]]
    picture = kept.picture if scale == 1 else cv2.resize(kept.picture, size)
    left, top = kept.first
    origin = (-left / kept.field_px, -top / kept.field_px)
    box = (0.0, 0.0, size[0] / FIELD_PX * FIELD_MM, size[1] / FIELD_PX * FIELD_MM)
    positions = sorted(kept.digits, key=lambda place: (place[1], place[0]))
    warp = WarpModel(box)
    return RectifiedGrid(np.asarray(picture), positions, origin, kept.inner, np.eye(3), warp)


def _find_areas_and_arrows(sheet: EmptySheetReading) -> tuple[list[list[str]], dict[str, int]]:
    """Find possible areas and points of arrows.

    An area is the names of its fields. The points are by the name of the row or column.
    """
    if sheet.rectified is None:
        return [], {}
    names = [one.name for one in sheet.fields]
    areas = [[names[i] for i in area] for area in find_areas(sheet.rectified, sheet.positions)]
    rows, columns = find_end_numbers(sheet.rectified, sheet.positions)
    arrows = {names[i][1:]: digit for i, digit in rows.items()}
    return areas, arrows | {names[i][0]: digit for i, digit in columns.items()}


def _pack_sheet(sheet: EmptySheetReading) -> bytes:
    """Pack the `EmptySheetResult` of a reading: template and content, or why it was not read."""
    if sheet.refused:
        return pack(EmptySheetResult(sheet.refused))
    picture, layout = make_template(sheet).to_parts()
    groups: dict[int, list[str]] = {}
    for one in sorted(sheet.fields, key=lambda field: field.typical):
        groups.setdefault(one.group, []).append(one.name)
    areas, arrows = _find_areas_and_arrows(sheet)
    clear = [one for one in sheet.fields if one.digit and one.confidence >= MIN_CONFIDENCE]
    columns, rows = zip(*(parse_field(one.name) for one in sheet.fields), strict=True)
    seen = EmptySheetContent(
        columns=1 + max(columns),
        rows=1 + max(rows),
        digits={one.name: one.digit or 0 for one in sheet.fields},
        asked=[
            one.name for one in sheet.fields if not one.digit or one.confidence < MIN_CONFIDENCE
        ],
        shifts=[float(by) for by in sheet.shifts],
        groups=sorted(groups.values(), key=len, reverse=True),
        areas=areas,
        arrows=arrows,
        is_upright=len(clear) >= _MIN_CLEAR_SHARE * len(sheet.fields),
    )
    return pack(
        EmptySheetResult(
            "",
            picture,
            msgspec.json.encode(layout),
            msgspec.json.encode(seen),
            tuple(sheet.outline),
        )
    )
