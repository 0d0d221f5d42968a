"""Detection of markers, codes and fields on rendered pages, compared with `geometry`."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.printing.geometry import (
    PageOptions,
    arrange_pages,
    layout_hash,
    make_frame,
    sheets_per_page,
)
from sheets.printing.geometry_document import format_geometry
from sheets.printing.machine_codes import DICT_4X4_50
from tests.printing.printed import print_pdf, render

TOLERANCE_MM = 0.2
"""Maximum distance of a marker or border from its place."""

DPI = 400
"""Resolution of the rendered pages."""

PAGES = {
    "a4, two sheets": {},
    "a4, one sheet, black and white": {"per_page": 1, "bw": True},
    "a4, large": {"large": True},
    "a5": {"paper": "a5"},
    "letter, two sheets": {"paper": "letter", "per_page": 2},
}


def detector() -> cv2.aruco.ArucoDetector:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(dictionary, parameters)


def test_our_patterns_are_those_of_the_dictionary() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for id, pattern in enumerate(DICT_4X4_50):
        bits = cv2.aruco.Dictionary.getBitsFromByteList(dictionary.bytesList[id : id + 1], 4)
        assert pattern == " ".join("".join(map(str, row)) for row in bits.astype(int))


@pytest.mark.parametrize("kind", PAGES)
def test_markers_and_fields_lie_where_geometry_says(kind: str) -> None:
    levels = list(shipped_levels().values())[2:4]
    options = PageOptions(**PAGES[kind])
    geometry = format_geometry(levels, options)
    pdf = print_pdf(levels, options)
    for number in {sheet["page"] for sheet in geometry["sheets"]}:
        picture = render(pdf, number - 1, DPI)
        height, width = picture.shape
        mm = np.array(
            [width / geometry["page"]["width_mm"], height / geometry["page"]["height_mm"]]
        )
        sheets = [sheet for sheet in geometry["sheets"] if sheet["page"] == number]
        check_markers(picture, sheets, mm)
        for sheet in sheets:
            for name, box in sheet["fields"].items():
                for side, offset in border_offsets(picture, box, mm).items():
                    assert abs(offset) <= TOLERANCE_MM, (sheet["level"], name, side, offset)


def check_markers(picture: np.ndarray, sheets: list[dict], mm: np.ndarray) -> None:
    corners, ids, _ = detector().detectMarkers(picture)
    found = {
        int(id): corner.reshape(4, 2) / mm
        for id, corner in zip(ids.flatten(), corners, strict=True)
    }
    wanted = {marker["id"]: marker["corners"] for sheet in sheets for marker in sheet["markers"]}
    assert found.keys() == wanted.keys()
    for id, points in wanted.items():
        assert np.abs(found[id] - np.array(points)).max() <= TOLERANCE_MM, id


def border_offsets(picture: np.ndarray, box: list[float], mm: np.ndarray) -> dict[str, float]:
    """Return the offset of the middle of each border's ink from its place, in mm."""
    x, y, width, height = box
    reach = 0.32
    offsets = {}
    for side, at, axis in (
        ("left", x, 1), ("right", x + width, 1), ("top", y, 0), ("bottom", y + height, 0),
    ):  # fmt: skip
        # A part between the rounded corners without tracks and badges.
        start, end = (y, y + height) if axis else (x, x + width)
        start, end = start + 0.16 * (end - start), start + 0.24 * (end - start)
        across, along = (mm[0], mm[1]) if axis else (mm[1], mm[0])
        low, high = round((at - reach) * across), round((at + reach) * across) + 1
        part = slice(round(start * along), round(end * along))
        strip = picture[part, low:high].T if axis else picture[low:high, part]
        ink = strip.max() - np.median(strip, axis=1).astype(float)
        ink[ink < 0.35 * ink.max()] = 0  # a tint is no border
        assert ink.max() > 60, (side, "no border")
        middle = (ink * (np.arange(low, high) + 0.5)).sum() / ink.sum()
        offsets[side] = middle / across - at
    return offsets


@pytest.mark.parametrize("kind", PAGES)
def test_the_qr_code_has_level_sheet_and_layout(kind: str) -> None:
    levels = list(shipped_levels().values())[:2]
    options = PageOptions(**PAGES[kind])
    per_page = sheets_per_page(levels, options)
    picture = render(print_pdf(levels, options), 0, 200)
    shape = make_frame(levels[0], options, per_page)
    mm = 200 / 25.4
    first, *_more = next(arrange_pages(levels, options))
    qr = shape.qr._replace(x=first.x_mm + shape.qr.x)
    left, top, width, height = (round(value * mm) for value in qr)
    assert min(shape.qr.width, shape.qr.height) >= 18
    quiet = round(2.5 * mm)
    part = picture[top - quiet : top + height + quiet, left - quiet : left + width + quiet]
    text, *_ = cv2.QRCodeDetector().detectAndDecode(part)
    assert text == f"DIZZLE:LEVEL-1:1:{layout_hash(levels[0], shape).upper()}"


@pytest.mark.parametrize("kind", PAGES)
def test_markers_have_room_around_them(kind: str) -> None:
    options = PageOptions(**PAGES[kind])
    levels = list(shipped_levels().values())
    per_page = sheets_per_page(levels, options)
    for level in levels:
        shape = make_frame(level, options, per_page)
        width, height = shape.size
        assert len(shape.markers) == 4
        for box in shape.markers:
            assert (box.width, box.height) == (12, 12)
            assert min(box.x, box.y, width - box.x - 12, height - box.y - 12) >= 8
            for field in shape.fields.values():
                dx = max(field.x - box.x - 12, box.x - field.x - field.width, 0)
                dy = max(field.y - box.y - 12, box.y - field.y - field.height, 0)
                assert (dx**2 + dy**2) ** 0.5 >= 5 - 1e-9


@pytest.mark.parametrize("kind", PAGES)
def test_markers_have_a_white_zone(kind: str) -> None:
    levels = list(shipped_levels().values())
    options = PageOptions(**PAGES[kind])
    geometry = format_geometry(levels, options)
    pdf = print_pdf(levels, options)
    mm = DPI / 25.4
    for number in {sheet["page"] for sheet in geometry["sheets"]}:
        picture = render(pdf, number - 1, DPI)
        for sheet in geometry["sheets"]:
            for marker in sheet["markers"] if sheet["page"] == number else ():
                (left, top), _, (right, bottom), _ = marker["corners"]
                zone = picture[
                    round((top - 2) * mm) + 1 : round((bottom + 2) * mm) - 1,
                    round((left - 2) * mm) + 1 : round((right + 2) * mm) - 1,
                ].copy()
                edge = round(2 * mm) - 1
                zone[edge - 1 : 1 - edge, edge - 1 : 1 - edge] = 255
                assert zone.min() > 250, (sheet["level"], marker["id"])
