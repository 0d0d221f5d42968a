"""Layout of a sheet: positions of fields, arrows, borders, badges, links and walls."""

from __future__ import annotations

import itertools
import json
import math
import sys
from pathlib import Path

import pytest

import sheets.levels
from sheets.art.decorations import sheet_decorations
from sheets.art.field_contents import PlacedDrawing, Text, compose
from sheets.art.glyphs import DIGIT_HEIGHT, text_width
from sheets.art.layout import ARROW_GAP, CHAIN_INSET, GAP, Box, Layout, format_amount, lay_out
from sheets.art.outlines import outline
from sheets.art.shapes import Shape, bounds, flatten, moved
from sheets.art.sheet_svg import draw_marked_sheet
from sheets.art.svg import draw_sheet
from sheets.rules.documents.level import parse_level
from sheets.rules.level import Level
from tests.art.sheets_to_draw import EVERYTHING, level
from tests.fan_levels import ISLES, TREE

SHIPPED = sorted(Path(sheets.levels.__file__).parent.glob("*.json"))
ROWS = ["1 2 3 4"] * 4
AREAS = [{"fields": ["a1", "b1", "a2"], "points": 6}, {"fields": ["c2", "d2"], "race": [8, 4]}]
COLUMNS = [{"column": column, "points": 7} for column in "abcdefg"]
DRAWN = {
    "everything": level(*EVERYTHING, lines=[{"row": 2, "points": 10}, {"column": "c", "points": 7}],
                        areas=[{"fields": ["e1", "f1", "g1"], "points": -12}]),
    "shifted": level(*ROWS, shifts=[0, 0.5, -0.25, 0.75], areas=AREAS,
                     lines=[{"row": 1, "points": 9}, {"fields": ["a3", "b4"], "points": 5}]),
    "fir": parse_level(TREE | {"lines": [*TREE["lines"], *COLUMNS]}),
    "isles": parse_level(ISLES),
    "ragged": level(". 1 2", "6 1 .", "6 . .", lines=[*COLUMNS[:3], *COLUMNS[:1] * 30,
                                                     *[{"row": 2, "points": -99}] * 11]),
    "leaning": level("1 2 3 4", "4 3 2 1", "1 2 3 .", shifts=[0, 0, 0.75], lines=COLUMNS[:4]),
    "linked": level("1 2 . 3", "4 . 5 6", links=[["b1", "d1"]], walls=[["a1", "b1"], ["a1", "a2"]]),
}  # fmt: skip


def all_sheets() -> list[object]:
    found = [pytest.param(level, id=name) for name, level in DRAWN.items()]
    for path in SHIPPED:
        shipped = parse_level(json.loads(path.read_text(encoding="utf-8")))
        found.append(pytest.param(shipped, id=shipped.id))
    return found


EACH = pytest.mark.parametrize("sheet", all_sheets())


def overlap(a: Box, b: Box) -> bool:
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return across > 1e-6 and down > 1e-6


def content_boxes(sheet: Level, layout: Layout) -> list[tuple[str, Box]]:
    """Return the boxes of all numbers and symbols on the sheet."""
    found = []
    for field in sheet.fields:
        at = layout.fields[field.name]
        for item in compose(field):
            if isinstance(item, PlacedDrawing):
                x, y, width, height = item.x, item.y, item.size, item.size
            else:
                width, height = text_width(item.text, item.size), item.size * DIGIT_HEIGHT
                x, y = item.x - width / 2, item.y - height
            unit = at.width / 100
            box = Box(at.x + x * unit, at.y + y * unit, width * unit, height * unit)
            found.append((field.name, box))
    return found


@EACH
def test_fields_lie_on_the_sheet_and_do_not_touch(sheet: Level) -> None:
    layout = lay_out(sheet)
    assert len(layout.fields) == len(sheet.fields)
    for a, b in itertools.combinations(layout.fields.values(), 2):
        assert not overlap(a._replace(width=a.width + GAP - 0.001), b)
    for box in layout.fields.values():
        assert box.x >= 0.03
        assert box.x + box.width <= layout.width - 0.03
        assert box.y + box.height <= layout.height - 0.03


