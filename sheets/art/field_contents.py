"""Contents of one field: its symbol, number and marks, with their positions and sizes.

All lengths are in hundredths of the field's side, from its top left. A field with a symbol has its
number in the upper left and the symbol in the lower right, so that the other diagonal stays free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sheets.art import marks
from sheets.art.drawings import symbol_id
from sheets.art.glyphs import DIGIT_HEIGHT, text_width
from sheets.art.plain_symbols import PLAIN_SYMBOLS
from sheets.rules.level import Field
from sheets.rules.marks import DICE


class PlacedDrawing(NamedTuple):
    """A drawing on a field; ``id`` is the id of the drawing.

    Its box is scaled from 100 × 100 to ``size`` × ``size``, with the top left at ``x``, ``y``.
    """

    id: str
    x: float
    y: float
    size: float


class Text(NamedTuple):
    """Number centred on ``x`` with its baseline at ``y``, in the bold font at ``size``.

    ``halo`` is the palette role of a thin outline that separates the number from a mark below it,
    empty for no outline. The halo of a field's number has the colour of the field, so that it is
    visible only on marks.
    """

    text: str
    x: float
    y: float
    size: float
    halo: str = ""


NUMBER_ALONE: Final = Text("", 50, 75.5, 50.5 / DIGIT_HEIGHT)
"""Position and size of the number of a field without a symbol."""

NUMBER_WITH_SYMBOL: Final = Text("", 27, 54.5, 46 / DIGIT_HEIGHT)
"""Position and size of the number of a field with a symbol."""

SYMBOL: Final = PlacedDrawing("", 46.5, 46.5, 49)
"""Position and size of the symbol of a field with a number."""

FILLING: Final = PlacedDrawing("", 7, 7, 86)
"""Position and size of the symbol of a field without a number: a planet or a volcano."""

WHOLE: Final = PlacedDrawing("", 0, 0, 100)
"""Position and size of a mark: it covers the whole field."""

HALO_WIDTH: Final = 5.0
"""Stroke width of a number's halo, in hundredths of its font size; half of it shows."""


def field_group(field: Field) -> str:
    """Return the palette group of a field: the colour or material of its symbol, empty for none."""
    if field.colour or not field.symbol:
        return field.colour
    return PLAIN_SYMBOLS[field.symbol][0]


def compose_symbol(field: Field, *, opened: bool = False) -> tuple[PlacedDrawing, ...]:
    """Return the printed symbol of a field, if any; ``opened`` shows a lock open."""
    if not field.symbol:
        return ()
    symbol = "open-lock" if opened and field.symbol == "lock" else field.symbol
    place = SYMBOL if field.number else FILLING
    return (place._replace(id=symbol_id(symbol, field.colour)),)


def compose_number(field: Field) -> tuple[Text, ...]:
    """Return the printed number of a field, if any."""
    if not field.number:
        return ()
    place = NUMBER_WITH_SYMBOL if field.symbol else NUMBER_ALONE
    halo = "tint" if field_group(field) else "paper"
    return (place._replace(text=str(field.number), halo=halo),)


def compose_mark(name: str, mark: str) -> PlacedDrawing:
    """Return the drawing of a mark (`sheets.rules.marks.MARKS`) for the field with this name."""
    return WHOLE._replace(id=marks.mark_id(name, mark))


def compose(
    field: Field, stack: Sequence[str] = (), *, opened: bool = False
) -> tuple[PlacedDrawing | Text, ...]:
    """Return everything a field shows, in the order it is painted.

    A felt pen does not hide the print: its marks are over the symbol and under the number. Lava is
    under both. A die hides everything; the scribble of an exploded bomb is over everything.

    Args:
        field: the field with its printed symbol and number.
        stack: the marks on the field, lowest first.
        opened: whether a lock is shown open.
    """
    if stack and stack[-1] in DICE:
        return (compose_mark(field.name, stack[-1]),)
    symbols, numbers = compose_symbol(field, opened=opened), compose_number(field)
    if not stack:
        return (*symbols, *numbers)
    under, over, top = (
        [compose_mark(field.name, mark) for mark in stack if marks.LAYERS[mark] == layer]
        for layer in ("under", "over", "top")
    )
    return (*under, *symbols, *over, *numbers, *top)


def glyph_places(text: Text) -> list[tuple[str, float]]:
    """Return the characters of a number, each with the x at which it starts."""
    x = text.x - text_width(text.text, text.size) / 2
    places = []
    for character in text.text:
        places.append((character, x))
        x += text_width(character, text.size)
    return places
