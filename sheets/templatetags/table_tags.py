"""Template tags for tables: the grid of buttons, players, bots, QR codes."""

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

from sheets.art import layout
from sheets.art.sheet_svg import sheet_sprite
from sheets.art.svg import mark_ids
from sheets.models import Seat, Table
from sheets.rules import Level
from sheets.rules.level import Field
from sheets.rules.marks import DICE, Marks, format_marks, printed_marks
from sheets.scoring.result import MOMENT_DRAWINGS
from sheets.scoring.score_view import CategoryRow, signs
from sheets.scoring.sentences import field_name
from sheets.tables.access import TableAccess
from sheets.tables.bots import strength_of
from sheets.tables.identity_key import IdentityKey
from sheets.tables.sentences import STRENGTHS, with_strength
from sheets.tables.taps import FAINT, HINTED, HINTED_OWED, OWED, STRONG, spoken_reach
from sheets.templatetags.name_tags import name_among
from sheets.templatetags.sheet_tags import drawings_on, field_rows
from sheets.text.player_names import join_names
from sheets.text.symbols import marks_name

register = template.Library()

REACH_NAMES = {STRONG: _("a die fits here"), FAINT: _("in reach"), OWED: _("can be chosen")}
"""Description of a highlighted field for screen readers, by its `spoken_reach`."""

HINTED_REACH_NAMES = {
    **REACH_NAMES,
    HINTED: format_lazy("{}, {}", REACH_NAMES[STRONG], _("hint of the hard bot")),
    HINTED_OWED: format_lazy("{}, {}", REACH_NAMES[OWED], _("hint of the hard bot")),
}
"""`REACH_NAMES`, and descriptions of hinted fields, for tables with hints of the hard bot."""

MAX_WITH_WORDS: Final = 2
"""Maximum number of players at which each tab has room for words next to the points."""


class Cell(NamedTuple):
    """Button of a field in the grid.

    ``label`` names the field; ``says`` also describes its marks and its ``reach``, for screen
    readers. ``drawings`` is the result of `drawings_on`. ``printed`` is the printed mark,
    ``leaves`` the mark of a die that is placed there; both may be empty.
    """

    at: str
    label: str
    says: str
    reach: str
    drawings: Mapping[str, str]
    printed: str
    leaves: str


@register.simple_tag
def table_rows(
    level: Level, marks: Marks, reachable: Mapping[str, str], owes: bool
) -> list[tuple[int, list[Cell | None]]]:
    """Return for each row its offset in quarters of a field, and its cells (None for a hole).

    If ``owes``, a tap makes a choice that the player owes, such as lava, and places no die.
    """
    printed = printed_marks(level)

    def cell(field: Field) -> Cell:
        at, own = field.name, printed.get(field.name, ())
        stack, reach = marks.get(at, own), reachable.get(at, "")
        label = field_name(level, field)
        words = [
            label,
            marks_name(stack) if stack else "",
            reach and str(HINTED_REACH_NAMES[spoken_reach(reach, owes)]),
        ]
        says = ", ".join(word for word in words if word)
        leaves = DICE[field.number - 1] if field.number and not own else ""
        return Cell(at, label, says, reach, drawings_on(level, at), format_marks(own), leaves)

    return [
        (offset, [cell(field) if field else None for field in fields])
        for offset, fields in field_rows(level)
    ]


@register.simple_tag
def reach_names(table: Table) -> str:
    """Return the descriptions of highlighted fields by reach, as JSON for the page's script."""
    names = HINTED_REACH_NAMES if table.has_advice else REACH_NAMES
    return json.dumps({reach: str(says) for reach, says in names.items()}, ensure_ascii=False)


@register.simple_tag
def table_drawings(level: Level, *, with_moment: bool = False) -> SafeString:
    """Return the SVG sprite of a table's page; use it once, before the first drawing.

    ``with_moment`` adds the drawings around the winner's name.
    """
    drawn = signs(level) | mark_ids(("rocket", *DICE)) | (MOMENT_DRAWINGS if with_moment else set())
    return mark_safe(sheet_sprite(level, drawn))  # noqa: S308


@register.simple_tag
def mini_base(level: Level) -> SafeString:
    """Return the SVG symbol of an empty sheet that thumbnails need; use it once per page."""
    names = [field.name for field in level.fields]
    drawn = (
        f'<svg class="art-sprite" width="0" height="0" aria-hidden="true"><symbol id="mini-base" '
        f'viewBox="0 0 {_across(level)} {level.rows}"><path d="{_squares(level, names)}"/>'
        "</symbol></svg>"
    )
    return mark_safe(drawn)  # noqa: S308  made of numbers only


