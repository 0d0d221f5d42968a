"""How do the fields of a sheet look on paper, with what belongs to them and lies around them?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from sheets.artwork.compose import (
    FILLING,
    Placed,
    Text,
    compose,
    compose_mark,
    field_group,
)
from sheets.artwork.furniture import Piece, over_fields
from sheets.artwork.glyphs import DIGIT_HEIGHT
from sheets.artwork.layout import CHAIN_INSET, Box, Layout
from sheets.artwork.shapes import Point, Shape, rectangle
from sheets.geometry import FIELD_GAP, LARGE_TEXT_MM, LEAST_TEXT_MM
from sheets.render.items import LINE_MM, Figure, Item, Stamp, Words, field_item
from sheets.rules.level import Field, Level
from sheets.rules.marks import Marks, printed_marks

CORNER: Final = 9.0
"""Radius of a field's corners, in hundredths of its side: symbols keep clear of them."""

PLANET: Final = Placed("", 40, 40, 55.5)
"""A symbol without a number leaves a diagonal free, other than on screen: a rocket may cross it, or
an area's number stand there. A volcano fills its field: nobody crosses it."""

THIN_MM: Final = 0.12
"""Borders of tiny fields are thinner than others, but not thinner than this."""

BORDER_WIDTH: Final = 3.6
"""Width of an area's border in hundredths of the pitch: it keeps clear of the fields."""

DASH_WIDTH, DASH_INSET = 1.7, 0.0635
"""The same of a chain's dashes, and where they run in their field: between its outline and its
symbol."""

WALL_SCALE: Final = 0.47
"""Walls are thinner than on screen: they fill the gap between two fields and keep clear of both."""

BADGE_SCALE, BADGE_TEXT_SCALE, BADGE_LINE = 0.86, 0.9, 1.5
ARROW_TEXT_SCALE, ARROW_LINE, SHORT_POINTS = 0.77, 1.3, 2
"""Points keep clear of the outlines around them, which show in black and white."""

LOW_BADGE, LOW_BADGE_TEXT = 0.176, 0.212
"""Height and text of a badge that stands above a number, as shares of the pitch."""

RACE_BADGE, RACE_BADGE_TEXT = 0.148, 0.178
"""The same of a badge that covers all of a number: it keeps the further away from it."""

SLIM_BADGE, SLIM_BADGE_TEXT = 0.225, 0.268
"""Side and text of a badge of one character, which stands beside a number."""


class GridFrame(Protocol):
    """The part of a `Frame` that a grid needs; the examples of rules have no other part."""

    @property
    def layout(self) -> Layout: ...
    @property
    def pitch_mm(self) -> float: ...
    @property
    def origin(self) -> tuple[float, float]: ...
    @property
    def fields(self) -> Mapping[str, Box]: ...
    @property
    def is_large(self) -> bool: ...


def draw_grid(level: Level, frame: GridFrame, marks: Marks) -> Iterator[Item]:
    """Fields with numbers and symbols, borders, printed and players' marks; then the labels."""
    for field in level.fields:
        yield _ground(field, frame.fields[field.name])
    pieces = list(over_fields(_inside(frame)))
    yield from _furniture((piece for piece in pieces if not piece.is_label), frame)
    printed = printed_marks(level)
    for field in level.fields:
        box = frame.fields[field.name]
        shown = (*printed.get(field.name, ()), *marks.get(field.name, ()))
        corner, scale, group = (box.x, box.y), box.width / 100, field_group(field)
        for item in field_items(field, shown):
            for found in field_item(item, corner, scale, group, has_halo=bool(shown)):
                if isinstance(found, Words) and field.printed:
                    found = found._replace(role="under-cross")
                yield found
    yield from _furniture((piece for piece in pieces if piece.is_label), frame)


def field_items(field: Field, marks: Sequence[str] = ()) -> Iterator[Placed | Text]:
    """What a field shows, in hundredths of its side, in the order it is painted.

    A printed cross lies over the number, other than on screen: it must be black for a machine.
    """
    items = compose(field, marks)
    if "printed" in marks:
        items = tuple(sorted(items, key=lambda item: item == compose_mark(field.name, "printed")))
    for item in items:
        if isinstance(item, Placed) and item[1:] == FILLING[1:] and field.symbol != "volcano":
            yield PLANET._replace(id=item.id)
        else:
            yield item


