"""Names of everything on a sheet, in the active language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from sheets.rules import Level
from sheets.rules.marks import DICE, PRINTED_TRACKS, format_marks
from sheets.rules.symbols import symbol_key
from sheets.rules.tracks import NumberTrack
from sheets.text.languages import active_language

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SYMBOL_NAMES: Mapping[str, _StrPromise] = {
    "key": _("key"),
    "lock": _("lock"),
    "flag": _("flag"),
    "gem": _("gem"),
    "puzzle": _("puzzle piece"),
    "bomb": _("bomb"),
    "rocket": _("rocket"),
    "planet": _("planet"),
    "rocket-planet": _("rocket and planet"),
    "heap": _("heap"),
    "volcano": _("volcano"),
    "stop": _("stop"),
}
"""Name by symbol, without a colour."""

COLOURED_SYMBOL_NAMES: Mapping[str, Mapping[str, _StrPromise]] = {
    "key": {
        "red": _("red key"),
        "orange": _("orange key"),
        "yellow": _("yellow key"),
        "green": _("green key"),
        "blue": _("blue key"),
        "purple": _("purple key"),
        "white": _("white key"),
        "black": _("black key"),
    },
    "lock": {
        "red": _("red lock"),
        "orange": _("orange lock"),
        "yellow": _("yellow lock"),
        "green": _("green lock"),
        "blue": _("blue lock"),
        "purple": _("purple lock"),
        "white": _("white lock"),
        "black": _("black lock"),
    },
    "flag": {
        "red": _("red flag"),
        "orange": _("orange flag"),
        "yellow": _("yellow flag"),
        "green": _("green flag"),
        "blue": _("blue flag"),
        "purple": _("purple flag"),
        "white": _("white flag"),
        "black": _("black flag"),
    },
    "gem": {
        "red": _("red gem"),
        "orange": _("orange gem"),
        "yellow": _("yellow gem"),
        "green": _("green gem"),
        "blue": _("blue gem"),
        "purple": _("purple gem"),
        "white": _("white gem"),
        "black": _("black gem"),
    },
    "puzzle": {
        "red": _("red puzzle piece"),
        "orange": _("orange puzzle piece"),
        "yellow": _("yellow puzzle piece"),
        "green": _("green puzzle piece"),
        "blue": _("blue puzzle piece"),
        "purple": _("purple puzzle piece"),
        "white": _("white puzzle piece"),
        "black": _("black puzzle piece"),
    },
}
"""Name by symbol and colour; whole phrases, because German inflects the adjective."""

CATEGORY_NAMES: Mapping[str, _StrPromise] = {
    "gems": _("Gems"),
    "lines": _("Arrows"),
    "puzzles": _("Puzzles"),
    "areas": _("Areas"),
    "flags": _("Flags"),
    "heaps": _("Heaps"),
    "bombs": _("Bombs"),
    "tracks": _("Tracks"),
    "stops": _("Stops"),
}
"""Name of a row of the score column, by category (`sheets.rules.symbols.CATEGORIES`)."""

MARK_NAMES: Mapping[str, _StrPromise] = {
    "": _("open"),
    "printed": _("printed cross"),
    **dict.fromkeys(PRINTED_TRACKS.values(), _("printed track")),
    "lava": _("lava"),
    "cross": _("crossed"),
    "rocket": _("crossed by a rocket"),
    "NS": _("track from top to bottom"),
    "EW": _("track from left to right"),
    "NE": _("track from top to right"),
    "ES": _("track from right to bottom"),
    "SW": _("track from bottom to left"),
    "NW": _("track from top to left"),
    "exploded": _("exploded"),
    "exploded-lava": _("exploded under lava"),
    **dict.fromkeys(DICE, _("your die")),
}
"""Description of a field, by the word for its marks (`sheets.rules.marks.format_marks`)."""


def marks_name(stack: Sequence[str]) -> str:
    """Return the description of a field with these marks, lowest first."""
    return str(MARK_NAMES[format_marks(stack)])


def category_name(level: Level, category: str) -> str:
    """Return the name of a row of the score column; “Chains” on a level without arrows."""
    if category == "lines" and not has_arrows(level):
        return str(_("Chains"))
    return str(CATEGORY_NAMES[category])


def column_label(level: Level, category: str) -> str:
    """Return `category_name`, shortened where a printed column needs it."""
    if category == "stops":
        return pgettext("in a narrow column", "Stops")
    return category_name(level, category)


def has_arrows(level: Level) -> bool:
    """Return whether a whole row or column of the level pays."""
    return any(line.kind != "fields" for line in level.lines)


def line_name(kind: str, which: str) -> str:
    """Return the name of a row or column: “Row 2”."""
    return str(_("Row %(which)s") if kind == "row" else _("Column %(which)s")) % {"which": which}


def chain_number(level: Level, key: str) -> int:
    """Return the number of a chain among the chains of its level, counted from 1.

    A chain is a `Line` of any fields, which is no row or column.

    Args:
        level: the level.
        key: key of the chain in scores and design warnings: ``fields 3``, where 3 is its number
            among all lines of the level.
    """
    number = int(key.removeprefix("fields "))
    return sum(line.kind == "fields" for line in level.lines[:number])


def area_name(level: Level, index: int) -> str:
    """Return the name of an area: “Area 1”, “Race 1”; races are numbered separately.

    Args:
        level: the level.
        index: index of the area among all areas of the level.
    """
    is_race = bool(level.areas[index].race)
    number = sum(bool(area.race) == is_race for area in level.areas[: index + 1])
    # `_` is lazy here.
    return str(_("Race %(number)d") if is_race else _("Area %(number)d")) % {"number": number}


def track_name(level: Level, track: NumberTrack) -> str:
    """Return the name of the flags or the race that a number track belongs to."""
    if track.kind == "flag":
        return symbol_name(level, track.kind, track.key)
    return area_name(level, track.area)


def in_language(texts: Mapping[str, str]) -> str:
    """Return a level's text in the active language.

    If there is none, return the text for all languages, else in the source's language, else in any;
    empty if there is no text at all.
    """
    for key in (active_language(), "", settings.LANGUAGE_CODE):
        if key in texts:
            return texts[key]
    return next(iter(texts.values()), "")


def symbol_name(level: Level, symbol: str, colour: str = "") -> str:
    """Return the name of a symbol: the level's own label, or else ours (“red key”)."""
    own = level.labels.get(symbol_key(symbol, colour)) or level.labels.get(symbol)
    if own:
        return in_language(own)
    return plain_symbol_name(symbol, colour)


def plain_symbol_name(symbol: str, colour: str = "") -> str:
    """Return our name of a symbol: “heap”, “red key”."""
    return str(COLOURED_SYMBOL_NAMES[symbol][colour] if colour else SYMBOL_NAMES[symbol])
