"""Texts of a paper sheet's score: fields, lines of the score column, grades and winners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.art.layout import format_amount
from sheets.rules import Item, Level, Outcome
from sheets.rules.level import Field
from sheets.rules.symbols import BY_CATEGORY, Pays
from sheets.rules.tracks import NumberTrack
from sheets.text.player_names import join_names
from sheets.text.points import format_points
from sheets.text.symbols import (
    CATEGORY_NAMES,
    area_name,
    chain_number,
    line_name,
    symbol_name,
    track_name,
)


class Grade(NamedTuple):
    """Grade of a solo game: its number from 1, a title and a sentence."""

    number: int
    title: str | Promise
    sentence: str | Promise

    @property
    def steps(self) -> list[bool]:
        """For each grade, the lowest first, whether the game has reached it."""
        return [grade.number <= self.number for grade in GRADES]


_GRADES: Final = (
    (
        gettext_lazy("Warming up"),
        gettext_lazy("The dice had other plans today. They often change their minds."),
    ),
    (
        gettext_lazy("Finding the way"),
        gettext_lazy("You know where everything is now. The next one will be better."),
    ),
    (
        gettext_lazy("Steady hand"),
        gettext_lazy("A good sheet with a few gaps. You can see where they were."),
    ),
    (
        gettext_lazy("Well played"),
        gettext_lazy("Quite a few crosses ended up exactly where you wanted them."),
    ),
    (
        gettext_lazy("Sharp pencil"),
        gettext_lazy("Little was left to chance here. That is worth pinning to the fridge."),
    ),
    (
        gettext_lazy("Dice whisperer"),
        gettext_lazy("The dice seem to listen to you. Hardly anybody gets this far."),
    ),
    (
        gettext_lazy("Living legend"),
        gettext_lazy("There is nothing above this. Frame the sheet and keep the pen."),
    ),
)
"""Title and sentence of each grade, from the lowest."""

GRADES: Final = tuple(Grade(number, *words) for number, words in enumerate(_GRADES, start=1))
"""Grades, indexed by `Outcome.rating` (0 to 6)."""


def points_of_all(names: Sequence[str], totals: Sequence[int]) -> str:
    """List names and totals of all players, the highest first.

    >>> points_of_all(["Ana", "Ben"], [31, 44])
    'Ben 44, Ana 31'
    """
    ranked = sorted(zip(totals, names, strict=True), key=lambda one: -one[0])
    return ", ".join(f"{name} {format_amount(total)}" for total, name in ranked)


def grades_from(ratings: Sequence[int]) -> list[tuple[str, str]]:
    """Return each grade's title and minimum points as texts, the lowest grade first.

    Args:
        ratings: minimum points of all grades except the lowest, whose text is empty.
    """
    minimums = ("", *map(format_amount, ratings))
    return [(str(grade.title), points) for grade, points in zip(GRADES, minimums, strict=True)]


def grade_of(outcome: Outcome | None) -> Grade | None:
    """Return the grade of a finished solo game; None for any other game."""
    return None if outcome is None or outcome.rating is None else GRADES[outcome.rating]


def field_name(level: Level, field: Field) -> str:
    """Return a field's description for screen readers: its name, number and symbol."""
    parts = [field.name]
    if field.number:
        parts.append(str(field.number))
    if field.symbol:
        parts.append(symbol_name(level, field.symbol, field.colour))
    return ", ".join(parts)


def item_name(level: Level, item: Item) -> str:
    """Return the name of a line of the score column."""
    category, key = item.category, item.key
    symbol = BY_CATEGORY.get(category)
    if symbol and symbol.is_coloured:
        name = symbol_name(level, symbol.name, key)
        return name[:1].upper() + name[1:]
    if category == "lines":
        kind, _sep, which = key.partition(" ")
        if kind == "fields":
            return _("Chain %(which)s") % {"which": chain_number(level, key)}
        return line_name(kind, which)
    if category == "areas":
        return area_name(level, int(key) - 1)
    if category == "tracks":
        return {
            "longest": _("Longest loop"),
            "loop": _("Loop"),
            "route": _("Open routes"),
        }[key]
    return str(CATEGORY_NAMES[category])


def item_detail(level: Level, item: Item) -> str:
    """Explain the points of a line: count times points, or the number of missing fields.

    If some fields can never be crossed any more, it names them instead.
    """
    count, missing = len(item.fields), len(item.missing)
    symbol = BY_CATEGORY.get(item.category)
    pays = symbol.pays if symbol else Pays.NOTHING
    if item.category == "tracks" or (symbol and symbol.costs):
        return f"{count} × {format_amount(item.points // count)}" if count else ""
    if symbol and pays in (Pays.EACH, Pays.ON_LOOP):
        by_colour = level.points_by_colour.get(symbol.name)
        each = by_colour[item.key] if by_colour else level.points[symbol.name]
        return f"{count} × {format_amount(each)}"
    if pays is Pays.TRACK:
        if count:
            return ""
        return _("not reached") if missing else _("out of reach")
    if item.spoilt:
        return _("cannot be completed: %(fields)s") % {"fields": join_names(item.spoilt)}
    if not missing:
        return _("complete")
    points = _points_when_complete(level, item)
    facts = {"count": missing, "points": format_points(points)}
    if not points:
        return ngettext("%(count)d missing", "%(count)d missing", missing) % facts
    return (
        ngettext("%(count)d missing for %(points)s", "%(count)d missing for %(points)s", missing)
        % facts
    )


def _points_when_complete(level: Level, item: Item) -> int:
    """Return the points that a line pays when all fields are crossed; 0 if they are not fixed."""
    if item.category == "lines":
        lines = {f"{one.kind} {one.which or i}": one for i, one in enumerate(level.lines, start=1)}
        return lines[item.key].points
    if item.category == "areas":
        return level.areas[int(item.key) - 1].points
    return level.points_by_colour[BY_CATEGORY[item.category].name][item.key]


def number_question(level: Level, track: NumberTrack) -> str:
    """Return the question that asks which number of a number track is circled."""
    what = track_name(level, track)
    return _("%(what)s: which number is circled?") % {"what": what[:1].upper() + what[1:]}


def winner_sentence(players: Sequence[str], outcome: Outcome) -> str:
    """Return the sentence with the winners, and the rule that decided a tie."""
    names = [players[i] for i in outcome.winners]
    if outcome.tie_rule == "shared":
        return _("Tied on points and crosses: %(players)s share the win.") % {
            "players": join_names(names)
        }
    if outcome.tie_rule == "crosses":
        return _("%(player)s wins the tie with fewer crosses.") % {"player": names[0]}
    return _("%(player)s wins.") % {"player": names[0]}
