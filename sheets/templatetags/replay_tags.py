"""Template tags for sheets that show a past moment of a game."""

from collections.abc import Collection, Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.analysis.presentation import PointedField
from sheets.art.pointers import pointer_sign as draw_sign
from sheets.art.sheet_svg import draw_marked_sheet
from sheets.rules import Level
from sheets.rules.marks import Marks

register = template.Library()


@register.simple_tag
def shown_sheet(
    level: Level, marks: Marks, lit: Collection[str] = (), pointers: Iterable[PointedField] = ()
) -> SafeString:
    """Return an SVG of a sheet with its marks.

    ``lit`` fields are highlighted. ``pointers`` mark the fields that were played, or that would
    have been better. The page must contain `table_drawings` before the sheet.
    """
    pointed = [field.pointer for field in pointers]
    drawing = draw_marked_sheet(level, marks, lit, pointers=pointed)
    return mark_safe(drawing)  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def pointer_sign(kind: str) -> SafeString:
    """Return the sign of a pointer for a legend; ``kind`` is ``played`` or ``better``."""
    return mark_safe(draw_sign(kind))  # noqa: S308  drawn by us
