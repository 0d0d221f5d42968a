"""Template tags for names, shortened by CSS where space is limited."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from itertools import takewhile
from typing import Final

import regex
from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sheets.names.cleaning import GRAPHEME, NAME_LENGTH, clean_name
from sheets.names.markup import mark_names, untranslated

register = template.Library()
register.filter(untranslated)
register.filter(mark_names)

MIN_SHARED: Final = 3
"""Minimum length, in characters, of the common beginning of two names that CSS cuts first."""

MAX_BRIEF: Final = 8
"""Maximum length, in characters, of a name that CSS cuts only after longer names."""

LABELS_REM: Final = 8
"""Maximum width of the column of labels in columns.css, in rem."""

LETTER_REM: Final = 0.5
"""Assumed width of a letter in a column's heading, in rem."""

MARGINS_REM: Final = 0.5
"""Sum of the left and right margins of a column in columns.css, in rem."""

TURNED_TO_REM: Final = (18, 20, 22, 25, 30, 36, 40, 44, 48, 56, 64)
"""Maximum table widths, in rem, for which columns.css has a class that rotates the headings."""

MIN_TABLE_REM: Final = 17.0
"""Width of the narrowest table, in rem; headings that fit into its columns are never rotated."""

WORDS: Final = regex.compile(r"[^\s-]+-?")
"""Pattern of a part of a name after which a line may break: up to a space or a hyphen."""


@register.simple_tag
def name_length() -> int:
    """Return the maximum length of a name."""
    return NAME_LENGTH


@register.filter
def clean(name: str) -> str:
    """Return a name cleaned for display (`sheets.names.cleaning.clean_name`)."""
    return clean_name(name)


@register.filter
def short_name(name: str, classes: str = "") -> SafeString:
    """Return HTML of a name that CSS can shorten; its text is the whole name.

    CSS never cuts a number at the end, which distinguishes two players of one name.

    >>> short_name("Anna 2", "name")
    '<bdi translate="no" class="short-name is-brief name"><span>Anna</span><span> 2</span></bdi>'
    """
    if len(name) <= MAX_BRIEF:
        classes = f"is-brief {classes}".strip()
    return _in_parts(_split_number(name), classes)


@register.simple_tag
def name_among(name: str, names: Iterable[str], classes: str = "") -> SafeString:
    """Return a `short_name`; CSS first cuts the beginning that it shares with another of ``names``.

    >>> name_among("Anna Schulze", ["Anna Schulze", "Anna Schmidt"])
    '<bdi translate="no" class="short-name is-alike"><span>Anna </span><span>Schulze</span></bdi>'
    """
    others = [zip(name, other, strict=False) for other in names if other != name]
    shared = max(
        (len(list(takewhile(lambda pair: pair[0] == pair[1], pairs))) for pairs in others),
        default=0,
    )
    at = name.rfind(" ", 0, shared) + 1 or shared
    is_short = len(name) <= MAX_BRIEF or at < MIN_SHARED or not name[at:].strip()
    if is_short or len(_split_number(name)) > 1:
        return short_name(name, classes)
    # Split between graphemes only.
    graphemes = GRAPHEME.findall(name)
    head = ""
    while len(head) + len(graphemes[0]) <= at:
        head += graphemes.pop(0)
    alike = "is-alike" if head.endswith(" ") else "is-alike in-word"
    return _in_parts((head, "".join(graphemes)), f"{alike} {classes}".strip())


@register.simple_tag
def column_heads(names: Collection[str], margins: float = MARGINS_REM) -> str:
    """Return the CSS classes of a table with a column for each name, see columns.css.

    The classes rotate the names in tables that are too narrow for the longest word of all names.
    ``margins`` is the sum of one column's left and right margins, in rem.

    >>> column_heads(["Ana", "Ben"]), column_heads(["Ana", "Maximiliane", "Ben", "Cem"])
    ('of-2', 'of-4 turned-36')
    """
    count = len(names)
    longest = max((_letters(word) for name in names for word in WORDS.findall(name)), default=0)
    needed = LABELS_REM + count * (longest * LETTER_REM + margins)
    turned = next((width for width in TURNED_TO_REM if width >= needed), TURNED_TO_REM[-1])
    is_ever = needed > MIN_TABLE_REM
    return f"of-{count} turned-{turned}" if is_ever else f"of-{count}"


def _letters(word: str) -> int:
    """Return the number of letters of a word; East Asian wide characters count as two."""
    graphemes = GRAPHEME.findall(word)
    return sum(2 if unicodedata.east_asian_width(one[0]) in "WF" else 1 for one in graphemes)


def _split_number(name: str) -> tuple[str, ...]:
    """Split a name into its text and the number that `distinct_names` has added to it.

    The result has one part if there is no number.
    """
    head, blank, number = name.rpartition(" ")
    is_number = number.isascii() and number.isdecimal() and len(number) <= 2
    return (head, blank + number) if is_number and head.strip() else (name,)


def _in_parts(parts: Iterable[str], classes: str) -> SafeString:
    spans = format_html_join("", "<span>{}</span>", ((part,) for part in parts))
    return format_html(
        '<bdi translate="no" class="{}">{}</bdi>', f"short-name {classes}".strip(), spans
    )
