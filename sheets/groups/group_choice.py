"""Groups of a device, and the choice of the group to which its games are added."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import F, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse

from sheets.access.devices import issued_token, note, opened_by, token_of
from sheets.access.keys import Access, NotAllowed, UnknownKey, find_all, find_distinct
from sheets.groups import store
from sheets.groups.game_store import GroupFull, Source, add_game, games_from
from sheets.http.rate_limits import address_of
from sheets.models import Group, GroupGame, GroupPlayer, Scoring, Tally
from sheets.tables.seating import tables_of

NO_GROUP: Final = "nobody"
"""Kind and key that are stored for a device that chose no group."""

MAX_NAMES: Final = 50
"""Maximum number of names that are suggested."""

MAX_OPEN: Final = 200
"""Maximum number of open games of a group for which a device's keys are searched."""


def groups_of(token: str) -> list[Access[Group]]:
    """Return the groups of a device, the last used first, each with its ``last_evening``.

    If a device has both links of a group, the one that can edit is returned. ``last_evening`` is
    None without games.
    """
    keys = [has.key for has in opened_by(token, "groups")]
    latest = GroupGame.objects.filter(group=OuterRef("pk")).order_by("-evening", "-number")
    groups: QuerySet[Group] = Group.objects.annotate(
        last_evening=Subquery(latest.values("evening")[:1])
    )
    return find_distinct(groups, keys)


def own_groups(token: str) -> list[Access[Group]]:
    """Return the groups of a device to which it may add games."""
    return [access for access in groups_of(token) if access.can_edit]


def suggested_group(token: str, groups: Collection[Access[Group]]) -> str:
    """Return the key of the group that a device chose last; empty if it chose “no group”."""
    keys = {access.key for access in groups}
    has = opened_by(token, "groups", NO_GROUP)
    used = next((one for one in has if one.kind == NO_GROUP or one.key in keys), None)
    return used.key if used and used.key in keys else ""


def known_names(groups: Collection[Group]) -> list[str]:
    """Return names to suggest for a game of some groups; the latest players come first."""
    people = GroupPlayer.objects.filter(group__in=groups, merged_into=None, is_retired=False)
    latest = people.annotate(last=Max("results__played")).order_by(
        F("last").desc(nulls_last=True), "number"
    )
    return list(dict.fromkeys(latest.values_list("name", flat=True)[:MAX_NAMES]))


def choose(token: str, key: str, address: str) -> None:
    """Store the key of the group that a device has chosen for its games; empty for no group."""
    note(token, "groups" if key else NO_GROUP, key or NO_GROUP, address, at_once=True)


def urls_of_open_games(group: Group, token: str) -> dict[int, str]:
    """Return the URLs of a group's open games by number, as far as a device has their keys.

    The group itself does not store these URLs.
    """
    found: dict[int, str] = {}
    is_open = group.games.filter(is_open=True)
    rows = is_open.values_list("number", "scoring", "tally", "table")[:MAX_OPEN]
    if not rows:
        return found
    has = opened_by(token, "score", "tally")
    keys = [one.key for one in has]
    scorings = find_all(Scoring.objects.defer("level"), keys)
    tallies = find_all(Tally.objects.all(), keys)
    addresses = {
        "score": {one.resource.pk: reverse("score-results", args=[one.key]) for one in scorings},
        "tally": {one.resource.pk: reverse("tally-results", args=[one.key]) for one in tallies},
        "table": {one.pk: reverse("table", args=[one.code]) for one in tables_of(token)},
    }
    for number, *sources in rows:
        for kind, source in zip(("score", "tally", "table"), sources, strict=True):
            if source in addresses[kind]:
                found[number] = addresses[kind][source]
    return found


def add_to_chosen_group(request: HttpRequest, source: Source) -> None:
    """Add a new game to the group that the submitted form names, if any, and store this choice.

    Nothing is added if the group is unknown, read-only or full.
    """
    key, token = request.POST.get("group"), issued_token(request)
    if not key:
        if key is not None and token:
            choose(token, "", address_of(request))
        return
    try:
        add_game(store.find(key), source)
    except (UnknownKey, NotAllowed, GroupFull):
        return
    if token:
        choose(token, key, address_of(request))


def add_to_same_groups(request: HttpRequest, before: Source, source: Source) -> None:
    """Add the next game of the same people to all groups that have the game ``before``.

    Groups are left out to which the device of the request may not add games.
    """
    token = token_of(request)
    groups = {access.resource.pk: access for access in own_groups(token)}
    for game in games_from(before, [access.resource for access in groups.values()]):
        access = groups[game.group_id]
        try:
            add_game(access, source)
        except (UnknownKey, NotAllowed, GroupFull):
            continue
        choose(token, access.key, address_of(request))
