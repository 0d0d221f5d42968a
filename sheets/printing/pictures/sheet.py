"""Picture of a sheet with its score column."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple

from sheets.art.decorations import Decoration, sheet_decorations
from sheets.art.field_contents import compose, field_group
from sheets.art.layout import format_amount, lay_out
from sheets.art.palette import LIGHT, Palette
from sheets.art.render.items import Item, PathItem, Stamp, field_item, line, panel, stamp
from sheets.art.render.png import write_png
from sheets.art.shapes import Point, Shape, rectangle
from sheets.printing.pictures.fitted_text import fit_text
from sheets.printing.pictures.sizes import EDGE, FOOTER, HEADER, WIDTH, arrange_sheet
from sheets.rules.level import Level
from sheets.rules.marks import Marks, printed_marks

_COLUMN: Final = 284
"""Width of the score column."""

_ROW: Final = 50
"""Height of a row of the score column."""

_FIELD_PATH: Final = rectangle(0, 0, 100, 100, 14)


class ScoreRow(NamedTuple):
    """One row of the score column; ``symbol`` is the id of the drawing before the label, if any."""

    label: str
    points: int
    symbol: str = ""


def draw_sheet(
    level: Level,
    marks: Marks,
    *,
    title: str,
    player: str = "",
    rows: Sequence[ScoreRow] = (),
    total: ScoreRow | None = None,
    footer: str = "",
    opened: Container[str] = (),
    palette: Palette = LIGHT,
) -> bytes:
    """Return a sheet with its score column as a PNG.

    Args:
        marks: the marks of the player; printed ones are added.
        title: name of the level; the name of the ``player`` is next to it.
        rows: the score column from the top; ``total`` is below it.
        opened: the colours whose locks are open.
    """
    column = _COLUMN + EDGE if rows or total else 0
    left, unit, fields = arrange_sheet(level, column)
    score_height = _ROW * len(rows) + (_ROW * 1.6 if total else 0) + 32
    inner = max(fields, score_height if column else 0)
    height = round(HEADER + inner + FOOTER + (10 if footer else 0))
    items = [*_header(title, player), *draw_fields(level, marks, (left, HEADER), unit, opened)]
    if column:
        items += _score((WIDTH - EDGE - _COLUMN, HEADER + 4), rows, total)
    if footer:
        at = (WIDTH / 2, height - 20)
        items.append(fit_text(footer, at, 20, WIDTH, bold=False, anchor="middle"))
    return write_png(WIDTH, height, palette, items)


def _header(title: str, player: str) -> Iterator[Item]:
    half = WIDTH / 2 - EDGE - 10
    room = half if player else WIDTH - 2 * EDGE
    yield fit_text(title, (EDGE, 72), 50, room)
    yield fit_text(player, (WIDTH - EDGE, 72), 40, half, role="pen", anchor="end")


def draw_fields(
    level: Level, marks: Marks, corner: Point, unit: float, opened: Container[str]
) -> Iterator[Item]:
    """Yield the fields of a sheet with the marks of the player and the printed marks.

    Args:
        corner: top left corner of the sheet; ``unit`` is the width of a field.
        opened: the colours whose locks are open.
    """
    layout = lay_out(level)
    left, top = corner
    shown = {**printed_marks(level), **marks}
    places = {
        name: (left + box.x * unit, top + box.y * unit, box.width * unit)
        for name, box in layout.fields.items()
    }
    for field in level.fields:
        group = field_group(field)
        shape = Shape(_FIELD_PATH, "tint" if group else "paper", "field-line", 4.5)
        yield Stamp(f"field-{group or 'plain'}", group, (shape,), *places[field.name])
    pieces = list(sheet_decorations(layout))
    yield from _decoration_items((piece for piece in pieces if not piece.is_label), corner, unit)
    for field in level.fields:
        x, y, side = places[field.name]
        is_open = field.symbol == "lock" and field.colour in opened
        group, stack = field_group(field), shown.get(field.name, ())
        for item in compose(field, stack, opened=is_open):
            yield from field_item(item, (x, y), side / 100, group, has_halo=bool(stack))
    yield from _decoration_items((piece for piece in pieces if piece.is_label), corner, unit)


def _decoration_items(pieces: Iterator[Decoration], corner: Point, unit: float) -> Iterator[Item]:
    for piece in pieces:
        for item in piece.items:
            if isinstance(item, Shape):
                yield PathItem(item, *corner, unit / 100)
            else:
                yield from field_item(item, corner, unit / 100, role="on-badge")


def _score(corner: Point, rows: Sequence[ScoreRow], total: ScoreRow | None) -> Iterator[Item]:
    x, y = corner
    right = x + _COLUMN
    height = _ROW * len(rows) + (_ROW * 1.6 if total else 0) + 16
    yield card((x, y, _COLUMN, height))
    inset = 58 if any(row.symbol for row in rows) else 18
    for i, row in enumerate(rows):
        base = y + 8 + _ROW * (i + 0.68)
        if row.symbol:
            yield stamp(row.symbol, x + 14, base - 26, 34)
        room = _COLUMN - inset - 76
        yield fit_text(row.label, (x + inset, base), 25, room, bold=False)
        yield fit_text(format_amount(row.points), (right - 18, base), 28, 70, anchor="end")
        if i + 1 < len(rows):
            low = y + 8 + _ROW * (i + 1)
            yield line((x + 18, low), (right - 18, low), 1.5, "field-line")
    if total:
        base = y + height - 26
        yield panel((x + 8, base - _ROW * 0.95, _COLUMN - 16, _ROW * 1.35), 12, fill="badge")
        yield fit_text(total.label, (x + 24, base), 30, 150, role="on-badge")
        points = format_amount(total.points)
        yield fit_text(points, (right - 24, base), 46, 100, role="on-badge", anchor="end")


def card(box: tuple[float, float, float, float], radius: float = 18) -> PathItem:
    """Return a bright panel with a border; only the outer half of the border is visible."""
    return panel(box, radius, fill="paper", stroke="field-line", width=4)
