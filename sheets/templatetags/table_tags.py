"""Tables in templates: the grid to tap, QR codes, dice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import format_lazy
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _
from segno import QRCode

from sheets.artwork import layout
from sheets.artwork.sheet_svg import sheet_sprite
from sheets.artwork.svg import mark_ids
from sheets.models import Seat, Table
from sheets.rules import Level
from sheets.rules.level import Field
from sheets.rules.marks import DICE, Marks, format_marks, printed_marks
from sheets.scoring.result import MOMENT_DRAWINGS
from sheets.scoring.score_view import CategoryRow, signs
from sheets.scoring.words import field_name
from sheets.tables.access import TableAccess
from sheets.tables.itself import IdentityKey
from sheets.tables.strengths import strength_of
from sheets.tables.taps import ADVISED, ADVISED_OWED, FAINT, OWED, STRONG, said_hint
from sheets.tables.words import STRENGTHS, with_strength
from sheets.templatetags.name_tags import name_among
from sheets.templatetags.sheet_tags import drawings_on, field_rows
from sheets.texts.players import join_names
from sheets.texts.symbols import marks_name

register = template.Library()

HINTS = {STRONG: _("a die fits here"), FAINT: _("in reach"), OWED: _("can be chosen")}
ADVISED_HINTS = {
    **HINTS,
    ADVISED: format_lazy("{}, {}", HINTS[STRONG], _("hint of the hard bot")),
    ADVISED_OWED: format_lazy("{}, {}", HINTS[OWED], _("hint of the hard bot")),
}

FEW: Final = 2
"""So many people have room for words beside their points."""


class Cell(NamedTuple):
    """A field's button: its name, what it says, and the drawings it may need, by mark.

    ``printed`` is the mark that is printed there, ``leaves`` that of a die placed there: both may
    be empty.
    """

    at: str
    label: str
    says: str
    hint: str
    drawings: Mapping[str, str]
    printed: str
    leaves: str


@register.simple_tag
def table_rows(
    level: Level, marks: Marks, hints: Mapping[str, str], owes: bool
) -> list[tuple[int, list[Cell | None]]]:
    """Return the rows of the grid: how far each is moved in quarters of a field, and its cells.

    ``owes``: a tap makes a choice that the player owes, and places no die.
    """
    printed = printed_marks(level)

    def cell(field: Field) -> Cell:
        at, own = field.name, printed.get(field.name, ())
        stack, hint = marks.get(at, own), hints.get(at, "")
        label = field_name(level, field)
        words = [
            label,
            marks_name(stack) if stack else "",
            hint and str(ADVISED_HINTS[said_hint(hint, owes)]),
        ]
        says = ", ".join(word for word in words if word)
        leaves = DICE[field.number - 1] if field.number and not own else ""
        return Cell(at, label, says, hint, drawings_on(level, at), format_marks(own), leaves)

    return [
        (offset, [cell(field) if field else None for field in fields])
        for offset, fields in field_rows(level)
    ]


@register.simple_tag
def hint_words(table: Table) -> str:
    """What is said of fields that take a tap, for the script."""
    hints = ADVISED_HINTS if table.has_advice else HINTS
    return json.dumps({hint: str(says) for hint, says in hints.items()}, ensure_ascii=False)


@register.simple_tag
def table_drawings(level: Level, *, with_moment: bool = False) -> SafeString:
    """The drawings of a table's page, once, before all that refers to them."""
    drawn = signs(level) | mark_ids(("rocket", *DICE)) | (MOMENT_DRAWINGS if with_moment else set())
    return mark_safe(sheet_sprite(level, drawn))  # noqa: S308


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


def _mini(level: Level, marks: Marks, fresh: tuple[str, ...]) -> SafeString:
    """A sheet so small that only where something stands can be seen; ``fresh``: what is new."""
    kinds: dict[str, list[str]] = {}
    for name, stack in {**printed_marks(level), **marks}.items():
        kinds.setdefault(_MINI_KINDS.get(stack[-1], "cross"), []).append(name)
    paths = "".join(
        f'<path class="mini-{kind}" d="{_squares(level, names)}"/>' for kind, names in kinds.items()
    )
    # With a key of its own each field flashes once, when it comes.
    paths += "".join(
        f'<path class="mini-fresh" data-key="fresh {name}" d="{_squares(level, [name])}"/>'
        for name in fresh
    )
    size = f'viewBox="0 0 {_across(level)} {level.rows}"'
    return mark_safe(  # noqa: S308  made of numbers only
        f'<svg class="mini" {size} aria-hidden="true">'
        f'<use href="#mini-base" width="{_across(level)}" height="{level.rows}"/>{paths}</svg>'
    )


@register.simple_tag
def people_tabs(view: Any) -> SafeString:
    """The links to the sheets of all players: small, each with name and points.

    Put together here, because they are made anew for all who look with each tap.
    """
    seat, shown, language = view.seat, view.shown, get_language()
    people, marks, level, names = view.people, view.marks, view.level, view.names
    own = "" if seat is None else f"seat={seat}&amp;"
    tabs = []
    for person in people:
        at = person.number
        query = f"seat={at}" if person.is_mine else f"{own}show={at}"
        is_here = ' aria-current="page"' if at == shown else ""
        states = {"awaited": person.is_awaited, "out": person.is_out, "mine": person.is_mine}
        kinds = " ".join(("person", *(name for name, holds in states.items() if holds)))
        words = _person_words(
            level,
            names,
            IdentityKey(marks[at]),
            person._replace(is_mine=False, fresh=tuple(person.fresh)),
            language,
        )
        tabs.append(
            f'<li><a data-person="{at}" data-key="person {at}" href="?{query}"{is_here} '
            f'class="{kinds}">{words}</a></li>'
        )
    return mark_safe("".join(tabs))  # noqa: S308  made of numbers and of what a template has made


