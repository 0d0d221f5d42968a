"""How does a page show a sheet that is being marked?

One drawing for every page: paper, fields, print, arrows and areas, and in every field the groups
``under``, ``over`` and ``top``, into which a script can put a mark at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from sheets.artwork.compose import (
    compose_mark,
    compose_number,
    compose_symbol,
    field_group,
    printed_marks,
)
from sheets.artwork.furniture import over_fields
from sheets.artwork.layout import Layout, lay_out
from sheets.artwork.marks import CROSS_VARIANTS, SCRIBBLE_VARIANTS
from sheets.artwork.shapes import number_text
from sheets.artwork.svg import (
    furniture,
    mark_content,
    sheet_ids,
    sprite,
    text,
    use,
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
        marks: by field name, the values of `sheets.scoring.marks`.
        lit: the fields to light up.
        missing: the fields to light up faintly.
    """
    layout = lay_out(level)
    opened = opened_locks(level, marks)
    shown = {**printed_marks(level), **marks}
    fields = []
    for field in level.fields:
        light = " lit" if field.name in lit else " missing" if field.name in missing else ""
        fields.append(_field(layout, field, shown.get(field.name, ""), light, opened))
    width, height = number_text(layout.width * 100), number_text(layout.height * 100)
    return (
        f'<svg class="art-sheet" viewBox="0 0 {width} {height}" aria-hidden="true" '
        f'focusable="false">{"".join(fields)}'
        f"{furniture(over_fields(layout))}</svg>"
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


def _field(layout: Layout, field: Field, value: str, light: str, opened: Collection[str]) -> str:
    """A field in the order of `compose.compose`, with an empty group for each kind of mark."""
    box, group = layout.fields[field.name], field_group(field)
    x, y = number_text(box.x * 100), number_text(box.y * 100)
    lock = ""
    symbol = "".join(map(use, compose_symbol(field)))
    if field.symbol == "lock":
        lock = f' data-lock="{field.colour}"' + (" data-open" if field.colour in opened else "")
        open_lock = "".join(map(use, compose_symbol(field, opened=True)))
        symbol = f'<g class="shut">{symbol}</g><g class="open">{open_lock}</g>'
    layers = {layer: mark_content(field.name, mark) for layer, mark in _layers(value)}
    under, over, top = (
        f'<g class="{layer}">{layers.get(layer, "")}</g>' for layer in ("under", "over", "top")
    )
    number = "".join(map(text, compose_number(field)))
    return (
        f'<g class="art-field{f" g-{group}" if group else ""}{light}" '
        f'data-field="{field.name}"{lock} transform="translate({x} {y})scale({box.width:.3f})">'
        f"{FIELD.format(paper='tint' if group else 'paper')}{under}{symbol}{over}{number}{top}</g>"
    )


def _layers(value: str) -> Iterator[tuple[str, str]]:
    """The marks that make up a value, each with the layer it lies in."""
    if value in SHAPES:
        yield "over", f"track-{value}"
    elif value in ("exploded", "lava", "exploded-lava"):
        for mark in value.split("-"):
            yield ("under" if mark == "lava" else "top"), mark
    elif value:
        yield "top" if value.startswith("die-") else "over", value


def mark_ids(name: str) -> dict[str, str]:
    """The drawing's id of the cross and the scribble of a field."""
    return {mark: compose_mark(name, mark).id for mark in ("cross", "exploded")}
