"""How does a page show the board of Dice²? As a drawing that refers to the page's sprite."""

from __future__ import annotations

from math import atan2, degrees, hypot

from sheets.artwork.board import (
    FIELD,
    FIELD_SHAPE,
    GROUPS,
    MARKER_RADIUS,
    DrawnLine,
    View,
    all_pieces,
    die_id,
    field_place,
    field_role,
    ground,
    lane_names,
    marker_id,
    markers,
)
from sheets.artwork.compose import Placed
from sheets.artwork.shapes import Shape, circle, number_text, rectangle
from sheets.artwork.svg import draw_path, sprite, use
from sheets.rules.dice2.board import INDEX, NAMES, SIDE

LINE_WIDTHS = (16.5, 12.5, 8.5)
"""Of a frame around a line of dice: its dark edge, the white in it, and its owner's colour."""

LINE_DASHES = ("", "26 26", "0.1 25.9")
"""How each player's frame is dashed, so that it is told without its colour; the first is whole."""


def board_sprite() -> str:
    """The drawings that `draw_board` refers to, once per page."""
    return sprite({drawing.id for drawing in all_pieces()} | {f"die-{n}" for n in range(1, 7)}, "")


def draw_board(view: View, *, is_small: bool = False) -> str:
    """The board as one ``<svg>``; a small one is without the names of rows and columns."""
    low, side = number_text(view.box.start), number_text(view.box.side)
    parts = [*map(draw_path, ground(view.box))]
    parts += [_field(index, view) for index in range(SIDE**2) if _is_shown(index, view)]
    if view.has_markers:
        parts += _markers(view)
    if not is_small:
        parts += _names(view)
    parts += [_die(name, *die) for name, die in view.dice.items()]
    parts += [_line(line) for line in view.lines]
    if view.limits:
        parts.append(_limits(view.limits))
    if view.last:
        parts.append(_last(view.last))
    return (
        f'<svg class="art-sheet board" viewBox="{low} {low} {side} {side}" aria-hidden="true" '
        f'focusable="false"><g class="art">{"".join(parts)}</g></svg>'
    )


def _is_shown(index: int, view: View) -> bool:
    return index // SIDE in view.box.lanes and index % SIDE in view.box.lanes


def _field(index: int, view: View) -> str:
    x, y = map(number_text, field_place(index))
    is_shut = view.limits and not (
        index // SIDE in view.limits[0] and index % SIDE in view.limits[1]
    )
    role = "board-rim" if is_shut else field_role(index)
    return (
        f'<g class="art-field{" shut" if is_shut else ""}" data-field="{NAMES[index]}" '
        f'transform="translate({x} {y})"><path class="paper f-{role} s-board-line" '
        f'stroke-width="3" d="{FIELD_SHAPE}"/></g>'
    )


def _die(name: str, player: int, number: int) -> str:
    x, y = field_place(INDEX[name])
    return (
        f'<g class="die" data-die="{name}">{use(Placed(die_id(player, number), x, y, FIELD))}</g>'
    )


def _line(line: DrawnLine) -> str:
    """A frame around the dice of a line, in the colour and the dashes of those it belongs to."""
    (x1, y1), (x2, y2) = (field_place(INDEX[name]) for name in (line.fields[0], line.fields[-1]))
    is_slanted = x1 != x2 and y1 != y2
    half = 0.27 * FIELD if is_slanted else 0.44 * FIELD
    long = hypot(x2 - x1, y2 - y1) + (1.1 if is_slanted else 0.88) * FIELD
    frame = rectangle(-long / 2, -half, long, 2 * half, half if is_slanted else 18)
    middle = ((x1 + x2 + FIELD) / 2, (y1 + y2 + FIELD) / 2)
    place = " ".join(map(number_text, middle))
    turn = number_text(degrees(atan2(y2 - y1, x2 - x1)))
    dark, white, bright = LINE_WIDTHS
    parts = [_frame(frame, "s-die-edge", dark), _frame(frame, "s-last-die", white)]
    parts += [
        f'<g class="g-{GROUPS[owner]}">{_frame(frame, "s-solid", bright, LINE_DASHES[owner])}</g>'
        for owner in line.owners
    ]
    owners = " ".join(map(str, line.owners))
    return (
        f'<g class="scored-line" data-owners="{owners}" fill="none" '
        f'transform="translate({place}) rotate({turn})">{"".join(parts)}</g>'
    )


def _frame(path: str, role: str, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path class="{role}" stroke-width="{width:g}"{dashed} d="{path}"/>'


def _limits(limits: tuple[range, range]) -> str:
    rows, columns = limits
    path = rectangle(
        columns[0] * FIELD - 1,
        rows[0] * FIELD - 1,
        len(columns) * FIELD + 2,
        len(rows) * FIELD + 2,
        16,
    )
    return f'<path class="board-limits s-pen" fill="none" stroke-width="8" d="{path}"/>'


def _last(name: str) -> str:
    x, y = field_place(INDEX[name])
    ring = rectangle(x + 1, y + 1, FIELD - 2, FIELD - 2, 20)
    return (
        f'<path class="s-ink" fill="none" stroke-width="11" d="{ring}"/>'
        f'<path class="s-last-die" fill="none" stroke-width="6" d="{ring}"/>'
    )


def _markers(view: View) -> list[str]:
    parts, seen = [], dict.fromkeys(view.markers, 0)
    for spot in markers(view.box):
        shape = Shape(circle(spot.x, spot.y, MARKER_RADIUS), "board-inner", "board-line", 4)
        parts.append(draw_path(shape))
        key = (spot.is_row, spot.lane)
        if key in seen:
            player = view.markers[key][seen[key]]
            seen[key] += 1
            size = 2 * MARKER_RADIUS
            placed = Placed(marker_id(player), spot.x - size / 2, spot.y - size / 2, size)
            parts.append(use(placed))
    return parts


def _names(view: View) -> list[str]:
    taken = view.markers
    return [
        f'<text class="board-name" x="{number_text(x)}" y="{number_text(y + 8.5)}" '
        f'text-anchor="middle" font-size="24">{name}</text>'
        for name, x, y in lane_names(view.box)
        if (name.isdigit(), int(name) - 1 if name.isdigit() else ord(name) - ord("a")) not in taken
    ]
