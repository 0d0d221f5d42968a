"""Geometry document of printed pages: fields, markers and writing areas, in millimetres.

The writing areas are taken from the drawn sheets, so that they agree with the print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import override

from sheets.art.layout import Box
from sheets.art.render.items import Part, PathItem, WritingArea
from sheets.printing.geometry import (
    Frame,
    PageOptions,
    PlacedSheet,
    arrange_pages,
    make_frame,
    marker_id,
    page_size,
    sheets_per_page,
)
from sheets.printing.sheet import draw_sheet
from sheets.rules.level import Level

DECIMALS: Final = 3
"""Number of decimals of millimetres in the document."""


def format_geometry(levels: Sequence[Level], options: PageOptions) -> dict[str, Any]:
    """Return the JSON document of the management command ``geometry``.

    A sheet has its fields, the corners of its markers, and its writing areas: numbers to circle,
    points, and the player's name. Boxes are x, y, width and height in millimetres, from the top
    left of the page.
    """
    per_page = sheets_per_page(levels, options)
    width, height = page_size(options, per_page)
    frames = [make_frame(level, options, per_page) for level in levels]
    with override(options.lang):
        drawn = [draw_sheet(*both, address="") for both in zip(levels, frames, strict=True)]
    areas = [find_writing_areas(parts) for parts in drawn]
    return {
        "page": {"width_mm": width, "height_mm": height},
        "sheets": [
            {
                "page": number,
                "level": levels[placed.level].id,
                **_fields_on_page(frames[placed.level], placed),
                **_areas_on_page(areas[placed.level], placed.x_mm),
            }
            for number, page in enumerate(arrange_pages(levels, options), start=1)
            for placed in page
        ],
    }


def find_writing_areas(parts: Sequence[Part]) -> list[WritingArea]:
    """Return the writing areas of a drawn sheet, in the order of drawing."""
    paths = (item for part in parts for item in part.items if isinstance(item, PathItem))
    return [path.area for path in paths if path.area]


def _fields_on_page(shape: Frame, placed: PlacedSheet) -> dict[str, Any]:
    return {
        "fields": {name: _box(box, placed.x_mm) for name, box in shape.fields.items()},
        "markers": [
            {"id": marker_id(placed.place, corner), "corners": _corners(box, placed.x_mm)}
            for corner, box in enumerate(shape.markers)
        ],
    }


def _areas_on_page(areas: Sequence[WritingArea], x_mm: float) -> dict[str, Any]:
    numbers: dict[str, dict[str, Any]] = {}
    scores: dict[str, list[float]] = {}
    name: list[float] = []
    for path, box in areas:
        place = _box(box, x_mm)
        match path:
            case ("numbers", track, points):
                of_track = numbers.setdefault(track, {})
                if points not in of_track:
                    of_track[points] = place
                elif isinstance(of_track[points][0], list):
                    of_track[points].append(place)
                else:
                    of_track[points] = [of_track[points], place]
            case ("scores", category):
                scores[category] = place
            case ("name",):
                name = place
    return {"numbers": numbers, "name": name, "scores": scores}


def _box(box: Box | tuple[float, float, float, float], x_mm: float) -> list[float]:
    return [_mm(box[0] + x_mm), *map(_mm, box[1:])]


def _corners(box: Box, x_mm: float) -> list[list[float]]:
    left, top, width, height = _box(box, x_mm)
    right, bottom = _mm(left + width), _mm(top + height)
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def _mm(value: float) -> float:
    return round(value, DECIMALS)
