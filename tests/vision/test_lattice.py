"""Tests of quadrilateral detection and lattice fitting: curled paper, broken lines, tables,
crosses."""

from __future__ import annotations

import io
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from sheets.vision.pads import empty_sheet_reading
from sheets.vision.pads.empty_sheet_reading import read_empty_sheet
from sheets.vision.pads.lattice import Lattice, find_lattices, grow_lattice
from sheets.vision.pads.lattice_growth import extrapolate
from sheets.vision.pads.quadrilaterals import Points, Quads, Region, find_quads
from sheets.vision.pads.rectification import FIELD_MM
from sheets.vision.pixels import Picture
from sheets.vision.rectification import WarpModel
from tests.vision.drawn_boxes import PITCH, Box, digit_at, draw_boxes
from tests.vision.empty_sheet_shots import FONTS

SIDE = 60
TURNED = cv2.Rodrigues(np.array([0.0, 0.0, -np.deg2rad(30)]))[0][:2, :2]
"""Rotation of a sheet by 30 degrees."""


def quads_at(positions: Points, centres: Points) -> Quads:
    """Return quadrilaterals with sides of 90 % of the pitch."""
    sides = np.broadcast_to(np.eye(2) * SIDE * 0.9, (len(positions), 2, 2))
    return Quads(centres, np.array(sides))


def test_fields_of_a_curled_corner_are_found() -> None:
    positions = np.array([(x, y) for y in range(14) for x in range(10)], float)
    far = np.maximum(positions.sum(1) - 14, 0)
    centres = positions * SIDE + 200 - 0.6 * np.stack([far, far], 1) ** 2
    quads = quads_at(positions, centres)
    lattice = grow_lattice(quads, find_lattices(quads)[0])
    assert len(lattice.at) == len(positions)
    moved = lattice.at - lattice.at.min(0)
    order = [int(np.hypot(*(centres - centre).T).argmin()) for centre in lattice.centres]
    ways = [(moved[:, 0], moved[:, 1]), (moved[:, 1], moved[:, 0].max() - moved[:, 0])]
    assert any((np.stack(way, 1) == positions[order]).all() for way in ways)


@pytest.mark.slow
def test_more_quads_than_a_batch_are_one_lattice() -> None:
    positions = np.array([(x, y) for y in range(22) for x in range(22)], float)
    quads = quads_at(positions, positions * SIDE + 200)
    assert [len(one.at) for one in find_lattices(quads)] == [len(positions)]


def lay_sheet(centre: float) -> Points:
    """Return the centres of 4 × 3 fields, rotated by `TURNED`."""
    few = np.array([(x, y) for y in range(4) for x in range(3)], float)
    return np.asarray((few - (1, 1)) @ TURNED * SIDE + centre)


def find_among_tiles(sheet: Points, tiles: Points) -> list[Lattice]:
    """Return the lattices of tiles and of a sheet from `lay_sheet` among them."""
    turned = Quads(sheet, quads_at(sheet, sheet).sides @ TURNED)
    both = zip(quads_at(tiles, tiles), turned, strict=True)
    return find_lattices(Quads(*(np.concatenate(pair) for pair in both)))


def has(lattices: list[Lattice], sheet: Points) -> bool:
    """Whether one of the lattices contains the whole sheet."""
    found = [set(map(tuple, one.centres.tolist())) for one in lattices]
    return any(set(map(tuple, sheet.tolist())) <= one for one in found)


@pytest.mark.slow
def test_a_sheet_with_a_field_on_the_tiling_is_found() -> None:
    sheet = lay_sheet(12 * SIDE)
    tiles = np.array([(x, y) for y in range(24) for x in range(24)], float) * SIDE
    tiles = tiles[np.abs(tiles - 12 * SIDE).max(1) > 1.5 * SIDE]
    found = find_among_tiles(sheet, tiles)
    assert len(found[0].at) > 500
    assert has(found, sheet)


