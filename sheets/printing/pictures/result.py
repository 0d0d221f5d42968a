"""Picture of the result of a whole game."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple

from sheets.art.layout import format_amount, lay_out
from sheets.art.palette import LIGHT
from sheets.art.render.items import Item, line, panel, stamp
from sheets.art.render.png import write_png
from sheets.printing.pictures.fitted_text import fit_text
from sheets.printing.pictures.sheet import card, draw_fields
from sheets.printing.pictures.sizes import (
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
from sheets.printing.result import CategoryRow
from sheets.rules.level import Level
from sheets.rules.marks import Marks

_DAY: Final = 420
"""Maximum width of the date of the game, in pixels."""


class PlayerResult(NamedTuple):
    """A player with points and sheet.

    ``place`` is the rank from 1, or 0 in a game without a winner. ``marks`` are the marks on the
    sheet, None if the sheet is unknown. ``opened`` are the colours whose locks are open.
    """

    name: str
    total: int
    place: int
    wins: bool
    marks: Marks | None = None
    opened: Container[str] = ()


def draw_result(
    title: str,
    verdict: str,
    players: Sequence[PlayerResult],
    rows: Sequence[CategoryRow],
    *,
    total: str,
    footer: str,
    level: Level | None = None,
    day: str = "",
) -> bytes:
    """Return a PNG with the sheets and points of all players, and the winners.

    Args:
        title: the name of the game.
        verdict: who has won, or the grade of a solo game; may be empty.
        players: the players, in the order of the picture.
        rows: the score categories, each with the points in the order of ``players``.
        total: the label of the last row, which has the totals.
        footer: the name of the site.
        level: the level of the sheets; None if the picture has no sheets.
        day: the date of the game; may be empty.
    """
    drawn = level if level and all(player.marks is not None for player in players) else None
    frame = arrange_result(len(players), len(rows), drawn, has_verdict=bool(verdict))
    columns, width, unit, card_height, cards_top, table_top, height = frame
    items = [*_header(title, day)]
    if verdict:
        items += _verdict(verdict)
    for i, player in enumerate(players):
        x = EDGE + (width + GAP) * (i % columns)
        y = cards_top + (card_height + GAP) * (i // columns)
        items += _player_card(player, (x, y, width, card_height))
        if drawn and player.marks is not None:
            corner = (x + (width - lay_out(drawn).width * unit) / 2, y + STRIP)
            items += draw_fields(drawn, player.marks, corner, unit, player.opened)
    items += _table(table_top, players, rows, total)
    items.append(fit_text(footer, (WIDTH / 2, height - 24), 24, WIDTH, bold=False, anchor="middle"))
    return write_png(WIDTH, height, LIGHT, items)


def _header(title: str, day: str) -> Iterator[Item]:
    room = WIDTH - 2 * EDGE - (_DAY + GAP if day else 0)
    yield fit_text(title, (EDGE, 72), 50, room)
    yield fit_text(day, (WIDTH - EDGE, 72), 30, _DAY, bold=False, anchor="end")


def _verdict(verdict: str) -> Iterator[Item]:
    yield panel((EDGE, HEADER - 6, WIDTH - 2 * EDGE, VERDICT - 22), 18, fill="spark")
    yield stamp("cross-2", EDGE + 14, HEADER, 58)
    room = WIDTH - 2 * EDGE - 108
    yield fit_text(verdict, (EDGE + 88, HEADER + 44), 44, room, role="print")


def _player_card(player: PlayerResult, box: tuple[float, float, float, float]) -> Iterator[Item]:
    x, y, width, _height = box
    ground = panel(box, 18, fill="paper", stroke="spark", width=10)
    yield ground if player.wins else card(box)
    place = f"{player.place}. " if player.place else ""
    yield fit_text(place + player.name, (x + 18, y + 48), 34, width - 130)
    total, at = format_amount(player.total), (x + width - 18, y + 52)
    yield fit_text(total, at, 46, 100, role="pen", anchor="end")


def _table(
    top: float, players: Sequence[PlayerResult], rows: Sequence[CategoryRow], total: str
) -> Iterator[Item]:
    labels = 300.0
    inner, right = WIDTH - 2 * EDGE, WIDTH - EDGE
    step = (inner - labels - 18) / len(players)
    height = NAMES + ROW * len(rows) + 1.4 * ROW
    yield card((EDGE, top, inner, height))
    ends = [EDGE + labels + step * (i + 1) for i in range(len(players))]
    for end, player in zip(ends, players, strict=True):
        yield fit_text(player.name, (end, top + 38), 26, step - 14, anchor="end")
    for i, row in enumerate(rows):
        y = top + NAMES + ROW * i
        base = y + ROW * 0.68
        yield line((EDGE + 18, y), (right - 18, y), 1.5, "field-line")
        if row.symbol:
            yield stamp(row.symbol, EDGE + 14, base - 26, 34)
        yield fit_text(row.label, (EDGE + 60, base), 27, labels - 66, bold=False)
        for end, amount in zip(ends, row.amounts, strict=True):
            yield fit_text(format_amount(amount), (end, base), 28, step, anchor="end")
    base = top + height - 22
    yield panel((EDGE + 8, base - ROW * 0.85, inner - 16, ROW * 1.25), 12, fill="badge")
    yield fit_text(total, (EDGE + 24, base), 32, labels - 30, role="on-badge")
    for end, player in zip(ends, players, strict=True):
        points = format_amount(player.total)
        yield fit_text(points, (end, base), 38, step, role="on-badge", anchor="end")
