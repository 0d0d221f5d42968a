"""Messages for faults of documents: a sentence for people, or a line of text for programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.rules import DocumentError
from sheets.rules.violations import DocumentPath, format_place, quote_briefly
from sheets.text.labels import with_label
from sheets.text.symbols import plain_symbol_name

Sentence = str | Promise

SENTENCES: Final[Mapping[str, Sentence]] = {
    # Files, links and texts that are no documents.
    "no-file": gettext_lazy("Choose a file first."),
    "several-files": gettext_lazy("Only one file can be opened at a time, and no folder."),
    "empty-file": gettext_lazy("The file is empty."),
    "picture": gettext_lazy(
        "A picture or a PDF cannot be opened here. Open the level file (JSON) or the link, which "
        "the level’s page offers under “More”, or enter the sheet in the workshop."
    ),
    "too-large": gettext_lazy("The file is larger than %(kib)s KiB."),
    "not-utf-8": gettext_lazy(
        "The file holds letters that cannot be read. It must be saved as UTF-8."
    ),
    "not-json": gettext_lazy("This is not a JSON file."),
    "broken-json": gettext_lazy(
        "This is not a JSON file: it goes wrong at line %(line)s, character %(column)s."
    ),
    "too-deep": gettext_lazy("There are too many brackets inside brackets in this file."),
    "no-document": gettext_lazy("This is not a file (JSON) with a level, a game or score sheets."),
    "no-code": gettext_lazy("This link was changed on its way, or it is not the link of a level."),
    "code-cut-off": gettext_lazy("The end of the link is missing. Copy it whole."),
    "code-too-large": gettext_lazy("The level in this link is too large."),
    # Structure: keys, types, ranges.
    "other-format": gettext_lazy("This document has a format that cannot be opened here."),
    "no-level-inside": gettext_lazy("A game of Dice² has no level in it."),
    "double-key": gettext_lazy("“%(key)s” is given twice in one object."),
    "nul-character": gettext_lazy("A text cannot contain a NUL character."),
    "missing-key": gettext_lazy("“%(key)s” is missing."),
    "unknown-key": gettext_lazy("“%(key)s” is unknown here."),
    "not-an-object": gettext_lazy("An object in curly brackets belongs here."),
    "not-a-list": gettext_lazy("A list in square brackets belongs here."),
    "not-a-text": gettext_lazy("A text belongs here."),
    "not-an-integer": gettext_lazy("A whole number belongs here."),
    "not-a-number": gettext_lazy("A number belongs here."),
    "not-a-boolean": gettext_lazy("Only true or false can stand here."),
    "not-allowed": gettext_lazy("“%(written)s” cannot stand here."),
    "not-a-field-name": gettext_lazy("A field is written like c4."),
    "not-a-column": gettext_lazy("A column is one letter from a to z."),
    "not-an-id": gettext_lazy("Up to 40 small letters, digits and hyphens belong here."),
    "not-hexadecimal": gettext_lazy(
        "Digits from 0 to 9 and letters from a to f belong here: 64 in a seed or commitment, 32 "
        "in a contribution."
    ),
    "empty": gettext_lazy("This must not be empty."),
    "too-short": gettext_lazy("This is too short: %(least)s at least."),
    "too-long": gettext_lazy("This is too long: %(most)s at most."),
    "too-small": gettext_lazy("A number from %(least)s on belongs here."),
    "too-great": gettext_lazy("A number up to %(most)s belongs here."),
    "unusable": gettext_lazy("This document cannot be used."),
    # Levels.
    "wrong-size": gettext_lazy("There are %(count)s here; 1 to %(most)s are possible."),
    "uneven-rows": gettext_lazy("This row has %(count)s fields, the first one has %(first)s."),
    "no-fields": gettext_lazy("The sheet has no field at all."),
    "not-a-field": gettext_lazy("“%(written)s” is not a field."),
    "open-number": gettext_lazy("%(at)s has no number yet."),
    "volcano-number": gettext_lazy("A volcano is always written -V."),
    "not-on-rails": gettext_lazy("“%(written)s” cannot stand on a rail level."),
    "unknown-symbol": gettext_lazy("“%(key)s” is the name of no symbol."),
    "line-kind": gettext_lazy("Exactly one of row, column and fields belongs here."),
    "unknown-row": gettext_lazy("The level has no row %(row)s."),
    "unknown-column": gettext_lazy("The level has no column %(column)s."),
    "unknown-field": gettext_lazy("The level has no field %(at)s."),
    "field-twice": gettext_lazy("%(at)s stands here twice."),
    "not-crossable": gettext_lazy("A field that can be crossed is missing here."),
    "points-or-race": gettext_lazy("Either points or a race belong here, and not both."),
    "track-empty": gettext_lazy("A number is missing here."),
    "track-rising": gettext_lazy("These numbers must not rise."),
    "rails-only": gettext_lazy("Only a rail level has tracks."),
    "track-on-volcano": gettext_lazy("%(at)s is a volcano."),
    "rails-shifted": gettext_lazy("A rail level cannot shift its rows."),
    "shift-count": gettext_lazy("There are %(count)s numbers here for %(rows)s rows."),
    "shift-size": gettext_lazy("Row %(row)s: only quarters from −0.75 to 0.75 are possible."),
    "same-field": gettext_lazy("Two different fields belong here."),
    "ratings-not-rising": gettext_lazy("Six numbers that rise belong here."),
    "no-points": gettext_lazy("How much is it worth? There are no points yet for: %(symbol)s."),
    "linked-and-walled": gettext_lazy("%(one)s and %(other)s have both a bridge and a wall."),
    # Games and final sheets.
    "unknown-level": gettext_lazy("There is no level “%(level)s” here."),
    "player-count": gettext_lazy("The number of players does not fit: %(count)s."),
    "unknown-player": gettext_lazy("There are not that many players."),
    "too-many-actions": gettext_lazy("The game is too long for a table."),
    "solo-sheets": gettext_lazy("%(count)s sheets cannot be a solo game."),
    "solo-exploded": gettext_lazy("No bomb explodes in a solo game."),
    "tracks-alone": gettext_lazy("On a rail level there are tracks, and no crosses."),
    "other-track-printed": gettext_lazy("Another track is printed on %(at)s."),
    "crossed-as-well": gettext_lazy("%(at)s is crossed as well."),
    "not-on-level": gettext_lazy("The level has no “%(key)s”."),
    "not-on-track": gettext_lazy("%(number)s is none of the numbers that can be circled there."),
    "number-unclear": gettext_lazy(
        "Several sheets have reached this: say which number is circled."
    ),
    "other-count": gettext_lazy("There are %(count)s entries here, and not %(expected)s."),
    # Groups.
    "not-a-day": gettext_lazy("A date such as 2025-12-26 belongs here."),
    "not-a-time": gettext_lazy(
        "A time with a time zone such as 2025-12-26T20:15:00Z belongs here."
    ),
    "wrong-year": gettext_lazy("Only years from %(least)s to %(most)s are possible."),
    "ahead": gettext_lazy("This day is yet to come."),
    "player-twice": gettext_lazy("“%(name)s” is in this game twice."),
}
"""Sentence for each of `sheets.rules.violations.FAULTS`, filled with the fault's facts."""