@pytest.mark.slow
def test_a_sheet_with_gaps_is_found_among_tiles_of_equal_size_and_orientation() -> None:
    tiles = np.array([(x, y) for y in range(24) for x in range(24)], float)
    tiles = tiles[np.abs(tiles - (13, 12)).max(1) > 4]
    few = np.array([(x, y) for y in range(5) for x in range(5)], float) * 1.3 + (10, 10)
    quads = quads_at(np.zeros((len(tiles) + len(few), 2)), np.concatenate([tiles, few]) * SIDE)
    found = find_lattices(quads)
    assert tuple(few[0] * SIDE) in set(map(tuple, found[0].centres.tolist()))
    assert has(found, few * SIDE)


@pytest.mark.slow
def test_a_sheet_is_found_among_many_larger_pieces_of_a_chequered_cloth() -> None:
    pieces = [(x, y) for y in range(0, 40, 8) for x in range(0, 40, 8) if (x, y) != (16, 16)]
    positions = [(x + i, y + j) for x, y in pieces for i in range(5) for j in range(5)]
    tiles = np.array(positions, float) * SIDE
    sheet = lay_sheet(18 * SIDE)
    found = find_among_tiles(sheet, tiles)
    assert sum(len(one.at) == 25 for one in found) > 8
    assert has(found, sheet)


@pytest.mark.slow
def test_a_locally_curled_corner_is_rectified() -> None:
    at = np.array([(x, y) for y in range(14) for x in range(10)], float) * FIELD_MM
    curl = np.maximum(at.sum(1) / FIELD_MM - 19, 0)[:, None] ** 2 * (0.6, 0.4)
    box = (0.0, 0.0, 9 * FIELD_MM, 13 * FIELD_MM)
    smooth, followed = WarpModel(box), WarpModel(box)
    for bend in (smooth, followed):
        bend.fit(at, curl, np.ones(len(at)), 4)
    followed.fit_residuals(at, at + curl - followed(at), FIELD_MM)
    off, rest = (np.abs(bend(at) - at - curl).max() for bend in (smooth, followed))
    assert rest < 0.1 * FIELD_MM < 0.3 * FIELD_MM < off
    far = np.array([[30.0, 30.0]]) * FIELD_MM
    assert np.allclose(followed(far), smooth(far))


@pytest.mark.slow
def test_a_separate_part_of_a_sheet_is_found_completely() -> None:
    main = [(x, y) for y in range(5) for x in range(5) if x < 2 or y > 1]
    part = [(x, y) for y in range(-7, 0) for x in (4, 5)]
    positions = np.array(main + part, float)
    quads = quads_at(positions, positions * SIDE + 600)
    assert len(grow_lattice(quads, find_lattices(quads)[0]).at) == len(positions)


@pytest.mark.slow
def test_growth_stops_at_the_maximum_number_of_fields() -> None:
    positions = np.array([(x, y) for y in range(20) for x in range(20)], float)
    quads = quads_at(positions, positions * SIDE + 200)
    (every,) = find_lattices(quads)
    some = ((positions >= 8) & (positions < 13)).all(1)
    few = Lattice(positions[some], quads.centres[some], quads.sides[some], every.to_photo)
    assert len(grow_lattice(quads, few).at) == len(positions)
    more, _which = extrapolate(quads, few.at, few.centres, 100)
    assert len(few.at) + len(more) < 200


@pytest.mark.slow
def test_fields_with_dashed_lines_and_digits_at_the_border_are_found() -> None:
    paper = np.full((900, 900, 3), 235, np.uint8)
    boxes = [(x, y) for x in range(103, 800, 50) for y in range(103, 800, 50)]
    for x, y in boxes:
        cv2.rectangle(paper, (x, y), (x + 44, y + 44), (150, 150, 150), 1)
        cv2.putText(paper, "5", (x + 22, y + 34), 0, 1, (40, 40, 40), 3)
    paper[::12] = 235
    paper[:, ::12] = 235
    found = find_quads(paper).centres
    off = [np.hypot(*(found - (x + 22, y + 22)).T).min() for x, y in boxes]
    assert np.mean(np.array(off) < 4) > 0.9


