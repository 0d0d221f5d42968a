"""Shapes and texts of arrows, borders, badges, links and walls over a whole sheet.

The shapes and texts are in hundredths of a field; constants and inputs are in fields, as in
`sheets.art.layout`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, cycle, pairwise, product
from typing import Final, NamedTuple

from sheets.art.field_contents import Text
from sheets.art.glyphs import DIGIT_HEIGHT, text_width
from sheets.art.layout import Arrow, Badge, Border, Box, Layout, Link
from sheets.art.shapes import Point, Shape, circle, number_text, rectangle

Item = Shape | Text

ARROW_TEXT_SIZES = {
    "left": {1: 0.38, 2: 0.275, 3: 0.18},
    "up": {1: 0.34, 2: 0.33, 3: 0.25},
}
"""Font size of an arrow's points in fields, by direction and number of characters."""

ARROW_ROOM = {"left": 0.325, "up": 0.5}
"""Maximum width of an arrow's points in fields, by direction."""

ARROW_CORNER = 0.045
"""Radius of an arrow's corners, in fields."""

Pattern = tuple[float, ...]
"""Alternating lengths of dashes and gaps, in fields. The pattern repeats along the line."""

DOT = 0.01
"""Length of a dash that looks like a dot, because line caps are round."""

DASHES: Final[tuple[Pattern, ...]] = (
    (0.12, 0.13),
    (DOT, 0.115),
    (0.36, 0.14),
    (0.2, 0.145, DOT, 0.145),
    (DOT, 0.09, DOT, 0.223),
    (0.14, 0.1, DOT, 0.08, DOT, 0.16),
)
"""Dash patterns of chains; each chain of a level gets the next one.

A chain is a line with the kind ``fields``. Its fields need not touch, and the pattern shows which
fields belong together.
"""

AREA_DASHES: Final[tuple[Pattern, ...]] = (
    (0.3, 0.2),
    (DOT, 0.19),
    (0.3, 0.18, DOT, 0.18),
    (0.62, 0.19),
    (DOT, 0.15, DOT, 0.36),
    (0.3, 0.16, DOT, 0.16, DOT, 0.16),
)
"""Dash patterns of the thick borders of areas that share fields or consist of several pieces.

Each such area of a level gets the next one.
"""

BADGE_ROOM = 0.05
"""Minimum distance between a badge and a dash, in fields."""

STONES = (0.1, 0.16)
"""Dash pattern of the bright stones in a wall: length of a stone and gap, in fields."""


class Decoration(NamedTuple):
    """The shapes and texts of one line, area, link or wall.

    ``kind`` is ``line``, ``area``, ``link`` or ``wall``; ``position`` is the index among the lines,
    areas, links or walls of the level. ``is_label``: the decoration is an arrow or badge with
    points, which no mark may hide.
    """

    kind: str
    position: int
    items: tuple[Item, ...]
    is_label: bool = False


def sheet_decorations(layout: Layout) -> Iterator[Decoration]:
    """Yield the decorations to paint over the fields of a sheet; labels come last."""
    patterns, area_patterns = cycle(DASHES), cycle(AREA_DASHES)
    for border in layout.borders:
        pattern: Pattern = ()
        if border.kind == "line":
            pattern = next(patterns)
        elif border.has_pattern:
            pattern = next(area_patterns)
        yield Decoration(
            border.kind, border.position, tuple(_border(border, pattern, layout.badges))
        )
    for link in layout.links:
        yield Decoration("link", link.position, tuple(_link(link)))
    for index, (start, end) in enumerate(layout.walls):
        yield Decoration("wall", index, tuple(_wall(start, end)))
    for badge in layout.badges:
        yield Decoration(badge.kind, badge.position, tuple(_badge(badge)), is_label=True)
    for arrow in layout.arrows:
        yield Decoration("line", arrow.line, tuple(_arrow(arrow)), is_label=True)


def _border(border: Border, pattern: Pattern, badges: Sequence[Badge]) -> Iterator[Shape]:
    """Draw the outlines of an area or a chain, dashed if there is a pattern."""
    for loop in border.loops:
        if pattern and border.kind == "area":
            yield Shape(_dashed([*loop, loop[0]], pattern), "", "border", 6.5)
        elif pattern:
            over = [badge.box for badge in badges if _is_inside(badge.box.middle, loop)]
            yield Shape(_dashed([*loop, loop[0]], pattern, over), "", "border", 4)
        else:
            yield Shape(_rounded(loop, 0.13), "", "border", 6.5)


