"""SVG of the Dice² board; it refers to drawings in the sprite of the page."""

from __future__ import annotations

from itertools import cycle, pairwise

from sheets.art.board import (
    FIELD,
    FIELD_SHAPE,
    GROUPS,
    MARKER_RADIUS,
    DrawnBoard,
    DrawnLine,
    all_pieces,
    die_body,
    die_id,
    field_place,
    field_role,
    ground,
    lane_names,
    marker_id,
    markers,
)
from sheets.art.field_contents import PlacedDrawing
from sheets.art.shapes import Shape, circle, number_text, rectangle
from sheets.art.svg import draw_path, sprite, use
from sheets.rules.dice2.board import INDEX, NAMES, SIDE

NAME_RADIUS = 12.5
"""Radius of the disc behind a row's or column's name on a marker."""

LINK_WIDTHS = (20, 15, 9)
"""Stroke widths of the bar between two dice of a line: dark edge, white, owner's colour."""

LINK_REACH = 6.0
"""Length of the bar between two dice within each of their fields, without the round ends."""

LINK_REACH_SLANTED = 9.6
"""Length of a diagonal bar between two dice within each of their fields, in x and in y."""

HALO_WIDTHS = (27, 21)
"""Stroke widths of the frame around a die: dark edge, bright core. The die hides the inner half."""

THIN_HALO_WIDTHS = (17, 11)
"""Stroke widths of the frame around the last dice of the other players: dark edge, bright core."""


def board_sprite() -> str:
    """Return the sprite with all drawings of `draw_board`; a page needs it once."""
    return sprite({drawing.id for drawing in all_pieces()} | {f"die-{n}" for n in range(1, 7)}, "")


def draw_board(view: DrawnBoard, *, is_small: bool = False) -> str:
    """Return the board as one ``<svg>``; a small one has no names of rows and columns."""
    low, side = number_text(view.box.start), number_text(view.box.side)
    parts = [*map(draw_path, ground(view.box))]
    parts += [_field(index, view) for index in range(SIDE**2) if _is_shown(index, view)]
    if view.has_markers:
        parts += _markers(view)
    parts += _dice(view)
    parts += [_links(line) for line in view.lines]
    if view.limits:
        parts.append(_limits(view.limits))
    if not is_small:
        parts += _names(view)
    return (
        f'<svg class="art-sheet board" viewBox="{low} {low} {side} {side}" aria-hidden="true">'
        f'<g class="art">{"".join(parts)}</g></svg>'
    )


def _is_shown(index: int, view: DrawnBoard) -> bool:
    return index // SIDE in view.box.lanes and index % SIDE in view.box.lanes


def _field(index: int, view: DrawnBoard) -> str:
    x, y = map(number_text, field_place(index))
    is_shut = view.limits and not (
        index // SIDE in view.limits[0] and index % SIDE in view.limits[1]
    )
    role = "board-rim" if is_shut else field_role(index)
    states = (" shut" if is_shut else "") + (" asked" if NAMES[index] == view.asked else "")
    return (
        f'<g class="art-field{states}" data-field="{NAMES[index]}" '
        f'transform="translate({x} {y})"><path class="paper f-{role} s-board-line" '
        f'stroke-width="3" d="{FIELD_SHAPE}"/></g>'
    )


def _die(name: str, view: DrawnBoard) -> str:
    placed = PlacedDrawing(die_id(*view.dice[name]), *field_place(INDEX[name]), FIELD)
    state = " in-the-way" if name in view.in_the_way else ""
    return f'<g class="die{state}" data-die="{name}">{use(placed)}</g>'


def _links(line: DrawnLine) -> str:
    """Draw short bars between the dice of a line; their colours alternate between its owners."""
    owners = cycle(line.owners)
    links = "".join(_link(*pair, next(owners)) for pair in pairwise(line.fields))
    along = " ".join(line.fields)
    return (
        f'<g class="scored-line" data-line="{along}" fill="none" stroke-linecap="round">{links}</g>'
    )


