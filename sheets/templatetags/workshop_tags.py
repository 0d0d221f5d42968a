"""What the workshop's pages draw."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork import svg
from sheets.artwork.drawings import drawings

register = template.Library()

_MARKS = (
    "die-",
    "cross-0",
    "cross-1",
    "cross-2",
    "cross-3",
    "cross-r",
    "scribble-",
    "lava",
    "sign-",
)


@register.simple_tag
def all_drawings() -> SafeString:
    """Every symbol and printed mark, once, before all that refers to them."""
    ids = [
        id
        for id in drawings()
        if not id.startswith((*_MARKS, "open-lock"))
        and (not id.startswith("track-") or id.endswith("-print"))
    ]
    return mark_safe(svg.sprite(ids))  # noqa: S308  made of our own drawings only
