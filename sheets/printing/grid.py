"""Grid of a printed sheet: fields, numbers, symbols, borders, arrows, badges and marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from sheets.art.decorations import Decoration, sheet_decorations
from sheets.art.field_contents import (
    FILLING,
    PlacedDrawing,
    Text,
    compose,
    compose_mark,
    field_group,
)
from sheets.art.glyphs import DIGIT_HEIGHT
from sheets.art.layout import CHAIN_INSET, Box, Layout
from sheets.art.render.items import LINE_MM, Item, PathItem, Stamp, TextLine, field_item
from sheets.art.shapes import Point, Shape, rectangle
from sheets.printing.geometry import FIELD_GAP, LARGE_TEXT_MM, MIN_TEXT_MM
from sheets.rules.level import Field, Level
from sheets.rules.marks import Marks, printed_marks

CORNER_RADIUS: Final = 9.0
"""Radius of a field's corners, in hundredths of its side; symbols keep clear of them."""

PLANET_PLACE: Final = PlacedDrawing("", 40, 40, 55.5)
"""Position and size on paper of a planet without a number; on screen it fills its field.

On paper it leaves a diagonal free for the cross of a rocket, or for an area's points. A volcano
fills its field on paper, too, because players never cross it.
"""

MIN_BORDER_MM: Final = 0.12
"""Minimum width of a field's border; the border is thinner on small fields."""

AREA_BORDER_WIDTH: Final = 3.6
"""Width of an area's border, in hundredths of the pitch; it keeps clear of the fields."""

DASH_WIDTH: Final = 1.7
"""Width of a chain's dashes, in hundredths of the pitch."""

DASH_INSET: Final = 0.0635
"""Distance of a chain's dashes from the edge of their cell, in pitches.

The dashes run between the border and the symbol of the field.
"""

WALL_SCALE: Final = 0.47
"""Width of a wall relative to the screen: it fits into the gap between two fields."""

BADGE_SCALE: Final = 0.86
"""Size of a badge relative to the screen."""

BADGE_TEXT_SCALE: Final = 0.9
"""Additional scale of the font size in a badge, so that points keep clear of the outline."""

BADGE_LINE: Final = 1.5
"""Width of the outline of a badge, in hundredths of the pitch; visible in black and white."""

ARROW_TEXT_SCALE: Final = 0.77
"""Font size in an arrow relative to the screen, so that points keep clear of the outline."""

ARROW_LINE: Final = 1.3
"""Width of the outline of an arrow, in hundredths of the pitch; visible in black and white."""

SHORT_POINTS: Final = 2
"""Maximum number of characters of points that are enlarged to the minimum font size of texts."""

LOW_BADGE: Final = 0.176
"""Maximum height of a badge with two characters, which is above the field's number, in pitches."""

LOW_BADGE_TEXT: Final = 0.212
"""Maximum font size in a badge with two characters above a number, in pitches."""

RACE_BADGE: Final = 0.148
"""Height of a badge with three or more characters, as of a race, above a number, in pitches."""

RACE_BADGE_TEXT: Final = 0.178
"""Maximum font size in a badge with three or more characters above a number, in pitches."""

SLIM_BADGE: Final = 0.225
"""Maximum side of a badge with one character, which is next to the number, in pitches."""

SLIM_BADGE_TEXT: Final = 0.268
"""Maximum font size in a badge with one character next to a number, in pitches."""


class GridFrame(Protocol):
    """The attributes of a `Frame` that `draw_grid` needs; examples of rules have only these."""

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
    """Yield the items of the grid of a sheet, in the order of painting.

    First come the empty fields, then borders, links and walls, then numbers, symbols and marks,
    then arrows and badges.
    """
    for field in level.fields:
        yield _field_stamp(field, frame.fields[field.name])
    pieces = list(sheet_decorations(_adapt_to_paper(frame)))
    yield from _draw_decorations((piece for piece in pieces if not piece.is_label), frame)
    printed = printed_marks(level)
    for field in level.fields:
        box = frame.fields[field.name]
        shown = (*printed.get(field.name, ()), *marks.get(field.name, ()))
        corner, scale, group = (box.x, box.y), box.width / 100, field_group(field)
        for item in field_items(field, shown):
            for found in field_item(item, corner, scale, group, has_halo=bool(shown)):
                if isinstance(found, TextLine) and field.printed:
                    found = found._replace(role="under-cross")
                yield found
    yield from _draw_decorations((piece for piece in pieces if piece.is_label), frame)


def field_items(field: Field, marks: Sequence[str] = ()) -> Iterator[PlacedDrawing | Text]:
    """Yield the contents of a field, in hundredths of its side, in the order of painting.

    A printed cross covers the number, unlike on screen, because photo reading needs it black.
    """
    items = compose(field, marks)
    if "printed" in marks:
        items = tuple(sorted(items, key=lambda item: item == compose_mark(field.name, "printed")))
    for item in items:
        if (
            isinstance(item, PlacedDrawing)
            and item[1:] == FILLING[1:]
            and field.symbol != "volcano"
        ):
            yield PLANET_PLACE._replace(id=item.id)
        else:
            yield item


def _field_stamp(field: Field, box: Box) -> Stamp:
    """Return background and border of a field; ``box`` is the centre line of the border."""
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
    """Return the layout with smaller badges inside fields, and dashes that touch no symbol."""
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
    """Return the corners of a chain's dashed square on paper, given the corners on screen."""
    (left, top), _, (right, bottom), _ = loop
    outwards = CHAIN_INSET - DASH_INSET
    return (
        (left - outwards, top - outwards),
        (right + outwards, top - outwards),
        (right + outwards, bottom + outwards),
        (left - outwards, bottom + outwards),
    )


def _draw_decorations(pieces: Iterable[Decoration], frame: GridFrame) -> Iterator[Item]:
    arrows = {arrow.line: arrow.direction for arrow in frame.layout.arrows}
    for kind, index, items, _is_label in pieces:
        direction = arrows.get(index, "") if kind == "line" else ""
        for item in items:
            yield _decoration_item(item, kind, direction, frame)


def _decoration_item(item: Shape | Text, kind: str, direction: str, frame: GridFrame) -> Item:
    """Return a shape or text of a decoration in the sizes of paper.

    ``kind`` is the kind of the decoration; ``direction`` is the direction of an arrow, empty for
    other decorations.
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
        return PathItem(item, x, y, scale)
    size = item.size * (ARROW_TEXT_SCALE if direction else BADGE_TEXT_SCALE)
    if len(item.text) <= SHORT_POINTS:
        min_text_mm = LARGE_TEXT_MM if frame.is_large else MIN_TEXT_MM
        size = max(size, min(item.size, min_text_mm / scale))
    dx = (0.6 if frame.is_large else 1.2) if direction == "left" and len(item.text) > 1 else 0.0
    base = item.y - (item.size - size) * DIGIT_HEIGHT / 2
    return TextLine(
        item.text, x + (item.x + dx) * scale, y + base * scale, size * scale,
        True, "on-badge", "middle",
    )  # fmt: skip
