"""How does a year of games become one picture to share, upright as phones are?"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final, NamedTuple

from sheets.artwork.compose import Placed
from sheets.artwork.glyphs import BOLD, REGULAR
from sheets.artwork.layout import lay_out
from sheets.artwork.paint import Canvas
from sheets.artwork.palette import LIGHT
from sheets.artwork.picture_sizes import WIDTH, YEAR_HEIGHT
from sheets.artwork.png import paint_fields
from sheets.artwork.shapes import Shape, rectangle
from sheets.rules.level import Level
from sheets.rules.marks import Marks

_EDGE, _GAP = 48, 24
_HEADER, _HEADLINE, _FOOTER = 214, 112, 64
_TOP: Final = _HEADER + _HEADLINE
_BOTTOM: Final = YEAR_HEIGHT - _FOOTER - 16
_COLUMN: Final = (WIDTH - 2 * _EDGE - _GAP) / 2

BESIDE: Final = 3
"""So many tiles stand beside the sheet; without a sheet there are as many rows of two instead."""

ROWS: Final = 2
"""So many rows of two tiles stand below it."""

_TILE: Final = (_BOTTOM - _TOP - _GAP * (BESIDE + ROWS - 1)) / (BESIDE + ROWS)

_Box = tuple[float, float, float, float]
"""Left, top, width and height."""


class YearTile(NamedTuple):
    """One thing to tell: ``sign`` is the id of a drawing, ``figure`` what is large."""

    sign: str
    figure: str
    words: str
    detail: str


def draw_year(
    year: str,
    name: str,
    headline: str,
    tiles: Sequence[YearTile],
    favourite: str,
    level: Level | None,
    marks: Marks,
    *,
    footer: str,
) -> bytes:
    """A year as the bytes of a PNG.

    Args:
        name: whose year it was.
        headline: how much was played.
        tiles: what there is to tell, the best first; as many are shown as there is room for.
        favourite: the level that was played most, and how often; below its sheet.
        level: that level where its sheet is shown, with the ``marks`` on it.
        footer: whose picture it is.
    """
    canvas = Canvas(WIDTH, YEAR_HEIGHT, LIGHT)
    _header(canvas, year, name)
    canvas.words(
        headline, (_EDGE, _HEADER + 72), BOLD, 54, "ink", anchor="ls", room=WIDTH - 2 * _EDGE
    )
    boxes = [_box(column, row) for row in range(BESIDE + ROWS) for column in range(2)]
    if level:
        high = BESIDE * _TILE + (BESIDE - 1) * _GAP
        _sheet(canvas, (_EDGE, _TOP, _COLUMN, high), favourite, level, marks)
        boxes = [_box(1, row) for row in range(BESIDE)] + boxes[2 * BESIDE :]
    for tile, box in zip(tiles, boxes, strict=False):
        _tile(canvas, tile, box)
    canvas.words(footer, (WIDTH / 2, YEAR_HEIGHT - 28), REGULAR, 26, "ink", anchor="ms", room=WIDTH)
    stream = BytesIO()
    canvas.finished().save(stream, "PNG", optimize=False, compress_level=6)
    return stream.getvalue()


def _box(column: int, row: int) -> _Box:
    return _EDGE + column * (_COLUMN + _GAP), _TOP + row * (_TILE + _GAP), _COLUMN, _TILE


def _header(canvas: Canvas, year: str, name: str) -> None:
    bar = Shape(rectangle(0, 0, WIDTH - 2 * _EDGE, _HEADER - _EDGE - 14, 28), "spark")
    canvas.shape(bar, (_EDGE, _EDGE, 1))
    canvas.item(Placed("cross-2", 0, 0, 104), (_EDGE + 20, _EDGE + 24, 1))
    base = _EDGE + 112
    canvas.words(year, (_EDGE + 146, base), BOLD, 104, "print", anchor="ls", room=270)
    canvas.words(
        name, (WIDTH - _EDGE - 32, base - 8), BOLD, 60, "print", anchor="rs",
        room=WIDTH - 2 * _EDGE - 470,
    )  # fmt: skip


def _card(canvas: Canvas, box: _Box) -> None:
    x, y, width, height = box
    canvas.shape(Shape(rectangle(0, 0, width, height, 22), "paper", "field-line", 4), (x, y, 1))


def _sheet(canvas: Canvas, box: _Box, words: str, level: Level, marks: Marks) -> None:
    x, y, width, height = box
    _card(canvas, box)
    layout, inner, high = lay_out(level), width - 40, height - 92
    unit = min(inner / layout.width, high / layout.height)
    left = x + (width - layout.width * unit) / 2
    top = y + 20 + (high - layout.height * unit) / 2
    paint_fields(canvas, level, marks, (left, top, unit / 100), ())
    canvas.words(
        words, (x + width / 2, y + height - 26), BOLD, 32, "ink", anchor="ms", room=width - 40
    )


def _tile(canvas: Canvas, tile: YearTile, box: _Box) -> None:
    x, y, width, height = box
    _card(canvas, box)
    middle = y + height / 2
    canvas.item(Placed(tile.sign, 0, 0, 84), (x + 20, middle - 42, 1))
    left, room = x + 124, width - 148
    canvas.words(tile.figure, (left, middle - 12), BOLD, 62, "pen", anchor="ls", room=room)
    canvas.words(tile.words, (left, middle + 26), BOLD, 29, "ink", anchor="ls", room=room)
    canvas.words(tile.detail, (left, middle + 64), REGULAR, 25, "ink", anchor="ls", room=room)
