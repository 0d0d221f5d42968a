"""Sheets in templates: the drawing, the grid of fields over it, and numbers as they are printed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork import layout
from sheets.artwork.sheet_svg import draw_marked_sheet, mark_ids, sheet_sprite
from sheets.rules import Item, Level
from sheets.rules.level import Field
from sheets.scoring.marks import field_values
from sheets.scoring.scored import signs
from sheets.scoring.words import STATES, field_name

register = template.Library()
register.filter("printed_number", layout.number)


class Cell(NamedTuple):
    """One field of the grid: what its button says and what the script needs to know."""

    field: Field
    label: str
    state: str
    kind: str
    cross: str
    scribble: str
    beyond: str
    track: str


class Row(NamedTuple):
    """A row of the grid, moved ``offset`` quarters of a field to the right; None is a hole.

    It is negative where a row begins with a hole that is moved beyond the leftmost field.
    """

    offset: int
    cells: tuple[Cell | None, ...]


@register.simple_tag
def sheet_drawings(level: Level) -> SafeString:
    """The drawings that `sheet_drawing` and the score column refer to, once per page."""
    return mark_safe(sheet_sprite(level, signs(level)))  # noqa: S308  made of our own drawings only


@register.simple_tag
def sheet_drawing(
    level: Level, marks: Mapping[str, str] | None = None, light: Item | None = None
) -> SafeString:
    """A sheet with its marks, the fields of one line of the score column lit up."""
    lit: Collection[str] = light.fields if light else ()
    missing: Collection[str] = light.missing if light else ()
    drawing = draw_marked_sheet(level, marks or {}, lit, missing)
    return mark_safe(drawing)  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def sheet_classes(level: Level) -> str:
    """The classes that give a sheet's frame its measures (sheet.css)."""
    drawn = layout.lay_out(level)
    across = max(box.x + box.width for box in drawn.fields.values()) + layout.GAP / 2
    down = max(box.y + box.height for box in drawn.fields.values()) + layout.GAP / 2
    quarters = round((across - layout.MARGIN) * 4)
    classes = [f"w-{quarters}", f"h-{round(down - layout.MARGIN)}"]
    classes += [f"cols-{len(_columns(level))}"]
    classes += ["row-arrows"] * any(arrow.direction == "left" for arrow in drawn.arrows)
    classes += ["column-arrows"] * any(arrow.direction == "up" for arrow in drawn.arrows)
    return " ".join(classes)


@register.simple_tag
def sheet_rows(level: Level, marks: Mapping[str, str]) -> list[Row]:
    """The grid's rows with a cell for every field."""
    rows = []
    for offset, fields in field_rows(level):
        cells = [_cell(level, field, marks) if field else None for field in fields]
        rows.append(Row(offset, tuple(cells)))
    return rows


def field_rows(level: Level) -> Iterator[tuple[int, list[Field | None]]]:
    """The rows of a grid: how far each is moved in quarters of a field, and its fields."""
    shifts = level.shifts or (0.0,) * level.rows
    by_place = {(f.column, f.row): f for f in level.fields}
    left = min(f.column + shifts[f.row] for f in level.fields)
    columns = _columns(level)
    for row in range(min(f.row for f in level.fields), max(f.row for f in level.fields) + 1):
        offset = round((columns[0] + shifts[row] - left) * 4)
        yield offset, [by_place.get((column, row)) for column in columns]


def _columns(level: Level) -> range:
    return range(min(f.column for f in level.fields), max(f.column for f in level.fields) + 1)


def _cell(level: Level, field: Field, marks: Mapping[str, str]) -> Cell:
    index = level.index[field.name]
    is_open = bool(field_values(level, field.name))
    state = marks.get(field.name, "")
    if field.printed:
        state = "printed"
    elif field.name in level.printed_tracks:
        state = "printed-track"
    ids = mark_ids(field.name)
    beyond = {edge: level.fields[other].name for edge, other in level.beyond[index].items()}
    return Cell(
        field,
        field_name(level, field),
        str(STATES[state]) if is_open or state else "",
        field.symbol if is_open else "printed",
        ids["cross"],
        ids["exploded"],
        json.dumps(beyond) if level.rails else "",
        level.printed_tracks.get(field.name, ""),
    )


@register.simple_tag
def state_words() -> str:
    """The words for what stands on a field, for the script."""
    return json.dumps({state: str(word) for state, word in STATES.items()}, ensure_ascii=False)


@register.simple_tag
def state_word(state: str) -> str:
    """The words for one of them."""
    return str(STATES[state])


@register.filter
def lookup(mapping: Mapping[Any, Any], key: Any) -> Any:
    """The value of a mapping's key."""
    return mapping[key]