def _mini(level: Level, marks: Marks, fresh: tuple[str, ...]) -> SafeString:
    """Return a thumbnail of a sheet that shows which fields have marks; ``fresh`` ones flash."""
    kinds: dict[str, list[str]] = {}
    for name, stack in {**printed_marks(level), **marks}.items():
        kinds.setdefault(_MINI_KINDS.get(stack[-1], "cross"), []).append(name)
    paths = "".join(
        f'<path class="mini-{kind}" d="{_squares(level, names)}"/>' for kind, names in kinds.items()
    )
    # A key for each field makes it flash once, when it appears.
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
    """Return the links to the sheets of all players, each with thumbnail, name and points.

    Python assembles them, not a template, because each tap renders them for all devices.
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
    """Return the content of a tab, cached: it is equal for all devices and rarely changes."""
    points = ngettext("%(points)s point", "%(points)s points", abs(person.total))
    words = [
        points % {"points": layout.format_amount(person.total)},
        strength_word(person.bot),
        hints_count(person.hint_count) if person.hint_count else "",
        str(_("to move")) if person.is_awaited else str(_("out")) if person.is_out else "",
    ]
    return format_html(
        '{}<span class="person-words" aria-hidden="true">{} {}</span>'
        '<span class="for-ears"><bdi translate="no">{}</bdi>, {}</span>',
        _mini(level, marks.value, person.fresh),
        name_among(person.name, names, "tab-name"),
        _points_words(person, is_short=len(names) > MAX_WITH_WORDS),
        person.name,
        ", ".join(filter(None, words)),
    )


def _points_words(person: Any, *, is_short: bool) -> SafeString:
    """Return a player's points, with a bot's strength or the number of hints used.

    If ``is_short``, hints are only a number, and the strength is below the points.
    """
    points = format_html("<b>{}</b>", layout.format_amount(person.total))
    if person.bot:
        strength = strength_word(person.bot)
        if is_short:
            return format_html('{}<small class="tab-strength">{}</small>', points, strength)
        return format_html("<span>{} · <small>{}</small></span>", points, strength)
    if not person.hint_count:
        return points
    hints = f"?{person.hint_count}" if is_short else hints_count(person.hint_count)
    return format_html("<span>{} · <small>{}</small></span>", points, hints)


@register.filter
def hints_count(count: int) -> str:
    """Return the number of hints that a player has used, in words."""
    return ngettext("%(count)d hint", "%(count)d hints", count) % {"count": count}


_MINI_KINDS = {"exploded": "exploded", "lava": "lava", **dict.fromkeys(DICE, "die")}
"""Ending of a field's CSS class in a thumbnail, by its topmost mark; ``cross`` for other marks."""


def _across(level: Level) -> str:
    return f"{level.columns + max(level.shifts or (0,)) - min(level.shifts or (0,)):g}"


def _squares(level: Level, names: Iterable[str]) -> str:
    """Return an SVG path of squares in relative steps, which repeat and so compress well."""
    shifts = level.shifts or (0.0,) * level.rows
    path, left, above = "", -0.08, -0.08
    for field in map(level.fields.__getitem__, sorted(level.index[name] for name in names)):
        x, y = field.column + shifts[field.row] - min(shifts), float(field.row)
        path += f"m{x - left:g} {y - above:g}h.84v.84h-.84z"
        left, above = x, y
    return path


@register.simple_tag
def derived(category: CategoryRow) -> SafeString:
    """Return the HTML of a score column's category with its lines.

    It is cached, because a move changes few categories.
    """
    return _derived(category, get_language())


@lru_cache(maxsize=1024)
def _derived(category: CategoryRow, _language: str | None) -> SafeString:
    return render_to_string("table/_category.html", {"category": category})


@register.simple_tag
def qr_code(qr: QRCode) -> SafeString:
    """Draw a QR code inline, with the quiet zone of its standard (4 modules) in the picture.

    The picture has its own white background, because forced colours replace those of the page.
    """
    drawn = qr.svg_inline(omitsize=True, border=4, svgclass="qr", lineclass=None, light="#fff")
    return mark_safe(drawn.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S308


@register.simple_tag
def strengths() -> list[tuple[str, str, str]]:
    """Return the strengths of bots: stored name, shown name and description of each."""
    return [(name, str(called), str(does)) for name, (called, does) in STRENGTHS.items()]


@register.filter
def seated(seat: Seat) -> str:
    """Return the name of a seat's player, for bots with their strength."""
    return with_strength(str(seat), seat.bot)


@register.filter
def strength_word(bot: str) -> str:
    """Return the shown name of a bot's strength; empty for people."""
    return str(STRENGTHS[strength_of(bot)][0]) if bot else ""


@register.simple_tag
def bots_of(access: TableAccess) -> str:
    """Return the names of the bots at a table, each with its strength; empty without bots."""
    bots = [seat for seat in access.all_seats if seat.bot]
    return join_names([seated(seat) for seat in bots]) if bots else ""


@register.filter
def plays_as(bot: str) -> str:
    """Return the key of a bot's strength, also for bots with an old key; empty for people."""
    return strength_of(bot) if bot else ""


@register.filter
def all_wait(people: Iterable[Any]) -> bool:
    """Return whether no player at this device is to move."""
    return not any(person.is_mine and person.is_awaited for person in people)


@register.filter
def breakable(url: str) -> SafeString:
    """Return a URL in which a line can break behind slashes, but not within a table's code."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in url.split("/")))
