"""Use cases of levels of one's own: load, apply an edit, save at once. Only this file writes them.

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
from sheets.models import WorkshopLevel, WorkshopStep
from sheets.rules import Level
from sheets.workshop_acts import AnyAct, Redo, Undo
from sheets.workshop_draft import finished_level, new_draft
from sheets.workshop_edits import EditRefused, apply_edit

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


def create(document: Mapping[str, Any], *, is_bought: bool = False) -> str:
    """Begin a level of one's own with a document (a draft or a finished level); gives its key."""
    key = secrets.token_urlsafe(24)
    WorkshopLevel.objects.create(
        edit_digest=digest(key),
        share_digest=digest(share_key(key, 1)),
        share_number=1,
        document=dict(document),
        is_bought=is_bought,
    )
    return key


def create_blank(
    name: Mapping[str, str], columns: int, rows: int, *, is_bought: bool = False
) -> str:
    """Begin a level of so many open fields; gives its key."""
    return create(new_draft(name, new_id(), columns, rows), is_bought=is_bought)


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


def note_visit(door: Door, now: datetime | None = None) -> None:
    """Remember, once a day at most, that somebody still looks at a level."""
    now = now or timezone.now()
    if now - door.level.touched > timedelta(days=1):
        WorkshopLevel.objects.filter(pk=door.level.pk).update(touched=now)


def note_step(door: Door, step: str) -> None:
    """Remember at which step of the guided way somebody is."""
    if door.level.guide_step != step:
        WorkshopLevel.objects.filter(pk=door.level.pk).update(guide_step=step)


@transaction.atomic
def act(door: Door, acts: Iterable[AnyAct]) -> tuple[WorkshopLevel, list[EditRefused]]:
    """Carry out what a device did, in its order.

    Returns the level as it is now and the refusals: a refused act changes nothing, and the others
    still count. An act whose id was seen before does not count again.

    Raises:
        NotAllowed, Unknown: nothing has changed.
    """
    level = _locked(door)
    before = (level.revision, level.position)
    requests: list[str] = list(level.requests)
    refusals: list[EditRefused] = []
    for one in acts:
        if one.id and one.id in requests:
            continue
        try:
            _carry_out(level, one)
        except EditRefused as refused:
            refusals.append(refused)
        if one.id:
            requests.append(one.id)
    if (level.revision, level.position) != before:
        level.touched = timezone.now()
    level.requests = requests[-KEPT_REQUESTS:]
    level.save()
    return level, refusals


def _carry_out(level: WorkshopLevel, act: AnyAct) -> None:
    match act:
        case Undo() | Redo():
            is_undo = isinstance(act, Undo)
            number = level.position + (0 if is_undo else 1)
            step = level.steps.filter(number=number).first()
            if not step:
                raise EditRefused("nothing")
            level.document = patched(level.document, step.before if is_undo else step.after)
            level.position += -1 if is_undo else 1
        case _:
            changed = apply_edit(level.document, act)
            if changed == level.document:
                return
            level.steps.filter(number__gt=level.position).delete()
            level.position += 1
            WorkshopStep.objects.create(
                level=level,
                number=level.position,
                before=difference(changed, level.document),
                after=difference(level.document, changed),
            )
            level.document = changed
    level.revision += 1


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What makes one document out of another: changed parts whole (None: gone), of a grid of as
    many rows the changed rows alone, by their index.

    >>> difference({"grid": ["1 2", "3 4"], "id": "a"}, {"grid": ["1 2", "3 5"]})
    {'grid': {'1': '3 5'}, 'id': None}
    """
    parts: dict[str, Any] = {}
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if key == "grid" and len(before or ()) == len(after or ()):
            rows = enumerate(zip(before or (), after or (), strict=True))
            parts[key] = {str(i): there for i, (here, there) in rows if here != there}
        else:
            parts[key] = after
    return parts


def patched(document: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """A document with a `difference` put in.

    >>> patched({"grid": ["1 2", "3 4"], "id": "a"}, {"grid": {"1": "3 5"}, "id": None})
    {'grid': ['1 2', '3 5']}
    """
    result = dict(document)
    for key, value in parts.items():
        if value is None:
            result.pop(key, None)
        elif key == "grid" and isinstance(value, dict):
            result[key] = [value.get(str(i), row) for i, row in enumerate(result[key])]
        else:
            result[key] = value
    return result


def can_redo(level: WorkshopLevel) -> bool:
    """Whether a step was taken back."""
    return level.steps.filter(number=level.position + 1).exists()


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
