"""Nothing pokes over, nothing touches, and no two symbols are told apart by hue alone."""

from __future__ import annotations

import itertools
import math

import pytest

from sheets.artwork import coloured, things
from sheets.artwork.compose import Placed, compose, compose_number, compose_symbol
from sheets.artwork.drawings import drawing, drawings
from sheets.artwork.gems import COLOUR_SHAPES
from sheets.artwork.glyphs import glyphs
from sheets.artwork.marks import TURNS, die, variant
from sheets.artwork.paint import flatten
from sheets.artwork.palette import COLOURS
from sheets.artwork.shapes import Bounds, Shape, bounds, moved
from tests.artwork.sheets_to_draw import NUMBERED_SYMBOLS, field

IDS = sorted(drawings())
TRACKS = [id for id in IDS if id.startswith("track-")]


def sums(shapes: tuple[Shape, ...]) -> tuple[float, float]:
    """The least and the greatest x + y of what the shapes cover: which side of a diagonal."""
    found = []
    for shape in shapes:
        reach = shape.width / 2 * math.sqrt(2) if shape.stroke else 0
        for points, _ in flatten(shape.path):
            found += [x + y + way * reach for x, y in points for way in (-1, 1)]
    return min(found), max(found)


def symbol_shapes(symbol: str, colour: str, number: int = 4) -> tuple[Shape, ...]:
    """A field's symbol in the field's coordinates."""
    (place,) = compose_symbol(field(number, symbol, colour))
    scale = place.size / 100
    return tuple(
        Shape(moved(s.path, place.x, place.y, scale=scale), s.fill, s.stroke, s.width * scale)
        for s in drawing(place.id).shapes
    )


def number_shapes(number: int, symbol: str, colour: str) -> tuple[Shape, ...]:
    """A field's number in the field's coordinates."""
    (text,) = compose_number(field(number, symbol, colour))
    glyph, scale = glyphs()[text.text], text.size / 100
    return (
        Shape(moved(glyph.path, text.x - glyph.advance * scale / 2, text.y, scale=scale), "ink"),
    )


def inside(box: Bounds, edge: float) -> bool:
    return min(box[:2]) >= edge and max(box[2:]) <= 100 - edge


def test_there_is_a_drawing_for_every_symbol_in_every_colour() -> None:
    assert {f"{symbol}-{colour}" for symbol in coloured.SYMBOLS for colour in COLOURS} < set(IDS)
    assert set(things.THINGS) < set(IDS)


@pytest.mark.parametrize("id", [id for id in IDS if id not in TRACKS])
def test_no_drawing_pokes_over_the_edge(id: str) -> None:
    assert inside(bounds(drawing(id).shapes), -0.05), bounds(drawing(id).shapes)


@pytest.mark.parametrize("id", TRACKS)
def test_tracks_reach_just_across_the_gap(id: str) -> None:
    shapes = drawing(id).shapes
    edges = dict(zip("WNES", bounds([shape._replace(width=0) for shape in shapes]), strict=True))
    for edge, at in edges.items():
        joined = edge in id.split("-")[1]
        assert (at < -1.5 or at > 101.5) == joined, (edge, at)


@pytest.mark.parametrize("id", IDS)
def test_filled_contours_run_one_way_round(id: str) -> None:
    for shape in drawing(id).shapes:
        areas = [
            sum(p[0] * q[1] - q[0] * p[1] for p, q in itertools.pairwise([*points, points[0]]))
            for points, _ in flatten(shape.path)
        ]
        assert not shape.fill or min(areas) > 0 or max(areas) < 0, shape


@pytest.mark.parametrize(("symbol", "colour"), NUMBERED_SYMBOLS)
@pytest.mark.parametrize("number", range(1, 7))
def test_number_and_symbol_lie_on_either_side_of_a_free_diagonal(
    symbol: str, colour: str, number: int
) -> None:
    _, last = sums(number_shapes(number, symbol, colour))
    first, _ = sums(symbol_shapes(symbol, colour))
    assert last <= 99
    assert first >= 99
    assert inside(bounds(number_shapes(number, symbol, colour)), 6)
    assert inside(bounds(symbol_shapes(symbol, colour)), 4)


@pytest.mark.parametrize(("symbol", "colour"), NUMBERED_SYMBOLS)
@pytest.mark.parametrize("number", range(1, 7))
def test_number_and_symbol_do_not_touch(symbol: str, colour: str, number: int) -> None:
    _, _, right, bottom = bounds(number_shapes(number, symbol, colour))
    left, top, _, _ = bounds(symbol_shapes(symbol, colour))
    assert left - right >= 1 or top - bottom >= 1


@pytest.mark.parametrize(("symbol", "colour"), NUMBERED_SYMBOLS)
def test_a_symbol_is_big_enough_for_a_phone(symbol: str, colour: str) -> None:
    left, top, right, bottom = bounds(symbol_shapes(symbol, colour))
    assert max(right - left, bottom - top) >= 42


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


@pytest.mark.parametrize("symbol", coloured.SYMBOLS)
def test_symbols_of_two_colours_differ_in_shape(symbol: str) -> None:
    paths = {colour: tuple((s.path, s.stroke) for s in drawing(f"{symbol}-{colour}").shapes)
             for colour in COLOURS}  # fmt: skip
    assert len(set(paths.values())) == len(COLOURS)
    assert len(set(COLOUR_SHAPES.values())) == len(COLOURS)


def test_a_closed_and_an_opened_lock_differ_in_shape() -> None:
    shut, opened = drawing("lock-red").shapes, drawing("open-lock-red").shapes
    assert {shape.path for shape in shut}.isdisjoint({shape.path for shape in opened})


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_has_as_many_pips_as_its_value(value: int) -> None:
    assert len(flatten(die(value)[-1].path)) == value


def test_tracks_are_drawn_for_all_six_pieces_and_differ() -> None:
    assert len({drawing(f"track-{shape}").shapes for shape in TURNS}) == 6


def test_a_field_keeps_its_cross_and_neighbours_do_not_all_look_alike() -> None:
    names = [f"{column}{row}" for row in range(1, 12) for column in "abcdefgh"]
    found = [variant(name, 4) for name in names]
    assert found == [variant(name, 4) for name in names]
    assert min(found.count(i) for i in range(4)) > 10


def ids_shown(mark: str, symbol: str = "gem", colour: str = "red") -> list[str]:
    shown = compose(field(3, symbol, colour), (mark,))
    return [item.id if isinstance(item, Placed) else item.text for item in shown]


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
