"""SVG of a sheet on which a script can draw marks.

Each field has an element ``<g>`` for each of the layers ``under``, ``over`` and ``top``. The script
adds a mark to one of them without waiting for the server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sheets.art.decorations import sheet_decorations
from sheets.art.field_contents import compose_number, compose_symbol, field_group
from sheets.art.layout import Layout, lay_out
from sheets.art.marks import LAYERS
from sheets.art.pointers import Pointer, draw_pointers
from sheets.art.shapes import number_text
from sheets.art.svg import (
    NAMES_MARGIN,
    draw_decorations,
    mark_content,
    sheet_characters,
    sheet_frame,
    sheet_ids,
    sprite,
    text,
    use,
)
from sheets.rules import Level
from sheets.rules.level import Field
from sheets.rules.marks import Marks, crossed_fields, possible_marks, printed_marks
from sheets.rules.sheet import opened_colours

FIELD = (
    '<rect class="paper f-{paper} s-field-line" '
    'width="100" height="100" rx="14" stroke-width="2.5"/>'
)
"""SVG template of the background of a field; ``paper`` is its palette role."""


def draw_marked_sheet(
    level: Level,
    marks: Marks,
    lit: Collection[str] = (),
    missing: Collection[str] = (),
    pointers: Iterable[Pointer] = (),
) -> str:
    """Return a sheet as one ``<svg>`` that refers to the page's sprite (`sheet_sprite`).

    Args:
        level: the level of the sheet.
        marks: the marks of the player by field; printed ones are added.
        lit: the fields to highlight.
        missing: the fields to highlight faintly.
        pointers: the pointers at the played and the better field of mistakes.
    """
    layout = lay_out(level)
    opened = opened_colours(level, crossed_fields(level, marks))
    shown = {**printed_marks(level), **marks}
    fields = []
    for field in level.fields:
        light = " lit" if field.name in lit else " missing" if field.name in missing else ""
        fields.append(_field(layout, field, shown.get(field.name, ()), light, opened))
    over = draw_decorations(sheet_decorations(layout)) + draw_pointers(layout, pointers)
    # A browser's forced dark mode recolours page backgrounds, but no large drawing.
    corner = f'x="{-NAMES_MARGIN}" y="{-NAMES_MARGIN}"'
    paper = f'<rect class="f-paper" {corner} width="100%" height="100%"/>'
    return sheet_frame(layout, paper + "".join(fields) + over, is_named=True)


def sheet_sprite(level: Level, more: Iterable[str] = ()) -> str:
    """Return the sprite for sheets of a level, whatever marks they have.

    It also has the drawings with the ids ``more``.
    """
    ids = sheet_ids(level, possible_marks(level)) | set(more)
    return sprite(ids, sheet_characters(level))


def _field(
    layout: Layout, field: Field, stack: Sequence[str], light: str, opened: Collection[str]
) -> str:
    """Draw a field in the order of `field_contents.compose`, each layer of marks in a ``<g>``."""
    box, group = layout.fields[field.name], field_group(field)
    x, y = number_text(box.x * 100), number_text(box.y * 100)
    lock = ""
    symbol = "".join(map(use, compose_symbol(field)))
    if field.symbol == "lock":
        lock = f' data-lock="{field.colour}"' + (" data-open" if field.colour in opened else "")
        open_lock = "".join(map(use, compose_symbol(field, opened=True)))
        symbol = f'<g class="shut">{symbol}</g><g class="open">{open_lock}</g>'
    layers = dict.fromkeys(("under", "over", "top"), "")
    for mark in stack:
        layers[LAYERS[mark]] += mark_content(field.name, mark)
    under, over, top = (f'<g class="{layer}">{drawn}</g>' for layer, drawn in layers.items())
    number = "".join(map(text, compose_number(field)))
    return (
        f'<g class="art-field{f" g-{group}" if group else ""}{light}" '
        f'data-field="{field.name}"{lock} transform="translate({x} {y})scale({box.width:.3f})">'
        f"{FIELD.format(paper='tint' if group else 'paper')}{under}{symbol}{over}{number}{top}</g>"
    )
