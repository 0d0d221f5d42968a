"""How does the result of a whole game become one picture to share?"""

from __future__ import annotations

from collections.abc import Container, Sequence
from io import BytesIO
from typing import Final, NamedTuple

from sheets.artwork.compose import Placed
from sheets.artwork.glyphs import BOLD, REGULAR
from sheets.artwork.layout import lay_out, number
from sheets.artwork.paint import Canvas
from sheets.artwork.palette import LIGHT
from sheets.artwork.png import WIDTH, paint_fields
from sheets.artwork.shapes import Shape, rectangle
from sheets.rules.level import Level
from sheets.rules.marks import Marks

MOST_BESIDE: Final = 3
"""As many players' cards stand beside each other."""

MOST_HIGH: Final = 900
"""The most a drawn sheet is high, in pixels."""

_EDGE, _GAP, _HEADER, _VERDICT, _FOOTER = 36, 24, 104, 92, 70
_STRIP, _ROW, _NAMES = 74, 48, 54
_DAY: Final = 420
"""Room for the day, in pixels."""


class PlayersPart(NamedTuple):
    """One player: ``place`` is 0 while nobody has won; ``marks`` None where no sheet is known.

    ``opened`` are the colours whose locks are open.
    """

    name: str
    total: int
    place: int
    wins: bool
    marks: Marks | None = None
    opened: Container[str] = ()


class AmountsRow(NamedTuple):
    """A category with everybody's amount; ``symbol`` is the id of a drawing."""

    label: str
    symbol: str
    amounts: Sequence[int]


def draw_result(
    title: str,
    verdict: str,
    players: Sequence[PlayersPart],
    rows: Sequence[AmountsRow],
    *,
    total: str,
    footer: str,
    level: Level | None = None,
    day: str = "",
) -> bytes:
    """Everybody's sheets and points, and who has won, as the bytes of a PNG.

    Args:
        title: what was played.
        verdict: who has won, or how well it went; may be empty.
        players: in the order in which they are shown.
        rows: the score columns side by side, in the order of ``players``.
        total: the word for the last row.
        footer: whose picture it is.
        level: the one of the sheets, where they are known.
        day: when it was played, in words; may be empty.
    """
    drawn = level if level and all(player.marks is not None for player in players) else None
    beside = len(players) if len(players) < 3 else 2 if len(players) == 4 else MOST_BESIDE
    width = (WIDTH - 2 * _EDGE - _GAP * (beside - 1)) / beside
    unit, high = _scale(drawn, width - 24)
    card = _STRIP + (high + 16 if drawn else 0)
    lines = -(-len(players) // beside)
    cards_top = _HEADER + (_VERDICT if verdict else 0)
    table_top = cards_top + lines * (card + _GAP)
    height = round(table_top + _NAMES + _ROW * len(rows) + 1.4 * _ROW + _FOOTER)
    canvas = Canvas(WIDTH, height, LIGHT)
    room = WIDTH - 2 * _EDGE - (_DAY + _GAP if day else 0)
    canvas.words(title, (_EDGE, 72), BOLD, 50, "ink", anchor="ls", room=room)
    canvas.words(day, (WIDTH - _EDGE, 72), REGULAR, 30, "ink", anchor="rs", room=_DAY)
    if verdict:
        _verdict(canvas, verdict)
    for i, player in enumerate(players):
        x = _EDGE + (width + _GAP) * (i % beside)
        y = cards_top + (card + _GAP) * (i // beside)
        _card(canvas, player, (x, y, width, card))
        if drawn and player.marks is not None:
            left = x + (width - lay_out(drawn).width * unit) / 2
            paint_fields(canvas, drawn, player.marks, (left, y + _STRIP, unit / 100), player.opened)
    _table(canvas, table_top, players, rows, total)
    canvas.words(footer, (WIDTH / 2, height - 24), REGULAR, 24, "ink", anchor="ms", room=WIDTH)
    stream = BytesIO()
    canvas.finished().save(stream, "PNG", optimize=False, compress_level=6)
    return stream.getvalue()


def _scale(level: Level | None, room: float) -> tuple[float, float]:
    """How wide a field and how high a sheet is, in pixels."""
    if level is None:
        return 0, 0
    layout = lay_out(level)
    unit = min(room / layout.width, MOST_HIGH / layout.height)
    return unit, layout.height * unit


def _verdict(canvas: Canvas, verdict: str) -> None:
    bar = Shape(rectangle(0, 0, WIDTH - 2 * _EDGE, _VERDICT - 22, 18), "spark")
    canvas.shape(bar, (_EDGE, _HEADER - 6, 1))
    canvas.item(Placed("cross-2", 0, 0, 58), (_EDGE + 14, _HEADER, 1))
    canvas.words(
        verdict, (_EDGE + 88, _HEADER + 44), BOLD, 44, "print", anchor="ls",
        room=WIDTH - 2 * _EDGE - 108,
    )  # fmt: skip


def _card(canvas: Canvas, player: PlayersPart, box: tuple[float, float, float, float]) -> None:
    x, y, width, height = box
    edge = "spark" if player.wins else "field-line"
    ground = Shape(rectangle(0, 0, width, height, 18), "paper", edge, 10 if player.wins else 4)
    canvas.shape(ground, (x, y, 1))
    place = f"{player.place}. " if player.place else ""
    canvas.words(
        place + player.name, (x + 18, y + 48), BOLD, 34, "ink", anchor="ls", room=width - 130
    )
    canvas.words(
        number(player.total), (x + width - 18, y + 52), BOLD, 46, "pen", anchor="rs", room=100
    )


def _table(
    canvas: Canvas,
    top: float,
    players: Sequence[PlayersPart],
    rows: Sequence[AmountsRow],
    total: str,
) -> None:
    labels = 300.0
    inner = WIDTH - 2 * _EDGE
    step = (inner - labels - 18) / len(players)
    height = _NAMES + _ROW * len(rows) + 1.4 * _ROW
    canvas.shape(
        Shape(rectangle(0, 0, inner, height, 18), "paper", "field-line", 4), (_EDGE, top, 1)
    )
    ends = [_EDGE + labels + step * (i + 1) for i in range(len(players))]
    for end, player in zip(ends, players, strict=True):
        canvas.words(player.name, (end, top + 38), BOLD, 26, "ink", anchor="rs", room=step - 14)
    for i, row in enumerate(rows):
        base = top + _NAMES + _ROW * (i + 0.68)
        rule = Shape(f"M18 0H{inner - 18}", "", "field-line", 1.5)
        canvas.shape(rule, (_EDGE, top + _NAMES + _ROW * i, 1))
        if row.symbol:
            canvas.item(Placed(row.symbol, 0, 0, 34), (_EDGE + 14, base - 26, 1))
        canvas.words(
            row.label, (_EDGE + 60, base), REGULAR, 27, "ink", anchor="ls", room=labels - 66
        )
        for end, amount in zip(ends, row.amounts, strict=True):
            canvas.words(number(amount), (end, base), BOLD, 28, "ink", anchor="rs", room=step)
    base = top + height - 22
    bar = Shape(rectangle(8, 0, inner - 16, _ROW * 1.25, 12), "badge")
    canvas.shape(bar, (_EDGE, base - _ROW * 0.85, 1))
    canvas.words(total, (_EDGE + 24, base), BOLD, 32, "on-badge", anchor="ls", room=labels - 30)
    for end, player in zip(ends, players, strict=True):
        canvas.words(
            number(player.total), (end, base), BOLD, 38, "on-badge", anchor="rs", room=step
        )
