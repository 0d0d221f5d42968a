"""Template tag for the choice of a language."""

from __future__ import annotations

from django import template

from sheets.text import languages as texts

register = template.Library()


@register.simple_tag
def languages() -> dict[str, str]:
    """Return each language's name in that language, by its code: ``{% languages as all %}``."""
    return texts.languages()
