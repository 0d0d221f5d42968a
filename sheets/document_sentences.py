"""Why a document cannot be used, in the reader's language.

`DocumentError` speaks English, for people who write programs. What goes wrong often has its
sentence here; of the rest we can only quote the reason.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.rules import DocumentError
from sheets.words import COLOURED, SYMBOLS

Sentence = str | Promise

SENTENCES: Final[tuple[tuple[str, Sentence], ...]] = (
    (r"choose a file", gettext_lazy("Choose a file first.")),
    (r"several files", gettext_lazy("Only one file at a time can be opened, and no folder.")),
    (r"the file is empty", gettext_lazy("The file is empty.")),
    (
        r"a picture or a PDF",
        gettext_lazy(
            "Nothing can be read back from a picture or a PDF. Open the level file (JSON) or the "
            "link, which the level’s page offers under “More”, or enter the sheet in the workshop."
        ),
    ),
    (r"a game of Dice² has no level", gettext_lazy("A game of Dice² has no level in it.")),
    (
        r"the document is not JSON.*(utf-8|decoded).*",
        gettext_lazy("The file holds letters that cannot be read. It must be saved as UTF-8."),
    ),
    (r"the document is not JSON.*", gettext_lazy("This is no JSON file.")),
    (
        r"this is no file of ours.*",
        gettext_lazy("This is no file (JSON) with a level, a game or score sheets."),
    ),
    (
        r"this is not the code of a level.*",
        gettext_lazy("This link was changed on its way, or it is not the link of a level."),
    ),
    (
        r"a part of the code is missing",
        gettext_lazy("The end of the link is missing. Copy it whole."),
    ),
    (r"the level in this code is too large", gettext_lazy("The level in this link is too large.")),
    (
        r"the document is larger than (?P<size>\d+) KiB",
        gettext_lazy("The file is larger than %(size)s KiB."),
    ),
    (
        r"the key '(?P<what>.*)' is given twice in one object",
        gettext_lazy("“%(what)s” is given twice in one object."),
    ),
    (r"contains unknown field (?P<what>.*)", gettext_lazy("“%(what)s” is nothing we know.")),
    (r"lacks the required field (?P<what>.*)", gettext_lazy("“%(what)s” is missing.")),
    (r"there is no level '(?P<what>.*)'", gettext_lazy("There is no level “%(what)s” here.")),
    (r"there is no field '(?P<what>.*)'", gettext_lazy("The level has no field %(what)s.")),
    (r"the level has no '(?P<what>.*)'", gettext_lazy("The level has no “%(what)s”.")),
    (r"a text has no NUL character", gettext_lazy("A text has no NUL character.")),
    (r"a field is written like c4", gettext_lazy("A field is written like c4.")),
    (
        r"a column is one letter from a to z",
        gettext_lazy("A column is one letter from a to z."),
    ),
    (
        r"an id has up to 40 small letters, digits and hyphens",
        gettext_lazy("Up to 40 small letters, digits and hyphens belong here."),
    ),
    (r"(?P<what>\S+) is crossed as well", gettext_lazy("%(what)s is crossed as well.")),
    (
        r"(?P<what>-?\d+) is not on the track",
        gettext_lazy("%(what)s is none of the numbers that can be circled there."),
    ),
    (r"only a rail level has tracks", gettext_lazy("Only a rail level has tracks.")),
    (
        r"a rail level is marked with tracks alone",
        gettext_lazy("On a rail level there are tracks, and no crosses."),
    ),
    (
        r"another track is printed on (?P<what>\S+)",
        gettext_lazy("Another track is printed on %(what)s."),
    ),
    (r"no bomb explodes in a solo game", gettext_lazy("No bomb explodes in a solo game.")),
    (
        r"(?P<what>\d+) sheets cannot be a solo game",
        gettext_lazy("%(what)s sheets cannot be a solo game."),
    ),
    (
        r"has (?P<what>\d+) fields, the first row has (?P<first>\d+)",
        gettext_lazy("This row has %(what)s fields, the first one has %(first)s."),
    ),
    (
        r"has (?P<what>\d+) (rows|fields), 1 to (?P<most>\d+) are possible",
        gettext_lazy("There are %(what)s here; 1 to %(most)s are possible."),
    ),
    (r"'(?P<what>.*)' is no field", gettext_lazy("“%(what)s” is no field.")),
    (r"has no field at all", gettext_lazy("The sheet has no field at all.")),
    (r"a volcano is always written -V", gettext_lazy("A volcano is always written -V.")),
    (
        r"'(?P<what>.*)' cannot stand on a rail level",
        gettext_lazy("“%(what)s” cannot stand on a rail level."),
    ),
    (r"'(?P<what>.*)' names no symbol", gettext_lazy("“%(what)s” is the name of no symbol.")),
    (
        r"names exactly one of row, column and fields",
        gettext_lazy("Exactly one of row, column and fields belongs here."),
    ),
    (r"there is no row (?P<what>\d+)", gettext_lazy("The level has no row %(what)s.")),
    (r"there is no column '(?P<what>.*)'", gettext_lazy("The level has no column %(what)s.")),
    (
        r"has no field that can be crossed",
        gettext_lazy("A field that can be crossed is missing here."),
    ),
    (
        r"has either points or a race",
        gettext_lazy("Either points or a race belong here, and not both."),
    ),
    (r"(?P<what>\S+) is named twice", gettext_lazy("%(what)s stands here twice.")),
    (r"has no number", gettext_lazy("A number is missing here.")),
    (r"its numbers must not rise", gettext_lazy("These numbers must not rise.")),
    (
        r"only a rail level has printed tracks",
        gettext_lazy("Only a rail level has printed tracks."),
    ),
    (r"(?P<what>\S+) is a volcano", gettext_lazy("%(what)s is a volcano.")),
    (
        r"a rail level cannot shift its rows",
        gettext_lazy("A rail level cannot shift its rows."),
    ),
    (
        r"has (?P<what>\d+) numbers for (?P<rows>\d+) rows",
        gettext_lazy("There are %(what)s numbers here for %(rows)s rows."),
    ),
    (
        r"row (?P<row>\d+): (?P<what>\S+) is no multiple of 0.25 from -0.75 to 0.75",
        gettext_lazy("Row %(row)s: only quarters from −0.75 to 0.75 are possible."),
    ),
    (r"names two different fields", gettext_lazy("Two different fields belong here.")),
    (r"are six rising totals", gettext_lazy("Six numbers that rise belong here.")),
    (
        r"(?P<symbol>[a-z]+( [a-z]+)?) has no entry",
        gettext_lazy("How much is it worth? There are no points yet for: %(symbol)s."),
    ),
    (
        r"(?P<one>\S+) and (?P<other>\S+) are linked and walled off at once",
        gettext_lazy("%(one)s and %(other)s have both a bridge and a wall."),
    ),
    (
        r"the level has no dice and rounds for (?P<what>\d+) players",
        gettext_lazy("The number of players does not fit: %(what)s."),
    ),
    (
        r"(?P<game>\S+) cannot be played by (?P<what>\d+)",
        gettext_lazy("The number of players does not fit: %(what)s."),
    ),
    (r"there is no player \d+", gettext_lazy("There are not so many players.")),
    (
        r"there are more actions than a table can hold",
        gettext_lazy("The game is too long for a table."),
    ),
    (
        r"expected (array|str) of length <= (?P<most>\d+)",
        gettext_lazy("This is too long: %(most)s at most."),
    ),
    (r"expected (array|str) of length >= \d+", gettext_lazy("This must not be empty.")),
    (r"expected int >= (?P<least>-?\d+)", gettext_lazy("A number from %(least)s on belongs here.")),
    (r"expected int <= (?P<most>-?\d+)", gettext_lazy("A number up to %(most)s belongs here.")),
    (r"expected (int|float)\b.*", gettext_lazy("A number belongs here.")),
    (r"expected str\b.*", gettext_lazy("A text belongs here.")),
    (r"expected bool\b.*", gettext_lazy("Only true or false can stand here.")),
    (r"expected array\b.*", gettext_lazy("A list in square brackets belongs here.")),
    (r"expected object\b.*", gettext_lazy("An object in curly brackets belongs here.")),
    (r"unknown '?(?P<what>[^']*).*", gettext_lazy("“%(what)s” is nothing that can stand here.")),
)
"""The sentence for each reason, the first that fits."""

STEP: Final = re.compile(r"(?P<kind>sheets entry|grid row|entry|action) (?P<number>\d+)|\S+")


WHOLE: Final = ("", "code", "format")
"""Places of which there is nothing to say: the document as a whole."""

MOST_QUOTED: Final = 40
"""Letters that are quoted of what somebody else has written."""


class Refusal(NamedTuple):
    """Why a document cannot be used; ``quoted`` is what only English words say."""

    sentence: str
    quoted: str = ""


def describe_refusal(error: DocumentError) -> Refusal:
    """The sentence for people, the place first."""
    if error.place.endswith("format") and error.reason.startswith("unknown"):
        return Refusal(_refuse_format(error.reason))
    for pattern, sentence in SENTENCES:
        if found := re.fullmatch(pattern, error.reason, re.DOTALL):
            shown = {name: _shorten(value or "") for name, value in found.groupdict().items()}
            if "symbol" in shown:
                shown["symbol"] = _name_symbol(shown["symbol"])
            text = str(sentence) % shown
            place = _describe_place(error.place)
            return Refusal(f"{place}: {text}" if place else text)
    return Refusal(_("This document cannot be used:"), str(error))


def _refuse_format(reason: str) -> str:
    """Which kind or version of file it is, where that is to be seen."""
    if found := re.match(r"unknown '([a-z0-9]{1,20}-[a-z]{1,20}/[0-9]{1,4})'", reason):
        return _("Files of the kind “%(kind)s” cannot be opened here.") % {"kind": found[1]}
    return _("The document has another format than the one that can be opened here.")


def _name_symbol(key: str) -> str:
    """A symbol as it is called, by its key in a document's ``points``: ``gem yellow``, ``bomb``."""
    symbol, _sep, colour = key.partition(" ")
    return str(COLOURED[symbol][colour] if colour else SYMBOLS[symbol])


def _shorten(quoted: str) -> str:
    """What was refused, as much as one line can bear."""
    return quoted if len(quoted) <= MOST_QUOTED else f"{quoted[:MOST_QUOTED]}…"


def _describe_place(place: str) -> str:
    if place in WHOLE:
        return ""
    steps = []
    for found in STEP.finditer(place):
        word = {
            "sheets entry": _("Sheet %(number)s"),
            "grid row": _("Row %(number)s of the grid"),
            "entry": _("entry %(number)s"),
            "action": _("Action %(number)s"),
        }.get(found["kind"])
        steps.append(word % {"number": found["number"]} if word else _("“%s”") % found[0])
    return ", ".join(steps)
