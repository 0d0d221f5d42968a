"""Use cases of workshop levels: create, find, change.

Only this module, `history` and `empty_sheets` change workshop levels.

Each edit is applied to the stored draft, so that two open pages do not overwrite each other's
edits. The latest changes are stored for undo, see `sheets.workshop.history`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from sheets.access.keys import Access, create_resource, find_all, find_by_key, lock
from sheets.models import WorkshopLevel
from sheets.rules import Level
from sheets.workshop.acts import AnyAct
from sheets.workshop.draft import finished_level, new_draft
from sheets.workshop.edits import EditRefused
from sheets.workshop.history import UndoResult, apply_act, delete_old_changes

MAX_REQUEST_IDS: Final = 300
"""Maximum number of stored idempotency keys per level."""

RETENTION_DAYS: Final = 365
"""Retention of a level after its last visit, in days, if the site runs the command ``prune``
regularly (see ``docs/reference.md``)."""

MAX_EDITED_BYTES: Final = 4 * 1024 * 1024
"""Maximum product of the number of acts in a transaction and the draft's size as JSON in bytes.
That is about a second of work. A large level has 10 kB, the largest storable draft 400 kB."""


def create(
    document: Mapping[str, Any],
    *,
    is_bought: bool = False,
    sheet_has: Iterable[str] = (),
    key: str = "",
) -> str:
    """Create a level from a document (a draft or a finished level). Return its key.

    Args:
        key: an unused key that cannot be guessed; a new one by default.
    """
    level = WorkshopLevel(
        share_number=1,
        document=dict(document),
        is_bought=is_bought,
        sheet_has=sorted(sheet_has),
    )
    return create_resource(level, key)


def create_blank(
    name: Mapping[str, str],
    columns: int,
    rows: int,
    *,
    is_bought: bool = False,
    sheet_has: Iterable[str] = (),
) -> str:
    """Create a level in which no field has a number yet. Return its key.

    Args:
        sheet_has: features of the bought sheet; keys of `sheets.workshop.guide.FEATURES`.
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


def levels_for_display() -> QuerySet[WorkshopLevel]:
    """Return all levels without the columns that only edits need."""
    return WorkshopLevel.objects.defer("requests", "compared")


def level_of(access: Access[WorkshopLevel]) -> Level:
    """Return the finished level, for play and print. Raises DocumentError."""
    return finished_level(access.resource.document)


def names(keys: Iterable[str]) -> set[str]:
    """Return the names, in all languages, of the levels with these keys; ignore unknown keys."""
    found = find_all(WorkshopLevel.objects.only("key_digest", "share_digest", "document"), keys)
    written = (access.resource.document.get("name", {}) for access in found)
    return {name for one in written for name in ([one] if isinstance(one, str) else one.values())}


def bought(access: Access[WorkshopLevel]) -> WorkshopLevel | None:
    """Return the level if it is a bought sheet, else None; games on the level refer to it."""
    return access.resource if access.resource.is_bought else None


def note_step(access: Access[WorkshopLevel], step: str) -> None:
    """Store the step of the guide that the user has opened."""
    if access.resource.guide_step != step:
        WorkshopLevel.objects.filter(pk=access.resource.pk).update(guide_step=step)


class BatchTooLarge(Exception):
    """More acts than one transaction may apply to a draft of this size (`MAX_EDITED_BYTES`)."""


class Outcome(NamedTuple):
    """Result of acts: the changed level, the refusals, and the undone and redone changes."""

    level: WorkshopLevel
    refusals: list[EditRefused]
    undo_results: list[UndoResult]


@transaction.atomic
def act(access: Access[WorkshopLevel], acts: Sequence[AnyAct]) -> Outcome:
    """Apply the acts of a device in their order.

    A refused act changes nothing, and the others still apply. An act whose id is stored is skipped.

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
    undo_results: list[UndoResult] = []
    for one in acts:
        if one.id and one.id in requests:
            continue
        try:
            undo_results += filter(None, [apply_act(level, one)])
        except EditRefused as refused:
            refusals.append(refused)
        if one.id:
            requests.append(one.id)
    if (level.revision, level.position) != before:
        level.touched = timezone.now()
        delete_old_changes(level)
    level.requests = requests[-MAX_REQUEST_IDS:]
    level.save()
    return Outcome(level, refusals, undo_results)