@lru_cache(maxsize=2048)
def _person_words(
    level: Level,
    names: tuple[str, ...],
    marks: IdentityKey[Marks],
    person: Any,
    _language: str | None,
) -> SafeString:
    """What is in it: the same for all who look, and from tap to tap for most players."""
    points = ngettext("%(points)s point", "%(points)s points", abs(person.total))
    said = [
        points % {"points": layout.number(person.total)},
        strength_word(person.bot),
        hints_count(person.asked) if person.asked else "",
        str(_("to move")) if person.is_awaited else str(_("out")) if person.is_out else "",
    ]
    return format_html(
        '{}<span class="person-words" aria-hidden="true">{} {}</span>'
        '<span class="for-ears"><bdi translate="no">{}</bdi>, {}</span>',
        _mini(level, marks.value, person.fresh),
        name_among(person.name, names, "tab-name"),
        _points_words(person, is_short=len(names) > FEW),
        person.name,
        ", ".join(filter(None, said)),
    )


def _points_words(person: Any, *, is_short: bool) -> SafeString:
    """A player's points, with the strength of a bot or the hints that somebody has had.

    Where many play hints are the number alone, and the strength stands below.
    """
    points = format_html("<b>{}</b>", layout.number(person.total))
    if person.bot:
        strength = strength_word(person.bot)
        if is_short:
            return format_html('{}<small class="tab-strength">{}</small>', points, strength)
        return format_html("<span>{} · <small>{}</small></span>", points, strength)
    if not person.asked:
        return points
    hints = f"?{person.asked}" if is_short else hints_count(person.asked)
    return format_html("<span>{} · <small>{}</small></span>", points, hints)


@register.filter
def hints_count(asked: int) -> str:
    """How many hints somebody has had."""
    return ngettext("%(count)d hint", "%(count)d hints", asked) % {"count": asked}


_MINI_KINDS = {"exploded": "exploded", "lava": "lava", **dict.fromkeys(DICE, "die")}


def _across(level: Level) -> str:
    return f"{level.columns + max(level.shifts or (0,)) - min(level.shifts or (0,)):g}"


def _squares(level: Level, names: Iterable[str]) -> str:
    """A path of squares, each a step from the one before: steps repeat, and weigh nothing."""
    shifts = level.shifts or (0.0,) * level.rows
    path, left, above = "", -0.08, -0.08
    for field in map(level.fields.__getitem__, sorted(level.index[name] for name in names)):
        x, y = field.column + shifts[field.row] - min(shifts), float(field.row)
        path += f"m{x - left:g} {y - above:g}h.84v.84h-.84z"
        left, above = x, y
    return path


@register.simple_tag
def derived(category: CategoryRow) -> SafeString:
    """A category of the score column with its lines, of which most stay as they are."""
    return _derived(category, get_language())


@lru_cache(maxsize=1024)
def _derived(category: CategoryRow, _language: str | None) -> SafeString:
    return render_to_string("table/_category.html", {"category": category})


@register.simple_tag
def qr_code(qr: QRCode) -> SafeString:
    """Draw a QR code inline, with the quiet zone of its standard (4 modules) in the picture.

    The picture brings its white along, because forced colours replace the page's backgrounds.
    """
    drawn = qr.svg_inline(omitsize=True, border=4, svgclass="qr", lineclass=None, light="#fff")
    return mark_safe(drawn.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S308


@register.simple_tag
def strengths() -> list[tuple[str, str, str]]:
    """How strong bots can be: each with what it is called and what it does."""
    return [(name, str(called), str(does)) for name, (called, does) in STRENGTHS.items()]


@register.filter
def seated(seat: Seat) -> str:
    """What somebody at a table is called, bots with their strength."""
    return with_strength(str(seat), seat.bot)


@register.filter
def strength_word(bot: str) -> str:
    """What a bot is called by its strength; empty for people."""
    return str(STRENGTHS[strength_of(bot)][0]) if bot else ""


@register.simple_tag
def bots_of(access: TableAccess) -> str:
    """The bots at a table, each with its strength; empty for none."""
    bots = [seat for seat in access.everybody if seat.bot]
    return join_names([seated(seat) for seat in bots]) if bots else ""


@register.filter
def plays_as(bot: str) -> str:
    """The name of the strength of a bot, by the name that is kept; empty for people."""
    return strength_of(bot) if bot else ""


@register.filter
def all_wait(people: Iterable[Any]) -> bool:
    """Whether nobody who sits at this device is awaited."""
    return not any(person.is_mine and person.is_awaited for person in people)


@register.filter
def breakable(url: str) -> SafeString:
    """An address that goes on in the next line behind a slash, not within a table's code."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in url.split("/")))
