"""Checks of a draft: errors and advice, each with a sentence, its fields and the tool to fix it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.documents.structure import find_level_faults
from sheets.rules import DocumentError
from sheets.rules.advice import Advice, find_advice
from sheets.rules.documents.level import OPEN
from sheets.rules.level import RATINGS
from sheets.rules.violations import DocumentPath
from sheets.texts.advice import describe_advice, name_fields
from sheets.texts.faults import describe_fault, say_fault
from sheets.texts.symbols import COLOURED
from sheets.workshop.draft import (
    Document,
    Draft,
    entry_fields,
    parse_squares,
    visible_level,
)


class Check(NamedTuple):
    """One finding about a draft.

    ``is_error`` if the level cannot be used until it is fixed; ``fields`` are the names of the
    fields it is about, ``tool`` the editor's tool that fixes it.
    """

    is_error: bool
    sentence: str
    fields: tuple[str, ...] = ()
    tool: str = ""


ADVICE_TOOLS: Mapping[str, str] = {
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
"""Tool of each advice that is not about numbers."""

ABOUT_NUMBERS: Final = ("equal-neighbours", "no-number", "number-missing", "dice-without-fields")
"""Advice that depends on the numbers; open fields would distort it."""


MOST_ALIKE: Final = 3
"""Maximum number of groups of equal numbers with a sentence each; more of them share one."""


def find_checks(document: Document, *, is_bought: bool = False) -> list[Check]:
    """Return the errors of a draft, then the advice about it.

    There is no advice about equal neighbours on a bought sheet: only its inventor could change
    them.
    """
    errors = list(find_errors(document))
    numbers = [square.number for _, square in Draft(document).places()]
    # A sheet without any number needs no advice yet.
    if all(number == OPEN for number in numbers):
        return errors
    is_open = OPEN in numbers
    blank = visible_level(document)
    # Open fields will get some number: with one they block nothing, and without one they equal
    # no neighbour.
    filled = visible_level(document, open_as="1") if is_open else blank
    if blank is None or filled is None:
        return errors
    found = find_advice(filled)
    if is_open:
        found = [advice for advice in found if advice.name not in ABOUT_NUMBERS]
        found += [advice for advice in find_advice(blank) if advice.name == "equal-neighbours"]
    alike = [advice for advice in found if advice.name == "equal-neighbours"]
    if is_bought or len(alike) > MOST_ALIKE:
        found = [advice for advice in found if advice not in alike]
    checks = [
        Check(
            False,
            describe_advice(advice, filled),
            advice.fields,
            ADVICE_TOOLS.get(advice.name, "numbers"),
        )
        for advice in found
        if not _is_open_amount(document, advice)
    ]
    if len(alike) > MOST_ALIKE and not is_bought:
        sentence = _("In %(count)d places three or more equal numbers touch each other.")
        fields = tuple(name for advice in alike for name in advice.fields)
        checks.append(Check(False, sentence % {"count": len(alike)}, fields, "numbers"))
    return errors + checks


def find_unsaid(kinds: Sequence[Sequence[str]]) -> list[Check]:
    """Return the advice about similar fields on a photo whose kind nobody has entered yet."""
    if not kinds:
        return []
    sentence = ngettext(
        "Of one kind of fields on your photo nobody has said yet what it is.",
        "Of %(count)d kinds of fields on your photo nobody has said yet what they are.",
        len(kinds),
    )
    fields = tuple(name for kind in kinds for name in kind)
    return [Check(False, sentence % {"count": len(kinds)}, fields, "gather")]


def _is_open_amount(document: Document, advice: Advice) -> bool:
    """Return whether something is worth 0 points only because its points are not entered yet."""
    if advice.name == "symbol-worth-nothing":
        symbol, _sep, colour = advice.key.partition(" ")
        amounts = document.get("points", {})
        return (colour or symbol) not in (amounts.get(symbol, {}) if colour else amounts)
    if advice.name == "area-worth-nothing":
        area: Mapping[str, Any] = document["areas"][int(advice.key) - 1]
        return area.get("race") == []
    return False


def is_draft(document: Document) -> bool:
    """Return whether the editor can open a document and fix everything that is wrong with it.

    The document must have passed `sheets.documents.structure.decode`, which checks its types.
    """
    try:
        widths = {len(row) for row in parse_squares(document["grid"])}
    except ValueError:
        return False
    return len(widths) == 1 and all(error.tool for error in find_errors(document))


def find_errors(document: Document) -> Iterator[Check]:
    """Yield what keeps a draft from being a level. Without errors `finished_level` reads it."""
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
        yield _word(draft, fault)


def _word(draft: Draft, error: DocumentError) -> Check:
    """Return a fault in the editor's words; without a tool if the editor cannot fix it."""
    if of_entry := _word_entry(draft, error):
        return of_entry
    match error.fault, error.place:
        case "no-fields", _:
            return Check(True, say_fault(error), (), "numbers")
        case "no-points", _:
            paid = " ".join(str(fact) for fact in error.facts.values())
            fields = tuple(name for name, square in draft.places() if square.kind == paid)
            return Check(True, say_fault(error), fields, "points")
        case "track-rising", ("points", _, colour):
            flag = {"symbol": COLOURED["flag"][str(colour)]}
            sentence = _("The numbers must not rise: %(symbol)s.") % flag
            return Check(True, sentence, (), "points")
        case "ratings-not-rising", _ if len(draft.parts["ratings"]) == len(RATINGS):
            sentence = _("Each grade needs more points than the one before it.")
            return Check(True, sentence, (), "counts")
        case ("missing-key", ()) | ("empty", ("name",)) if error.facts.get("key", "name") == "name":
            return Check(True, _("The level has no name yet."), (), "names")
    return Check(True, describe_fault(error))


def _word_entry(draft: Draft, error: DocumentError) -> Check | None:
    """Return the same for an entry that the editor numbers: a line or an area; else None."""
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
"""Sentence on a fault of an entry, by the kind of the entry and the fault."""

ENTRY_TOOLS: Final[Mapping[str, str]] = {
    "arrow": "lines",
    "chain": "lines",
    "area": "areas",
    "race": "areas",
}
"""Tool that fixes an entry, by its kind."""

RANKS: Final[Mapping[str, int]] = {
    "grid": 0,
    "arrow": 1,
    "chain": 2,
    "area": 3,
    "race": 3,
    "points": 4,
}
"""Order of errors by the part of the level; other parts follow in the order of the faults."""


def _rank(draft: Draft, error: DocumentError) -> int:
    return RANKS.get(_kind(draft, error.place), len(RANKS))


def _kind(draft: Draft, place: DocumentPath) -> str:
    """Return the part of a level that a place belongs to, as the editor divides it."""
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
    """Return the number of a line or an area as the editor counts it: among those of its kind."""
    part, index, *_rest = place
    kinds = [_kind(draft, (part, i)) for i in range(int(index) + 1)]
    return kinds.count(kinds[-1])
