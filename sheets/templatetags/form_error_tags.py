"""Template tags for the error messages of forms.

A view passes ``wrong`` to the template: a mapping from names of invalid fields to sentences, with
the key `NO_FIELD` for an error of the whole form. The template uses two tags for each field:
`wrong` among its attributes (`wrong_group` for a fieldset of radio buttons), and `why_wrong` below
it. The first invalid field gets the focus, also without a script. ``base.html`` states in the title
that the form has errors.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from sheets.text.form_errors import NO_FIELD

register = template.Library()


@register.simple_tag(takes_context=True)
def wrong(context: dict[str, Any], name: str, number: int | str | None = None) -> SafeString:
    """Return the HTML attributes that mark a field as invalid; empty for a valid field.

    ``number`` selects one of several fields that are called ``NAME-NUMBER``.
    """
    name = _numbered(name, number)
    if name not in _wrong(context):
        return SafeString("")
    return format_html(
        ' aria-invalid="true" aria-describedby="why-{}"{}', name, _focus(context, name)
    )


@register.simple_tag(takes_context=True)
def wrong_group(context: dict[str, Any], name: str) -> SafeString:
    """Return the HTML attributes that mark a fieldset of radio buttons as invalid; else empty."""
    attributes = wrong(context, name)
    return attributes and format_html(' role="radiogroup" tabindex="-1"{}', attributes)


@register.simple_tag(takes_context=True)
def why_wrong(
    context: dict[str, Any], name: str = NO_FIELD, number: int | str | None = None
) -> SafeString:
    """Return the error message of a field as HTML; empty for a valid field.

    Without a name, it is the message about the whole form. ``number`` is as in `wrong`.
    """
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
def open_if_wrong(context: dict[str, Any], outside: str) -> SafeString:
    """Return the attribute that unfolds a ``<details>`` with an invalid field; else empty.

    ``outside`` has the names of the form's fields that are not in it.
    """
    inside = set(_wrong(context)) - {NO_FIELD, *outside.split()}
    return SafeString(" open" if inside else "")


def _wrong(context: dict[str, Any]) -> dict[str, str]:
    return context.get("wrong") or {}


def _numbered(name: str, number: int | str | None) -> str:
    return name if number is None else f"{name}-{number}"


def _focus(context: dict[str, Any], name: str) -> SafeString:
    is_first = next(iter(_wrong(context))) == name
    return SafeString(" autofocus" if is_first and not _is_part(context) else "")


def _role(context: dict[str, Any]) -> SafeString:
    """Return the ``role`` attribute of an error message.

    In a fragment, it makes screen readers read the message out, because the focus does not move.
    """
    return SafeString(' role="alert"' if _is_part(context) else "")


def _is_part(context: dict[str, Any]) -> bool:
    return bool(getattr(context.get("request"), "htmx", False))