@EACH
def test_arrows_touch_no_field_and_no_other_arrow(sheet: Level) -> None:
    layout = lay_out(sheet)
    boxes = [arrow.box for arrow in layout.arrows]
    paying = {(line.kind, line.which) for line in sheet.lines if line.kind != "fields"}
    assert len(boxes) == len(paying)
    for a, b in itertools.product(boxes, layout.fields.values()):
        assert not overlap(a, b)
    for a, b in itertools.combinations(boxes, 2):
        assert not overlap(a, b)


@EACH
def test_badges_touch_no_number_no_symbol_and_no_other_badge(sheet: Level) -> None:
    layout = lay_out(sheet)
    for badge in layout.badges:
        for name, box in content_boxes(sheet, layout):
            assert not overlap(badge.box, box), (badge, name)
    for a, b in itertools.combinations(layout.badges, 2):
        assert not overlap(a.box, b.box)


@EACH
def test_borders_and_walls_touch_no_number_and_no_symbol(sheet: Level) -> None:
    layout = lay_out(sheet)
    contents = [box for _, box in content_boxes(sheet, layout)]
    lines = [
        (a, b)
        for border in layout.borders
        for loop in border.loops
        for a, b in itertools.pairwise([*loop, loop[0]])
    ]
    for (ax, ay), (bx, by) in [*lines, *layout.walls]:
        half = 0.045
        line = Box(min(ax, bx) - half, min(ay, by) - half,
                   abs(bx - ax) + 2 * half, abs(by - ay) + 2 * half)  # fmt: skip
        assert not any(overlap(line, box) for box in contents)


@EACH
def test_points_fit_into_their_arrows_and_badges(sheet: Level) -> None:
    layout = lay_out(sheet)
    for piece in sheet_decorations(layout):
        texts = [item for item in piece.items if isinstance(item, Text)]
        for text in texts:
            ground = [item for item in piece.items if isinstance(item, Shape) and item.fill][-1]
            left, top, right, bottom = bounds([ground])
            half = text_width(text.text, text.size) / 2
            assert left + 1 <= text.x - half
            assert text.x + half <= right - 1
            assert top + 2 <= text.y - text.size * DIGIT_HEIGHT
            assert text.y <= bottom - 2


@EACH
def test_everything_lies_on_the_sheet(sheet: Level) -> None:
    layout = lay_out(sheet)
    for piece in sheet_decorations(layout):
        shapes = [item for item in piece.items if isinstance(item, Shape)]
        left, top, right, bottom = bounds(shapes)
        assert min(left, top) >= -0.3
        assert right <= layout.width * 100 + 0.3
        assert bottom <= layout.height * 100 + 0.3


def test_eight_columns_with_arrows_have_fields_of_44_pixels_on_a_phone() -> None:
    layout = lay_out(level("1 2 3 4 5 6 1 2", lines=[{"row": 1, "points": 10}]))
    field = layout.fields["a1"].width / layout.width * 386
    assert field >= 44


def test_rows_point_left_from_the_right_and_columns_up_from_below() -> None:
    sheet = level(*ROWS, lines=[{"row": 2, "points": 5}, {"column": "c", "points": 7}])
    layout = lay_out(sheet)
    row, column = layout.arrows
    b2, c4, d2 = (layout.fields[name] for name in ("b2", "c4", "d2"))
    assert (row.direction, row.text, column.direction, column.text) == ("left", "5", "up", "7")
    assert row.box.middle[1] == pytest.approx(b2.middle[1])
    assert row.box.x >= d2.x + d2.width
    assert column.box.middle[0] == pytest.approx(c4.middle[0])
    assert column.box.y >= c4.y + c4.height