def _link(first: str, second: str, owner: int) -> str:
    """Draw a bar across the border between two dice; it is too short to cover a pip."""
    (x1, y1), (x2, y2) = (field_place(INDEX[name]) for name in (first, second))
    # The bar is the middle part of the line between the centres of the two fields.
    is_slanted = x1 != x2 and y1 != y2
    share = (LINK_REACH_SLANTED if is_slanted else LINK_REACH) / FIELD
    ends = (
        f"{number_text(x1 + FIELD / 2 + (x2 - x1) * part)} "
        f"{number_text(y1 + FIELD / 2 + (y2 - y1) * part)}"
        for part in (0.5 - share, 0.5 + share)
    )
    path = "M" + "L".join(ends)
    dark, white, bright = (f'stroke-width="{width}" d="{path}"' for width in LINK_WIDTHS)
    return (
        f'<path class="s-die-edge" {dark}/><path class="s-last-die" {white}/>'
        f'<g class="g-{GROUPS[owner]}"><path class="s-solid" {bright}/></g>'
    )


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


def _dice(view: DrawnBoard) -> list[str]:
    """Draw all dice, from below: plain ones, those of lines, and the players' last ones.

    The latter two have frames, which cover the dice below them.
    """
    lined = {name for line in view.lines for name in line.fields}
    last = [name for name in (*view.earlier, view.last) if name in view.dice]
    parts = [_die(name, view) for name in view.dice if name not in lined.union(last)]
    parts += [_halo(name, view.dice[name][0], "spark") for name in sorted(lined)]
    parts += [_die(name, view) for name in sorted(lined.difference(last))]
    for name in last:
        widths = HALO_WIDTHS if name == view.last else THIN_HALO_WIDTHS
        parts += [_halo(name, view.dice[name][0], "last-die", widths), _die(name, view)]
    return parts


def _halo(name: str, player: int, role: str, widths: tuple[int, int] = HALO_WIDTHS) -> str:
    """Draw a frame around a die in the die's shape; the die covers its inner half."""
    x, y = map(number_text, field_place(INDEX[name]))
    path = f'd="{die_body(player)}"'
    dark, bright = widths
    ring = f'last-ring" data-ring="{name}' if role == "last-die" else "scored-line"
    return (
        f'<g class="{ring}" fill="none" '
        f'transform="translate({x} {y})"><path class="s-die-edge" stroke-width="{dark}" {path}/>'
        f'<path class="s-{role}" stroke-width="{bright}" {path}/></g>'
    )


def _markers(view: DrawnBoard) -> list[str]:
    parts, seen = [], dict.fromkeys(view.markers, 0)
    for spot in markers(view.box):
        shape = Shape(circle(spot.x, spot.y, MARKER_RADIUS), "board-inner", "board-line", 4)
        parts.append(draw_path(shape))
        key = (spot.is_row, spot.lane)
        if key in seen:
            player = view.markers[key][seen[key]]
            seen[key] += 1
            size = 2 * MARKER_RADIUS
            placed = PlacedDrawing(marker_id(player), spot.x - size / 2, spot.y - size / 2, size)
            parts.append(use(placed))
    return parts


def _names(view: DrawnBoard) -> list[str]:
    """Draw the names of columns and rows; a bright disc separates a name from a marker."""
    parts = []
    for name, x, y in lane_names(view.box):
        lane = int(name) - 1 if name.isdigit() else ord(name) - ord("a")
        if (name.isdigit(), lane) in view.markers:
            parts.append(draw_path(Shape(circle(x, y, NAME_RADIUS), "board-inner", "die-edge", 2)))
        parts.append(
            f'<text class="board-name" x="{number_text(x)}" y="{number_text(y + 7.5)}" '
            f'text-anchor="middle">{name}</text>'
        )
    return parts