def _badge(badge: Badge) -> Iterator[Item]:
    x, y, width, height = (value * 100 for value in badge.box)
    yield Shape(rectangle(x, y, width, height, 8), "badge", "badge-line", 3)
    yield _label(badge.text, (x + width / 2, y + height / 2), badge.size)


def _arrow(arrow: Arrow) -> Iterator[Item]:
    x, y, width, height = (value * 100 for value in arrow.box)
    tip, inset, point = 11.0, 2.5, 4.5  # the tip does not touch an area's border
    right, bottom = x + width - inset, y + height - inset
    mx, my = arrow.box.middle[0] * 100, arrow.box.middle[1] * 100
    size = ARROW_TEXT_SIZES[arrow.direction][min(len(arrow.text), 3)]
    size = min(size, size * ARROW_ROOM[arrow.direction] / text_width(arrow.text, size))
    if arrow.direction == "left":
        points = [(x + point, my), (x + tip, y + inset), (right, y + inset), (right, bottom),
                  (x + tip, bottom)]  # fmt: skip
        middle = (mx + (tip / 4 if len(arrow.text) == 1 else 0.9), my)
    else:
        points = [(mx, y + point), (right, y + tip), (right, bottom), (x + inset, bottom),
                  (x + inset, y + tip)]  # fmt: skip
        middle = (mx, my + tip / 3)
    outline = _rounded([(px / 100, py / 100) for px, py in points], ARROW_CORNER)
    yield Shape(outline, "badge", "badge-line", 5)
    yield _label(arrow.text, middle, size)


def _label(text: str, middle: Point, size: float) -> Text:
    return Text(text, middle[0], middle[1] + DIGIT_HEIGHT * size * 50, size * 100)


def _link(link: Link) -> Iterator[Shape]:
    """Draw the line of a link with a bright rim, and a ring at each end."""
    path = "".join(_polyline(part) for part in link.parts)
    if path:
        yield Shape(path, "", "paper", 12)
        yield Shape(path, "", "border", 7)
    for x, y in (link.start, link.end):
        yield Shape(circle(x * 100, y * 100, 3.8), "paper", "border", 4)


def _wall(start: Point, end: Point) -> Iterator[Shape]:
    """Draw a thick line with bright stones, unlike an area's border."""
    yield Shape(_polyline([start, end]), "", "border", 15)
    yield Shape(_dashed([start, end], STONES), "", "paper", 5)


def _polyline(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number_text(x * 100)} {number_text(y * 100)}" for x, y in points)


def _dashed(points: Sequence[Point], pattern: Pattern, over: Sequence[Box] = ()) -> str:
    """Draw dashes along a polyline, with a whole number of patterns on each segment.

    Dashes under or near one of the boxes ``over`` the line are left out.
    """
    path = ""
    period = sum(pattern)
    ends = accumulate(pattern, initial=pattern[-1] / 2)
    dashes = list(pairwise(end / period for end in ends))[::2]
    for (ax, ay), (bx, by) in pairwise(points):
        count = max(1, round(math.hypot(bx - ax, by - ay) / period))
        dx, dy = (bx - ax) / count, (by - ay) / count
        for i, (start, end) in product(range(count), dashes):
            dash = [(ax + dx * along, ay + dy * along) for along in (i + start, i + end)]
            if not any(_is_near(box, dash) for box in over):
                path += _polyline(dash)
    return path


def _is_inside(point: Point, square: Sequence[Point]) -> bool:
    (left, top), _, (right, bottom), _ = square
    return left < point[0] < right and top < point[1] < bottom


def _is_near(box: Box, dash: Sequence[Point]) -> bool:
    xs, ys = [x for x, _ in dash], [y for _, y in dash]
    return (
        min(xs) < box.x + box.width + BADGE_ROOM
        and max(xs) > box.x - BADGE_ROOM
        and min(ys) < box.y + box.height + BADGE_ROOM
        and max(ys) > box.y - BADGE_ROOM
    )


def _rounded(loop: Sequence[Point], radius: float) -> str:
    """Draw a closed loop with rounded corners."""
    path = ""
    n = number_text
    for i, (x, y) in enumerate(loop):
        parts = []
        for ox, oy in (loop[i - 1], loop[(i + 1) % len(loop)]):
            far = math.hypot(ox - x, oy - y)
            r = min(radius, far / 2)
            parts.append((100 * (x + (ox - x) / far * r), 100 * (y + (oy - y) / far * r)))
        (ax, ay), (bx, by) = parts
        path += f"{'L' if path else 'M'}{n(ax)} {n(ay)}Q{n(x * 100)} {n(y * 100)} {n(bx)} {n(by)}"
    return path + "Z"
