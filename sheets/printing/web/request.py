"""Parsing of a print's levels and options from a query string."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.levels import shipped_levels
from sheets.printing.booklet import count_drawn_pages
from sheets.printing.geometry import MAX_COPIES, OptionError, PageOptions
from sheets.rules import Level
from sheets.text.form_errors import NO_FIELD
from sheets.text.languages import active_language, languages

MAX_PAGES: Final = 200
"""Maximum number of pages of one PDF of the site; the management command has no such limit."""

SWITCHES: Final = ("duplex", "bw", "large", "rules")
"""Boolean options with the same name in the query and in `PageOptions`; all are off by default."""

OPTIONS: Final = ("paper", "per-page", "copies", "lang", *SWITCHES, "no-markers")
"""All query parameters of print options."""

EDITION_PARAMETER: Final = "as"
"""Query parameter for the version of a drawing, see `sheets.http.rendering`."""

LETTER_REGIONS: Final = frozenset(
    ("BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE", "419")
)
"""Regions where Letter is the usual paper (CLDR); 419 is Latin America, most of which uses it."""

DICE2: Final = "dice2"
"""Value of the parameter ``level`` for the pages of Dice²."""


class PrintRefused(Exception):
    """Levels or options that cannot be printed; the message is a sentence for the user.

    ``wrong`` maps the form field that the user must correct to the sentence.
    """

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.wrong = {field: sentence}


class PrintRequest(NamedTuple):
    """The levels to print, and the options of the print."""

    levels: tuple[Level, ...]
    options: PageOptions

    @property
    def pages(self) -> int:
        """Number of pages of all copies."""
        return count_drawn_pages(self.levels, self.options)


def default_paper(request: HttpRequest) -> str:
    """Return the usual paper of the region in the browser's first language, such as ``en-US``."""
    first = re.split("[,;]", request.headers.get("accept-language", ""), maxsplit=1)[0]
    _language, *subtags = first.strip().upper().split("-")
    return "a4" if LETTER_REGIONS.isdisjoint(subtags) else "letter"


def read_levels(query: QueryDict) -> tuple[Level, ...]:
    """Return the chosen levels in the order of `shipped_levels`; unknown ones are ignored."""
    levels = shipped_levels()
    wanted = set(query.getlist("level"))
    return tuple(level for level in levels.values() if level.id in wanted)


def is_chosen(query: QueryDict) -> bool:
    """Return whether a query string is from the form or from a link with levels.

    Otherwise the user has just opened the page, and missing levels are no mistake.
    """
    return "level" in query or "paper" in query


def read_options(request: HttpRequest, *more: str) -> PageOptions:
    """Parse the options of a request, with defaults for missing ones. Raises PrintRefused.

    Args:
        request: its query string has the options, its headers the default language and paper.
        more: names of other allowed query parameters.
    """
    query = request.GET
    known = (*more, *OPTIONS)
    if unknown := [
        name for name in query if name not in (*known, EDITION_PARAMETER) and not _is_ignored(name)
    ]:
        facts = {"name": unknown[0][:40], "known": ", ".join(known)}
        raise PrintRefused(
            _("There is no option “%(name)s” for printing; there are: %(known)s.") % facts, NO_FIELD
        )
    for name in (*SWITCHES, "no-markers"):
        if query.get(name, "on") not in ("on", "1"):
            sentence = _("“%(name)s” is “on”, or it is left out.") % {"name": name}
            raise PrintRefused(sentence, name)
    lang = query.get("lang", active_language())
    if lang not in languages():
        sentence = _("Sheets have one of these languages: %(known)s.") % {
            "known": ", ".join(languages())
        }
        raise PrintRefused(sentence, "lang")
    values: dict[str, Any] = {
        "paper": query.get("paper", default_paper(request)),
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
        raise PrintRefused(*_explain_option_error(error)) from None


def read_request(request: HttpRequest) -> PrintRequest:
    """Parse the levels and options of a request. Raises PrintRefused, also for too many pages."""
    query = request.GET
    options = read_options(request, "level")
    levels = read_levels(query)
    if unknown := set(query.getlist("level")) - {DICE2} - shipped_levels().keys():
        sentence = _("There is no level “%(level)s” here.") % {"level": min(unknown)[:40]}
        raise PrintRefused(sentence, "level")
    if not levels and not options.dice2:
        raise PrintRefused(_("Choose at least one level."), "level")
    wanted = PrintRequest(levels, options)
    refuse_too_many(wanted.pages)
    return wanted


def refuse_too_many(pages: int) -> None:
    """Raise PrintRefused if a print has more than `MAX_PAGES` pages."""
    if pages > MAX_PAGES:
        raise PrintRefused(
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
    """Parse the options of a request for printing filled sheets. Raises PrintRefused.

    ``sheets`` is the number of sheets.
    """
    wanted = PrintRequest((level,) * sheets, replace(read_options(request), dice2=False))
    refuse_too_many(wanted.pages)
    return wanted


def _is_ignored(name: str) -> bool:
    """Return whether to ignore a query parameter, because it does not concern the print.

    Mail programs and social networks append such parameters to links; ``r`` is the revision with
    which the editor requests a newer picture.
    """
    return name.startswith(("utm_", "mc_")) or name.endswith("clid") or name in ("igsh", "si", "r")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1


def _explain_option_error(error: OptionError) -> tuple[str, str]:
    """Return a sentence for an error in the options, and the form field to correct."""
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
