"""Drawings of symbols and marks: bounds, free diagonals, sizes, and distinct shapes."""

from __future__ import annotations

import itertools
import math

import pytest

from sheets.art import coloured_symbols, plain_symbols
from sheets.art.drawings import drawing, drawings
from sheets.art.field_contents import PlacedDrawing, compose, compose_number, compose_symbol
from sheets.art.gems import COLOUR_SHAPES
from sheets.art.glyphs import glyphs
from sheets.art.marks import TURNS, die, variant
from sheets.art.palette import COLOURS
from sheets.art.shapes import Bounds, Shape, bounds, flatten, moved
from tests.art.sheets_to_draw import NUMBERED_SYMBOLS, field

IDS = sorted(drawings())
TRACKS = [id for id in IDS if id.startswith("track-")]


def diagonal_range(shapes: tuple[Shape, ...]) -> tuple[float, float]:
    """Return the minimum and maximum of x + y over the area of shapes, relative to a diagonal."""
    found = []
    for shape in shapes:
        reach = shape.width / 2 * math.sqrt(2) if shape.stroke else 0
        for points, _ in flatten(shape.path):
            found += [x + y + way * reach for x, y in points for way in (-1, 1)]
    return min(found), max(found)


def symbol_shapes(symbol: str, colour: str, number: int = 4) -> tuple[Shape, ...]:
    """Return the symbol of a field in the coordinates of the field."""
    (place,) = compose_symbol(field(number, symbol, colour))
    scale = place.size / 100
    return tuple(
        Shape(moved(s.path, place.x, place.y, scale=scale), s.fill, s.stroke, s.width * scale)
        for s in drawing(place.id).shapes
    )


def number_shapes(number: int, symbol: str, colour: str) -> tuple[Shape, ...]:
    """Return the number of a field in the coordinates of the field."""
    (text,) = compose_number(field(number, symbol, colour))
    glyph, scale = glyphs()[text.text], text.size / 100
    return (
        Shape(moved(glyph.path, text.x - glyph.advance * scale / 2, text.y, scale=scale), "ink"),
    )


def inside(box: Bounds, edge: float) -> bool:
    return min(box[:2]) >= edge and max(box[2:]) <= 100 - edge


def test_there_is_a_drawing_for_every_symbol_in_every_colour() -> None:
    assert {
        f"{symbol}-{colour}" for symbol in coloured_symbols.COLOURED_SYMBOLS for colour in COLOURS
    } < set(IDS)
    assert set(plain_symbols.PLAIN_SYMBOLS) < set(IDS)


def test_no_drawing_reaches_beyond_its_box() -> None:
    boxes = {id: bounds(drawing(id).shapes) for id in IDS if id not in TRACKS}
    assert {id: box for id, box in boxes.items() if not inside(box, -0.05)} == {}


def test_tracks_reach_just_across_the_gap() -> None:
    wrong = []
    for id in TRACKS:
        shapes = [shape._replace(width=0) for shape in drawing(id).shapes]
        for edge, at in zip("WNES", bounds(shapes), strict=True):
            if (at < -1.5 or at > 101.5) != (edge in id.split("-")[1]):
                wrong.append((id, edge, at))
    assert wrong == []


def test_filled_contours_run_one_way_round() -> None:
    wrong = []
    filled = ((id, shape) for id in IDS for shape in drawing(id).shapes if shape.fill)
    for id, shape in filled:
        areas = [
            sum(p[0] * q[1] - q[0] * p[1] for p, q in itertools.pairwise([*points, points[0]]))
            for points, _ in flatten(shape.path)
        ]
        if min(areas) <= 0 <= max(areas):
            wrong.append((id, shape))
    assert wrong == []


def test_number_and_symbol_lie_on_either_side_of_a_free_diagonal() -> None:
    wrong = []
    for symbol, colour in NUMBERED_SYMBOLS:
        shapes = symbol_shapes(symbol, colour)
        first, _ = diagonal_range(shapes)
        if first < 99 or not inside(bounds(shapes), 4):
            wrong.append((symbol, colour, first, bounds(shapes)))
        for number in range(1, 7):
            shapes = number_shapes(number, symbol, colour)
            _, last = diagonal_range(shapes)
            if last > 99 or not inside(bounds(shapes), 6):
                wrong.append((symbol, colour, number, last, bounds(shapes)))
    assert wrong == []


