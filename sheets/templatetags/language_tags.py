"""Template tag for the choice of a language."""

from __future__ import annotations

from django import template

from sheets.texts import languages as texts

register = template.Library()


@register.simple_tag
def languages() -> dict[str, str]:
    """Return the name of each language in that language: ``{% languages as all %}``."""
    return texts.languages()
