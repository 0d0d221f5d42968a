"""How do arrows, borders, badges, ties and walls look? As shapes and texts over a whole sheet.

Lengths are in hundredths of a field (`layout`'s units times 100).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sheets.artwork.compose import Text
from sheets.artwork.glyphs import DIGIT_HEIGHT
from sheets.artwork.layout import Arrow, Badge, Border, Layout, Tie
from sheets.artwork.shapes import Point, Shape, circle, number_text, rectangle

Item = Shape | Text

ARROW_TEXT_SIZES = {
    "left": {1: 0.38, 2: 0.275, 3: 0.18},
    "up": {1: 0.34, 2: 0.33, 3: 0.25},
}
"""Font size of an arrow's points by its direction and their number of characters, in fields."""

ARROW_CORNER = 0.045
"""Radius of an arrow's corners, in fields."""


class Piece(NamedTuple):
    """What belongs to one line or area: ``kind`` is ``line``, ``area``, ``link`` or ``wall``."""

    kind: str
    position: int
    items: tuple[Item, ...]


def under_fields(layout: Layout) -> Iterator[Piece]:
    """What lies beneath the fields, so that only what is between them shows."""
    for tie in layout.ties:
        width = 7.0 if tie.kind == "link" else 4.0
        points = [tie.start, tie.end] if tie.kind == "link" else []
        path = _polyline(points) if points else _dashes([tie.start, tie.end])
        yield Piece(tie.kind, tie.position, (Shape(path, "", "border", width),))


def over_fields(layout: Layout) -> Iterator[Piece]:
    """What lies above the fields and below the players' marks."""
    for border in layout.borders:
        yield Piece(border.kind, border.position, tuple(_border(border)))
    for tie in layout.ties:
        if tie.kind == "link":
            yield Piece("link", tie.position, tuple(_link_ends(tie)))
    for index, (start, end) in enumerate(layout.walls):
        yield Piece("wall", index, (Shape(_polyline([start, end]), "", "border", 9),))
    for badge in layout.badges:
        yield Piece(badge.kind, badge.position, tuple(_badge(badge)))
    for arrow in layout.arrows:
        yield Piece("line", arrow.line, tuple(_arrow(arrow)))


def _border(border: Border) -> Iterator[Shape]:
    for loop in border.loops:
        if border.kind == "area":
            yield Shape(_rounded(loop, 0.13), "", "border", 6.5)
        else:
            yield Shape(_dashes([*loop, loop[0]]), "", "border", 5)


def _badge(badge: Badge) -> Iterator[Item]:
    x, y, width, height = (value * 100 for value in badge.box)
    yield Shape(rectangle(x, y, width, height, 8), "badge", "badge-line", 3)
    yield _label(badge.text, (x + width / 2, y + height / 2), badge.size)


def _arrow(arrow: Arrow) -> Iterator[Item]:
    x, y, width, height = (value * 100 for value in arrow.box)
    tip, inset = 11.0, 2.5
    right, bottom = x + width - inset, y + height - inset
    mx, my = arrow.box.middle[0] * 100, arrow.box.middle[1] * 100
    size = ARROW_TEXT_SIZES[arrow.direction][min(len(arrow.text), 3)]
    if arrow.direction == "left":
        points = [(x + inset, my), (x + tip, y + inset), (right, y + inset), (right, bottom),
                  (x + tip, bottom)]  # fmt: skip
        middle = (mx + (tip / 4 if len(arrow.text) == 1 else 0.9), my)
    else:
        points = [(mx, y + inset), (right, y + tip), (right, bottom), (x + inset, bottom),
                  (x + inset, y + tip)]  # fmt: skip
        middle = (mx, my + tip / 3)
    outline = _rounded([(px / 100, py / 100) for px, py in points], ARROW_CORNER)
    yield Shape(outline, "badge", "badge-line", 5)
    yield _label(arrow.text, middle, size)


def _label(text: str, middle: Point, size: float) -> Text:
    return Text(text, middle[0], middle[1] + DIGIT_HEIGHT * size * 50, size * 100)


def _link_ends(tie: Tie) -> Iterator[Shape]:
    """A ring at either end of a link, on the border of its field."""
    (ax, ay), (bx, by) = tie.start, tie.end
    far = max(abs(bx - ax), abs(by - ay)) or 1
    dx, dy = (bx - ax) / far * 0.44, (by - ay) / far * 0.44
    for x, y in ((ax + dx, ay + dy), (bx - dx, by - dy)):
        yield Shape(circle(x * 100, y * 100, 5), "paper", "border", 8)


def _polyline(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number_text(x * 100)} {number_text(y * 100)}" for x, y in points)


def _dashes(points: Sequence[Point], dash: float = 0.11, gap: float = 0.13) -> str:
    """Dashes along a line of points, a whole number of them on each stretch."""
    path = ""
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        count = max(1, round(length / (dash + gap)))
        dx, dy = (bx - ax) / count, (by - ay) / count
        part = dash / (dash + gap) / 2
        for i in range(count):
            start, end = i + 0.5 - part, i + 0.5 + part
            path += _polyline([(ax + dx * start, ay + dy * start), (ax + dx * end, ay + dy * end)])
    return path


def _rounded(loop: Sequence[Point], radius: float) -> str:
    """A closed loop with its corners rounded."""
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
