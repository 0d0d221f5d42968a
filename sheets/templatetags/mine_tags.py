"""What of its own does a page show to the device that has asked for it?"""

from __future__ import annotations

from typing import Any

from django import template

from sheets.access.devices import token_of
from sheets.mine.own_levels import Shown
from sheets.mine.own_levels import own_levels as levels_of

register = template.Library()


@register.simple_tag(takes_context=True)
def own_levels(context: dict[str, Any], door: str, but: str = "") -> list[Shown]:
    """The levels that the device has, to do something with; without the one of the key ``but``."""
    return [shown for shown in levels_of(token_of(context["request"]), door) if shown.key != but]