def _ground(field: Field, box: Box) -> Stamp:
    """A field's ground and border; the border's middle lies where `geometry` says."""
    group = field_group(field)
    return Stamp(
        f"field-{group or 'plain'}",
        group,
        _ground_shapes(bool(group), round(box.width, 4)),
        *box[:3],
    )


@lru_cache(maxsize=64)
def _ground_shapes(is_tinted: bool, side_mm: float) -> tuple[Shape, ...]:
    path, width = (
        rectangle(0, 0, 100, 100, CORNER),
        round(max(THIN_MM, min(LINE_MM, 0.025 * side_mm)) / side_mm * 100, 2),
    )
    return (Shape(path, "tint" if is_tinted else "paper"), Shape(path, "", "field-line", width))


def _inside(frame: GridFrame) -> Layout:
    """The layout with badges inside their fields' corners, and dashes clear of their print."""
    inset = FIELD_GAP / 2 + 0.035
    badges = []
    for badge in frame.layout.badges:
        x, y, width, height = badge.box
        size = badge.size * BADGE_SCALE
        width, low_height = width * BADGE_SCALE, height * BADGE_SCALE
        if len(badge.text) > 2 and not badge.has_symbol:
            low_height, size = RACE_BADGE, min(size, RACE_BADGE_TEXT)
        elif len(badge.text) > 1 and not badge.has_symbol:
            low_height, size = min(low_height, LOW_BADGE), min(size, LOW_BADGE_TEXT)
        elif not badge.has_symbol:
            width = low_height = min(width, SLIM_BADGE)
            size = min(size, SLIM_BADGE_TEXT)
        left = x + badge.box.width - width - inset if badge.is_right else x + inset
        top = y + inset if badge.is_top else y + height - low_height - inset
        badges.append(badge._replace(box=Box(left, top, width, low_height), size=size))
    borders = tuple(
        border._replace(loops=tuple(map(_dashed_square, border.loops)))
        if border.kind == "line"
        else border
        for border in frame.layout.borders
    )
    return frame.layout._replace(badges=tuple(badges), borders=borders)


def _dashed_square(loop: Sequence[Point]) -> tuple[Point, ...]:
    """Where the dashes of a chain run in a field, from where they run on screen."""
    (left, top), _, (right, bottom), _ = loop
    by = CHAIN_INSET - DASH_INSET
    return (
        (left - by, top - by),
        (right + by, top - by),
        (right + by, bottom + by),
        (left - by, bottom + by),
    )


def _furniture(pieces: Iterable[Piece], frame: GridFrame) -> Iterator[Item]:
    arrows = {arrow.line: arrow.direction for arrow in frame.layout.arrows}
    for kind, index, items, _is_label in pieces:
        direction = arrows.get(index, "") if kind == "line" else ""
        for item in items:
            yield _furnish(item, kind, direction, frame)


def _furnish(item: Shape | Text, kind: str, direction: str, frame: GridFrame) -> Item:
    """A shape or text of a piece; ``direction`` is that of an arrow, empty for other pieces."""
    x, y = frame.origin
    scale = frame.pitch_mm / 100
    if isinstance(item, Shape):
        if kind == "wall":
            item = item._replace(width=item.width * WALL_SCALE)
        elif item.stroke == "border":
            width = DASH_WIDTH if kind == "line" else BORDER_WIDTH
            item = item._replace(width=min(item.width, width))
        elif item.stroke == "badge-line":
            item = item._replace(width=ARROW_LINE if direction else BADGE_LINE)
        return Figure(item, x, y, scale)
    share = ARROW_TEXT_SCALE if direction else BADGE_TEXT_SCALE
    size = item.size * share
    if len(item.text) <= SHORT_POINTS:
        least = LARGE_TEXT_MM if frame.is_large else LEAST_TEXT_MM
        size = max(size, min(item.size, least / scale))
    dx = (0.6 if frame.is_large else 1.2) if direction == "left" and len(item.text) > 1 else 0.0
    base = item.y - (item.size - size) * DIGIT_HEIGHT / 2
    return Words(
        item.text, x + (item.x + dx) * scale, y + base * scale, size * scale,
        True, "on-badge", "middle",
    )  # fmt: skip
