"""Use cases of workshop levels: create, find, change, delete.

Only this file, `history` and `empty_sheets` write them.

Each edit is applied to the stored draft, so that two open pages do not overwrite each other's
edits. The latest changes are stored for undo, see `sheets.workshop.history`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from sheets.access.keys import (
    Access,
    digest,
    find_all,
    find_by_key,
    lock,
    new_key,
    share_key,
)
from sheets.models import WorkshopLevel
from sheets.rules import Level
from sheets.workshop.acts import AnyAct
from sheets.workshop.draft import finished_level, new_draft
from sheets.workshop.edits import EditRefused
from sheets.workshop.history import Turned, carry_out, forget_old_changes

KEPT_REQUESTS: Final = 300
"""Maximum number of stored idempotency keys per level."""

KEPT_DAYS: Final = 365
"""Retention of a level after its last visit, in days, where the site is run as
``docs/reference.md`` says (`prune`)."""

MAX_EDITED_BYTES: Final = 4 * 1024 * 1024
"""Maximum of the acts of one transaction times the size of the draft as JSON, in bytes: about a
second of work. A large level has 10 kB, the largest draft that can be stored 400 kB."""


def create(
    document: Mapping[str, Any],
    *,
    is_bought: bool = False,
    sheet_has: Iterable[str] = (),
    key: str = "",
) -> str:
    """Create a level from a document (a draft or a finished level). Return its key.

    Args:
        key: an unused key, in place of a new one.
    """
    key = key or new_key()
    level = WorkshopLevel(
        key_digest=digest(key),
        share_number=1,
        document=dict(document),
        is_bought=is_bought,
        sheet_has=sorted(sheet_has),
    )
    level.share_digest = digest(share_key(key, level.share_salt))
    level.save()
    return key


def create_blank(
    name: Mapping[str, str],
    columns: int,
    rows: int,
    *,
    is_bought: bool = False,
    sheet_has: Iterable[str] = (),
) -> str:
    """Create a level of open fields. Return its key.

    Args:
        sheet_has: features of the bought sheet, of `sheets.workshop.guide.FEATURES`.
    """
    document = new_draft(name, new_id(), columns, rows)
    if "tracks" in sheet_has:
        document["marks"] = "tracks"
    return create(document, is_bought=is_bought, sheet_has=sheet_has)


def new_id() -> str:
    """Return a new id for a level."""
    return f"own-{secrets.token_hex(4)}"


def find(key: str) -> Access[WorkshopLevel]:
    """Return the level of a key. Raises UnknownKey."""
    return find_by_key(WorkshopLevel.objects.all(), key)


def light() -> QuerySet[WorkshopLevel]:
    """Return all levels without the columns that only edits need."""
    return WorkshopLevel.objects.defer("requests", "compared")


def level_of(access: Access[WorkshopLevel]) -> Level:
    """Return the finished level, for play and print. Raises DocumentError."""
    return finished_level(access.thing.document)


def names(keys: Iterable[str]) -> set[str]:
    """Return the names of the levels of keys, in all languages; unknown keys are left out."""
    found = find_all(WorkshopLevel.objects.only("key_digest", "share_digest", "document"), keys)
    return {name for access in found for name in access.thing.document.get("name", {}).values()}


def bought(access: Access[WorkshopLevel]) -> WorkshopLevel | None:
    """Return the level if it is a bought sheet, for games that begin with it."""
    return access.thing if access.thing.is_bought else None


def note_step(access: Access[WorkshopLevel], step: str) -> None:
    """Store the step of the guide that was opened last."""
    if access.thing.guide_step != step:
        WorkshopLevel.objects.filter(pk=access.thing.pk).update(guide_step=step)


class BatchTooLarge(Exception):
    """More acts than one transaction may apply to a draft of this size (`MAX_EDITED_BYTES`)."""


class Outcome(NamedTuple):
    """The changed level, the refusals of its acts, and the undone and redone changes."""

    level: WorkshopLevel
    refusals: list[EditRefused]
    turned: list[Turned]


@transaction.atomic
def act(access: Access[WorkshopLevel], acts: Sequence[AnyAct]) -> Outcome:
    """Apply the acts of a device in their order.

    A refused act changes nothing; the others still count. An act whose id is known is skipped.

    Raises:
        NotAllowed, UnknownKey, BatchTooLarge: nothing has changed.
    """
    level = lock(access)
    size = len(msgspec.json.encode(level.document))
    if len(acts) > 1 and len(acts) * size > MAX_EDITED_BYTES:
        raise BatchTooLarge
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
        forget_old_changes(level)
    level.requests = requests[-KEPT_REQUESTS:]
    level.save()
    return Outcome(level, refusals, turned)


@transaction.atomic
def delete(access: Access[WorkshopLevel]) -> None:
    """Delete a level with all its changes. Raises NotAllowed."""
    lock(access).delete()


def prune(before: datetime) -> int:
    """Delete the levels that nobody has opened since ``before``. Return their number."""
    found = WorkshopLevel.objects.filter(touched__lt=before)
    return found.delete()[1].get("sheets.WorkshopLevel", 0)
