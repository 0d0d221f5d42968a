"""How does a page show a sheet that is being marked?

One drawing for every page: paper, fields, print, arrows and areas, and over them a group per field
into which a script can put a mark at once. ``data-*`` attributes tell the script what is where.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sheets.artwork.compose import compose_mark, field_group, printed_marks
from sheets.artwork.furniture import over_fields, under_fields
from sheets.artwork.layout import Layout, lay_out
from sheets.artwork.marks import CROSS_VARIANTS, SCRIBBLE_VARIANTS
from sheets.artwork.shapes import number_text
from sheets.artwork.svg import (
    field_content,
    furniture,
    mark_content,
    sheet_ids,
    sprite,
)
from sheets.rules import Level
from sheets.rules.level import SHAPES, Field

FIELD = (
    '<rect class="paper f-{paper} s-field-line" '
    'width="100" height="100" rx="14" stroke-width="2.5"/>'
)


def draw_marked_sheet(
    level: Level,
    marks: Mapping[str, str],
    lit: Collection[str] = (),
    missing: Collection[str] = (),
) -> str:
    """A sheet with its marks as one ``<svg>`` that refers to the page's sprite (`sheet_sprite`).

    Args:
        level: whose sheet it is.
        marks: by field name, the values of `sheets.marks`.
        lit: the fields to light up.
        missing: the fields to light up faintly.
    """
    layout = lay_out(level)
    opened = opened_locks(level, marks)
    fields, over = [], []
    for field in level.fields:
        light = " lit" if field.name in lit else " missing" if field.name in missing else ""
        fields.append(_field(layout, field, marks.get(field.name, ""), light, opened))
        over.append(_over(level, layout, field, marks.get(field.name, "")))
    width, height = number_text(layout.width * 100), number_text(layout.height * 100)
    return (
        f'<svg class="art-sheet" viewBox="0 0 {width} {height}" aria-hidden="true" '
        f'focusable="false">{furniture(under_fields(layout))}{"".join(fields)}'
        f"{furniture(over_fields(layout))}{''.join(over)}</svg>"
    )


def sheet_sprite(level: Level, more: Iterable[str] = ()) -> str:
    """The drawings that a sheet of the level needs, whatever will be marked on it, and ``more``."""
    if level.rails:
        ids = [f"track-{shape}" for shape in SHAPES]
    else:
        ids = [f"cross-{i}" for i in range(CROSS_VARIANTS)]
    if level.by_symbol["bomb"]:
        ids += [f"scribble-{i}" for i in range(SCRIBBLE_VARIANTS)]
    if level.by_symbol["volcano"]:
        ids.append("lava")
    return sprite(sheet_ids(level) | set(ids) | set(more))


def opened_locks(level: Level, marks: Mapping[str, str]) -> set[str]:
    """The colours whose locks a crossed key has opened."""
    shown = printed_marks(level).keys() | {
        name for name, value in marks.items() if value in ("cross", *SHAPES)
    }
    return {f.colour for f in level.fields if f.symbol == "key" and f.name in shown}


def _place(layout: Layout, field: Field) -> str:
    box = layout.fields[field.name]
    x, y = number_text(box.x * 100), number_text(box.y * 100)
    return f'transform="translate({x} {y})scale({box.width:.3f})"'


def _field(layout: Layout, field: Field, value: str, light: str, opened: Collection[str]) -> str:
    group = field_group(field)
    classes = f"art-field{f' g-{group}' if group else ''}{light}"
    content = field_content(field)
    lock = ""
    if field.symbol == "lock":
        lock = f' data-lock="{field.colour}"' + (" data-open" if field.colour in opened else "")
        content = (
            f'<g class="shut">{content}</g><g class="open">{field_content(field, opened=True)}</g>'
        )
    under = mark_content(field.name, "lava") if "lava" in value else ""
    return (
        f'<g class="{classes}" data-field="{field.name}"{lock} {_place(layout, field)}>'
        f"{FIELD.format(paper='tint' if group else 'paper')}"
        f'<g class="under">{under}</g>{content}</g>'
    )


def _over(level: Level, layout: Layout, field: Field, value: str) -> str:
    printed = printed_marks(level).get(field.name)
    if printed:
        return f"<g {_place(layout, field)}>{mark_content(field.name, printed)}</g>"
    content = "".join(mark_content(field.name, mark) for mark in over_marks(value))
    return f'<g class="over" data-over="{field.name}" {_place(layout, field)}>{content}</g>'


def over_marks(value: str) -> list[str]:
    """The marks over the print for a value: lava lies under it."""
    if value in SHAPES:
        return [f"track-{value}"]
    return [word for word in value.split("-") if word and word != "lava"]


def mark_ids(level: Level, name: str) -> dict[str, str]:
    """The drawing's id of the cross and the scribble of a field."""
    return {mark: compose_mark(name, mark).id for mark in ("cross", "exploded")}