def test_number_and_symbol_do_not_touch() -> None:
    gaps = {}
    for symbol, colour in NUMBERED_SYMBOLS:
        left, top, _, _ = bounds(symbol_shapes(symbol, colour))
        for number in range(1, 7):
            _, _, right, bottom = bounds(number_shapes(number, symbol, colour))
            gaps[symbol, colour, number] = max(left - right, top - bottom)
    assert {case: gap for case, gap in gaps.items() if gap < 1} == {}


def test_symbols_are_big_enough_for_a_phone() -> None:
    sizes = {}
    for symbol, colour in NUMBERED_SYMBOLS:
        left, top, right, bottom = bounds(symbol_shapes(symbol, colour))
        sizes[symbol, colour] = max(right - left, bottom - top)
    assert {case: size for case, size in sizes.items() if size < 42} == {}


@pytest.mark.parametrize("symbol", ["", "gem"])
def test_a_number_is_half_as_high_as_its_field(symbol: str) -> None:
    for number in range(1, 7):
        _, top, _, bottom = bounds(number_shapes(number, symbol, "red" if symbol else ""))
        assert 45 <= bottom - top <= 53


@pytest.mark.parametrize("symbol", ["planet", "volcano"])
def test_a_symbol_without_a_number_fills_its_field(symbol: str) -> None:
    left, top, right, bottom = bounds(symbol_shapes(symbol, "", number=0))
    assert max(right - left, bottom - top) >= 70
    assert inside((left, top, right, bottom), 4)


@pytest.mark.parametrize("symbol", coloured_symbols.COLOURED_SYMBOLS)
def test_symbols_of_two_colours_differ_in_shape(symbol: str) -> None:
    paths = {colour: tuple((s.path, s.stroke) for s in drawing(f"{symbol}-{colour}").shapes)
             for colour in COLOURS}  # fmt: skip
    assert len(set(paths.values())) == len(COLOURS)
    assert len(set(COLOUR_SHAPES.values())) == len(COLOURS)


def test_a_closed_and_an_opened_lock_differ_in_shape() -> None:
    shut, opened = drawing("lock-red").shapes, drawing("open-lock-red").shapes
    assert {shape.path for shape in shut}.isdisjoint({shape.path for shape in opened})


def test_a_die_has_as_many_pips_as_its_value() -> None:
    pips = {value: len(flatten(die(value)[-1].path)) for value in range(1, 7)}
    assert pips == {value: value for value in range(1, 7)}


def test_tracks_are_drawn_for_all_six_pieces_and_differ() -> None:
    assert len({drawing(f"track-{shape}").shapes for shape in TURNS}) == 6


def test_a_field_keeps_its_cross_and_crosses_of_neighbours_vary() -> None:
    names = [f"{column}{row}" for row in range(1, 12) for column in "abcdefgh"]
    found = [variant(name, 4) for name in names]
    assert found == [variant(name, 4) for name in names]
    assert min(found.count(i) for i in range(4)) > 10


def ids_shown(mark: str, symbol: str = "gem", colour: str = "red") -> list[str]:
    shown = compose(field(3, symbol, colour), (mark,))
    return [item.id if isinstance(item, PlacedDrawing) else item.text for item in shown]


def test_a_pen_lies_over_the_symbol_and_under_the_number() -> None:
    symbol, cross, number = ids_shown("cross")
    assert (symbol, number) == ("gem-red", "3")
    assert cross.startswith("cross-")


def test_lava_lies_under_everything_a_scribble_over_everything_and_a_die_alone() -> None:
    assert ids_shown("lava") == ["lava", "gem-red", "3"]
    assert ids_shown("exploded", "bomb", "")[:2] == ["bomb", "3"]
    assert ids_shown("die-5") == ["die-5"]


def test_an_opened_lock_is_shown_open() -> None:
    assert compose_symbol(field(3, "lock", "blue"), opened=True)[0].id == "open-lock-blue"
    assert compose_symbol(field(3, "gem", "blue"), opened=True)[0].id == "gem-blue"
