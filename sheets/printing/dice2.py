"""Printed pages of Dice²: the board, and on its back score strips and a relay table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from sheets.art.board import (
    FIELD,
    FIELD_SHAPE,
    PAPER_MARKER_RADIUS,
    field_place,
    field_role,
    ground,
    lane_names,
    markers,
    visible_box,
)
from sheets.art.render.fonts import fitted_size, wrap
from sheets.art.render.items import (
    LINE_MM,
    Bookmark,
    DrawnPage,
    Item,
    Part,
    PathItem,
    PlacedPart,
    Stamp,
    TextLine,
    disc,
    line,
    move,
    panel,
)
from sheets.art.shapes import Shape
from sheets.printing.geometry import MIN_TEXT_MM, PAPERS, PageOptions, common_area
from sheets.printing.paper_palette import print_palette
from sheets.rules.dice2.board import SIDE
from sheets.rules.dice2.relay import TARGETS
from sheets.text.rulebook.games import GAME_AIMS, game_name

PAGES_PER_SET: Final = 2
"""Number of pages of a set."""

NAME_TO_CIRCLE: Final = PAPER_MARKER_RADIUS + 12.0
"""Distance from the name of a row or column to the centre of its circle for a marker.

The unit is a hundredth of a field, as in `sheets.art.board`.
"""

EDGE_MM: Final = 9.0
"""Margin of the pages."""

TITLE_MM: Final = 6.5
"""Font size of a title."""

TEXT_MM: Final = 3.4
"""Font size of the labels of tables."""

STRIPS: Final = 8
"""Number of score strips on a page."""

BOXES_PER_STRIP: Final = 10
"""Number of boxes to tick in a strip, one for each line that can pay.

