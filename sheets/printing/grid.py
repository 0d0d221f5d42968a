"""Grid of a printed sheet: fields, numbers, symbols, borders, arrows, badges and marks."""

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

CORNER_RADIUS: Final = 9.0
"""Radius of a field's corners, in hundredths of its side; symbols keep clear of them."""

PLANET_PLACE: Final = Placed("", 40, 40, 55.5)
"""Place of a planet without a number, which fills its field on screen.

On paper it leaves a diagonal free for the cross of a rocket, or for an area's number. A volcano
fills its field on paper, too, because players never cross it.
"""

MIN_BORDER_MM: Final = 0.12
"""Minimum width of a field's border, which is thinner for tiny fields."""

AREA_BORDER_WIDTH: Final = 3.6
"""Width of an area's border, in hundredths of the pitch; it keeps clear of the fields."""

DASH_WIDTH: Final = 1.7
"""Width of a chain's dashes, in hundredths of the pitch."""

DASH_INSET: Final = 0.0635
"""Distance of a chain's dashes from the edge of their cell, in pitches.

They run between the outline and the symbol of the field.
"""

WALL_SCALE: Final = 0.47
"""Width of a wall relative to the screen: it fits the gap between two fields without touching."""

BADGE_SCALE: Final = 0.86
"""Size of a badge relative to the screen."""

BADGE_TEXT_SCALE: Final = 0.9
"""Further reduction of the font size in a badge, so that points keep clear of the outline."""

BADGE_LINE: Final = 1.5
"""Width of the outline of a badge, in hundredths of the pitch; visible in black and white."""

ARROW_TEXT_SCALE: Final = 0.77
"""Font size in an arrow relative to the screen, so that points keep clear of the outline."""

ARROW_LINE: Final = 1.3
"""Width of the outline of an arrow, in hundredths of the pitch; visible in black and white."""

SHORT_POINTS: Final = 2
"""Maximum length of points that are enlarged to the minimum font size of a text."""

LOW_BADGE: Final = 0.176
"""Maximum height of a badge above a number, in pitches."""

LOW_BADGE_TEXT: Final = 0.212
"""Maximum font size in a badge above a number, in pitches."""

RACE_BADGE: Final = 0.148
"""Height of a badge as wide as a number, in pitches; it keeps a larger distance from that."""

RACE_BADGE_TEXT: Final = 0.178
"""Maximum font size in a badge as wide as a number, in pitches."""

SLIM_BADGE: Final = 0.225
"""Maximum side of a badge of one character next to a number, in pitches."""

SLIM_BADGE_TEXT: Final = 0.268
"""Maximum font size in a badge of one character, in pitches."""


class GridFrame(Protocol):
    """Part of a `Frame` that a grid needs; the examples of rules have no other part."""

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
    """Yield fields, their contents and marks, borders, walls and ties; then arrows and badges."""
    for field in level.fields:
        yield _field_stamp(field, frame.fields[field.name])
    pieces = list(over_fields(_adapt_to_paper(frame)))
    yield from _draw_pieces((piece for piece in pieces if not piece.is_label), frame)
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
    yield from _draw_pieces((piece for piece in pieces if piece.is_label), frame)


def field_items(field: Field, marks: Sequence[str] = ()) -> Iterator[Placed | Text]:
    """Yield the contents of a field, in hundredths of its side, in the order of painting.

    A printed cross lies over the number, unlike on screen: photo reading needs it black.
    """
    items = compose(field, marks)
    if "printed" in marks:
        items = tuple(sorted(items, key=lambda item: item == compose_mark(field.name, "printed")))
    for item in items:
        if isinstance(item, Placed) and item[1:] == FILLING[1:] and field.symbol != "volcano":
            yield PLANET_PLACE._replace(id=item.id)
        else:
            yield item


def _field_stamp(field: Field, box: Box) -> Stamp:
    """Return the ground and border of a field; ``box`` is the centre line of the border."""
    group = field_group(field)
    return Stamp(
        f"field-{group or 'plain'}",
        group,
        _field_shapes(bool(group), round(box.width, 4)),
        *box[:3],
    )


@lru_cache(maxsize=64)
def _field_shapes(is_tinted: bool, side_mm: float) -> tuple[Shape, ...]:
    path = rectangle(0, 0, 100, 100, CORNER_RADIUS)
    width_mm = max(MIN_BORDER_MM, min(LINE_MM, 0.025 * side_mm))
    width = round(width_mm / side_mm * 100, 2)
    return (Shape(path, "tint" if is_tinted else "paper"), Shape(path, "", "field-line", width))


def _adapt_to_paper(frame: GridFrame) -> Layout:
    """Return the layout with badges inside the corners of fields, and dashes clear of print."""
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
    """Return the loop of a chain's dashes in a field on paper, from that on screen."""
    (left, top), _, (right, bottom), _ = loop
    outwards = CHAIN_INSET - DASH_INSET
    return (
        (left - outwards, top - outwards),
        (right + outwards, top - outwards),
        (right + outwards, bottom + outwards),
        (left - outwards, bottom + outwards),
    )


def _draw_pieces(pieces: Iterable[Piece], frame: GridFrame) -> Iterator[Item]:
    arrows = {arrow.line: arrow.direction for arrow in frame.layout.arrows}
    for kind, index, items, _is_label in pieces:
        direction = arrows.get(index, "") if kind == "line" else ""
        for item in items:
            yield _piece_item(item, kind, direction, frame)


def _piece_item(item: Shape | Text, kind: str, direction: str, frame: GridFrame) -> Item:
    """Return a shape or text of a piece in the sizes of paper.

    ``kind`` is that of the piece; ``direction`` is that of an arrow, empty for other pieces.
    """
    x, y = frame.origin
    scale = frame.pitch_mm / 100
    if isinstance(item, Shape):
        if kind == "wall":
            item = item._replace(width=item.width * WALL_SCALE)
        elif item.stroke == "border":
            width = DASH_WIDTH if kind == "line" else AREA_BORDER_WIDTH
            item = item._replace(width=min(item.width, width))
        elif item.stroke == "badge-line":
            item = item._replace(width=ARROW_LINE if direction else BADGE_LINE)
        return Figure(item, x, y, scale)
    size = item.size * (ARROW_TEXT_SCALE if direction else BADGE_TEXT_SCALE)
    if len(item.text) <= SHORT_POINTS:
        min_text_mm = LARGE_TEXT_MM if frame.is_large else LEAST_TEXT_MM
        size = max(size, min(item.size, min_text_mm / scale))
    dx = (0.6 if frame.is_large else 1.2) if direction == "left" and len(item.text) > 1 else 0.0
    base = item.y - (item.size - size) * DIGIT_HEIGHT / 2
    return Words(
        item.text, x + (item.x + dx) * scale, y + base * scale, size * scale,
        True, "on-badge", "middle",
    )  # fmt: skip
