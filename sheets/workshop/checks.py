"""What does a draft still lack, and what is odd about it? In plain words, with the fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.advice_words import describe_advice, name_fields
from sheets.document_sentences import describe_refusal
from sheets.rules import DocumentError
from sheets.rules.advice import find_advice
from sheets.rules.symbols import PAYING
from sheets.words import COLOURED, SYMBOLS
from sheets.workshop.draft import (
    OPEN,
    Document,
    Draft,
    entry_fields,
    finished_level,
    kinds,
    parse_squares,
    visible_level,
)


class Check(NamedTuple):
    """One thing to look at.

    ``is_error`` if the level cannot be used before it is put right; ``fields`` are the names of
    the fields it is about, ``tool`` the editor's tool with which to put it right.
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
    "wall-between-strangers": "pairs",
    "link-between-neighbours": "pairs",
    "points-unused": "points",
}
"""The tool for each advice that is not about numbers."""

ABOUT_NUMBERS: Final = ("equal-neighbours", "no-number", "number-missing")
"""What can be said about numbers only as far as they are entered."""


def find_checks(document: Document) -> list[Check]:
    """All there is to say about a draft: what it lacks first, then advice."""
    errors = list(find_errors(document))
    numbers = [square.number for _, square in Draft(document).places()]
    # A sheet on which nothing stands yet needs no advice.
    if all(number == OPEN for number in numbers):
        return errors
    is_open = OPEN in numbers
    blank = visible_level(document)
    # What is still open will get some number: it hinders nobody, and is like none of the others.
    filled = visible_level(document, open_as="1") if is_open else blank
    if blank is None or filled is None:
        return errors
    found = find_advice(filled)
    if is_open:
        found = [advice for advice in found if advice.name not in ABOUT_NUMBERS]
        found += [advice for advice in find_advice(blank) if advice.name == "equal-neighbours"]
    return errors + [
        Check(
            False,
            describe_advice(advice, filled),
            advice.fields,
            ADVICE_TOOLS.get(advice.name, "numbers"),
        )
        for advice in found
    ]


def is_draft(document: Document) -> bool:
    """Whether the editor can open a document and put right all that is wrong with it."""
    try:
        widths = {len(row) for row in parse_squares(document["grid"])}
    except ValueError:
        return False
    return len(widths) == 1 and all(error.tool for error in find_errors(document))


def find_errors(document: Document) -> Iterator[Check]:
    """What keeps a draft from being a level. Without errors `finished_level` reads it."""
    draft = Draft(document)
    found = [*_in_grid(draft), *_in_lines(draft), *_in_points(draft), *_in_rest(draft)]
    yield from found
    if not found:
        try:
            finished_level(document)
        except DocumentError as error:
            refusal = describe_refusal(error)
            yield Check(True, f"{refusal.sentence} {refusal.quoted}".strip())


def _in_grid(draft: Draft) -> Iterator[Check]:
    if not draft.names:
        yield Check(True, _("The sheet has no field at all."), (), "numbers")
        return
    still_open = tuple(name for name, square in draft.places() if square.number == OPEN)
    if still_open:
        sentence = ngettext(
            "%(fields)s has no number yet.", "These have no number yet: %(fields)s.",
            len(still_open),
        )  # fmt: skip
        yield Check(True, sentence % {"fields": name_fields(still_open)}, still_open, "numbers")


def _in_lines(draft: Draft) -> Iterator[Check]:
    crossable = {name for name, square in draft.places() if square.symbol != "V"}
    lines = draft.parts.get("lines", ())
    arrows = [line for line in lines if "fields" not in line]
    chains = [line for line in lines if "fields" in line]
    for sentence, entries in (
        (_("Arrow %(number)d has no field."), arrows),
        (_("Chain %(number)d has no field."), chains),
    ):
        for number, line in enumerate(entries, start=1):
            if not entry_fields(draft, line) & crossable:
                yield Check(True, sentence % {"number": number}, (), "lines")
    # People number races among races, and the other areas among themselves.
    counts = {True: 0, False: 0}
    for area in draft.parts.get("areas", ()):
        fields = tuple(area["fields"])
        is_race = "race" in area
        counts[is_race] += 1
        if not crossable.intersection(fields):
            if is_race:
                sentence = _("Race %(number)d has no field that can be crossed.")
            else:
                sentence = _("Area %(number)d has no field that can be crossed.")
        elif area.get("race") == []:
            sentence = _("Race %(number)d has no number yet.")
        elif _rises(area.get("race", ())):
            sentence = _("The numbers of race %(number)d must not rise.")
        else:
            continue
        yield Check(True, sentence % {"number": counts[is_race]}, fields, "areas")


def _in_points(draft: Draft) -> Iterator[Check]:
    points: Mapping[str, Any] = draft.parts.get("points", {})
    for kind in kinds(draft):
        symbol, _sep, colour = kind.partition(" ")
        if symbol not in PAYING:
            continue
        place: Mapping[str, Any] = points.get(symbol, {}) if colour else points
        if (colour or symbol) in place:
            continue
        fields = tuple(name for name, square in draft.places() if square.kind == kind)
        name = COLOURED[symbol][colour] if colour else SYMBOLS[symbol]
        sentence = _("How much is it worth? There are no points yet for: %(symbol)s.")
        yield Check(True, sentence % {"symbol": name}, fields, "points")
    for colour, numbers in points.get("flag", {}).items():
        if _rises(numbers):
            sentence = _("The numbers must not rise: %(symbol)s.")
            yield Check(True, sentence % {"symbol": COLOURED["flag"][colour]}, (), "points")


def _in_rest(draft: Draft) -> Iterator[Check]:
    if any(b <= a for a, b in pairwise(draft.parts.get("ratings", ()))):
        yield Check(True, _("Each grade needs more points than the one before it."), (), "counts")
    if not draft.parts.get("name"):
        yield Check(True, _("The level has no name yet."), (), "names")


def _rises(numbers: Any) -> bool:
    return any(later > earlier for earlier, later in pairwise(numbers))
