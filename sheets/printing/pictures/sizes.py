"""Sizes of the pictures to share, in pixels.

They are separate from the drawing, because pages state the size of a picture that they link to.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sheets.art.layout import lay_out
from sheets.rules.level import Level

WIDTH: Final = 1080
"""Width of every picture."""

EDGE: Final = 36
"""Margin to the left and right of the content."""

HEADER: Final = 104
"""Height above the content, with the title."""

GAP: Final = 24
"""Distance between the cards of a result."""

FOOTER: Final = 44
"""Height below the fields of a sheet."""

MAX_FIELD: Final = 200
"""Maximum width of a field, for levels with few fields."""

MAX_HEIGHT: Final = 2 * WIDTH
"""Maximum height of a sheet's picture.

Without it, the picture of a level with a single column would have a hundred times as many bytes.
"""

YEAR_HEIGHT: Final = 1350
"""Height of the picture of a year."""

YEAR_SIZE: Final = (WIDTH, YEAR_HEIGHT)
"""Width and height of the picture of a year."""

MAX_CARDS_IN_ROW: Final = 3
"""Maximum number of players' cards next to each other."""

MAX_SHEET_HEIGHT: Final = 900
"""Maximum height of a sheet in a result."""

VERDICT: Final = 92
"""Height of the sentence with the winners in a result."""

STRIP: Final = 74
"""Height of the name and the points on a player's card, above the sheet."""

ROW: Final = 48
"""Height of a row of the table of a result."""

NAMES: Final = 54
"""Height of the row of names above the table of a result."""

RESULT_FOOTER: Final = 70
"""Height below the table of a result."""


class SheetFrame(NamedTuple):
    """Position and size of a sheet in a picture; ``unit`` is the width of a field."""

    left: float
    unit: float
    height: float


class ResultFrame(NamedTuple):
    """Positions and sizes in the picture of a result.

    ``columns`` is the number of cards in a row, ``width`` and ``card`` are width and height of a
    card, ``unit`` is the width of a field, ``height`` is the height of the picture.
    """

    columns: int
    width: float
    unit: float
    card: float
    cards_top: float
    table_top: float
    height: int


def arrange_sheet(level: Level, column: float = 0) -> SheetFrame:
    """Compute the position and size of a sheet next to a score column of the width ``column``."""
    layout = lay_out(level)
    room = WIDTH - 2 * EDGE - column
    high = MAX_HEIGHT - HEADER - FOOTER - 10
    unit = min(room / layout.width, MAX_FIELD, high / layout.height)
    return SheetFrame(EDGE + (room - layout.width * unit) / 2, unit, layout.height * unit)


def blank_size(level: Level) -> tuple[int, int]:
    """Return width and height of the picture of an empty sheet."""
    return WIDTH, round(HEADER + arrange_sheet(level).height + FOOTER)


def arrange_result(
    players: int, rows: int, level: Level | None, *, has_verdict: bool
) -> ResultFrame:
    """Compute the positions in a result: a card for each player, below them a table.

    Args:
        players: the number of players.
        rows: the number of score categories.
        level: level of the sheets; None if the cards have no sheets.
    """
    columns = players if players < 3 else 2 if players == 4 else MAX_CARDS_IN_ROW
    width = (WIDTH - 2 * EDGE - GAP * (columns - 1)) / columns
    unit = high = 0.0
    if level:
        layout = lay_out(level)
        unit = min((width - 24) / layout.width, MAX_SHEET_HEIGHT / layout.height)
        high = layout.height * unit + 16
    card = STRIP + high
    lines = -(-players // columns)
    cards_top = HEADER + (VERDICT if has_verdict else 0)
    table_top = cards_top + lines * (card + GAP)
    height = round(table_top + NAMES + ROW * rows + 1.4 * ROW + RESULT_FOOTER)
    return ResultFrame(columns, width, unit, card, cards_top, table_top, height)
