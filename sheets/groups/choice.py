"""Groups of a device, and the choice of the group to which its games are added."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import F, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse

from sheets.access.devices import all_of, issued_token, note, token_of
from sheets.access.keys import Access, NotAllowed, UnknownKey, find_all
from sheets.groups import store
from sheets.groups.keeping import GroupFull, Source, keep, kept_in
from sheets.http.rate_limits import address_of
from sheets.models import Group, GroupGame, GroupPlayer, Scoring, Tally
from sheets.tables.seating import tables_of

NOBODY: Final = "nobody"
"""Kind and key that are stored for a device that chose no group."""

MOST_NAMES: Final = 50
"""Maximum number of names that are suggested."""

MOST_OPEN: Final = 200
"""Maximum number of a group's open games that are searched for on a device."""


def groups_of(token: str) -> list[Access[Group]]:
    """Return the groups of a device, the last used first, each with its ``last_evening``.

    If a device has both links of a group, the one that can edit is returned. ``last_evening`` is
    None without games.
    """
    keys = [has.key for has in all_of(token, "groups")]
    latest = GroupGame.objects.filter(group=OuterRef("pk")).order_by("-evening", "-number")
    groups: QuerySet[Group] = Group.objects.annotate(
        last_evening=Subquery(latest.values("evening")[:1])
    )
    found = find_all(groups, keys) if keys else []
    changed = {access.thing.pk for access in found if access.can_edit}
    return [access for access in found if access.can_edit or access.thing.pk not in changed]


def own_groups(token: str) -> list[Access[Group]]:
    """Return the groups of a device to which it may add games."""
    return [access for access in groups_of(token) if access.can_edit]


def suggested(token: str, groups: Collection[Access[Group]]) -> str:
    """Return the key of the group that a device chose last; empty if it chose none."""
    keys = {access.key for access in groups}
    has = all_of(token, "groups", NOBODY)
    used = next((one for one in has if one.kind == NOBODY or one.key in keys), None)
    return used.key if used and used.key in keys else ""


def known_names(groups: Collection[Group]) -> list[str]:
    """Return names to suggest for a game of some groups, those who played last first."""
    people = GroupPlayer.objects.filter(group__in=groups, merged_into=None, is_retired=False)
    latest = people.annotate(last=Max("results__played")).order_by(
        F("last").desc(nulls_last=True), "number"
    )
    return list(dict.fromkeys(latest.values_list("name", flat=True)[:MOST_NAMES]))


def choose(token: str, key: str, address: str) -> None:
    """Store the group for which a device plays, by its key; empty for none."""
    note(token, "groups" if key else NOBODY, key or NOBODY, address, at_once=True)


def ways_on(group: Group, token: str) -> dict[int, str]:
    """Return the URLs of a group's open games by number, as far as a device has their keys.

    The group itself does not store these URLs.
    """
    found: dict[int, str] = {}
    is_open = group.games.filter(is_open=True)
    rows = is_open.values_list("number", "scoring", "tally", "table")[:MOST_OPEN]
    if not rows:
        return found
    has = all_of(token, "score", "tally")
    keys = [one.key for one in has]
    scorings = find_all(Scoring.objects.defer("level"), keys)
    tallies = find_all(Tally.objects.all(), keys)
    addresses = {
        "score": {one.thing.pk: reverse("score-results", args=[one.key]) for one in scorings},
        "tally": {one.thing.pk: reverse("tally-results", args=[one.key]) for one in tallies},
        "table": {one.pk: reverse("table", args=[one.code]) for one in tables_of(token)},
    }
    for number, *sources in rows:
        for kind, source in zip(("score", "tally", "table"), sources, strict=True):
            if source in addresses[kind]:
                found[number] = addresses[kind][source]
    return found


def keep_as_wished(request: HttpRequest, source: Source) -> None:
    """Add a game that was just opened to the group that its form names, if any."""
    key, token = request.POST.get("group"), issued_token(request)
    if not key:
        if key is not None and token:
            choose(token, "", address_of(request))
        return
    try:
        keep(store.find(key), source)
    except (UnknownKey, NotAllowed, GroupFull):
        return
    if token:
        choose(token, key, address_of(request))


def keep_as_before(request: HttpRequest, before: Source, source: Source) -> None:
    """Add the next game of the same people to the groups of the game ``before``.

    Only to those groups to which the device that opens it may add games.
    """
    token = token_of(request)
    groups = {access.thing.pk: access for access in own_groups(token)}
    for game in kept_in(before, [access.thing for access in groups.values()]):
        access = groups[game.group_id]
        try:
            keep(access, source)
        except (UnknownKey, NotAllowed, GroupFull):
            continue
        choose(token, access.key, address_of(request))