def test_a_column_s_arrow_stands_right_below_its_lowest_field() -> None:
    layout = lay_out(DRAWN["ragged"])
    feet = [layout.fields[name] for name in ("a3", "b2", "c1")]
    arrows = [arrow.box for arrow in layout.arrows if arrow.direction == "up"]
    for arrow, field in zip(arrows, feet, strict=True):
        assert arrow.middle[0] == pytest.approx(field.middle[0])
        assert arrow.y == pytest.approx(field.y + field.height + GAP / 2 + ARROW_GAP)


def test_an_arrow_with_a_field_in_its_way_goes_to_the_sheet_s_foot() -> None:
    """It is as far to the side as the lowest row, but on the sheet and clear of other arrows."""
    layout = lay_out(DRAWN["leaning"])
    *others, last = [arrow.box for arrow in layout.arrows]
    assert {arrow.y for arrow in others} == {last.y}
    assert last.x + last.width == pytest.approx(
        max(x + 1 for x, *_ in layout.fields.values()), abs=0.03
    )
    for arrow, name in zip(others, ("a3", "b3", "c3"), strict=True):
        field = layout.fields[name]
        assert field.x < arrow.middle[0] < field.x + field.width


def test_lines_of_one_row_or_column_share_an_arrow_with_all_their_points() -> None:
    texts = [arrow.text for arrow in lay_out(DRAWN["ragged"]).arrows]
    assert texts == ["217", "7", "7", "−1089"]


def test_a_shifted_row_lies_further_right_and_the_leftmost_at_the_margin() -> None:
    layout = lay_out(DRAWN["shifted"])
    a1, a2, a3 = (layout.fields[name] for name in ("a1", "a2", "a3"))
    assert a2.x - a1.x == pytest.approx(0.5)
    assert a3.x == pytest.approx(0.03 + GAP / 2)


def test_the_outline_of_an_angle_has_six_corners() -> None:
    (loop,) = outline([(0, 0), (1, 0), (0, 1)])
    assert loop == ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))


def test_the_outline_of_a_ring_has_its_hole() -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    outer, hole = outline(ring)
    assert set(outer) == {(0, 0), (3, 0), (3, 3), (0, 3)}
    assert set(hole) == {(1, 1), (2, 1), (2, 2), (1, 2)}


def test_cells_that_meet_in_a_corner_have_an_outline_each() -> None:
    assert len(outline([(0, 0), (1, 1)])) == 2


def test_the_outline_follows_shifted_rows() -> None:
    (loop,) = outline([(0, 0), (0.5, 1)])
    assert loop == ((0, 0), (1, 0), (1, 1), (1.5, 1), (1.5, 2), (0.5, 2), (0.5, 1), (0, 1))


def test_chains_hide_neither_a_border_nor_each_other() -> None:
    """They lie on neighbouring fields, with an area around both."""
    lines = [{"fields": [name], "points": 5} for name in ("a1", "b1")]
    sheet = level("1 2", areas=[{"fields": ["a1", "b1"], "points": 6}], lines=lines)
    borders = [border.loops[0] for border in lay_out(sheet).borders]
    lefts, rights = ([side(x for x, _ in loop) for loop in borders] for side in (min, max))
    assert lefts[1] - lefts[0] == pytest.approx(CHAIN_INSET)
    assert lefts[2] - rights[1] == pytest.approx(2 * CHAIN_INSET)
    drawn = [piece.items[0] for piece in sheet_decorations(lay_out(sheet)) if not piece.is_label]
    area, chain, _ = (shape.width / 200 for shape in drawn if isinstance(shape, Shape))
    assert area + chain < CHAIN_INSET


def test_a_chain_s_dashes_keep_away_from_badges() -> None:
    sheet = level("1 2", lines=[{"fields": ["a1", "b1"], "points": -12}])
    layout = lay_out(sheet)
    badge = layout.badges[0].box
    (dashes, bare), *_ = (piece.items for piece in sheet_decorations(layout) if not piece.is_label)
    assert isinstance(dashes, Shape)
    assert isinstance(bare, Shape)
    dashed, whole = (
        {tuple(point) for points, _ in flatten(shape.path) for point in points}
        for shape in (bare, dashes)
    )
    assert len(dashed) < len(whole)
    for x, y in dashed:
        assert not overlap(Box(x / 100, y / 100, 0.01, 0.01), badge)


