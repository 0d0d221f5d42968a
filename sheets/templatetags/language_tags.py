"""The languages to choose from, in templates."""

from __future__ import annotations

from django import template

from sheets.texts import languages as texts

register = template.Library()


@register.simple_tag
def languages() -> dict[str, str]:
    """``{% languages as all %}``: each in its own words, whatever language the page is in."""
    return texts.languages()
