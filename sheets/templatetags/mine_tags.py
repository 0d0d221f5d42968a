"""Template tags for the requesting device's levels, pads and groups."""

from __future__ import annotations

from typing import Any, Final

from django import template

from sheets.access.devices import token_of
from sheets.groups.choice import known_names, own_groups, suggested
from sheets.groups.entering import having_by_hand
from sheets.groups.keeping import Source, kept_in, look_again_at
from sheets.groups.records import records_of
from sheets.mine.own_levels import Shown
from sheets.mine.own_levels import own_levels as levels_of
from sheets.mine.own_levels import own_pads as pads_of

register = template.Library()

MAX_OFFERED: Final = 3
"""Maximum number of groups with a button that adds a result; others are on a separate page."""


@register.simple_tag(takes_context=True)
def own_levels(context: dict[str, Any], purpose: str, but: str = "") -> list[Shown]:
    """Return the device's levels with links for a purpose, without the level of the key ``but``."""
    shown_levels = levels_of(token_of(context["request"]), purpose)
    return [shown for shown in shown_levels if shown.key != but]


@register.simple_tag(takes_context=True)
def own_pads(context: dict[str, Any]) -> list[Shown]:
    """Return the pads whose filled sheets the device can photograph."""
    return pads_of(token_of(context["request"]))


@register.inclusion_tag("groups/_choice.html", takes_context=True)
def group_choice(context: dict[str, Any]) -> dict[str, Any]:
    """Return the choice of the group that gets a new game; the last used one is suggested."""
    request = context["request"]
    groups = own_groups(token_of(request))
    last = suggested(token_of(request), groups)
    return {"groups": groups, "chosen": request.POST.get("group", last)}


@register.simple_tag(takes_context=True)
def group_names(context: dict[str, Any], source: Source | None = None) -> list[str]:
    """Return the player names of the groups that have a game, or of the group chosen for it."""
    token = token_of(context["request"])
    groups = own_groups(token)
    if source:
        kept = {game.group_id for game in kept_in(source, [access.thing for access in groups])}
        return known_names([access.thing for access in groups if access.thing.pk in kept])
    chosen = context["request"].POST.get("group", suggested(token, groups))
    return known_names([access.thing for access in groups if access.key == chosen])


@register.inclusion_tag("groups/_keep.html", takes_context=True)
def keep_for(context: dict[str, Any], kind: str, name: str, source: Source) -> dict[str, Any]:
    """Return the groups to which a result can be added with one tap, and those that have it."""
    groups = own_groups(token_of(context["request"]))
    things = [access.thing for access in groups]
    games = look_again_at(source, things)
    kept = {game.group_id for game in games} | having_by_hand(source, things)
    return {
        "records": list(dict.fromkeys(one for game in games for one in records_of(game))),
        "kind": kind,
        "name": name,
        "having": [access for access in groups if access.thing.pk in kept],
        "others": [access for access in groups if access.thing.pk not in kept][:MAX_OFFERED],
        "csrf_token": context.get("csrf_token"),
    }