These are the rows, columns and diagonals of four by four fields.
"""

MAX_RELAY_ROWS: Final = 18
"""Maximum number of games in the relay table."""

ROW_MM: Final = 8.2
"""Height of a score strip with the gap below it, and of a row of the relay table."""


def draw_dice2_pages(options: PageOptions, address: str) -> Iterator[DrawnPage]:
    """Yield the pages of one set: the board, then strips and relay table for its back."""
    size = PAPERS[options.paper]
    x, y, width, height = common_area(*size)
    palette = print_palette(bw=options.bw, dark=True)
    with override(options.lang):
        board = (
            Part("H1", tuple(_title(_("Dice²"), width))),
            Part("Figure", tuple(_board(width)), _board_words()),
            Part("P", tuple(_games(width, _board_end(width) + 7.0, height - 12))),
            Part("P", (_footer(width, height, address),)),
        )
        paper = (
            Part("H1", tuple(_title(_("Square Dice"), width))),
            *_strips(width),
            *_relay(width, _relay_top(), height - 12),
            Part("P", (_footer(width, height, address),)),
        )
        titles = (_("Dice²: the board"), _("Dice²: score strips and relay"))
    for number, (parts, title) in enumerate(zip((board, paper), titles, strict=True)):
        placed = tuple(PlacedPart(move(part, x, y), 0) for part in parts)
        bookmarks = (Bookmark(f"dice2-{number}", title),)
        yield DrawnPage(*size, palette, placed, bookmarks)


def _title(text: str, width: float) -> Iterator[Item]:
    yield TextLine(text, EDGE_MM, EDGE_MM + TITLE_MM, TITLE_MM, True)
    yield line((EDGE_MM, EDGE_MM + 9.5), (width - EDGE_MM, EDGE_MM + 9.5))


def _footer(width: float, height: float, address: str) -> TextLine:
    return TextLine(address, width / 2, height - 7.0, MIN_TEXT_MM, anchor="middle")


def _board_words() -> str:
    return _(
        "A board of nine by nine fields, a light square of seven by seven in it, its middle dark; "
        "beside each row and column two circles for markers."
    )


def _board(width: float) -> Iterator[Item]:
    """Yield the board as wide as the page allows, with the same shapes as on the site."""
    box = visible_box(is_inner=False, has_markers=True, on_paper=True)
    scale = (width - 2 * EDGE_MM) / box.side
    left, top = EDGE_MM - box.start * scale, EDGE_MM + 14.0 - box.start * scale
    for shape in ground(box):
        yield PathItem(shape, left, top, scale)
    for index in range(SIDE**2):
        x, y = field_place(index)
        role = field_role(index)
        shape = Shape(FIELD_SHAPE, role, "board-line", 3)
        yield Stamp(f"field-{role}", "", (shape,), left + x * scale, top + y * scale, FIELD * scale)
    for spot in markers(box):
        middle = (left + spot.x * scale, top + spot.y * scale)
        radius = PAPER_MARKER_RADIUS * scale
        yield disc(middle, radius, fill="board-inner", stroke="board-line", width=LINE_MM)
    size = 22 * scale
    for name, x, y in lane_names(box):
        # Outside of the circle, because a real marker covers that.
        x, y = (x, y - NAME_TO_CIRCLE) if name.isdigit() else (x - NAME_TO_CIRCLE, y)
        at = (left + x * scale, top + y * scale + size * 0.35)
        yield TextLine(name, *at, size, True, "board-line", "middle")


def _board_end(width: float) -> float:
    """Return the y at which the board ends."""
    return EDGE_MM + 14.0 + (width - 2 * EDGE_MM)


def _games(width: float, top: float, low: float) -> Iterator[Item]:
    """Yield the aims of the games and the dice they need, in the largest text that fits."""
    names = width * 0.19
    room = width - 2 * EDGE_MM - names
    needed = _("48 dice, 16 in each of 3 colours, and 18 markers, 6 in each colour.")
    texts = {game_name(name): str(aim) for name, aim in GAME_AIMS.items()} | {_("You need"): needed}
    for size in (4.2, 3.8, 3.4, 3.0, 2.6):
        paragraphs = {name: list(wrap(text, size, room)) for name, text in texts.items()}
        line_mm = size * 1.34
        height = sum(len(lines) * line_mm + size * 0.7 for lines in paragraphs.values())
        if top + height <= low:
            break
    y = top
    for name, lines in paragraphs.items():
        yield TextLine(name, EDGE_MM, y + size, fitted_size(name, size, names - 3), True)
        for number, text in enumerate(lines):
            yield TextLine(text, EDGE_MM + names, y + size + number * line_mm, size)
        y += len(lines) * line_mm + size * 0.7


def _strips(width: float) -> Iterator[Part]:
    """Yield the score strips for Square Dice: a box for each line of four, a bonus and a total."""
    room = width - 2 * EDGE_MM
    name, total = room * 0.27, room * 0.11
    bonus = room * 0.13
    each = (room - name - total - bonus) / BOXES_PER_STRIP
    top = EDGE_MM + 17.0
    heads = (
        (_("Name"), EDGE_MM + 1, "start", name),
        (_("1 point per line of four"), EDGE_MM + name, "start", each * BOXES_PER_STRIP),
        (_("All 16: 4"), EDGE_MM + room - total - bonus / 2, "middle", bonus),
        (_("Total"), EDGE_MM + room - total / 2, "middle", total),
    )
    for text, x, anchor, space in heads:
        size = fitted_size(text, TEXT_MM, space - 1, bold=True)
        words = TextLine(text, x, top - 1.6, size, True, anchor=anchor)  # type: ignore[arg-type]
        yield Part("TH", (words,), within=(("Table", "strips"), ("TR", "head")))
    boxes: list[Item] = []
    for row in range(STRIPS):
        y = top + row * ROW_MM
        boxes.append(panel((EDGE_MM, y, room, ROW_MM - 1.4), 1.2, stroke="line"))
        middle = y + (ROW_MM - 1.4) / 2
        for box in range(BOXES_PER_STRIP):
            x = EDGE_MM + name + box * each + each / 2
            side = min(each - 1.2, ROW_MM - 3.6)
            boxes.append(panel((x - side / 2, middle - side / 2, side, side), 0.8, stroke="line"))
        for x in (EDGE_MM + room - total - bonus, EDGE_MM + room - total):
            boxes.append(line((x, y), (x, y + ROW_MM - 1.4)))
    yield Part("Artifact", tuple(boxes))


def _relay_top() -> float:
    return EDGE_MM + 17.0 + STRIPS * ROW_MM + 9.0


def _relay(width: float, top: float, low: float) -> Iterator[Part]:
    """Yield a table of the games of a relay; players tick a circle for the one who starts."""
    yield Part("H2", (TextLine(_("Relay"), EDGE_MM, top, TITLE_MM, True),))
    yield Part("P", tuple(_relay_options(width - 2 * EDGE_MM, top)))
    room = width - 2 * EDGE_MM
    rows = min(MAX_RELAY_ROWS, int((low - top - 31) / ROW_MM))
    first = room * 0.34
    column = (room - first) / 3
    y = top + 4
    frames: list[Item] = []
    for row in range(rows + 2):
        is_edge = row in (0, rows + 1)
        fill = "wash" if is_edge else ""
        yield Part("Artifact", (panel((EDGE_MM, y, room, ROW_MM), 0.6, fill=fill, stroke="line"),))
        label = {0: _("Game"), rows + 1: _("Points")}.get(row, f"{row}.")
        size = TEXT_MM if is_edge else TEXT_MM * 0.9
        words = TextLine(label, EDGE_MM + 1.6, y + ROW_MM / 2 + 1.2, size, is_edge)
        yield Part("TH", (words,), within=(("Table", "relay"), ("TR", str(row))))
        for number in range(3) if not is_edge else ():
            middle = (EDGE_MM + first + number * column + 3.6, y + ROW_MM / 2)
            frames.append(disc(middle, 1.4, stroke="line", width=LINE_MM))
        y += ROW_MM
    for number in range(3):
        x = EDGE_MM + first + number * column
        frames.append(line((x, top + 4), (x, y)))
    yield Part("Artifact", tuple(frames))
    hint = _(
        "A win: 1 point. With handicap, 2 for a winner who did not start; tick the "
        "circle of the player who did. The player who did worst in the last game "
        "starts the next."
    )
    lines = enumerate(wrap(hint, 3.0, room))
    yield Part("P", tuple(TextLine(text, EDGE_MM, y + 4.2 + 4.0 * n, 3.0) for n, text in lines))


def _relay_options(room: float, top: float) -> Iterator[Item]:
    """Yield the options of a relay to tick: the points to win, and the handicap."""
    x = EDGE_MM + room
    for target in reversed(TARGETS):
        x -= 9.0
        yield disc((x + 4, top - 2), 3.6, stroke="line", width=LINE_MM)
        yield TextLine(str(target), x + 4, top - 0.6, 4.0, True, anchor="middle")
    text = _("Points to win:")
    yield TextLine(text, x - 1.5, top - 0.7, TEXT_MM, anchor="end")
    handicap = _("Handicap")
    x = EDGE_MM + room * 0.36
    yield panel((x, top - 4, 4, 4), 0.6, stroke="line")
    yield TextLine(handicap, x + 5.5, top - 0.7, TEXT_MM)
