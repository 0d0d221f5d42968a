"""How does a sheet become a picture to share?"""

from __future__ import annotations

from collections.abc import Container, Sequence
from io import BytesIO
from typing import NamedTuple

from sheets.artwork.compose import Placed, compose, field_group
from sheets.artwork.furniture import over_fields
from sheets.artwork.glyphs import BOLD, REGULAR
from sheets.artwork.layout import lay_out, number
from sheets.artwork.paint import Canvas, Place
from sheets.artwork.palette import LIGHT, Palette
from sheets.artwork.picture_sizes import EDGE, FOOTER, HEADER, WIDTH, arrange_sheet
from sheets.artwork.shapes import Shape, rectangle
from sheets.rules.level import Level
from sheets.rules.marks import Marks, printed_marks

_COLUMN = 284
_ROW = 50


class ScoreRow(NamedTuple):
    """One line of the score column; ``symbol`` is the id of a drawing shown before the label."""

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
    """A sheet as it stands, with its score column, as the bytes of a PNG.

    Args:
        marks: the players'; printed ones are added.
        title: the level's name; ``player`` stands beside it.
        rows: the score column from the top; ``total`` stands below it.
        opened: the colours whose locks are open.
    """
    column = _COLUMN + EDGE if rows or total else 0
    left, unit, fields = arrange_sheet(level, column)
    score_height = _ROW * len(rows) + (_ROW * 1.6 if total else 0) + 32
    inner = max(fields, score_height if column else 0)
    height = round(HEADER + inner + FOOTER + (10 if footer else 0))
    canvas = Canvas(WIDTH, height, palette)
    _header(canvas, title, player)
    paint_fields(canvas, level, marks, (left, HEADER, unit / 100), opened)
    if column:
        _score(canvas, (WIDTH - EDGE - _COLUMN, HEADER + 4), rows, total)
    if footer:
        canvas.words(footer, (WIDTH / 2, height - 20), REGULAR, 20, "ink", anchor="ms", room=WIDTH)
    stream = BytesIO()
    canvas.finished().save(stream, "PNG", optimize=False, compress_level=6)
    return stream.getvalue()


def _header(canvas: Canvas, title: str, player: str) -> None:
    half = WIDTH / 2 - EDGE - 10
    room = half if player else WIDTH - 2 * EDGE
    canvas.words(title, (EDGE, 72), BOLD, 50, "ink", anchor="ls", room=room)
    canvas.words(player, (WIDTH - EDGE, 72), BOLD, 40, "pen", anchor="rs", room=half)


def paint_fields(
    canvas: Canvas, level: Level, marks: Marks, place: Place, opened: Container[str]
) -> None:
    """Paint the fields of a sheet with what lies on them, the printed marks included."""
    layout = lay_out(level)
    left, top, unit = place
    shown = {**printed_marks(level), **marks}
    for field in level.fields:
        box, group = layout.fields[field.name], field_group(field)
        at = (left + box.x * 100 * unit, top + box.y * 100 * unit, box.width * unit)
        ground = Shape(rectangle(0, 0, 100, 100, 14), "tint" if group else "paper",
                       "field-line", 4.5)  # fmt: skip
        canvas.shape(ground, at, group)
    pieces = list(over_fields(layout))
    canvas.pieces((piece for piece in pieces if not piece.is_label), place)
    for field in level.fields:
        box = layout.fields[field.name]
        at = (left + box.x * 100 * unit, top + box.y * 100 * unit, box.width * unit)
        is_open = field.symbol == "lock" and field.colour in opened
        for item in compose(field, shown.get(field.name, ()), opened=is_open):
            canvas.item(item, at, group=field_group(field))
    canvas.pieces((piece for piece in pieces if piece.is_label), place)


def _score(
    canvas: Canvas, corner: tuple[float, float], rows: Sequence[ScoreRow], total: ScoreRow | None
) -> None:
    x, y = corner
    height = _ROW * len(rows) + (_ROW * 1.6 if total else 0) + 16
    card = Shape(rectangle(0, 0, _COLUMN, height, 18), "paper", "field-line", 4)
    canvas.shape(card, (x, y, 1))
    inset = 58 if any(row.symbol for row in rows) else 18
    for i, row in enumerate(rows):
        base = y + 8 + _ROW * (i + 0.68)
        if row.symbol:
            canvas.item(Placed(row.symbol, 0, 0, 34), (x + 14, base - 26, 1))
        amount = number(row.points)
        canvas.words(
            row.label, (x + inset, base), REGULAR, 25, "ink", anchor="ls", room=_COLUMN - inset - 76
        )
        canvas.words(amount, (x + _COLUMN - 18, base), BOLD, 28, "ink", anchor="rs", room=70)
        if i + 1 < len(rows):
            line = Shape(f"M18 0H{_COLUMN - 18}", "", "field-line", 1.5)
            canvas.shape(line, (x, y + 8 + _ROW * (i + 1), 1))
    if total:
        base = y + height - 26
        bar = Shape(rectangle(8, 0, _COLUMN - 16, _ROW * 1.35, 12), "badge")
        canvas.shape(bar, (x, base - _ROW * 0.95, 1))
        canvas.words(total.label, (x + 24, base), BOLD, 30, "on-badge", anchor="ls", room=150)
        canvas.words(
            number(total.points), (x + _COLUMN - 24, base), BOLD, 46, "on-badge", anchor="rs",
            room=100,
        )  # fmt: skip
