"""Tables in templates: the grid to tap, QR codes, dice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from segno import QRCode

from sheets.artwork.sheet_svg import mark_ids, sheet_sprite
from sheets.rules import Level
from sheets.rules.level import Field
from sheets.scoring.scored import signs
from sheets.scoring.words import STATES, field_name
from sheets.templatetags.sheet_tags import field_rows

register = template.Library()

HINTS = {"strong": _("takes your tap"), "faint": _("in reach")}


class Cell(NamedTuple):
    """A field's button: its name, what it says, and the drawings it may need.

    ``leaves`` is the mark that a die placed there leaves, empty where none can lie.
    """

    at: str
    label: str
    says: str
    hint: str
    cross: str
    scribble: str
    is_printed: bool
    leaves: str


@register.simple_tag
def table_rows(
    level: Level, marks: Mapping[str, str], hints: Mapping[str, str]
) -> list[tuple[int, list[Cell | None]]]:
    """The rows of the grid: how far each is moved in quarters of a field, and its cells."""
    return [
        (offset, [_cell(level, field, marks, hints) if field else None for field in fields])
        for offset, fields in field_rows(level)
    ]


def _cell(level: Level, field: Field, marks: Mapping[str, str], hints: Mapping[str, str]) -> Cell:
    is_printed = _printed(level, field)
    printed = "printed-track" if level.rails else "printed"
    state = printed if is_printed else marks.get(field.name, "")
    label, hint = field_name(level, field), hints.get(field.name, "")
    words = [label, state_words().get(state, ""), hint and str(HINTS[hint])]
    ids = mark_ids(field.name)
    says = ", ".join(word for word in words if word)
    number = level.numbers[level.index[field.name]]
    leaves = f"die-{number}" if number and not is_printed else ""
    return Cell(field.name, label, says, hint, ids["cross"], ids["exploded"], is_printed, leaves)


def state_words() -> dict[str, str]:
    """What stands on a field, in words."""
    words = {state: str(word) for state, word in STATES.items() if state}
    words["rocket"] = str(_("crossed by a rocket"))
    return words | {f"die-{n}": str(_("your die")) for n in range(1, 7)}


@register.simple_tag
def table_words() -> str:
    """The words a script needs to name a field: states, and hints."""
    words = state_words() | {hint: str(word) for hint, word in HINTS.items()}
    return json.dumps(words, ensure_ascii=False)


@register.simple_tag
def table_drawings(level: Level) -> SafeString:
    """The drawings of a table's page, once, before all that refers to them."""
    dice = {f"die-{n}" for n in range(1, 7)}
    return mark_safe(sheet_sprite(level, signs(level) | dice | {"cross-rocket"}))  # noqa: S308


@register.simple_tag
def mini_base(level: Level) -> SafeString:
    """The empty sheet that `mini` draws on, once per page."""
    names = [field.name for field in level.fields]
    drawn = (
        f'<svg class="art-sprite" width="0" height="0" aria-hidden="true"><symbol id="mini-base" '
        f'viewBox="0 0 {_across(level)} {level.rows}"><path d="{_squares(level, names)}"/>'
        "</symbol></svg>"
    )
    return mark_safe(drawn)  # noqa: S308  made of numbers only


@register.simple_tag
def mini(level: Level, marks: Mapping[str, str]) -> SafeString:
    """A sheet so small that only where something stands can be seen."""
    kinds: dict[str, list[str]] = {"cross": [f.name for f in level.fields if _printed(level, f)]}
    for name, mark in marks.items():
        kinds.setdefault(_MINI_KINDS.get(mark.partition("-")[0], "cross"), []).append(name)
    paths = "".join(
        f'<path class="mini-{kind}" d="{_squares(level, names)}"/>' for kind, names in kinds.items()
    )
    size = f'viewBox="0 0 {_across(level)} {level.rows}"'
    return mark_safe(  # noqa: S308  made of numbers only
        f'<svg class="mini" {size} aria-hidden="true" focusable="false">'
        f'<use href="#mini-base" width="{_across(level)}" height="{level.rows}"/>{paths}</svg>'
    )


_MINI_KINDS = {"die": "die", "exploded": "exploded", "lava": "lava"}


def _across(level: Level) -> str:
    return f"{level.columns + max(level.shifts or (0,)) - min(level.shifts or (0,)):g}"


def _squares(level: Level, names: Iterable[str]) -> str:
    shifts = level.shifts or (0.0,) * level.rows
    fields = (level.fields[level.index[name]] for name in names)
    return "".join(
        f"M{f.column + shifts[f.row] - min(shifts) + 0.08:g} {f.row + 0.08:g}h.84v.84h-.84z"
        for f in fields
    )


def _printed(level: Level, field: Field) -> bool:
    return bool(level.printed >> level.index[field.name] & 1)


@register.simple_tag
def qr_code(qr: QRCode) -> SafeString:
    """A QR code as an inline drawing."""
    drawn = qr.svg_inline(omitsize=True, border=2, svgclass="qr", lineclass=None)
    return mark_safe(drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))  # noqa: S308


@register.filter
def breakable(url: str) -> SafeString:
    """An address that goes on in the next line behind a slash, not within a table's code."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in url.split("/")))
