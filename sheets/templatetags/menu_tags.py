"""Template tag for the main menu."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

register = template.Library()


class Section(NamedTuple):
    """One of the four parts of the site."""

    title: str | Promise
    pages: dict[str, str | Promise]
    """Title of each page, by the name of its URL pattern.

    The title of the section leads to the first page.
    """


SECTIONS: Final = (
    Section(
        pgettext_lazy("in the menu", "Play"),
        {
            "table-join": gettext_lazy("Join a table"),
            "table-new": gettext_lazy("Start a table"),
            "dice2": "Dice²",
            "rules": gettext_lazy("Rules"),
            "tutorial": gettext_lazy("Tutorial"),
            "day": gettext_lazy("Sheet of the day"),
            "puzzles": pgettext_lazy("to solve", "Puzzles"),
        },
    ),
    Section(
        gettext_lazy("Score"),
        {
            "score": gettext_lazy("Paper sheets"),
            "photos": gettext_lazy("From photos"),
            "tally": gettext_lazy("Tally"),
            "score-here": gettext_lazy("Without network"),
        },
    ),
    Section(
        gettext_lazy("Sheets"),
        {
            "levels": gettext_lazy("Levels"),
            "print": gettext_lazy("Print"),
            "workshop": gettext_lazy("Workshop"),
        },
    ),
    Section(
        gettext_lazy("Groups"),
        {"mine": gettext_lazy("My games"), "group-new": gettext_lazy("Start a group")},
    ),
)
"""Sections of the menu, which divide the site by the first parts of paths."""


@register.simple_tag(takes_context=True)
def sections(context: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the sections and their pages: ``{% sections as all_sections %}``.

    A section has the keys ``title``, ``pages``, ``is_current`` (the requested page belongs to it)
    and ``is_open`` (the requested page is one of its pages in the menu).
    """
    request = context.get("request")
    path = request.path if request else ""
    shown = []
    for title, named in SECTIONS:
        pages = [
            {"url": reverse(name), "title": text, "is_current": reverse(name) == path}
            for name, text in named.items()
        ]
        is_current = _first_part(path) in {_first_part(str(page["url"])) for page in pages}
        is_open = any(page["is_current"] for page in pages)
        shown.append({"title": title, "pages": pages, "is_current": is_current, "is_open": is_open})
    return shown


def _first_part(path: str) -> str:
    return path.split("/")[1] if path else ""
