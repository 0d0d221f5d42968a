"""Texts of the editor: names of its tools, refusals, and the data and sentences of its script."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from sheets.art.drawings import symbol_id
from sheets.art.glyphs import CHARACTERS, glyphs
from sheets.art.plain_symbols import PLAIN_SYMBOLS
from sheets.documents.structure import LEVEL_ID
from sheets.rules.documents.level import HOLE, MAX_SIDE, NO_NUMBER, OPEN_NUMBER, PRINTED_CROSS
from sheets.rules.level import DICE, MAX_DICE, MAX_ROUNDS, RATINGS, ROUNDS, SHAPES
from sheets.rules.symbols import (
    COLOURS,
    PAYING,
    SYMBOL_BY_TOKEN,
    SYMBOLS,
    TOKENS_OFF_RAILS,
    Pays,
    Symbol,
    symbol_key,
)
from sheets.text.languages import languages_source_first
from sheets.text.symbols import MARK_NAMES, plain_symbol_name
from sheets.workshop.draft import NUMBERS, SQUARE_PATTERN

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

TOOLS: Final[Mapping[str, _StrPromise]] = {
    "numbers": gettext_lazy("Numbers"),
    "symbols": gettext_lazy("Symbols"),
    "crosses": gettext_lazy("Printed marks"),
    "lines": gettext_lazy("Arrows"),
    "areas": gettext_lazy("Areas"),
    "pairs": gettext_lazy("Bridges"),
    "grid": gettext_lazy("Rows"),
    "points": gettext_lazy("Points"),
    "counts": gettext_lazy("Dice"),
    "names": gettext_lazy("Names"),
}
"""Titles of the editor's tools, in the order in which a user needs them."""


def refusal_sentence(reason: str) -> str:
    """Return the sentence for a refused act; ``reason`` is that of an `EditRefused`."""
    return {
        "gone": _("Somebody has changed that meanwhile. This is how it looks now."),
        "full": _("There is no room for more of these."),
        "rails": _("That is not possible together with tracks."),
        "last": _("One row and one column must stay."),
        "nothing": _("There is nothing more to undo or redo."),
    }[reason]


def editor_words(tools: Collection[str] = (), *, has_photo: bool = False) -> dict[str, Any]:
    """Return the constants and sentences that the editor's script needs, in the reader's language.

    ``tools`` are the tools on the page, which need different sentences. Some need further sentences
    if the level is entered from a photo (``has_photo``).
    """
    return {
        "symbols": {symbol.letter: _symbol(symbol) for symbol in SYMBOLS.values()},
        "written": {written: _written(*found) for written, found in SYMBOL_BY_TOKEN.items()},
        "letters": {symbol.name: symbol.letter for symbol in SYMBOLS.values()}
        | {colour: letter for letter, colour in COLOURS.items()},
        "colours": "".join(COLOURS),
        "offRails": sorted(TOKENS_OFF_RAILS),
        "numbers": NUMBERS,
        "signs": {"hole": HOLE, "none": NO_NUMBER, "open": OPEN_NUMBER, "printed": PRINTED_CROSS},
        "square": SQUARE_PATTERN,
        "shapes": [(shape, MARK_NAMES[shape]) for shape in SHAPES],
        "most": {"side": MAX_SIDE, "dice": MAX_DICE, "rounds": MAX_ROUNDS},
        "levelId": LEVEL_ID,
        "glyphs": {
            character: [f"art-n{i}", round(glyphs()[character].advance, 1)]
            for i, character in enumerate(CHARACTERS)
        },
        "languages": list(languages_source_first().items()),
        "defaults": {"dice": dict(DICE), "rounds": dict(ROUNDS), "ratings": list(RATINGS)},
        "say": _sentences()
        | (_sentences_on_comparing() if "check" in tools else {})
        | (_sentences_on_numbers_read() if has_photo and "numbers" in tools else {})
        | (_sentences_on_offers() if has_photo and {"lines", "areas"} & set(tools) else {})
        | (_sentences_on_gathering() if has_photo and "gather" in tools else {}),
    }


def _symbol(symbol: Symbol) -> dict[str, Any]:
    """Return the data of a symbol that do not depend on its colour, for the script."""
    pays = {"pays": _pays(symbol)} if symbol.name in PAYING else {}
    says = plain_symbol_name(symbol.name)
    return {"says": says, "isColoured": symbol.is_coloured} | pays


def _written(symbol: str, colour: str) -> dict[str, str]:
    """Return the names and the drawing of a symbol in a colour, for the script."""
    return {
        "says": plain_symbol_name(symbol, colour),
        "key": symbol_key(symbol, colour),
        "of": symbol,
        "colour": colour,
        "drawing": symbol_id(symbol, colour),
        "group": colour or PLAIN_SYMBOLS[symbol][0],
    }


