"""Checks of a draft: errors and warnings, each with its sentence, fields and the tool to fix it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.documents.structure import find_level_faults
from sheets.rules import DocumentError
from sheets.rules.design_warnings import DesignWarning, find_design_warnings
from sheets.rules.documents.level import OPEN_NUMBER
from sheets.rules.level import RATINGS
from sheets.rules.violations import DocumentPath
from sheets.text.design_warnings import describe_warning, name_fields
from sheets.text.faults import describe_fault, fault_sentence
from sheets.text.symbols import COLOURED_SYMBOL_NAMES
from sheets.workshop.draft import Document, Draft, entry_fields, parse_squares, visible_level


class Check(NamedTuple):
    """An error or a warning about a draft.

    Until all errors (``is_error``) are fixed, nobody can use the level. ``fields`` are the names of
    the fields that the sentence is about. ``tool`` is the editor's tool that fixes the fault, or
    empty.
    """

    is_error: bool
    sentence: str
    fields: tuple[str, ...] = ()
    tool: str = ""


WARNING_TOOLS: Mapping[str, str] = {
    "no-start": "crosses",
    "lock-without-key": "symbols",
    "key-without-lock": "symbols",
    "rocket-without-planet": "symbols",
    "planet-without-rocket": "symbols",
    "line-twice": "lines",
    "line-never-complete": "lines",
    "area-never-complete": "areas",
    "line-lacks-rockets": "symbols",
    "area-lacks-rockets": "symbols",
    "line-complete-at-once": "lines",
    "area-complete-at-once": "areas",
    "dice-without-fields": "counts",
    "symbol-worth-nothing": "points",
    "line-worth-nothing": "lines",
    "area-worth-nothing": "areas",
    "wall-between-strangers": "pairs",
    "link-between-neighbours": "pairs",
    "points-unused": "points",
}
"""Editor's tool that fixes each design warning; for other warnings it is ``numbers``."""

ABOUT_NUMBERS: Final = ("equal-neighbours", "no-number", "number-missing", "dice-without-fields")
"""Design warnings that depend on the numbers, and would be wrong while some are not entered."""


MAX_ALIKE: Final = 3
"""Maximum number of separate warnings about equal numbers that touch; more are merged into one."""


def find_checks(document: Document, *, is_bought: bool = False) -> list[Check]:
    """Return the errors of a draft, then the warnings about it.

    There is no warning about equal numbers that touch on a bought sheet, because its owner cannot
    change them.
    """
    errors = list(find_errors(document))
    numbers = [square.number for _, square in Draft(document).places()]
    # A sheet without any number needs no warning yet.
    if all(number == OPEN_NUMBER for number in numbers):
        return errors
    is_open = OPEN_NUMBER in numbers
    blank = visible_level(document)
    # Open fields will get some number: with one they block nothing, and without one they equal
    # no neighbour.
    filled = visible_level(document, open_as="1") if is_open else blank
    if blank is None or filled is None:
        return errors
    found = find_design_warnings(filled)
    if is_open:
        found = [warning for warning in found if warning.name not in ABOUT_NUMBERS]
        found += [
            warning for warning in find_design_warnings(blank) if warning.name == "equal-neighbours"
        ]
    alike = [warning for warning in found if warning.name == "equal-neighbours"]
    if is_bought or len(alike) > MAX_ALIKE:
        found = [warning for warning in found if warning not in alike]
    checks = [
        Check(
            False,
            describe_warning(warning, filled),
            warning.fields,
            WARNING_TOOLS.get(warning.name, "numbers"),
        )
        for warning in found
        if not _is_open_amount(document, warning)
    ]
    if len(alike) > MAX_ALIKE and not is_bought:
        sentence = _("In %(count)d places three or more equal numbers touch each other.")
        fields = tuple(name for warning in alike for name in warning.fields)
        checks.append(Check(False, sentence % {"count": len(alike)}, fields, "numbers"))
    return errors + checks


def find_missing_kinds(kinds: Sequence[Sequence[str]]) -> list[Check]:
    """Return a warning if nobody has entered yet what some fields on a photo have on them.

    ``kinds`` has the field names of each group of similar fields; without groups, the result is
    empty.
    """
    if not kinds:
        return []
    sentence = ngettext(
        "You have not said yet what one kind of field on your photo is.",
        "You have not said yet what %(count)d kinds of field on your photo are.",
        len(kinds),
    )
    fields = tuple(name for kind in kinds for name in kind)
    return [Check(False, sentence % {"count": len(kinds)}, fields, "gather")]


def _is_open_amount(document: Document, warning: DesignWarning) -> bool:
    """Return whether a warning about 0 points is due only to points that are not entered yet."""
    if warning.name == "symbol-worth-nothing":
        symbol, _sep, colour = warning.key.partition(" ")
        amounts = document.get("points", {})
        return (colour or symbol) not in (amounts.get(symbol, {}) if colour else amounts)
    if warning.name == "area-worth-nothing":
        area: Mapping[str, Any] = document["areas"][int(warning.key) - 1]
        return area.get("race") == []
    return False


def is_draft(document: Document) -> bool:
    """Return whether the editor can open a document and fix all of its errors.

    The document must have passed `sheets.documents.structure.decode`, which checks its types.
    """
    try:
        widths = {len(row) for row in parse_squares(document["grid"])}
    except ValueError:
        return False
    return len(widths) == 1 and all(error.tool for error in find_errors(document))


