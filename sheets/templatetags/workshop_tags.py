"""Template tags of the workshop."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.art import svg
from sheets.art.drawings import drawings
from sheets.rules.marks import MARKS, PRINTED
from sheets.workshop import store

register = template.Library()


@register.simple_tag
def kept_days() -> int:
    """Return the retention of a level after its last visit, in days."""
    return store.RETENTION_DAYS


@register.simple_tag
def all_drawings() -> SafeString:
    """Return the SVG sprite of all symbols and printed marks; use it once, before any drawing."""
    by_players = svg.mark_ids(mark for mark in MARKS if mark not in PRINTED)
    symbols = {id for id in drawings() if not id.startswith(("sign-", "open-lock"))}
    return mark_safe(svg.sprite(symbols - by_players))  # noqa: S308  made of our own drawings only
