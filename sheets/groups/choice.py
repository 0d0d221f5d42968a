"""Which groups does a device have, and into which one goes a game that is opened or over?"""

from __future__ import annotations

from django.http import HttpRequest

from sheets.access.devices import all_of, note, token_of
from sheets.access.keys import Access, NotAllowed, UnknownKey, find_all
from sheets.groups import store
from sheets.groups.keeping import GroupFull, Source, keep
from sheets.models import Group


def groups_of(token: str) -> list[Access[Group]]:
    """The groups that a device has, what was used last first; each once, rather to be changed."""
    keys = [has.key for has in all_of(token, "groups")]
    found = find_all(Group.objects.all(), keys) if keys else []
    changed = {access.thing.pk for access in found if access.can_edit}
    return [access for access in found if access.can_edit or access.thing.pk not in changed]


def own_groups(token: str) -> list[Access[Group]]:
    """Those of them into which the device may put games."""
    return [access for access in groups_of(token) if access.can_edit]


def keep_as_wished(request: HttpRequest, source: Source) -> None:
    """Let a game that was just opened belong to the group that its form names, if any."""
    key = request.POST.get("group", "")
    if not key:
        return
    try:
        keep(store.find(key), source)
    except (UnknownKey, NotAllowed, GroupFull):
        return
    if token := token_of(request):
        note(token, "groups", key)