@pytest.mark.slow
def test_contrast_enhancement_reveals_lines_between_black_fields() -> None:
    rng = np.random.default_rng(3)
    paper = np.full((900, 900, 3), 235.0)
    paper[100:800, 100:800] = 21
    for at in range(100, 801, 70):
        paper[at : at + 2, 100:802] = paper[100:802, at : at + 2] = 24
    photo = np.clip(paper + rng.normal(0, 0.7, paper.shape), 0, 255).astype(np.uint8)
    centres = [(x, y) for x in range(135, 800, 70) for y in range(135, 800, 70)]

    def seen(*, is_enhanced: bool) -> float:
        found = find_quads(photo, is_enhanced=is_enhanced).centres
        off = [np.hypot(*(found - centre).T).min(initial=99) for centre in centres]
        return float(np.mean(np.array(off) < 8))

    assert seen(is_enhanced=False) < 0.2
    assert seen(is_enhanced=True) > 0.8


def test_quads_of_a_region_have_the_coordinates_of_the_photo() -> None:
    paper = np.full((900, 1200, 3), 235, np.uint8)
    for x in range(103, 1100, 60):
        for y in range(103, 800, 60):
            cv2.rectangle(paper, (x, y), (x + 50, y + 50), (60, 60, 60), 2)
    every = find_quads(paper, at_full_resolution=True).centres
    left, top, right, bottom = part = (390, 270, 810, 650)
    inside = ((every > (left + 40, top + 40)) & (every < (right - 40, bottom - 40))).all(1)
    found = find_quads(paper, part, at_full_resolution=True).centres
    assert inside.sum() >= 30
    assert all(np.hypot(*(found - centre).T).min() < 1 for centre in every[inside])
    assert ((found > (left, top)) & (found < (right, bottom))).all()


@pytest.mark.slow
@pytest.mark.parametrize("is_framed", [True, False], ids=["framed", "in glaring light"])
def test_a_symbol_without_a_digit_or_visible_border_is_a_field(is_framed: bool) -> None:
    page = Image.new("RGB", (1100, 1100), (250, 250, 250))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 56)
    hole, lone = (1, 2), (2, 1)
    for x in range(9):
        for y in range(9):
            left, top = 100 + 100 * x, 100 + 100 * y
            box = (left, top, left + 100, top + 100)
            if (x, y) == hole:
                continue
            if is_framed or max(x, y) > 3:
                draw.rectangle(box, outline=(90, 90, 90), width=4)
            if (x, y) == lone:
                draw.ellipse((left + 25, top + 25, left + 75, top + 75), fill=(240, 120, 20))
            else:
                digit = str(1 + (x * 3 + y) % 6)
                draw.text((left + 50, top + 50), digit, font=font, fill=(30, 30, 30), anchor="mm")
    stream = io.BytesIO()
    page.save(stream, "PNG")
    found = {one.name: one.digit for one in read_empty_sheet(stream.getvalue()).fields}
    assert found["c2"] is None
    assert len(found) == (81 if is_framed else 80)


@pytest.mark.slow
def test_a_sheet_on_a_tiled_table_is_found() -> None:
    table = Image.new("RGB", (2000, 1500), (120, 70, 50))
    draw = ImageDraw.Draw(table)
    for left, top in ((20, 20), (20, 520), (20, 1020), (1540, 20), (1540, 520), (1540, 1020)):
        for x, y in np.ndindex(10, 10):  # pieces of tiling, each larger than the sheet
            at = (left + 44 * x, top + 44 * y)
            draw.rectangle((*at, at[0] + 38, at[1] + 38), fill=(190, 140, 110))
    paper = Image.new("RGBA", (560, 560), (250, 250, 250))
    draw = ImageDraw.Draw(paper)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 40)
    for x, y in np.ndindex(7, 7):
        left, top = 35 + 70 * x, 35 + 70 * y
        draw.rectangle((left, top, left + 70, top + 70), outline=(90, 90, 90), width=4)
        digit = str(1 + (x * 3 + y) % 6)
        draw.text((left + 35, top + 35), digit, font=font, fill=(30, 30, 30), anchor="mm")
    paper = paper.rotate(17, Image.Resampling.BICUBIC, expand=True)
    table.paste(paper, (650, 330), paper)
    stream = io.BytesIO()
    table.save(stream, "PNG")
    found = read_empty_sheet(stream.getvalue())
    assert found.refused is None
    assert len(found.fields) == 49


