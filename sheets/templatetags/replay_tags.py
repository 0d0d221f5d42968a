"""Sheets in templates that only show how a game stood."""

from collections.abc import Collection

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork.sheet_svg import draw_marked_sheet
from sheets.rules import Level
from sheets.rules.marks import Marks

register = template.Library()


@register.simple_tag
def shown_sheet(level: Level, marks: Marks, lit: Collection[str] = ()) -> SafeString:
    """A sheet with its marks, some fields lit up; `table_drawings` stands before it."""
    drawing = draw_marked_sheet(level, marks, lit)
    return mark_safe(drawing)  # noqa: S308  made of our own drawings and numbers only
