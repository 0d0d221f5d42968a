"""Picture of a year of games, in portrait format for phones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sheets.art.layout import lay_out
from sheets.art.palette import LIGHT
from sheets.art.render.items import Item, panel, stamp
from sheets.art.render.png import write_png
from sheets.printing.pictures.fitted_text import fit_text
from sheets.printing.pictures.sheet import card, draw_fields
from sheets.printing.pictures.sizes import WIDTH, YEAR_HEIGHT
from sheets.rules.level import Level
from sheets.rules.marks import Marks

_EDGE, _GAP = 48, 24
_HEADER, _HEADLINE, _FOOTER = 214, 112, 64
_TOP: Final = _HEADER + _HEADLINE
_BOTTOM: Final = YEAR_HEIGHT - _FOOTER - 16
_COLUMN: Final = (WIDTH - 2 * _EDGE - _GAP) / 2

TILES_NEXT_TO_SHEET: Final = 3
"""Number of tiles next to the sheet. Without a sheet, as many rows of two tiles replace them."""

ROWS: Final = 2
"""Number of rows of two tiles below the sheet."""

_ALL_ROWS: Final = TILES_NEXT_TO_SHEET + ROWS
_TILE: Final = (_BOTTOM - _TOP - _GAP * (_ALL_ROWS - 1)) / _ALL_ROWS
"""Height of a tile."""

_Box = tuple[float, float, float, float]
"""Left, top, width and height."""


class YearTile(NamedTuple):
    """One fact about the year.

    ``sign`` is the id of a drawing, ``figure`` the large text; ``words`` and ``detail`` are below
    it.
    """

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
    """Return a picture of the games of a year, as a PNG.

    Args:
        name: the name of the group or player.
        headline: the text with the number of games.
        tiles: the facts, the best first; as many are shown as there is room for.
        favourite: the text below the sheet: the level with the most games, and their number.
        level: that level; None if the picture has no sheet.
        marks: the marks on the sheet.
        footer: the name of the site.
    """
    items = [*_header(year, name)]
    items.append(fit_text(headline, (_EDGE, _HEADER + 72), 54, WIDTH - 2 * _EDGE))
    boxes = [_box(column, row) for row in range(_ALL_ROWS) for column in range(2)]
    if level:
        high = TILES_NEXT_TO_SHEET * _TILE + (TILES_NEXT_TO_SHEET - 1) * _GAP
        items += _sheet((_EDGE, _TOP, _COLUMN, high), favourite, level, marks)
        next_to_it = [_box(1, row) for row in range(TILES_NEXT_TO_SHEET)]
        boxes = next_to_it + boxes[2 * TILES_NEXT_TO_SHEET :]
    for tile, box in zip(tiles, boxes, strict=False):
        items += _tile(tile, box)
    at = (WIDTH / 2, YEAR_HEIGHT - 28)
    items.append(fit_text(footer, at, 26, WIDTH, bold=False, anchor="middle"))
    return write_png(WIDTH, YEAR_HEIGHT, LIGHT, items)


def _box(column: int, row: int) -> _Box:
    return _EDGE + column * (_COLUMN + _GAP), _TOP + row * (_TILE + _GAP), _COLUMN, _TILE


def _header(year: str, name: str) -> Iterator[Item]:
    width, height = WIDTH - 2 * _EDGE, _HEADER - _EDGE - 14
    yield panel((_EDGE, _EDGE, width, height), 28, fill="spark")
    yield stamp("cross-2", _EDGE + 20, _EDGE + 24, 104)
    base = _EDGE + 112
    yield fit_text(year, (_EDGE + 146, base), 104, 270, role="print")
    at = (WIDTH - _EDGE - 32, base - 8)
    yield fit_text(name, at, 60, width - 470, role="print", anchor="end")


def _sheet(box: _Box, words: str, level: Level, marks: Marks) -> Iterator[Item]:
    x, y, width, height = box
    yield card(box, 22)
    layout, inner, high = lay_out(level), width - 40, height - 92
    unit = min(inner / layout.width, high / layout.height)
    left = x + (width - layout.width * unit) / 2
    top = y + 20 + (high - layout.height * unit) / 2
    yield from draw_fields(level, marks, (left, top), unit, ())
    yield fit_text(words, (x + width / 2, y + height - 26), 32, width - 40, anchor="middle")


def _tile(tile: YearTile, box: _Box) -> Iterator[Item]:
    x, y, width, height = box
    yield card(box, 22)
    middle = y + height / 2
    yield stamp(tile.sign, x + 20, middle - 42, 84)
    left, room = x + 124, width - 148
    yield fit_text(tile.figure, (left, middle - 12), 62, room, role="pen")
    yield fit_text(tile.words, (left, middle + 26), 29, room)
    yield fit_text(tile.detail, (left, middle + 64), 25, room, bold=False)