def test_a_wall_stands_on_the_edge_its_fields_share() -> None:
    layout = lay_out(DRAWN["linked"])
    (start, end), (left, right) = layout.walls
    assert start[0] == end[0] == pytest.approx(1.03)
    assert left[1] == right[1] == pytest.approx(1.03)


def test_every_wall_of_a_large_sheet_is_drawn() -> None:
    """Positions are sums of fractions with rounding errors: 2.03 - 1.03 is not quite 1."""
    side = 26
    names = [[f"{chr(97 + column)}{row + 1}" for column in range(side)] for row in range(side)]
    rows = [" ".join(str((column + row) % 6 + 1) for column in range(side)) for row in range(side)]
    walls = [list(pair) for row in names for pair in itertools.pairwise(row)]
    walls += [
        list(pair) for column in zip(*names, strict=True) for pair in itertools.pairwise(column)
    ]
    for shifts in ([0.0] * side, [row % 2 / 2 for row in range(side)], [0.25] * side):
        sheet = level(*rows, walls=walls, shifts=shifts)
        assert len(lay_out(sheet).walls) == len(walls)


@pytest.mark.parametrize("shift", [quarters / 4 for quarters in range(-3, 4)])
def test_a_wall_stands_only_between_fields_that_touch(shift: float) -> None:
    """Fields do not touch at a corner or along a quarter of a side."""
    blank = level("1 2 3", "4 5 6", "1 2 3", shifts=[0, shift, -shift])
    names = [field.name for field in blank.fields]
    pairs = list(itertools.combinations(names, 2))
    touching = [(a, b) for a, b in pairs if blank.neighbours[blank.index[a]] >> blank.index[b] & 1]
    drawn = parse_level(dict(blank.document) | {"walls": [list(pair) for pair in pairs]})
    layout = lay_out(drawn)
    assert len(layout.walls) == len(touching)
    for (a, b), (start, end) in zip(touching, layout.walls, strict=True):
        (ax, ay), (bx, by) = layout.fields[a].middle, layout.fields[b].middle
        assert (start[0] + end[0], start[1] + end[1]) == pytest.approx((ax + bx, ay + by))
        assert 0.33 < math.dist(start, end) < 0.85


def test_a_race_has_room_to_the_number_below_it() -> None:
    for race in ([8, 4, 1], [10, 7], [12, 11, 10]):
        sheet = level(*ROWS, areas=[{"fields": ["a1", "b1"], "race": race}])
        layout = lay_out(sheet)
        (badge,) = layout.badges
        air = badge.box._replace(height=badge.box.height + 0.05)
        assert not any(overlap(air, box) for _name, box in content_boxes(sheet, layout))


def test_a_bridge_is_drawn_over_the_fields_between_but_over_no_print() -> None:
    rows = ["1 2Gr 3 -P 5 6", "6 5 4Gb 3 2 1", "1 2 3 4 -P 6", "4 1 2 6Go 4 3"]
    ends = [["a1", "f4"], ["a1", "f1"], ["a1", "a4"], ["b1", "e3"], ["f1", "b4"], ["a2", "f2"]]
    sheet = level(*rows, links=ends)
    layout = lay_out(sheet)
    prints = [box for _name, box in content_boxes(sheet, layout)]
    for link in layout.links:
        length = math.dist(link.start, link.end)
        assert sum(math.dist(*part) for part in link.parts) > 0.2 * length, link
        for ((ax, ay), (bx, by)), share in itertools.product(link.parts, range(101)):
            x, y = ax + (bx - ax) * share / 100, ay + (by - ay) * share / 100
            over = Box(x - 0.035, y - 0.035, 0.07, 0.07)
            assert not any(overlap(box, over) for box in prints), link


