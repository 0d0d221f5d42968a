"""What does one field show, and where on it?

All lengths are in hundredths of the field's side, from its top left. A field with a symbol has its
number in the upper left and the symbol in the lower right, so that the other diagonal stays free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sheets.artwork import marks
from sheets.artwork.drawings import symbol_id
from sheets.artwork.glyphs import DIGIT_HEIGHT, text_width
from sheets.artwork.things import THINGS
from sheets.rules.level import Field
from sheets.rules.marks import DICE


class Placed(NamedTuple):
    """A drawing (100 × 100) scaled to ``size`` with its top left at ``x``, ``y``."""

    id: str
    x: float
    y: float
    size: float


class Text(NamedTuple):
    """A number centred on ``x`` with its baseline at ``y``, in the bold font at ``size``.

    ``halo`` is the role of a thin outline that parts it from a mark beneath it, empty for none;
    a field's number has one in the colour of the field, which shows on marks only.
    """

    text: str
    x: float
    y: float
    size: float
    halo: str = ""


NUMBER_ALONE = Text("", 50, 75.5, 50.5 / DIGIT_HEIGHT)
NUMBER_WITH_SYMBOL = Text("", 27, 54.5, 46 / DIGIT_HEIGHT)
SYMBOL = Placed("", 46.5, 46.5, 49)
FILLING = Placed("", 7, 7, 86)
"""A planet without a number and a volcano have the field to themselves."""

WHOLE = Placed("", 0, 0, 100)

HALO_WIDTH = 5.0
"""Stroke width of a number's halo, in hundredths of its font size; half of it shows."""


def field_group(field: Field) -> str:
    """The palette's group of a field: its colour or material, empty for a plain field."""
    if field.colour or not field.symbol:
        return field.colour
    return THINGS[field.symbol][0]


def compose_symbol(field: Field, *, opened: bool = False) -> tuple[Placed, ...]:
    """The printed symbol of a field, if it has one; ``opened`` shows a lock open."""
    if not field.symbol:
        return ()
    symbol = "open-lock" if opened and field.symbol == "lock" else field.symbol
    place = SYMBOL if field.number else FILLING
    return (place._replace(id=symbol_id(symbol, field.colour)),)


def compose_number(field: Field) -> tuple[Text, ...]:
    """The printed number of a field, if it has one."""
    if not field.number:
        return ()
    place = NUMBER_WITH_SYMBOL if field.symbol else NUMBER_ALONE
    halo = "tint" if field_group(field) else "paper"
    return (place._replace(text=str(field.number), halo=halo),)


def compose_mark(name: str, mark: str) -> Placed:
    """One of `sheets.rules.marks.MARKS` on the field of that name."""
    return WHOLE._replace(id=marks.mark_id(name, mark))


def compose(
    field: Field, stack: Sequence[str] = (), *, opened: bool = False
) -> tuple[Placed | Text, ...]:
    """Everything a field shows, in the order it is painted.

    A felt pen does not hide what is printed: its marks lie over the symbol and under the number,
    lava under both. A die and an exploded bomb's scribble hide all.

    Args:
        field: what is printed there.
        stack: the marks on it, lowest first.
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
    """The characters of a text, each with the x of its origin."""
    x = text.x - text_width(text.text, text.size) / 2
    places = []
    for character in text.text:
        places.append((character, x))
        x += text_width(character, text.size)
    return places