def find_errors(document: Document) -> Iterator[Check]:
    """Yield the errors of a draft, sorted by `RANKS`. Without errors, `finished_level` succeeds."""
    faults = find_level_faults(document)
    draft = Draft(document)
    if open_fields := tuple(
        str(fault.facts["at"]) for fault in faults if fault.fault == "open-number"
    ):
        sentence = ngettext(
            "%(fields)s has no number yet.", "These have no number yet: %(fields)s.",
            len(open_fields),
        )  # fmt: skip
        yield Check(True, sentence % {"fields": name_fields(open_fields)}, open_fields, "numbers")
    others = [fault for fault in faults if fault.fault != "open-number"]
    for fault in sorted(others, key=lambda fault: _rank(draft, fault)):
        yield _describe(draft, fault)


def _describe(draft: Draft, error: DocumentError) -> Check:
    """Return the `Check` for a fault; it has no tool if the editor cannot fix the fault."""
    if of_entry := _describe_entry(draft, error):
        return of_entry
    match error.fault, error.place:
        case "no-fields", _:
            return Check(True, fault_sentence(error), (), "numbers")
        case "no-points", _:
            paid = " ".join(str(fact) for fact in error.facts.values())
            fields = tuple(name for name, square in draft.places() if square.kind == paid)
            return Check(True, fault_sentence(error), fields, "points")
        case "track-rising", ("points", _, colour):
            flag = {"symbol": COLOURED_SYMBOL_NAMES["flag"][str(colour)]}
            sentence = _("The numbers must not rise: %(symbol)s.") % flag
            return Check(True, sentence, (), "points")
        case "ratings-not-rising", _ if len(draft.parts["ratings"]) == len(RATINGS):
            sentence = _("Each grade needs more points than the one before it.")
            return Check(True, sentence, (), "counts")
        case ("missing-key", ()) | ("empty", ("name",)) if error.facts.get("key", "name") == "name":
            return Check(True, _("The level has no name yet."), (), "names")
    return Check(True, describe_fault(error))


def _describe_entry(draft: Draft, error: DocumentError) -> Check | None:
    """Return the `Check` for a fault of a line or an area, with its number; else None."""
    kind = _kind(draft, error.place)
    sentence = ENTRY_FAULTS.get((kind, error.fault))
    if sentence is None:
        return None
    entry = _entry(draft, error.place)
    if error.fault == "line-kind" and entry_fields(draft, entry):
        return None
    fields = tuple(entry["fields"]) if kind in ("area", "race") else ()
    number = {"number": _number(draft, error.place)}
    return Check(True, str(sentence) % number, fields, ENTRY_TOOLS[kind])


ENTRY_FAULTS: Final[Mapping[tuple[str, str], Promise]] = {
    ("arrow", "line-kind"): gettext_lazy("Arrow %(number)d has no field."),
    ("arrow", "unknown-row"): gettext_lazy("Arrow %(number)d has no field."),
    ("arrow", "unknown-column"): gettext_lazy("Arrow %(number)d has no field."),
    ("arrow", "not-crossable"): gettext_lazy("Arrow %(number)d has no field."),
    ("chain", "not-crossable"): gettext_lazy("Chain %(number)d has no field."),
    ("area", "not-crossable"): gettext_lazy("Area %(number)d has no field that can be crossed."),
    ("area", "points-or-race"): gettext_lazy("Area %(number)d has no points yet."),
    ("race", "not-crossable"): gettext_lazy("Race %(number)d has no field that can be crossed."),
    ("race", "track-empty"): gettext_lazy("Race %(number)d has no number yet."),
    ("race", "track-rising"): gettext_lazy("The numbers of race %(number)d must not rise."),
}
"""Sentence for a fault of a line or an area, by its kind (see `_kind`) and the fault's name."""

ENTRY_TOOLS: Final[Mapping[str, str]] = {
    "arrow": "lines",
    "chain": "lines",
    "area": "areas",
    "race": "areas",
}
"""Editor's tool that fixes a line or an area, by its kind (see `_kind`)."""

RANKS: Final[Mapping[str, int]] = {
    "grid": 0,
    "arrow": 1,
    "chain": 2,
    "area": 3,
    "race": 3,
    "points": 4,
}
"""Rank of an error, by the part of the level (see `_kind`); errors of other parts come last."""


def _rank(draft: Draft, error: DocumentError) -> int:
    return RANKS.get(_kind(draft, error.place), len(RANKS))


def _kind(draft: Draft, place: DocumentPath) -> str:
    """Return the part of a level that a path in its document leads to; empty for an empty path.

    A line is an ``arrow`` or a ``chain``; an area is an ``area`` or a ``race``.
    """
    match place:
        case ("lines", int(index), *_):
            return "chain" if "fields" in draft.parts["lines"][index] else "arrow"
        case ("areas", int(index), *_):
            return "race" if "race" in draft.parts["areas"][index] else "area"
        case (str(part), *_):
            return part
    return ""


def _entry(draft: Draft, place: DocumentPath) -> Mapping[str, Any]:
    part, index, *_rest = place
    entry: Mapping[str, Any] = draft.parts[str(part)][index]
    return entry


def _number(draft: Draft, place: DocumentPath) -> int:
    """Return the number of a line or an area in the editor, counted from 1 within its kind."""
    part, index, *_rest = place
    kinds = [_kind(draft, (part, i)) for i in range(int(index) + 1)]
    return kinds.count(kinds[-1])
