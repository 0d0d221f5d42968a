"""Sentences for the design warnings of `sheets.rules.design_warnings`, one for each name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.rules import Level
from sheets.rules.design_warnings import DesignWarning, launches, open_fields, reachable
from sheets.text.symbols import area_name, chain_number, symbol_name

MAX_NAMED_FIELDS: Final = 6
"""Maximum number of fields that a sentence lists by name; for more fields it says how many."""


def describe_warning(warning: DesignWarning, level: Level) -> str:
    """Return the sentence for a warning about a level, in the active language."""
    return _SENTENCES[warning.name](warning, level)


def name_fields(fields: tuple[str, ...]) -> str:
    """Return the names of fields (``c4, c5``), or how many they are (``12 fields``)."""
    if len(fields) > MAX_NAMED_FIELDS:
        return _("%(count)d fields") % {"count": len(fields)}
    return ", ".join(fields)


def name_line(key: str) -> str:
    """Return the name of a row or column by its key in `rules.design_warnings`: ``row 2``."""
    kind, _sep, which = key.partition(" ")
    if kind == "row":
        return _("row %(which)s") % {"which": which}
    return _("column %(which)s") % {"which": which}


def _no_start(warning: DesignWarning, level: Level) -> str:
    if level.rails:
        return _("There is no printed track yet, so nobody can begin.")
    return _("There is no printed cross yet, so nobody can begin.")


def _unreachable(warning: DesignWarning, level: Level) -> str:
    return ngettext(
        "Nobody can ever reach %(fields)s, not even by keys or rockets.",
        "Nobody can ever reach these, not even by keys or rockets: %(fields)s.",
        len(warning.fields),
    ) % {"fields": name_fields(warning.fields)}


def _unreachable_symbol(warning: DesignWarning, level: Level) -> str:
    return ngettext(
        "Nobody can ever reach the symbol on %(fields)s.",
        "Nobody can ever reach the symbols on %(fields)s.",
        len(warning.fields),
    ) % {"fields": name_fields(warning.fields)}


def _lock_without_key(warning: DesignWarning, level: Level) -> str:
    return _("There is a %(lock)s (%(fields)s), but no key for it.") % {
        "lock": symbol_name(level, "lock", warning.key),
        "fields": name_fields(warning.fields),
    }


def _key_without_lock(warning: DesignWarning, level: Level) -> str:
    return _("There is a %(key)s (%(fields)s), but no lock for it.") % {
        "key": symbol_name(level, "key", warning.key),
        "fields": name_fields(warning.fields),
    }


def _rocket_without_planet(warning: DesignWarning, level: Level) -> str:
    if level.planets:
        sentence = _("A rocket starts on %(fields)s, but there is no other planet to fly to.")
    else:
        sentence = _("A rocket starts on %(fields)s, but there is no planet to fly to.")
    return sentence % {"fields": name_fields(warning.fields)}


def _planet_without_rocket(warning: DesignWarning, level: Level) -> str:
    return _("There is a planet without a number (%(fields)s), but no rocket that flies there.") % {
        "fields": name_fields(warning.fields)
    }


def _line_twice(warning: DesignWarning, level: Level) -> str:
    return _("Perhaps a slip: %(line)s has more than one arrow, and each of them pays.") % {
        "line": name_line(warning.key)
    }


def _line_never_complete(warning: DesignWarning, level: Level) -> str:
    fields = name_fields(warning.fields)
    if warning.key.startswith("fields "):
        number = chain_number(level, warning.key)
        sentence = _("Chain %(number)d never pays: nobody can cross %(fields)s.")
        return sentence % {"number": number, "fields": fields}
    sentence = _("The arrow of %(line)s never pays: nobody can cross %(fields)s.")
    return sentence % {"line": name_line(warning.key), "fields": fields}


def _area_never_complete(warning: DesignWarning, level: Level) -> str:
    return _("%(area)s never pays: nobody can cross %(fields)s.") % {
        "area": area_name(level, int(warning.key) - 1),
        "fields": name_fields(warning.fields),
    }


def _puzzle_never_complete(warning: DesignWarning, level: Level) -> str:
    return _("A puzzle never pays (%(puzzle)s): nobody can cross %(fields)s.") % {
        "puzzle": symbol_name(level, "puzzle", warning.key),
        "fields": name_fields(warning.fields),
    }


def _goal(warning: DesignWarning, level: Level) -> str:
    """Return a warning's line or area as a sentence's subject: “The arrow of row 2”."""
    if warning.name.startswith("area"):
        return area_name(level, int(warning.key) - 1)
    if warning.key.startswith("fields "):
        return _("Chain %(number)d") % {"number": chain_number(level, warning.key)}
    return _("The arrow of %(line)s") % {"line": name_line(warning.key)}


def _lacks_rockets(warning: DesignWarning, level: Level) -> str:
    rockets = launches(level, reachable(level)).bit_count()
    return ngettext(
        "%(goal)s never pays: planets without a number (%(fields)s) need a rocket each, and there "
        "is only %(count)d.",
        "%(goal)s never pays: planets without a number (%(fields)s) need a rocket each, and there "
        "are only %(count)d.",
        rockets,
    ) % {
        "goal": _goal(warning, level),
        "fields": name_fields(warning.fields),
        "count": rockets,
    }


def _complete_at_once(warning: DesignWarning, level: Level) -> str:
    if level.rails:
        sentence = _("%(goal)s pays from the start: all of it is printed track (%(fields)s).")
    else:
        sentence = _("%(goal)s pays from the start: all of it is printed crosses (%(fields)s).")
    return sentence % {"goal": _goal(warning, level), "fields": name_fields(warning.fields)}


def _dice_without_fields(warning: DesignWarning, level: Level) -> str:
    players = int(warning.key)
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


def _symbol_worth_nothing(warning: DesignWarning, level: Level) -> str:
    symbol, _sep, colour = warning.key.partition(" ")
    return _("Perhaps a slip: %(symbol)s (%(fields)s) is worth 0 points.") % {
        "symbol": symbol_name(level, symbol, colour),
        "fields": name_fields(warning.fields),
    }


def _goal_worth_nothing(warning: DesignWarning, level: Level) -> str:
    return _("%(goal)s is worth 0 points, perhaps by a slip: %(fields)s.") % {
        "goal": _goal(warning, level),
        "fields": name_fields(warning.fields),
    }


def _wall_between_strangers(warning: DesignWarning, level: Level) -> str:
    first, second = warning.fields
    return _(
        "The wall between %(first)s and %(second)s does nothing: they do not touch anyway."
    ) % {
        "first": first,
        "second": second,
    }


def _link_between_neighbours(warning: DesignWarning, level: Level) -> str:
    first, second = warning.fields
    return _("The bridge from %(first)s to %(second)s does nothing: they touch anyway.") % {
        "first": first,
        "second": second,
    }


def _equal_neighbours(warning: DesignWarning, level: Level) -> str:
    return _("%(count)d fields with a %(number)s touch each other: %(fields)s.") % {
        "count": len(warning.fields),
        "number": warning.key,
        "fields": name_fields(warning.fields),
    }


def _no_number(warning: DesignWarning, level: Level) -> str:
    return _("No open field has a number, so no die can ever be placed.")


def _number_missing(warning: DesignWarning, level: Level) -> str:
    return _("No open field has a %(number)s: those dice are of no use.") % {"number": warning.key}


def _points_unused(warning: DesignWarning, level: Level) -> str:
    symbol, _sep, colour = warning.key.partition(" ")
    return _("There are points for the %(symbol)s, but none on the sheet.") % {
        "symbol": symbol_name(level, symbol, colour)
    }


_SENTENCES: Final[Mapping[str, Callable[[DesignWarning, Level], str]]] = {
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
