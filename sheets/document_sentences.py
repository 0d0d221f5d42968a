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

Sentence = str | Promise

SENTENCES: Final[tuple[tuple[str, Sentence], ...]] = (
    (r"the document is not JSON.*", gettext_lazy("This is no JSON file.")),
    (r"this is no file of ours.*", gettext_lazy("This file was not written by this program.")),
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
    (r"'(?P<what>.*)' is no field", gettext_lazy("“%(what)s” is no field.")),
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
    (r"unknown '(?P<what>.*)'", gettext_lazy("“%(what)s” is nothing that can stand here.")),
)
"""The sentence for each reason, the first that fits."""

STEP: Final = re.compile(r"(?P<kind>sheets entry|grid row|entry|action) (?P<number>\d+)|\S+")


class Refusal(NamedTuple):
    """Why a document cannot be used; ``quoted`` is what only English words say."""

    sentence: str
    quoted: str = ""


def describe_refusal(error: DocumentError) -> Refusal:
    """The sentence for people, the place first."""
    if error.place == "format" and error.reason.startswith("unknown"):
        return Refusal(_("The document has another format than the one that can be opened here."))
    for pattern, sentence in SENTENCES:
        if found := re.fullmatch(pattern, error.reason, re.DOTALL):
            text = str(sentence) % found.groupdict()
            place = _describe_place(error.place)
            return Refusal(f"{place}: {text}" if place else text)
    return Refusal(_("This document cannot be used:"), str(error))


def _describe_place(place: str) -> str:
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
