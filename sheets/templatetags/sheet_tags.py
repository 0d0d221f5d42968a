"""Template tags for sheets: the drawing, the grid of buttons over it, printed numbers."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.art import layout
from sheets.art.marks import LAYERS, MARK_IDS, mark_id
from sheets.art.sheet_svg import draw_marked_sheet, sheet_sprite
from sheets.rules import Item, Level
from sheets.rules.level import SHAPES, Field
from sheets.rules.marks import (
    CROSSED,
    PRINTED_TRACKS,
    STACKS,
    Marks,
    format_marks,
    possible_stacks,
    printed_marks,
)
from sheets.rules.rails import OPPOSITE
from sheets.scoring.score_view import signs
from sheets.scoring.sentences import field_name
from sheets.text.symbols import MARK_NAMES, marks_name

TRACKS: Final = {*SHAPES, *PRINTED_TRACKS.values()}
"""Marks that occur only on levels with rails."""

register = template.Library()
register.filter("printed_number", layout.format_amount)


class Cell(NamedTuple):
    """Button of a field in the grid, with data for the page's script.

    ``state`` describes the field's marks in words; ``kind`` is its symbol, or ``printed`` if nobody
    can mark it. ``drawings`` is the result of `drawings_on`; ``printed`` is the printed mark, or
    empty. On rail levels ``beyond`` is JSON that maps each edge of the field to the neighbour there
    and the neighbour's adjoining edge; ``track`` is the printed track, or empty.
    """

    field: Field
    label: str
    state: str
    kind: str
    drawings: Mapping[str, str]
    printed: str
    beyond: str
    track: str


class Row(NamedTuple):
    """Row of the grid, shifted right by ``offset`` quarters of a field; ``None`` cells are holes.

    The offset is negative if the row begins with a hole left of the leftmost field.
    """

    offset: int
    cells: tuple[Cell | None, ...]


@register.simple_tag
def sheet_drawings(level: Level) -> SafeString:
    """Return the SVG sprite for `sheet_drawing` and the score column; use it once per page."""
    return mark_safe(sheet_sprite(level, signs(level)))  # noqa: S308  made of our own drawings only


@register.simple_tag
def sheet_drawing(
    level: Level, marks: Marks | None = None, light: Item | None = None
) -> SafeString:
    """Return an SVG of a sheet with its marks.

    ``light`` is a line of the score column whose fields are highlighted, missing ones faintly.
    """
    lit: Collection[str] = light.fields if light else ()
    missing: Collection[str] = light.missing if light else ()
    drawing = draw_marked_sheet(level, marks or {}, lit, missing)
    return mark_safe(drawing)  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def sheet_classes(level: Level) -> str:
    """Return the CSS classes that size a sheet's frame (sheet/sheet.css)."""
    drawn = layout.lay_out(level)
    across = max(box.x + box.width for box in drawn.fields.values()) + layout.GAP / 2
    down = max(box.y + box.height for box in drawn.fields.values()) + layout.GAP / 2
    whole, quarters = divmod(round((across - layout.MARGIN) * 4), 4)
    classes = [f"w-{whole}", f"h-{round(down - layout.MARGIN)}"]
    classes += [f"part-{quarters}"] * (quarters > 0)
    classes += [f"cols-{len(_columns(level))}"]
    classes += ["row-arrows"] * any(arrow.direction == "left" for arrow in drawn.arrows)
    classes += ["column-arrows"] * any(arrow.direction == "up" for arrow in drawn.arrows)
    return " ".join(classes)


@register.simple_tag
def sheet_rows(level: Level, marks: Marks) -> list[Row]:
    """Return the rows of the grid of buttons over a sheet."""
    printed = printed_marks(level)
    rows = []
    for offset, fields in field_rows(level):
        cells = [_cell(level, field, printed, marks) if field else None for field in fields]
        rows.append(Row(offset, tuple(cells)))
    return rows


def field_rows(level: Level) -> Iterator[tuple[int, list[Field | None]]]:
    """Yield for each row its offset in quarters of a field, and its fields (None for a hole)."""
    shifts = level.shifts or (0.0,) * level.rows
    by_place = {(f.column, f.row): f for f in level.fields}
    left = min(f.column + shifts[f.row] for f in level.fields)
    columns = _columns(level)
    for row in range(min(f.row for f in level.fields), max(f.row for f in level.fields) + 1):
        offset = round((columns[0] + shifts[row] - left) * 4)
        yield offset, [by_place.get((column, row)) for column in columns]


def _columns(level: Level) -> range:
    return range(min(f.column for f in level.fields), max(f.column for f in level.fields) + 1)


def _cell(level: Level, field: Field, printed: Marks, marks: Marks) -> Cell:
    is_open = bool(possible_stacks(level, field.name))
    own = printed.get(field.name, ())
    stack = marks.get(field.name, own)
    beyond = level.track_neighbours[level.index[field.name]]
    return Cell(
        field,
        field_name(level, field),
        marks_name(stack) if is_open or stack else "",
        field.symbol if is_open else "printed",
        drawings_on(level, field.name),
        format_marks(own),
        json.dumps({edge: (level.fields[i].name, OPPOSITE[edge]) for edge, i in beyond.items()})
        if level.rails
        else "",
        level.printed_tracks.get(field.name, ""),
    )


def drawings_on(level: Level, at: str) -> dict[str, str]:
    """Return a field's drawing id by mark, for the possible marks that vary from field to field."""
    marks = (mark for stack in possible_stacks(level, at) for mark in stack)
    return {mark: mark_id(at, mark) for mark in marks if len(MARK_IDS[mark]) > 1}


@register.simple_tag
def known_marks(level: Level | None = None) -> dict[str, dict[str, Any]]:
    """Return how each possible stack of marks looks on a level, or by default on any level.

    The keys are the words of `sheets.rules.marks.format_marks`. ``said`` describes a field with
    these marks, ``crossed`` says whether it counts as crossed. ``drawn`` has lists of drawing ids
    by layer; in place of an id, a mark stands for the field's own drawing of it (`drawings_on`).
    """
    return {
        format_marks(stack): {
            "said": marks_name(stack),
            "crossed": not CROSSED.isdisjoint(stack),
            "drawn": _drawn(stack),
        }
        for stack in STACKS
        if level is None or level.rails or TRACKS.isdisjoint(stack)
    }


def _drawn(stack: Iterable[str]) -> dict[str, list[str]]:
    layers: dict[str, list[str]] = {}
    for mark in stack:
        ids = MARK_IDS[mark]
        layers.setdefault(LAYERS[mark], []).append(ids[0] if len(ids) == 1 else mark)
    return layers


@register.simple_tag
def state_word(word: str) -> str:
    """Return the description of a mark; ``word`` is a key of `MARK_NAMES`."""
    return str(MARK_NAMES[word])


@register.filter
def lookup(mapping: Mapping[Any, Any], key: Any) -> Any:
    """Return the value of a key in a mapping."""
    return mapping[key]