def _pays(symbol: Symbol) -> dict[str, Any]:
    """Return how a symbol pays, and its usual points, for the form of points."""
    note = {
        Pays.EACH: _("when crossed, 0 or less") if symbol.costs else _("each"),
        Pays.ALL: _("for all together"),
        Pays.TRACK: _("the first gets the first number, and so on"),
        Pays.EXPLODED: _("when it explodes, 0 or less"),
        Pays.ON_LOOP: _("when it lies on a loop"),
    }[symbol.pays]
    kind = {"isTrack": symbol.pays is Pays.TRACK, "costs": symbol.costs}
    return {"usual": symbol.default_points, "note": note} | {
        key: True for key, is_so in kind.items() if is_so
    }


def _sentences() -> dict[str, str]:
    return {
        "colon": pgettext("after a label", ":"),
        "waiting": _("Not saved yet"),
        "saved": _("Saved"),
        "lost": _("This level is gone, or its link was withdrawn."),
        "unsaved": _("Not saved: this level is gone, or its link was withdrawn."),
        "broken": _("A change was not understood, so it is not saved. Please reload this page."),
        "open": _("not entered yet"),
        "stillOpen": _("{count} still open"),
        "hole": _("no field"),
        "none": _("no number"),
        "printed": _("printed cross"),
        "track": _("printed track"),
        "row": _("Row {which}"),
        "column": _("Column {which}"),
        "noArrow": _("no arrow"),
        "onePoint": _("1 point"),
        "points": _("{count} points"),
        "set": _("Chain {number}"),
        "area": _("Area {number}"),
        "race": _("Race {number}"),
        "oneField": _("1 field"),
        "fields": _("{count} fields"),
        "pointsFor": _("Points for: {what}"),
        "ownWord": _("Your word for: {what}"),
        "noSymbols": _("Nothing on this sheet needs points yet."),
        "dropped": _("Gone with this change: {what}. Undo brings it back."),
        "printedCrosses": _("printed crosses"),
        "printedTracks": _("printed tracks"),
        "rockets": _("rockets and planets"),
        "movedRows": _("moved rows"),
        "firstField": _("{field}: now tap the second field."),
        "toLookAt": _("To check: {count}"),
        "step": _("Step {number} of {all}"),
        "badNumbers": _("Numbers from −99 to 99 with spaces between, please."),
        "badId": _("Small letters, digits and hyphens, please; no spaces."),
        "badNumber": _("A number from {least} to {most}, please."),
        "movedLeft": _("Row {row} lies {far} field to the left."),
        "movedRight": _("Row {row} lies {far} field to the right."),
        "straight": _("Row {row} is straight."),
        "pasteFails": _(
            "Row {row}: “{word}” is not a field. A field is written like 3, 5Gy or 2x."
        ),
        "pasteSize": _("A sheet has 1 to {most} rows and columns."),
        "padded": _("Shorter than the others, so holes were put at the end: row {rows}."),
        "badPhoto": _("This picture cannot be shown."),
        "preview": _("The sheet as it will be printed"),
    }


def _sentences_on_comparing() -> dict[str, str]:
    return {
        "rowRight": _("Row {row} is right"),
        "rowRest": _("The rest of row {row} ›"),
        "compared": _("{done} of {all} compared"),
        "doneOf": _("{done} of {all}"),
        "allCompared": _("Everything is compared with the paper."),
        "theseRight": _("All {count} are right"),
    }


def _sentences_on_numbers_read() -> dict[str, str]:
    return {
        "asked": _("{count} to check. Which number is this?"),
        "noneAsked": _("All numbers are there. Look them over; tap a field to change it."),
        "alike": _("{what}: the {count} others that look like {field}, too"),
    }


def _sentences_on_offers() -> dict[str, str]:
    return {
        "proposedArea": _("Add area {letter} ({count} fields)"),
        "proposedArrow": _("{end}: add {points}"),
    }


def _sentences_on_gathering() -> dict[str, str]:
    return {
        "kind": _("{at} of {all}: what is on these {count} fields?"),
        "kindOfOne": _("{at} of {all}: what is on this field?"),
        "kindOfNone": _("{at} of {all}: tap those that are the same."),
        "allGathered": _("All kinds are done. Tap a kind above to change it."),
        "chooseNone": _("Choose none"),
        "chooseAll": _("Choose all"),
        "isNothing": _("nothing"),
        "notYet": _("not said yet"),
    }
