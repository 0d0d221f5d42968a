"""Template tags for sheets that show a past moment of a game."""

from collections.abc import Collection, Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.analysis.words import PointedField
from sheets.artwork.pointers import pointer_sign as draw_sign
from sheets.artwork.sheet_svg import draw_marked_sheet
from sheets.rules import Level
from sheets.rules.marks import Marks

register = template.Library()


@register.simple_tag
def shown_sheet(
    level: Level, marks: Marks, lit: Collection[str] = (), pointers: Iterable[PointedField] = ()
) -> SafeString:
    """Draw a sheet with its marks, and some fields lit or pointed at.

    The page has `table_drawings` before it.
    """
    pointed = [field.pointer for field in pointers]
    drawing = draw_marked_sheet(level, marks, lit, pointers=pointed)
    return mark_safe(drawing)  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def pointer_sign(kind: str) -> SafeString:
    """Draw the sign next to a field that was played, or that would have been better."""
    return mark_safe(draw_sign(kind))  # noqa: S308  drawn by us