def test_a_bridge_lies_over_the_fields_on_every_drawing() -> None:
    sheet = DRAWN["linked"]
    for drawn in (draw_sheet(sheet), draw_marked_sheet(sheet, {})):
        assert drawn.index('<g class="art">') > drawn.rindex('class="art-field')


def test_points_have_a_real_minus_sign() -> None:
    assert (format_amount(-3), format_amount(10)) == ("−3", "10")


def test_a_long_race_shows_its_first_and_last_number() -> None:
    texts = [badge.text for badge in lay_out(DRAWN["isles"]).badges]
    assert texts == ["12··1", "9·6·3", "7·4", "8", "5"]


def test_six_chains_differ_in_their_dashes() -> None:
    """The seventh chain has the dashes of the first again."""
    pays = [{"fields": [f"{column}1"], "points": 20} for column in "abcdefg"]
    pieces = list(sheet_decorations(lay_out(level("1 2 3 4 5 6 1", lines=pays))))
    dashed = [piece.items[0] for piece in pieces if not piece.is_label]
    paths = [moved(shape.path, -100 * i) for i, shape in enumerate(dashed)]
    assert len(set(paths[:6])) == 6
    assert paths[6] == paths[0]


def test_the_layout_of_a_level_is_cached() -> None:
    sheet = level(*ROWS)
    assert lay_out(sheet) is lay_out(sheet)


@pytest.mark.slow
def test_work_grows_linearly_with_the_number_of_fields() -> None:
    def work(side: int) -> int:
        """Return the number of executed lines for areas like a chessboard on a sheet of a size."""
        rows = [" ".join("1" * side)] * side
        black = [f"{chr(97 + x)}{y + 1}" for y in range(side) for x in range(side) if (x + y) % 2]
        areas, lines = ([{"fields": black, "points": 5}] * 40 for _ in range(2))
        sheet = level(*rows, areas=areas, lines=lines)
        run = 0

        def count(_frame: object, _event: str, _more: object) -> object:
            nonlocal run
            run += 1
            return count

        sys.settrace(count)  # type: ignore[arg-type]
        try:
            lay_out(sheet)
        finally:
            sys.settrace(None)
        return run

    # Four times the fields; quadratic work would be sixteen times as much.
    assert work(26) < 8 * work(13)


def test_each_piece_of_an_area_has_its_points() -> None:
    sheet = level(*ROWS, areas=[{"fields": ["a1", "b1", "d1", "c4"], "points": 6}])
    layout = lay_out(sheet)
    assert [badge.text for badge in layout.badges] == ["6", "6", "6"]
    assert layout.borders[0].has_pattern


def test_areas_that_share_fields_have_patterns_and_badges_of_their_own() -> None:
    shared = [{"fields": ["a1"], "points": 6}, {"fields": ["a1"], "race": [8, 4]}]
    sheet = level(*ROWS, areas=[*shared, {"fields": ["c3", "d3"], "points": 2}])
    layout = lay_out(sheet)
    first, second, alone = (border.has_pattern for border in layout.borders)
    assert (first, second, alone) == (True, True, False)
    assert not overlap(layout.badges[0].box, layout.badges[1].box)
    drawn = [piece.items[0] for piece in sheet_decorations(layout) if not piece.is_label]
    patterns = [len(list(flatten(shape.path))) for shape in drawn if isinstance(shape, Shape)]
    assert patterns[0] != patterns[1]
    assert patterns[2] == 1


def test_a_badge_stands_on_no_printed_cross_or_rail_where_there_is_another_field() -> None:
    crossed = level("1x 2", "3x 4", areas=[{"fields": ["a1", "b2", "a2"], "points": 6}])
    (badge,) = lay_out(crossed).badges
    assert badge.box.middle[0] > lay_out(crossed).fields["a1"].x + 1
    assert badge.box.middle[1] > 1
