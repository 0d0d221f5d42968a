"""How is somebody's name typed, and written where there may be too little room for it?"""

from __future__ import annotations

from typing import Final

import regex
from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sheets.people.names import NAME_LENGTH, clean_name

register = template.Library()

NUMBERED: Final = regex.compile(r"(.*\S)( [0-9]{1,2})")
"""A name that is told apart from its equals by a number (`alike`)."""


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
    '<bdi class="short-name tab-name"><span>Anna</span><span> 2</span></bdi>'
    """
    found = NUMBERED.fullmatch(name)
    parts = found.groups() if found else (name,)
    spans = format_html_join("", "<span>{}</span>", ((part,) for part in parts))
    return format_html('<bdi class="{}">{}</bdi>', f"short-name {classes}".strip(), spans)
