"""What does the editor say? Its tools, the steps of the guided way, and the words of its script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import words
from sheets.artwork.glyphs import CHARACTERS, glyphs
from sheets.rules.level import COLOURED, COLOURS, DICE, RATINGS, ROUNDS, SYMBOLS

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
"""The editor's tools, in the order in which a sheet is made."""


class Step(NamedTuple):
    """A step of the guided way: its title, what to do, and the tools for it."""

    title: _StrPromise
    sentence: _StrPromise
    tools: tuple[str, ...]


STEPS: Final[Mapping[str, Step]] = {
    "size": Step(
        gettext_lazy("Size and name"),
        gettext_lazy("Count the fields of the longest row and of the longest column."),
        ("grid", "names"),
    ),
    "numbers": Step(
        gettext_lazy("Numbers"),
        gettext_lazy(
            "Row by row, from the top left. Where the paper has no field, there is a hole."
        ),
        ("numbers",),
    ),
    "symbols": Step(
        gettext_lazy("Symbols"),
        gettext_lazy("Pick a symbol once, then tap every field that has it."),
        ("symbols",),
    ),
    "crosses": Step(
        gettext_lazy("Printed crosses"),
        gettext_lazy("Tap the fields on which a cross is printed already."),
        ("crosses",),
    ),
    "arrows": Step(
        gettext_lazy("Arrows"),
        gettext_lazy("Tap the arrow at the end of a row or column, and give its points."),
        ("lines",),
    ),
    "areas": Step(
        gettext_lazy("Bordered areas"),
        gettext_lazy("For each area with a border: tap its fields, and give its points."),
        ("areas",),
    ),
    "points": Step(
        gettext_lazy("Points"),
        gettext_lazy("What is each symbol worth? It stands beside the score column."),
        ("points",),
    ),
    "counts": Step(
        gettext_lazy("Dice and rounds"),
        gettext_lazy(
            "These are the rules’ own values. Change only what your sheet says otherwise."
        ),
        ("counts",),
    ),
    "check": Step(
        gettext_lazy("Compare with the paper"),
        gettext_lazy("Go through it field by field: is it the same on paper?"),
        ("check",),
    ),
    "done": Step(
        gettext_lazy("Done"),
        gettext_lazy("Your sheet is ready for the table."),
        (),
    ),
}
"""The guided way of entering a sheet somebody owns."""


def refusal_sentence(reason: str) -> str:
    """What to say to an edit that made no sense any more."""
    return {
        "gone": _("Somebody has changed that meanwhile. This is how it looks now."),
        "full": _("There is no room for more of these."),
        "rails": _("That is not possible together with tracks."),
        "last": _("One row and one column must stay."),
        "nothing": _("There is nothing more to take back or to repeat."),
    }[reason]


def editor_words() -> dict[str, Any]:
    """All that the editor's script needs to know and to say, in the reader's language."""
    return {
        "symbols": {letter: str(words.SYMBOLS[name]) for letter, name in SYMBOLS.items()},
        "coloured": {
            letter + colour: str(words.COLOURED[symbol][name])
            for letter, symbol in SYMBOLS.items()
            if symbol in COLOURED
            for colour, name in COLOURS.items()
        },
        "symbolNames": dict(SYMBOLS),
        "colourNames": dict(COLOURS),
        "colours": {letter: str(words.COLOURS[name]) for letter, name in COLOURS.items()},
        "glyphs": {
            character: [f"art-n{i}", round(glyphs()[character].advance, 1)]
            for i, character in enumerate(CHARACTERS)
        },
        "defaults": {"dice": dict(DICE), "rounds": dict(ROUNDS), "ratings": list(RATINGS)},
        "say": _sentences(),
    }


def _sentences() -> dict[str, str]:
    return {
        "waiting": _("Not saved yet"),
        "saved": _("Saved"),
        "lost": _("This level is gone, or its link was withdrawn."),
        "open": _("not entered yet"),
        "hole": _("hole"),
        "none": _("no number"),
        "printed": _("printed cross"),
        "track": _("printed track"),
        "row": _("Row {which}"),
        "column": _("Column {which}"),
        "noArrow": _("no arrow"),
        "points": _("{count} points"),
        "set": _("Chain {number}"),
        "area": _("Area {number}"),
        "race": _("Race {number}"),
        "fields": _("{count} fields"),
        "remove": _("Remove"),
        "pointsFor": _("Points for: {what}"),
        "each": _("each"),
        "all": _("for all together"),
        "flag": _("the first gets the first number, and so on"),
        "bomb": _("when it explodes, 0 or less"),
        "heap": _("when crossed, 0 or less"),
        "stop": _("when it lies on a loop"),
        "ownWord": _("Own word for: {what}"),
        "noSymbols": _("Nothing on this sheet needs points yet."),
        "dropped": _("Gone with this change: {what}. Undo brings it back."),
        "printedCrosses": _("printed crosses"),
        "printedTracks": _("printed tracks"),
        "rockets": _("rockets and planets"),
        "movedRows": _("moved rows"),
        "firstField": _("{field}: now tap the second field."),
        "fine": _("Nothing is missing, and nothing is odd."),
        "missing": _("Still missing"),
        "advice": _("Worth a look"),
        "rowRight": _("Row {row} is right"),
        "rowsChecked": _("{done} of {all} rows compared"),
        "badNumbers": _("Numbers from −99 to 99 with blanks between, please."),
        "badNumber": _("A number from {least} to {most}, please."),
        "moved": _("Row {row} is moved by {quarters} quarters of a field."),
        "pasteFails": _("These rows cannot be read. A field is written like 3, 5Gy or 2x."),
        "preview": _("The sheet as it will be printed"),
        "draft": _("The sheet being made"),
    }
