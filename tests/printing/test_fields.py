"""Contents of a printed field: a free diagonal for a pen's cross, and the order of painting."""

from __future__ import annotations

from sheets.art.drawings import drawing
from sheets.art.field_contents import PlacedDrawing, compose_mark
from sheets.art.palette import COLOURS
from sheets.art.render.items import PathItem, Stamp, TextLine
from sheets.art.shapes import flatten
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions
from sheets.printing.grid import field_items
from sheets.printing.sheet import Writing
from sheets.rules import parse_level
from sheets.rules.level import Field
from sheets.rules.symbols import COLOURED_SYMBOLS, SYMBOLS

SYMBOLS_TO_CROSS = [
    (symbol, colour, number)
    for symbol in SYMBOLS
    if symbol != "volcano"
    for colour in (COLOURS if symbol in COLOURED_SYMBOLS else ("",))
    for number in ((3, 0) if symbol == "planet" else (3,))
]


def test_a_diagonal_is_free_of_each_symbol() -> None:
    """From the bottom left to the top right x + y is 100, in hundredths of the field."""
    nearest = {case: nearest_to_corner(*case) for case in SYMBOLS_TO_CROSS}
    assert {case: at for case, at in nearest.items() if at <= 100} == {}


def nearest_to_corner(symbol: str, colour: str, number: int) -> float:
    """Return the minimum of x + y over the area of a symbol."""
    (place,) = (
        item
        for item in field_items(Field("a1", 0, 0, number, symbol, colour, False))
        if isinstance(item, PlacedDrawing)
    )
    scale = place.size / 100
    return min(
        place.x + place.y + (x + y) * scale - reach
        for shape in drawing(place.id).shapes
        for reach in [2**0.5 * shape.width / 2 * scale if shape.stroke else 0]
        for points, _closed in flatten(shape.path)
        for x, y in points
    )


def test_a_printed_cross_lies_over_the_number() -> None:
    items = list(field_items(Field("a1", 0, 0, 3, "gem", "red", True), ["printed"]))
    assert items[-1] == compose_mark("a1", "printed")


def test_an_exploded_bomb_under_lava_shows_both() -> None:
    items = list(field_items(Field("a1", 0, 0, 3, "bomb", "", False), ["lava", "exploded"]))
    assert items[0].id == "lava"
    assert items[-1].id.startswith("scribble-")


def test_points_are_printed_over_the_players_marks() -> None:
    areas, lines = [{"fields": ["a1"], "points": 7}], [{"row": 1, "points": 5}]
    sheet = parse_level({"id": "a", "name": "A", "grid": ["1 2"], "areas": areas, "lines": lines})
    marks = {"a1": ["cross"], "b1": ["cross"]}
    (page,) = draw_booklet([sheet], PageOptions(per_page=1), [Writing("Ana", marks=marks)])
    items = next(part for part, _x in page.parts if part.tag == "Figure").items
    marked = [isinstance(item, Stamp) and item.id.startswith("cross-") for item in items]
    labels = items[len(marked) - marked[::-1].index(True) :]
    assert [item.text for item in labels if isinstance(item, TextLine)] == ["2", "7", "5"]
    fills = [item.shape.fill for item in labels if isinstance(item, PathItem)]
    assert [fill for fill in fills if fill] == ["badge"] * 2
