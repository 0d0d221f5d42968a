"""Picture of the result of a whole game."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple

from sheets.artwork.layout import lay_out, number
from sheets.artwork.palette import LIGHT
from sheets.pictures.sheet import card, draw_fields
from sheets.pictures.sizes import (
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
from sheets.pictures.text import fit_text
from sheets.render.items import Item, line, panel, stamp
from sheets.render.png import write_png
from sheets.rules.level import Level
from sheets.rules.marks import Marks

_DAY: Final = 420
"""Width of the room for the day, in pixels."""


class PlayersPart(NamedTuple):
    """A player: ``place`` is 0 without a winner; ``marks`` is None without a sheet.

    ``opened`` are the colours whose locks are open.
    """

    name: str
    total: int
    place: int
    wins: bool
    marks: Marks | None = None
    opened: Container[str] = ()


class AmountsRow(NamedTuple):
    """A category with the amount of each player; ``symbol`` is the id of a drawing."""

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
    """Return the sheets and points of all players, and who has won, as a PNG.

    Args:
        title: the name of the game.
        verdict: who has won, or the grade of a solo game; may be empty.
        players: in the order of the picture.
        rows: the score columns side by side, in the order of ``players``.
        total: the word for the last row.
        footer: the name of the site.
        level: that of the sheets, if they are known.
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


def _player_card(player: PlayersPart, box: tuple[float, float, float, float]) -> Iterator[Item]:
    x, y, width, _height = box
    ground = panel(box, 18, fill="paper", stroke="spark", width=10)
    yield ground if player.wins else card(box)
    place = f"{player.place}. " if player.place else ""
    yield fit_text(place + player.name, (x + 18, y + 48), 34, width - 130)
    total, at = number(player.total), (x + width - 18, y + 52)
    yield fit_text(total, at, 46, 100, role="pen", anchor="end")


def _table(
    top: float, players: Sequence[PlayersPart], rows: Sequence[AmountsRow], total: str
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
            yield fit_text(number(amount), (end, base), 28, step, anchor="end")
    base = top + height - 22
    yield panel((EDGE + 8, base - ROW * 0.85, inner - 16, ROW * 1.25), 12, fill="badge")
    yield fit_text(total, (EDGE + 24, base), 32, labels - 30, role="on-badge")
    for end, player in zip(ends, players, strict=True):
        points = number(player.total)
        yield fit_text(points, (end, base), 38, step, role="on-badge", anchor="end")
