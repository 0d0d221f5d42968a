"""How is somebody's name typed, and written where there may be too little room for it?"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from itertools import takewhile
from typing import Final

import regex
from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sheets.people.names import GRAPHEME, NAME_LENGTH, clean_name

register = template.Library()

LEAST_SHARED: Final = 3
"""So many letters two names begin with make one stump of them."""

BRIEF: Final = 8
"""A name of so many letters is not worth cutting while a longer one can be."""


LABELS_REM: Final = 8
LETTER_REM: Final = 0.5
MARGINS_REM: Final = 0.5
"""What columns.css leaves for the words before the columns, a letter over them, and its margins."""

TURNED_TO_REM: Final = (18, 20, 22, 25, 30, 36, 40, 44, 48, 56, 64)
"""The widths of a table up to which columns.css can turn the names over its columns."""

NARROWEST_REM: Final = 17.0
"""No table is narrower."""

WORDS: Final = regex.compile(r"[^\s-]+-?")
"""The parts of a name between which a line may end."""


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

    >>> short_name("Anna 2", "name")
    '<bdi translate="no" class="short-name is-brief name"><span>Anna</span><span> 2</span></bdi>'
    """
    if len(name) <= BRIEF:
        classes = f"is-brief {classes}".strip()
    return _in_parts(_without_number(name), classes)


@register.simple_tag
def name_among(name: str, names: Iterable[str], classes: str = "") -> SafeString:
    """The same where several names stand: what another begins with, too, is cut first.

    >>> name_among("Anna Schulze", ["Anna Schulze", "Anna Schmidt"])
    '<bdi translate="no" class="short-name is-alike"><span>Anna </span><span>Schulze</span></bdi>'
    """
    others = [zip(name, other, strict=False) for other in names if other != name]
    shared = max(
        (len(list(takewhile(lambda pair: pair[0] == pair[1], pairs))) for pairs in others),
        default=0,
    )
    at = name.rfind(" ", 0, shared) + 1 or shared
    is_short = len(name) <= BRIEF or at < LEAST_SHARED or not name[at:].strip()
    if is_short or len(_without_number(name)) > 1:
        return short_name(name, classes)
    # Letters and the marks on them stay together.
    clusters = GRAPHEME.findall(name)
    head = ""
    while len(head) + len(clusters[0]) <= at:
        head += clusters.pop(0)
    alike = "is-alike" if head.endswith(" ") else "is-alike in-word"
    return _in_parts((head, "".join(clusters)), f"{alike} {classes}".strip())


@register.simple_tag
def column_heads(names: Collection[str], margins: float = MARGINS_REM) -> str:
    """The classes of a table with a column for each name, see columns.css.

    Up to which width its names are turned comes from the longest word among them; in a table
    wider than that each has room for it. ``margins`` are those of one column, in rem.

    >>> column_heads(["Ana", "Ben"]), column_heads(["Ana", "Maximiliane", "Ben", "Cem"])
    ('of-2', 'of-4 turned-36')
    """
    count = len(names)
    longest = max((_letters(word) for name in names for word in WORDS.findall(name)), default=0)
    needed = LABELS_REM + count * (longest * LETTER_REM + margins)
    turned = next((width for width in TURNED_TO_REM if width >= needed), TURNED_TO_REM[-1])
    is_ever = needed > NARROWEST_REM
    return f"of-{count} turned-{turned}" if is_ever else f"of-{count}"


def _letters(word: str) -> int:
    """How wide a word is; East Asian characters count as two letters."""
    clusters = GRAPHEME.findall(word)
    return sum(2 if unicodedata.east_asian_width(one[0]) in "WF" else 1 for one in clusters)


def _without_number(name: str) -> tuple[str, ...]:
    """Return a name and the number that tells it apart from its equals (`alike`), if it has one."""
    head, blank, number = name.rpartition(" ")
    is_number = number.isascii() and number.isdecimal() and len(number) <= 2
    return (head, blank + number) if is_number and head.strip() else (name,)


def _in_parts(parts: Iterable[str], classes: str) -> SafeString:
    spans = format_html_join("", "<span>{}</span>", ((part,) for part in parts))
    return format_html(
        '<bdi translate="no" class="{}">{}</bdi>', f"short-name {classes}".strip(), spans
    )