def test_collinear_quads_are_no_sheet() -> None:
    """They were detected between the crosses of a filled sheet and in the grain of a table."""
    seen = np.array([
        (874, 1406, -77.7, 0.0, -1.1, -76.6), (1178, 1102, -77.0, 0.0, 0.0, -77.0),
        (1102, 1178, -77.0, 0.0, 0.0, -77.0), (1330, 950, -76.7, 0.0, 0.0, -76.7),
        (1172, 1179, -59.7, 0.0, 10.1, -74.3), (874, 1476, -75.3, 15.7, -1.1, -58.5),
        (1248, 1102, -58.5, -1.1, 11.2, -75.3), (944, 1406, -57.7, -1.1, 12.4, -75.7),
        (1330, 1021, -72.4, 13.4, -1.1, -60.2), (1861, 1238, -76.0, -24.6, 0.0, -33.5),
        (1792, 1166, -61.2, -19.3, -2.3, -39.7), (1644, 1017, -46.6, -10.8, -14.1, -49.9),
        (1720, 1092, -49.2, -12.0, -12.0, -47.0),
    ])  # fmt: skip
    quads = Quads(seen[:, :2], seen[:, 2:].reshape(-1, 2, 2))
    assert all(np.linalg.matrix_rank(one.to_photo) == 3 for one in find_lattices(quads))


@pytest.mark.slow
def test_fields_between_hairlines_are_found_in_a_large_photo() -> None:
    """The lines vanish in the downscaled photo; the tint has no gaps."""
    page = draw_hairlines((4000, 3000), 9, 8, lambda _x, _y: False)
    assert find_lattices(find_quads(np.asarray(page))) == []
    found = read_empty_sheet(png(page))
    assert [one.digit for one in found.fields] == [
        1 + (x * 3 + y) % 6 for y in range(8) for x in range(9)
    ]


def draw_hairlines(
    size: tuple[int, int], columns: int, rows: int, is_framed: Callable[[int, int], bool]
) -> Image.Image:
    """Draw tinted fields with pale lines one pixel wide; some have a thick dark frame."""
    page = Image.new("RGB", size, (250, 248, 240))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 50)
    for x, y in np.ndindex(columns, rows):
        left, top = 800 + 90 * x, 700 + 90 * y
        line, width = ((90, 90, 90), 5) if is_framed(x, y) else ((196, 192, 184), 1)
        draw.rounded_rectangle((left, top, left + 90, top + 90), 12, (226, 222, 212), line, width)
        digit = str(1 + (x * 3 + y) % 6)
        draw.text((left + 45, top + 45), digit, font=font, fill=(30, 30, 30), anchor="mm")
    return page


def png(page: Image.Image) -> bytes:
    stream = io.BytesIO()
    page.save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.slow
def test_fields_between_hairlines_around_framed_ones_are_found() -> None:
    """Few fields are detected in the downscaled photo, so the full resolution is searched."""
    page = draw_hairlines(
        (4000, 3000), 11, 9, lambda x, y: 2 <= x < 9 and 1 <= y < 8 and (x == 5 or y == 4)
    )
    assert len(read_empty_sheet(png(page)).fields) == 99


