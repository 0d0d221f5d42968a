"""Contents of one field: its symbol, number and marks, and their places.

All lengths are in hundredths of the field's side, from its top left. A field with a symbol has its
number in the upper left and the symbol in the lower right, so that the other diagonal stays free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sheets.artwork import marks
from sheets.artwork.drawings import symbol_id
from sheets.artwork.glyphs import DIGIT_HEIGHT, text_width
from sheets.artwork.things import THINGS
from sheets.rules.level import Field
from sheets.rules.marks import DICE


class Placed(NamedTuple):
    """Drawing with a box of 100 × 100, scaled to ``size`` with its top left at ``x``, ``y``."""

    id: str
    x: float
    y: float
    size: float


class Text(NamedTuple):
    """Number centred on ``x`` with its baseline at ``y``, in the bold font at ``size``.

    ``halo`` is the role of a thin outline that separates it from a mark below it, or empty. That of
    a field's number has the colour of the field, so it is visible on marks only.
    """

    text: str
    x: float
    y: float
    size: float
    halo: str = ""


NUMBER_ALONE: Final = Text("", 50, 75.5, 50.5 / DIGIT_HEIGHT)
"""Place of the number of a field without a symbol."""

NUMBER_WITH_SYMBOL: Final = Text("", 27, 54.5, 46 / DIGIT_HEIGHT)
"""Place of the number of a field with a symbol."""

SYMBOL: Final = Placed("", 46.5, 46.5, 49)
"""Place of the symbol of a field with a number."""

FILLING: Final = Placed("", 7, 7, 86)
"""Place of a symbol without a number: a planet or a volcano."""

WHOLE: Final = Placed("", 0, 0, 100)
"""Place of a mark."""

HALO_WIDTH: Final = 5.0
"""Stroke width of a number's halo, in hundredths of its font size; half of it shows."""


def field_group(field: Field) -> str:
    """Return the group of a field in the palette: its colour or material, or empty."""
    if field.colour or not field.symbol:
        return field.colour
    return THINGS[field.symbol][0]


def compose_symbol(field: Field, *, opened: bool = False) -> tuple[Placed, ...]:
    """Return the printed symbol of a field, if it has one; ``opened`` shows a lock open."""
    if not field.symbol:
        return ()
    symbol = "open-lock" if opened and field.symbol == "lock" else field.symbol
    place = SYMBOL if field.number else FILLING
    return (place._replace(id=symbol_id(symbol, field.colour)),)


def compose_number(field: Field) -> tuple[Text, ...]:
    """Return the printed number of a field, if it has one."""
    if not field.number:
        return ()
    place = NUMBER_WITH_SYMBOL if field.symbol else NUMBER_ALONE
    halo = "tint" if field_group(field) else "paper"
    return (place._replace(text=str(field.number), halo=halo),)


def compose_mark(name: str, mark: str) -> Placed:
    """Return one of `sheets.rules.marks.MARKS` on the field of that name."""
    return WHOLE._replace(id=marks.mark_id(name, mark))


def compose(
    field: Field, stack: Sequence[str] = (), *, opened: bool = False
) -> tuple[Placed | Text, ...]:
    """Return everything a field shows, in the order it is painted.

    A felt pen does not hide the print: its marks are over the symbol and under the number, lava is
    under both. A die and the scribble of an exploded bomb hide everything.

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
    """Return the characters of a text, each with the x of its origin."""
    x = text.x - text_width(text.text, text.size) / 2
    places = []
    for character in text.text:
        places.append((character, x))
        x += text_width(character, text.size)
    return places
