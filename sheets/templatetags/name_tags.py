"""How is somebody's name typed, and written where there may be too little room for it?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Final

import regex
from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sheets.people.names import CLUSTERS, NAME_LENGTH, clean_name

register = template.Library()

NUMBERED: Final = regex.compile(r"(.*\S)( [0-9]{1,2})")
"""A name that is told apart from its equals by a number (`alike`)."""

LEAST_SHARED: Final = 3
"""So many letters two names begin with make one stump of them."""

BRIEF: Final = 8
"""A name of so many letters is not worth cutting while a longer one can be."""


@register.simple_tag
def name_length() -> int:
    """How many letters a name has at most."""
    return NAME_LENGTH


@register.filter
def clean(name: str) -> str:
    """A name as it is shown wherever it comes from."""
    return clean_name(name)


@register.filter
def short_name(name: str, classes: str = "") -> SafeString:
    """A name that may be cut, yet not its number; read aloud and copied it is the whole name.

    >>> short_name("Anna 2", "tab-name")
    '<bdi class="short-name is-brief tab-name"><span>Anna</span><span> 2</span></bdi>'
    """
    found = NUMBERED.fullmatch(name)
    if len(name) <= BRIEF:
        classes = f"is-brief {classes}".strip()
    return _in_parts(found.groups() if found else (name,), classes)


@register.simple_tag
def name_among(name: str, names: Iterable[str], classes: str = "") -> SafeString:
    """The same where several names stand: what another begins with, too, is cut first.

    >>> name_among("Anna Schulze", ["Anna Schulze", "Anna Schmidt"])
    '<bdi class="short-name is-alike"><span>Anna </span><span>Schulze</span></bdi>'
    """
    others = [zip(name, other, strict=False) for other in names if other != name]
    shared = max(
        (len(list(takewhile(lambda pair: pair[0] == pair[1], pairs))) for pairs in others),
        default=0,
    )
    at = name.rfind(" ", 0, shared) + 1 or shared
    is_short = len(name) <= BRIEF or at < LEAST_SHARED or not name[at:].strip()
    if is_short or NUMBERED.fullmatch(name):
        return short_name(name, classes)
    # Letters and the marks on them stay together.
    clusters = CLUSTERS.findall(name)
    head = ""
    while len(head) + len(clusters[0]) <= at:
        head += clusters.pop(0)
    alike = "is-alike" if head.endswith(" ") else "is-alike in-word"
    return _in_parts((head, "".join(clusters)), f"{alike} {classes}".strip())


def _in_parts(parts: Iterable[str], classes: str) -> SafeString:
    spans = format_html_join("", "<span>{}</span>", ((part,) for part in parts))
    return format_html('<bdi class="{}">{}</bdi>', f"short-name {classes}".strip(), spans)
