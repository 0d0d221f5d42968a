"""Sheets in templates: the drawing, the grid of fields over it, and numbers as they are printed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork import layout
from sheets.artwork.marks import LAYERS, MARK_IDS, mark_id
from sheets.artwork.sheet_svg import draw_marked_sheet, sheet_sprite
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
from sheets.scoring.words import field_name
from sheets.texts.symbols import MARKS, marks_name

TRACKS: Final = {*SHAPES, *PRINTED_TRACKS.values()}
"""All marks that only levels with rails have."""

register = template.Library()
register.filter("printed_number", layout.number)


class Cell(NamedTuple):
    """One field of the grid: what its button says and what the script needs to know.

    ``drawings`` are those of marks that do not look the same on every field, by mark; ``printed``
    is the mark that is printed there, empty for none. On rails ``beyond`` has, as JSON and by this
    field's edges, the field beyond and which of its edges it is; ``track`` is the printed one.
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
    level: Level, marks: Marks | None = None, light: Item | None = None
) -> SafeString:
    """A sheet with its marks, the fields of one line of the score column lit up."""
    lit: Collection[str] = light.fields if light else ()
    missing: Collection[str] = light.missing if light else ()
    drawing = draw_marked_sheet(level, marks or {}, lit, missing)
    return mark_safe(drawing)  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def sheet_classes(level: Level) -> str:
    """The classes that give a sheet's frame its measures (sheet/sheet.css)."""
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
def sheet_rows(level: Level, marks: Marks) -> list[Row]:
    """The grid's rows with a cell for every field."""
    printed = printed_marks(level)
    rows = []
    for offset, fields in field_rows(level):
        cells = [_cell(level, field, printed, marks) if field else None for field in fields]
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


def _cell(level: Level, field: Field, printed: Marks, marks: Marks) -> Cell:
    is_open = bool(possible_stacks(level, field.name))
    own = printed.get(field.name, ())
    stack = marks.get(field.name, own)
    beyond = level.beyond[level.index[field.name]]
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
    """The drawings of marks that do not look the same on every field, by mark."""
    marks = (mark for stack in possible_stacks(level, at) for mark in stack)
    return {mark: mark_id(at, mark) for mark in marks if len(MARK_IDS[mark]) > 1}


@register.simple_tag
def known_marks(level: Level | None = None) -> dict[str, dict[str, Any]]:
    """What can lie on fields of a level, or of any, by its word (`sheets.rules.marks`).

    ``said`` is what is said of such a field, ``crossed`` whether it is. ``drawn`` has the drawings
    by their layers; the mark itself stands for one that each field has of its own.
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
    """What one of `sheets.rules.marks.MARKS` is called."""
    return str(MARKS[word])


@register.filter
def lookup(mapping: Mapping[Any, Any], key: Any) -> Any:
    """The value of a mapping's key."""
    return mapping[key]
