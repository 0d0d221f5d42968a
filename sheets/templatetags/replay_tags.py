"""Sheets in templates that only show how a game stood."""

from collections.abc import Collection, Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork.pointers import Pointer
from sheets.artwork.pointers import pointer_sign as draw_sign
from sheets.artwork.sheet_svg import draw_marked_sheet
from sheets.rules import Level
from sheets.rules.marks import Marks

register = template.Library()


@register.simple_tag
def shown_sheet(
    level: Level, marks: Marks, lit: Collection[str] = (), pointers: Iterable[Pointer] = ()
) -> SafeString:
    """A sheet with its marks, fields lit up or pointed at; `table_drawings` stands before it."""
    drawing = draw_marked_sheet(level, marks, lit, pointers=pointers)
    return mark_safe(drawing)  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def pointer_sign(kind: str) -> SafeString:
    """The sign with which sheets point at what was played, or at what would have been better."""
    return mark_safe(draw_sign(kind))  # noqa: S308  drawn by us