@pytest.mark.slow
def test_clear_digits_make_further_detection_stages_unnecessary(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next stage would take longer than all others."""
    page = draw_hairlines((2400, 2000), 11, 9, lambda x, y: x % 3 == 2 or y % 3 == 1)
    searches: list[dict[str, bool]] = []

    def search(photo: Picture, within: Region | None = None, **how: bool) -> Quads:
        searches.append(how)
        return find_quads(photo, within, **how)

    monkeypatch.setattr(empty_sheet_reading, "find_quads", search)
    assert len(read_empty_sheet(png(page)).fields) == 99
    assert searches == [{}]


@pytest.mark.slow
def test_fields_between_bright_gaps_are_found() -> None:
    """The fields have one pale tint; the gaps show brighter paper, in a small photo."""
    page = Image.new("RGB", (1100, 1000), (226, 218, 200))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 26)
    for x, y in np.ndindex(9, 8):
        left, top = 300 + 50 * x, 280 + 50 * y
        draw.rounded_rectangle((left + 2, top + 2, left + 47, top + 47), 5, (205, 196, 180))
        digit = str(1 + (x * 3 + y) % 6)
        draw.text((left + 25, top + 25), digit, font=font, fill=(40, 35, 30), anchor="mm")
    soft = cv2.GaussianBlur(np.asarray(page), (0, 0), 1.0)
    assert len(read_empty_sheet(png(Image.fromarray(soft))).fields) == 72


@pytest.mark.slow
def test_black_fields_between_hardly_brighter_lines_are_found() -> None:
    rng = np.random.default_rng(4)
    page = Image.new("RGB", (1100, 1000), (205, 205, 205))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 40)
    for x, y in np.ndindex(8, 6):
        left, top = 220 + 80 * x, 240 + 80 * y
        draw.rectangle((left, top, left + 80, top + 80), (52, 52, 52), (60, 60, 60), 2)
        digit = str(1 + (x * 3 + y) % 6)
        draw.text((left + 40, top + 40), digit, font=font, fill=(190, 190, 190), anchor="mm")
    grainy = cv2.GaussianBlur(np.asarray(page), (0, 0), 0.8) + rng.normal(0, 1.5, (1000, 1100, 1))
    photo = Image.fromarray(np.clip(grainy, 0, 255).astype(np.uint8))
    assert [one.digit for one in read_empty_sheet(png(photo)).fields] == [
        1 + (x * 3 + y) % 6 for y in range(6) for x in range(8)
    ]


@pytest.mark.slow
def test_black_fields_without_lines_at_the_edge_are_found() -> None:
    bare, holes = {(0, 2), (5, 0)}, {(2, 2), (5, 4)}

    def draw_box(box: Box) -> None:
        if (box.x, box.y) in holes:
            return
        box.bar(0, 0, PITCH, PITCH, ink=(36, 36, 36))
        if (box.x, box.y) in bare:
            box.disc(15, 15, 85, 85, ink=(48, 30, 60))
            return
        box.write(ink=(230, 230, 230))
        if min(abs(box.x - x) + abs(box.y - y) for x, y in bare) > 1:
            box.frame(ink=(110, 110, 110))

    found = {one.name: one.digit for one in read_empty_sheet(draw_boxes(6, 6, draw_box)).fields}
    digits = {f"{'abcdef'[x]}{y + 1}": None if (x, y) in bare else digit_at(x, y)
              for x, y in np.ndindex(6, 6) if (x, y) not in {(5, 4)}}  # fmt: skip
    digits["c3"] = None  # a hole that fields close in looks like one
    assert found == digits


def test_paper_grain_is_no_border() -> None:
    rng = np.random.default_rng(5)
    page = Image.new("RGB", (1100, 1000), (205, 205, 205))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONTS["Nunito"][0]), 40)
    for x, y in np.ndindex(6, 5):
        left, top = 250 + 80 * x, 280 + 80 * y
        draw.rectangle((left, top, left + 80, top + 80), None, (165, 165, 165), 2)
        digit = str(1 + (x * 3 + y) % 6)
        draw.text((left + 40, top + 40), digit, font=font, fill=(40, 35, 30), anchor="mm")
    grainy = np.clip(np.asarray(page) + rng.normal(0, 10, (1000, 1100, 1)), 0, 255)
    assert len(read_empty_sheet(png(Image.fromarray(grainy.astype(np.uint8)))).fields) == 30
