"""Sentences for design warnings: one for each `sheets.rules.advice.Advice` about a level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.rules import Level
from sheets.rules.advice import Advice, launches, open_fields, reachable
from sheets.texts.symbols import area_name, chain_number, symbol_name

MAX_NAMED_FIELDS: Final = 6
"""Maximum number of fields that a sentence lists by name; longer lists become their number."""


def describe_advice(advice: Advice, level: Level) -> str:
    """Return the sentence for a warning about a level, in the active language."""
    return _SENTENCES[advice.name](advice, level)


def name_fields(fields: tuple[str, ...]) -> str:
    """Return fields by name, or their number: ``c4, c5``, ``12 fields``."""
    if len(fields) > MAX_NAMED_FIELDS:
        return _("%(count)d fields") % {"count": len(fields)}
    return ", ".join(fields)


def name_line(key: str) -> str:
    """Return the name of a row or column by its key in `sheets.rules.advice`: ``row 2``."""
    kind, _sep, which = key.partition(" ")
    if kind == "row":
        return _("row %(which)s") % {"which": which}
    return _("column %(which)s") % {"which": which}


def _no_start(advice: Advice, level: Level) -> str:
    if level.rails:
        return _("There is no printed track yet, so nobody can begin.")
    return _("There is no printed cross yet, so nobody can begin.")


def _unreachable(advice: Advice, level: Level) -> str:
    return ngettext(
        "Nobody can ever reach %(fields)s, not even by keys or rockets.",
        "Nobody can ever reach these, not even by keys or rockets: %(fields)s.",
        len(advice.fields),
    ) % {"fields": name_fields(advice.fields)}


def _unreachable_symbol(advice: Advice, level: Level) -> str:
    return ngettext(
        "Nobody can ever reach the symbol on %(fields)s.",
        "Nobody can ever reach the symbols on %(fields)s.",
        len(advice.fields),
    ) % {"fields": name_fields(advice.fields)}


def _lock_without_key(advice: Advice, level: Level) -> str:
    return _("There is a %(lock)s (%(fields)s), but no key for it.") % {
        "lock": symbol_name(level, "lock", advice.key),
        "fields": name_fields(advice.fields),
    }


def _key_without_lock(advice: Advice, level: Level) -> str:
    return _("There is a %(key)s (%(fields)s), but no lock for it.") % {
        "key": symbol_name(level, "key", advice.key),
        "fields": name_fields(advice.fields),
    }


def _rocket_without_planet(advice: Advice, level: Level) -> str:
    if level.planets:
        sentence = _("A rocket starts on %(fields)s, but there is no other planet to fly to.")
    else:
        sentence = _("A rocket starts on %(fields)s, but there is no planet to fly to.")
    return sentence % {"fields": name_fields(advice.fields)}


def _planet_without_rocket(advice: Advice, level: Level) -> str:
    return _("There is a planet without a number (%(fields)s), but no rocket that flies there.") % {
        "fields": name_fields(advice.fields)
    }


def _line_twice(advice: Advice, level: Level) -> str:
    return _("Perhaps a slip: %(line)s has more than one arrow, and each of them pays.") % {
        "line": name_line(advice.key)
    }


def _line_never_complete(advice: Advice, level: Level) -> str:
    fields = name_fields(advice.fields)
    if advice.key.startswith("fields "):
        number = chain_number(level, advice.key)
        sentence = _("Chain %(number)d never pays: nobody can cross %(fields)s.")
        return sentence % {"number": number, "fields": fields}
    sentence = _("The arrow of %(line)s never pays: nobody can cross %(fields)s.")
    return sentence % {"line": name_line(advice.key), "fields": fields}


def _area_never_complete(advice: Advice, level: Level) -> str:
    return _("%(area)s never pays: nobody can cross %(fields)s.") % {
        "area": area_name(level, int(advice.key) - 1),
        "fields": name_fields(advice.fields),
    }


def _puzzle_never_complete(advice: Advice, level: Level) -> str:
    return _("A puzzle never pays (%(puzzle)s): nobody can cross %(fields)s.") % {
        "puzzle": symbol_name(level, "puzzle", advice.key),
        "fields": name_fields(advice.fields),
    }


def _goal(advice: Advice, level: Level) -> str:
    """Return a warning's line or area as a sentence's subject: “The arrow of row 2”."""
    if advice.name.startswith("area"):
        return area_name(level, int(advice.key) - 1)
    if advice.key.startswith("fields "):
        return _("Chain %(number)d") % {"number": chain_number(level, advice.key)}
    return _("The arrow of %(line)s") % {"line": name_line(advice.key)}


def _lacks_rockets(advice: Advice, level: Level) -> str:
    rockets = launches(level, reachable(level)).bit_count()
    return ngettext(
        "%(goal)s never pays: planets without a number (%(fields)s) need a rocket each, and there "
        "is only %(count)d.",
        "%(goal)s never pays: planets without a number (%(fields)s) need a rocket each, and there "
        "are only %(count)d.",
        rockets,
    ) % {
        "goal": _goal(advice, level),
        "fields": name_fields(advice.fields),
        "count": rockets,
    }


def _complete_at_once(advice: Advice, level: Level) -> str:
    if level.rails:
        sentence = _("%(goal)s pays from the start: all of it is printed track (%(fields)s).")
    else:
        sentence = _("%(goal)s pays from the start: all of it is printed crosses (%(fields)s).")
    return sentence % {"goal": _goal(advice, level), "fields": name_fields(advice.fields)}


def _dice_without_fields(advice: Advice, level: Level) -> str:
    players = int(advice.key)
    return ngettext(
        "One player rolls %(dice)d dice in a round, but has only %(fields)d fields for them.",
        "%(players)d players roll %(dice)d dice in a round, but have only %(fields)d "
        "fields for them.",
        players,
    ) % {
        "players": players,
        "dice": level.dice[players],
        "fields": players * open_fields(level),
    }


def _symbol_worth_nothing(advice: Advice, level: Level) -> str:
    symbol, _sep, colour = advice.key.partition(" ")
    return _("Perhaps a slip: %(symbol)s (%(fields)s) is worth 0 points.") % {
        "symbol": symbol_name(level, symbol, colour),
        "fields": name_fields(advice.fields),
    }


def _goal_worth_nothing(advice: Advice, level: Level) -> str:
    return _("%(goal)s is worth 0 points, perhaps by a slip: %(fields)s.") % {
        "goal": _goal(advice, level),
        "fields": name_fields(advice.fields),
    }


def _wall_between_strangers(advice: Advice, level: Level) -> str:
    first, second = advice.fields
    return _(
        "The wall between %(first)s and %(second)s does nothing: they do not touch anyway."
    ) % {
        "first": first,
        "second": second,
    }


def _link_between_neighbours(advice: Advice, level: Level) -> str:
    first, second = advice.fields
    return _("The bridge from %(first)s to %(second)s does nothing: they touch anyway.") % {
        "first": first,
        "second": second,
    }


def _equal_neighbours(advice: Advice, level: Level) -> str:
    return _("%(count)d fields with a %(number)s touch each other: %(fields)s.") % {
        "count": len(advice.fields),
        "number": advice.key,
        "fields": name_fields(advice.fields),
    }


def _no_number(advice: Advice, level: Level) -> str:
    return _("No open field has a number, so no die can ever be placed.")


def _number_missing(advice: Advice, level: Level) -> str:
    return _("No open field has a %(number)s: those dice are of no use.") % {"number": advice.key}


def _points_unused(advice: Advice, level: Level) -> str:
    symbol, _sep, colour = advice.key.partition(" ")
    return _("There are points for the %(symbol)s, but none on the sheet.") % {
        "symbol": symbol_name(level, symbol, colour)
    }


_SENTENCES: Final[Mapping[str, Callable[[Advice, Level], str]]] = {
    "no-start": _no_start,
    "unreachable": _unreachable,
    "unreachable-symbol": _unreachable_symbol,
    "lock-without-key": _lock_without_key,
    "key-without-lock": _key_without_lock,
    "rocket-without-planet": _rocket_without_planet,
    "planet-without-rocket": _planet_without_rocket,
    "line-twice": _line_twice,
    "line-never-complete": _line_never_complete,
    "area-never-complete": _area_never_complete,
    "puzzle-never-complete": _puzzle_never_complete,
    "line-lacks-rockets": _lacks_rockets,
    "area-lacks-rockets": _lacks_rockets,
    "line-complete-at-once": _complete_at_once,
    "area-complete-at-once": _complete_at_once,
    "dice-without-fields": _dice_without_fields,
    "wall-between-strangers": _wall_between_strangers,
    "link-between-neighbours": _link_between_neighbours,
    "equal-neighbours": _equal_neighbours,
    "no-number": _no_number,
    "number-missing": _number_missing,
    "points-unused": _points_unused,
    "symbol-worth-nothing": _symbol_worth_nothing,
    "line-worth-nothing": _goal_worth_nothing,
    "area-worth-nothing": _goal_worth_nothing,
}
"""Function that returns the sentence, by the name of the warning."""
