"""Geometry document of printed pages: fields, markers and places to write, in millimetres.

The places to write come from the drawn sheets, so nothing computes them a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import override

from sheets.artwork.layout import Box
from sheets.geometry import (
    Frame,
    Leaf,
    PageOptions,
    arrange,
    frame,
    marker_id,
    page_size,
    sheets_per_page,
)
from sheets.printing.sheet import draw_sheet
from sheets.render.items import Figure, Part, Room
from sheets.rules.level import Level

DECIMALS: Final = 3
"""Number of decimals of millimetres in the document."""


def format_geometry(levels: Sequence[Level], options: PageOptions) -> dict[str, Any]:
    """Return the document of the command ``geometry``.

    A sheet has its fields, the corners of its markers, and the places to write: numbers to circle,
    points, and the player's name. Boxes are x, y, width and height in millimetres of the page.
    """
    per_page = sheets_per_page(levels, options)
    width, height = page_size(options, per_page)
    frames = [frame(level, options, per_page) for level in levels]
    with override(options.lang):
        drawn = [draw_sheet(*both, address="") for both in zip(levels, frames, strict=True)]
    rooms = [find_rooms(parts) for parts in drawn]
    return {
        "page": {"width_mm": width, "height_mm": height},
        "sheets": [
            {
                "page": number,
                "level": levels[leaf.level].id,
                **_fields_on_page(frames[leaf.level], leaf),
                **_rooms_on_page(rooms[leaf.level], leaf.x_mm),
            }
            for number, page in enumerate(arrange(levels, options), start=1)
            for leaf in page.leaves
        ],
    }


def find_rooms(parts: Sequence[Part]) -> list[Room]:
    """Return the places to write on a sheet, in the order of drawing."""
    figures = (item for part in parts for item in part.items if isinstance(item, Figure))
    return [figure.room for figure in figures if figure.room]


def _fields_on_page(shape: Frame, leaf: Leaf) -> dict[str, Any]:
    return {
        "fields": {name: _box(box, leaf.x_mm) for name, box in shape.fields.items()},
        "markers": [
            {"id": marker_id(leaf.place, corner), "corners": _corners(box, leaf.x_mm)}
            for corner, box in enumerate(shape.markers)
        ],
    }


def _rooms_on_page(rooms: Sequence[Room], x_mm: float) -> dict[str, Any]:
    numbers: dict[str, dict[str, Any]] = {}
    scores: dict[str, list[float]] = {}
    name: list[float] = []
    for what, box in rooms:
        place = _box(box, x_mm)
        match what:
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