FORMAT_NAME: Final = re.compile(r"[a-z0-9]{1,20}-[a-z]{1,20}/[0-9]{1,4}")
"""Pattern of a format's name; a sentence repeats the written format only if it matches."""


def describe_fault(error: DocumentError) -> str:
    """Return the sentence for people in the active language.

    It begins with the place of the fault in the document, see `describe_place`.
    """
    sentence = fault_sentence(error)
    place = describe_place(error.place)
    return with_label(place, sentence) if place else sentence


def format_fault(error: DocumentError) -> str:
    """Return the text for programs: the fault's place in the document, the sentence, its name."""
    place = format_place(error.place)
    return f"{place}: " * bool(place) + f"{fault_sentence(error)} [{error.fault}]"


def fault_sentence(error: DocumentError) -> str:
    """Return the sentence for a fault in the active language, without its place."""
    facts = {name: quote_briefly(value) for name, value in error.facts.items()}
    if error.fault == "other-format" and FORMAT_NAME.fullmatch(str(error.facts["written"])):
        return _("Files of the kind “%(written)s” cannot be opened here.") % facts
    if error.fault == "no-points":
        facts["symbol"] = plain_symbol_name(facts["symbol"], facts.get("colour", ""))
    return str(SENTENCES[error.fault]) % facts


def describe_place(place: DocumentPath) -> str:
    """Return a path in a document as a phrase in the active language.

    An example is ``Sheet 1, “flags”, “red”``. The phrase is empty for the document as a whole and
    for its ``format``.
    """
    if place in ((), ("format",)):
        return ""
    steps: list[str] = []
    before: str | int = ""
    for step in place:
        if isinstance(step, int) and isinstance(before, str) and before in ENTRY_NAMES:
            steps[-1] = str(ENTRY_NAMES[before]) % {"number": step + (before != "actions")}
        elif isinstance(step, int):
            steps.append(_("entry %(number)s") % {"number": step + 1})
        else:
            steps.append(_("“%s”") % quote_briefly(step))
        before = step
    return ", ".join(steps)


ENTRY_NAMES: Final[Mapping[str, Sentence]] = {
    "sheets": gettext_lazy("Sheet %(number)s"),
    "grid": gettext_lazy("Row %(number)s of the grid"),
    "actions": gettext_lazy("Action %(number)s"),
    "players": gettext_lazy("Player %(number)s"),
    "games": gettext_lazy("Game %(number)s"),
    "evenings": gettext_lazy("Evening %(number)s"),
}
"""Name of an entry of a list, by the list's key in the document.

Actions count from 0, as in the result of a replay, other entries from 1.
"""
