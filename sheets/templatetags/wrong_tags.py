"""A wrong field says so itself, and the page that comes back begins with it.

A view gives the template ``wrong``: sentences by the names of fields, `NO_FIELD` for what is wrong
with none of them. Each field has two tags: ``wrong`` (on a fieldset of choices: ``wrong_group``)
among its attributes, ``why_wrong`` below it. The first that is wrong has the focus, without a
script, too; `base.html` says in the title that something is wrong.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sheets.texts.wrong import NO_FIELD

register = template.Library()


@register.simple_tag(takes_context=True)
def wrong(context: dict[str, Any], name: str, number: int | str | None = None) -> SafeString:
    """The attributes of a field, or of one of several; none if nothing is wrong with it."""
    name = _numbered(name, number)
    if name not in _wrong(context):
        return SafeString("")
    return format_html(
        ' aria-invalid="true" aria-describedby="why-{}"{}', name, _focus(context, name)
    )


@register.simple_tag(takes_context=True)
def wrong_group(context: dict[str, Any], name: str) -> SafeString:
    """The attributes of a fieldset of radio buttons, none if one of them was chosen."""
    attributes = wrong(context, name)
    return attributes and format_html(' role="radiogroup" tabindex="-1"{}', attributes)


@register.simple_tag(takes_context=True)
def why_wrong(
    context: dict[str, Any], name: str = NO_FIELD, number: int | str | None = None
) -> SafeString:
    """The sentence on a field, to stand below it; without a name the one on none of them."""
    name = _numbered(name, number)
    sentence = _wrong(context).get(name)
    if sentence is None:
        return SafeString("")
    if name == NO_FIELD:
        return format_html(
            '<p class="alert bad" tabindex="-1"{}{}>{}</p>',
            _focus(context, name),
            _role(context),
            sentence,
        )
    return format_html('<p class="fault" id="why-{}"{}>{}</p>', name, _role(context), sentence)


@register.simple_tag(takes_context=True)
def why_wrong_in_part(context: dict[str, Any]) -> SafeString:
    """The sentences of a part of a page that has no fields: of a whole page, what no field has.

    Where a script has asked for the part, it takes each to its field.
    """
    names = _wrong(context) if _is_part(context) else [NO_FIELD]
    return format_html_join("", "{}", ((why_wrong(context, name),) for name in names))


def _wrong(context: dict[str, Any]) -> dict[str, str]:
    return context.get("wrong") or {}


def _numbered(name: str, number: int | str | None) -> str:
    return name if number is None else f"{name}-{number}"


def _focus(context: dict[str, Any], name: str) -> SafeString:
    is_first = next(iter(_wrong(context))) == name
    return SafeString(" autofocus" if is_first and not _is_part(context) else "")


def _role(context: dict[str, Any]) -> SafeString:
    """What comes into a page that is open is heard, and leaves the focus where somebody is."""
    return SafeString(' role="alert"' if _is_part(context) else "")


def _is_part(context: dict[str, Any]) -> bool:
    return bool(getattr(context.get("request"), "htmx", False))
