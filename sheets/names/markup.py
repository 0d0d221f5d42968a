"""HTML of names, which page translators of browsers leave unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import regex
from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString

MARKUP: Final = r"<(?P<tag>bdi|svg)\b.*?</(?P=tag)>|<[^>]*>|&#?\w+;"
"""Pattern of HTML in which nothing is marked: marked names, drawings, tags and entities."""

NO_NAME: Final = "(?!)"
"""Pattern that matches nothing, for a sentence without names."""


def untranslated(text: object) -> SafeString:
    """Return HTML of a name or a code, to be inserted into a sentence.

    >>> untranslated("<Ana>")
    '<bdi translate="no">&lt;Ana&gt;</bdi>'
    """
    return format_html('<bdi translate="no">{}</bdi>', text)


def mark_names(sentence: str, names: Iterable[str]) -> SafeString:
    """Return HTML of a sentence in which all whole occurrences of the names are `untranslated`.

    ``names`` can also be a single name. If a word of the sentence is also a name, it stays
    untranslated, too.

    >>> mark_names("Ana beats Anabel.", ["Ana", "Anabel"])
    '<bdi translate="no">Ana</bdi> beats <bdi translate="no">Anabel</bdi>.'
    """
    pattern = _pattern(frozenset([names] if isinstance(names, str) else names))
    html = pattern.sub(
        lambda found: f'<bdi translate="no">{found["name"]}</bdi>' if found["name"] else found[0],
        conditional_escape(sentence),
    )
    return SafeString(html)


@lru_cache(maxsize=256)
def _pattern(names: frozenset[str]) -> regex.Pattern[str]:
    """Return the pattern of the names as escaped HTML, longer ones first, and of `MARKUP`."""
    by_length = sorted(filter(None, names), key=len, reverse=True)
    whole = "|".join(map(_whole, by_length)) or NO_NAME
    return regex.compile(f"(?P<name>{whole})|{MARKUP}", regex.DOTALL)


def _whole(name: str) -> str:
    """Return the pattern of a name that is not a part of a longer word."""
    before = r"(?<!\w)" if regex.match(r"\w", name) else ""
    after = r"(?!\w)" if regex.search(r"\w\Z", name) else ""
    return f"{before}{regex.escape(escape(name))}{after}"
