"""What the workshop's pages draw."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork import svg
from sheets.artwork.drawings import drawings
from sheets.rules.marks import MARKS, PRINTED
from sheets.workshop import store

register = template.Library()


@register.simple_tag
def kept_days() -> int:
    """So long a level is kept after somebody has opened it last."""
    return store.KEPT_DAYS


@register.simple_tag
def all_drawings() -> SafeString:
    """Every symbol and printed mark, once, before all that refers to them."""
    by_players = svg.mark_ids(mark for mark in MARKS if mark not in PRINTED)
    symbols = {id for id in drawings() if not id.startswith(("sign-", "open-lock"))}
    return mark_safe(svg.sprite(symbols - by_players))  # noqa: S308  made of our own drawings only
