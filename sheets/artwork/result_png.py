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
from sheets.artwork.picture_sizes import (
    EDGE,
    GAP,
    HEADER,
    NAMES,
    ROW,
    STRIP,
    VERDICT,
    WIDTH,
    arrange_result,
)
from sheets.artwork.png import paint_fields
from sheets.artwork.shapes import Shape, rectangle
from sheets.rules.level import Level
from sheets.rules.marks import Marks

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
    frame = arrange_result(len(players), len(rows), drawn, has_verdict=bool(verdict))
    beside, width, unit, card, cards_top, table_top, height = frame
    canvas = Canvas(WIDTH, height, LIGHT)
    room = WIDTH - 2 * EDGE - (_DAY + GAP if day else 0)
    canvas.words(title, (EDGE, 72), BOLD, 50, "ink", anchor="ls", room=room)
    canvas.words(day, (WIDTH - EDGE, 72), REGULAR, 30, "ink", anchor="rs", room=_DAY)
    if verdict:
        _verdict(canvas, verdict)
    for i, player in enumerate(players):
        x = EDGE + (width + GAP) * (i % beside)
        y = cards_top + (card + GAP) * (i // beside)
        _card(canvas, player, (x, y, width, card))
        if drawn and player.marks is not None:
            left = x + (width - lay_out(drawn).width * unit) / 2
            paint_fields(canvas, drawn, player.marks, (left, y + STRIP, unit / 100), player.opened)
    _table(canvas, table_top, players, rows, total)
    canvas.words(footer, (WIDTH / 2, height - 24), REGULAR, 24, "ink", anchor="ms", room=WIDTH)
    stream = BytesIO()
    canvas.finished().save(stream, "PNG", optimize=False, compress_level=6)
    return stream.getvalue()


def _verdict(canvas: Canvas, verdict: str) -> None:
    bar = Shape(rectangle(0, 0, WIDTH - 2 * EDGE, VERDICT - 22, 18), "spark")
    canvas.shape(bar, (EDGE, HEADER - 6, 1))
    canvas.item(Placed("cross-2", 0, 0, 58), (EDGE + 14, HEADER, 1))
    canvas.words(
        verdict, (EDGE + 88, HEADER + 44), BOLD, 44, "print", anchor="ls",
        room=WIDTH - 2 * EDGE - 108,
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
    inner = WIDTH - 2 * EDGE
    step = (inner - labels - 18) / len(players)
    height = NAMES + ROW * len(rows) + 1.4 * ROW
    canvas.shape(
        Shape(rectangle(0, 0, inner, height, 18), "paper", "field-line", 4), (EDGE, top, 1)
    )
    ends = [EDGE + labels + step * (i + 1) for i in range(len(players))]
    for end, player in zip(ends, players, strict=True):
        canvas.words(player.name, (end, top + 38), BOLD, 26, "ink", anchor="rs", room=step - 14)
    for i, row in enumerate(rows):
        base = top + NAMES + ROW * (i + 0.68)
        rule = Shape(f"M18 0H{inner - 18}", "", "field-line", 1.5)
        canvas.shape(rule, (EDGE, top + NAMES + ROW * i, 1))
        if row.symbol:
            canvas.item(Placed(row.symbol, 0, 0, 34), (EDGE + 14, base - 26, 1))
        canvas.words(
            row.label, (EDGE + 60, base), REGULAR, 27, "ink", anchor="ls", room=labels - 66
        )
        for end, amount in zip(ends, row.amounts, strict=True):
            canvas.words(number(amount), (end, base), BOLD, 28, "ink", anchor="rs", room=step)
    base = top + height - 22
    bar = Shape(rectangle(8, 0, inner - 16, ROW * 1.25, 12), "badge")
    canvas.shape(bar, (EDGE, base - ROW * 0.85, 1))
    canvas.words(total, (EDGE + 24, base), BOLD, 32, "on-badge", anchor="ls", room=labels - 30)
    for end, player in zip(ends, players, strict=True):
        canvas.words(
            number(player.total), (end, base), BOLD, 38, "on-badge", anchor="rs", room=step
        )
