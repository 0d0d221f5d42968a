"""Use cases of levels of one's own: load, apply an edit, save at once.

Only this file and `history` write them.

An edit is applied to the draft as it is now, whoever changed it last, so that two pages that are
open at the same time do not overwrite each other. Each step is kept: undo goes back to the
beginning.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from sheets.keys import digest
from sheets.models import WorkshopLevel
from sheets.rules import Level
from sheets.workshop.acts import AnyAct
from sheets.workshop.draft import finished_level, new_draft
from sheets.workshop.edits import EditRefused
from sheets.workshop.history import Turned, carry_out

KEPT_REQUESTS: Final = 300


class Unknown(LookupError):
    """No level has this key."""


class NotAllowed(Exception):
    """The key is for looking only."""


class Door(NamedTuple):
    """A level, the key it was opened with, and whether that key lets one write."""

    level: WorkshopLevel
    key: str
    can_edit: bool

    @property
    def share_key(self) -> str:
        """The key for looking only; empty while there is none."""
        if not self.can_edit:
            return self.key
        return share_key(self.key, self.level.share_number)


def share_key(key: str, number: int) -> str:
    """The key for looking only that belongs to a key; it does not lead back. 0: there is none."""
    if not number:
        return ""
    found = sha256(f"show {number} {key}".encode()).digest()
    return urlsafe_b64encode(found[:24]).decode()


def create(
    document: Mapping[str, Any], *, is_bought: bool = False, sheet_has: Iterable[str] = ()
) -> str:
    """Begin a level of one's own with a document (a draft or a finished level); gives its key."""
    key = secrets.token_urlsafe(24)
    WorkshopLevel.objects.create(
        edit_digest=digest(key),
        share_digest=digest(share_key(key, 1)),
        share_number=1,
        document=dict(document),
        is_bought=is_bought,
        sheet_has=sorted(sheet_has),
    )
    return key


def create_blank(
    name: Mapping[str, str],
    columns: int,
    rows: int,
    *,
    is_bought: bool = False,
    sheet_has: Iterable[str] = (),
) -> str:
    """Begin a level of so many open fields; gives its key.

    Args:
        sheet_has: what the sheet that is entered has, of `sheets.workshop.guide.FEATURES`.
    """
    document = new_draft(name, new_id(), columns, rows)
    if "tracks" in sheet_has:
        document["marks"] = "tracks"
    return create(document, is_bought=is_bought, sheet_has=sheet_has)


def new_id() -> str:
    """An id for a level of one's own that no other has."""
    return f"own-{secrets.token_hex(4)}"


def open_door(key: str) -> Door:
    """The level of a key. Raises Unknown."""
    found = digest(key)
    for level in WorkshopLevel.objects.filter(edit_digest=found):
        return Door(level, key, True)
    for level in WorkshopLevel.objects.filter(share_digest=found):
        return Door(level, key, False)
    raise Unknown


def level_of(door: Door) -> Level:
    """The level as it is now, to be played or printed. Raises DocumentError while it lacks much."""
    return finished_level(door.level.document)


def bought(door: Door) -> WorkshopLevel | None:
    """The level where it is a sheet that somebody bought, for what is begun with it."""
    return door.level if door.level.is_bought else None


def note_visit(door: Door, now: datetime | None = None) -> None:
    """Remember, once a day at most, that somebody still looks at a level."""
    now = now or timezone.now()
    if now - door.level.touched > timedelta(days=1):
        WorkshopLevel.objects.filter(pk=door.level.pk).update(touched=now)


def note_step(door: Door, step: str) -> None:
    """Remember at which step of the guided way somebody is."""
    if door.level.guide_step != step:
        WorkshopLevel.objects.filter(pk=door.level.pk).update(guide_step=step)


class Outcome(NamedTuple):
    """What has come of the acts of a device.

    ``refusals`` are of those that changed nothing; ``turned`` are the steps that were taken back
    or made once more.
    """

    level: WorkshopLevel
    refusals: list[EditRefused]
    turned: list[Turned]


@transaction.atomic
def act(door: Door, acts: Iterable[AnyAct]) -> Outcome:
    """Carry out what a device did, in its order.

    A refused act changes nothing, and the others still count. An act whose id was seen before does
    not count again.

    Raises:
        NotAllowed, Unknown: nothing has changed.
    """
    level = _locked(door)
    before = (level.revision, level.position)
    requests: list[str] = list(level.requests)
    refusals: list[EditRefused] = []
    turned: list[Turned] = []
    for one in acts:
        if one.id and one.id in requests:
            continue
        try:
            turned += filter(None, [carry_out(level, one)])
        except EditRefused as refused:
            refusals.append(refused)
        if one.id:
            requests.append(one.id)
    if (level.revision, level.position) != before:
        level.touched = timezone.now()
    level.requests = requests[-KEPT_REQUESTS:]
    level.save()
    return Outcome(level, refusals, turned)


@transaction.atomic
def set_shared(door: Door, is_shared: bool) -> Door:
    """Make a new link for looking only, or withdraw the one there is. Raises NotAllowed."""
    level = _locked(door)
    if is_shared:
        # A number that was never used: a withdrawn link stays withdrawn.
        level.share_number = secrets.randbelow(2**31 - 1) + 1
        level.share_digest = digest(share_key(door.key, level.share_number))
    else:
        level.share_number, level.share_digest = 0, None
    level.save(update_fields=["share_number", "share_digest"])
    return Door(level, door.key, True)


@transaction.atomic
def renew_key(door: Door) -> str:
    """Withdraw the link that edits: from now on only the new key does. Raises NotAllowed."""
    level = _locked(door)
    key = secrets.token_urlsafe(24)
    level.edit_digest = digest(key)
    if level.share_number:
        level.share_digest = digest(share_key(key, level.share_number))
    level.save(update_fields=["edit_digest", "share_digest"])
    return key


@transaction.atomic
def delete(door: Door) -> None:
    """Delete a level with all its steps. Raises NotAllowed."""
    _locked(door).delete()


def prune(before: datetime) -> int:
    """Delete the levels that nobody has touched since; gives their number."""
    found = WorkshopLevel.objects.filter(touched__lt=before)
    return found.delete()[1].get("sheets.WorkshopLevel", 0)


def _locked(door: Door) -> WorkshopLevel:
    """The level as it is now; the transaction keeps all others from changing it."""
    if not door.can_edit:
        raise NotAllowed
    level = WorkshopLevel.objects.select_for_update().filter(pk=door.level.pk).first()
    # A key may have been withdrawn since.
    if not level or level.edit_digest != digest(door.key):
        raise Unknown
    return level
