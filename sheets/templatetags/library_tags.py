"""Template tags for the requesting device's levels, pads and groups."""

from __future__ import annotations

from typing import Any, Final

from django import template

from sheets.access.devices import token_of
from sheets.groups.game_store import Source, games_from, update_games_from
from sheets.groups.group_choice import known_names, own_groups, suggested_group
from sheets.groups.paper_games_import import groups_with_typed_game
from sheets.groups.records import records_of
from sheets.library.own_levels import ListedLevel
from sheets.library.own_levels import own_levels as levels_of
from sheets.library.own_levels import own_pads as pads_of

register = template.Library()

MAX_OFFERED: Final = 3
"""Maximum number of groups that a result page offers as buttons; a separate page has the others."""


@register.simple_tag(takes_context=True)
def own_levels(context: dict[str, Any], purpose: str, but: str = "") -> list[ListedLevel]:
    """Return the device's levels; each has a link to its page for a ``purpose``, such as scoring.

    The level with the key ``but`` is left out.
    """
    shown_levels = levels_of(token_of(context["request"]), purpose)
    return [shown for shown in shown_levels if shown.key != but]


@register.simple_tag(takes_context=True)
def own_pads(context: dict[str, Any]) -> list[ListedLevel]:
    """Return the pads whose filled sheets the device can photograph."""
    return pads_of(token_of(context["request"]))


@register.inclusion_tag("groups/_choice.html", takes_context=True)
def group_choice(context: dict[str, Any]) -> dict[str, Any]:
    """Return the context for choosing a new game's group; the group used last is preselected."""
    request = context["request"]
    groups = own_groups(token_of(request))
    last = suggested_group(token_of(request), groups)
    return {"groups": groups, "chosen": request.POST.get("group", last)}


@register.simple_tag(takes_context=True)
def group_names(context: dict[str, Any], source: Source | None = None) -> list[str]:
    """Return player names to suggest for a game.

    If the game is stored (``source``), they are the names of the device's groups that contain it.
    Without ``source``, they are the names of the group that the form chooses or preselects.
    """
    token = token_of(context["request"])
    groups = own_groups(token)
    if source:
        kept = {
            game.group_id for game in games_from(source, [access.resource for access in groups])
        }
        return known_names([access.resource for access in groups if access.resource.pk in kept])
    chosen = context["request"].POST.get("group", suggested_group(token, groups))
    return known_names([access.resource for access in groups if access.key == chosen])


@register.inclusion_tag("groups/_save_result.html", takes_context=True)
def keep_for(context: dict[str, Any], kind: str, name: str, source: Source) -> dict[str, Any]:
    """Return the context of the buttons that add a result to groups.

    It also has the groups that contain the result, and the personal records that the result set.
    ``kind`` and ``name`` identify the result in the address of the buttons.
    """
    groups = own_groups(token_of(context["request"]))
    resources = [access.resource for access in groups]
    games = update_games_from(source, resources)
    kept = {game.group_id for game in games} | groups_with_typed_game(source, resources)
    return {
        "records": list(dict.fromkeys(one for game in games for one in records_of(game))),
        "kind": kind,
        "name": name,
        "having": [access for access in groups if access.resource.pk in kept],
        "others": [access for access in groups if access.resource.pk not in kept][:MAX_OFFERED],
        "csrf_token": context.get("csrf_token"),
    }
