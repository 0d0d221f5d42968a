"""Parsing of a print's levels and options from a query string."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.geometry import MAX_COPIES, OptionError, PageOptions
from sheets.levels import shipped_levels
from sheets.printing.booklet import count_drawn_pages
from sheets.rules import Level
from sheets.texts.languages import languages, reading_language
from sheets.texts.wrong import NO_FIELD

MAX_PAGES: Final = 200
"""Maximum number of pages of one PDF of the site; the management command has no such limit."""

SWITCHES: Final = ("duplex", "bw", "large", "rules")
"""Boolean options that are off by default."""

OPTIONS: Final = ("paper", "per-page", "copies", "lang", *SWITCHES, "no-markers")
"""Query parameters of print options."""

EDITION: Final = "as"
"""Query parameter for the version of a drawing, see `sheets.http.rendering`."""

LETTER_REGIONS: Final = frozenset(
    ("BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE", "419")
)
"""Regions where Letter is the usual paper (CLDR); 419 is Latin America, most of which uses it."""

DICE2: Final = "dice2"
"""Value of the parameter ``level`` for the pages of Dice²."""


class Refusal(Exception):
    """A choice that cannot be printed, with a sentence for the user.

    ``wrong`` maps the form field to be corrected to the sentence.
    """

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.wrong = {field: sentence}


class PrintRequest(NamedTuple):
    """Levels and how to print them."""

    levels: tuple[Level, ...]
    options: PageOptions

    @property
    def pages(self) -> int:
        """Number of pages of all copies."""
        return count_drawn_pages(self.levels, self.options)


def usual_paper(request: HttpRequest) -> str:
    """Return the paper of the region in the browser's first language, such as en-US."""
    first = re.split("[,;]", request.headers.get("accept-language", ""), maxsplit=1)[0]
    _language, *subtags = first.strip().upper().split("-")
    return "a4" if LETTER_REGIONS.isdisjoint(subtags) else "letter"


def read_levels(query: QueryDict) -> tuple[Level, ...]:
    """Return the chosen levels in the order of `shipped_levels`; unknown ones are ignored."""
    levels = shipped_levels()
    wanted = set(query.getlist("level"))
    return tuple(level for level in levels.values() if level.id in wanted)


def is_chosen(query: QueryDict) -> bool:
    """Return whether an address has a choice of levels: from the form, or from a link."""
    return "level" in query or "paper" in query


def read_options(request: HttpRequest, *more: str) -> PageOptions:
    """Parse the options of an address, with defaults for missing ones. Raises Refusal.

    Args:
        request: its address has the options, its headers the default language and paper.
        more: names of other allowed query parameters.
    """
    query = request.GET
    known = (*more, *OPTIONS)
    if unknown := [
        name for name in query if name not in (*known, EDITION) and not _is_foreign(name)
    ]:
        said = {"name": unknown[0][:40], "known": ", ".join(known)}
        raise Refusal(
            _("There is no option “%(name)s” for printing; there are: %(known)s.") % said, NO_FIELD
        )
    for name in (*SWITCHES, "no-markers"):
        if query.get(name, "on") not in ("on", "1"):
            sentence = _("“%(name)s” is “on”, or it is left out.") % {"name": name}
            raise Refusal(sentence, name)
    lang = query.get("lang", reading_language())
    if lang not in languages():
        sentence = _("Sheets have one of these languages: %(known)s.") % {
            "known": ", ".join(languages())
        }
        raise Refusal(sentence, "lang")
    values: dict[str, Any] = {
        "paper": query.get("paper", usual_paper(request)),
        "per_page": _number(query.get("per-page") or "0"),
        "copies": _number(query.get("copies", "1")),
        "lang": lang,
        "markers": "no-markers" not in query,
    }
    values["dice2"] = DICE2 in query.getlist("level")
    values |= {name: name in query for name in SWITCHES}
    try:
        return PageOptions(**values)
    except OptionError as error:
        raise Refusal(*_why(error)) from None


def read_request(request: HttpRequest) -> PrintRequest:
    """Parse the levels and options of an address. Raises Refusal, also for too many pages."""
    query = request.GET
    options = read_options(request, "level")
    levels = read_levels(query)
    if unknown := set(query.getlist("level")) - {DICE2} - shipped_levels().keys():
        sentence = _("There is no level “%(level)s” here.") % {"level": min(unknown)[:40]}
        raise Refusal(sentence, "level")
    if not levels and not options.dice2:
        raise Refusal(_("Choose at least one level."), "level")
    wanted = PrintRequest(levels, options)
    refuse_too_many(wanted.pages)
    return wanted


def refuse_too_many(pages: int) -> None:
    """Raise Refusal for more than `MAX_PAGES` pages."""
    if pages > MAX_PAGES:
        raise Refusal(
            ngettext(
                "That would be %(pages)d page; %(most)d are the most at once. "
                "Choose fewer copies, or print the same file again.",
                "That would be %(pages)d pages; %(most)d are the most at once. "
                "Choose fewer copies, or print the same file again.",
                pages,
            )
            % {"pages": pages, "most": MAX_PAGES},
            "copies",
        )


def filled_request(request: HttpRequest, level: Level, sheets: int) -> PrintRequest:
    """Parse the options of an address for ``sheets`` filled sheets of a level. Raises Refusal."""
    wanted = PrintRequest((level,) * sheets, replace(read_options(request), dice2=False))
    refuse_too_many(wanted.pages)
    return wanted


def _is_foreign(name: str) -> bool:
    """Return whether a query parameter does not concern the print and is ignored.

    Mail programs and social networks append such parameters to links; ``r`` is the revision with
    which the editor requests a newer picture.
    """
    return name.startswith(("utm_", "mc_")) or name.endswith("clid") or name in ("igsh", "si", "r")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1


def _why(error: OptionError) -> tuple[str, str]:
    """Return the sentence for impossible options, and the form field to be corrected."""
    match error.fault:
        case "large per-page":
            return _("Large prints one sheet per page, not two."), "per-page"
        case "large paper":
            return _("Large needs A4 or letter paper."), "paper"
        case "paper per-page":
            return _("Two sheets per page need A4 or letter paper."), "per-page"
        case "copies":
            return _("Copies: a number from 1 to %(most)d.") % {"most": MAX_COPIES}, "copies"
        case "paper":
            return _("Paper: a4, a5 or letter."), "paper"
        case _:
            return _("Sheets per page: 1 or 2."), "per-page"
