"""Use cases of levels of one's own: load, apply an edit, save at once.

Only this file, `history` and `empty_sheets` write them.

An edit is applied to the draft as it is now, whoever changed it last, so that two pages that are
open at the same time do not overwrite each other. The latest changes are kept for undo, see
`sheets.workshop.history`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

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
from sheets.workshop.acts import AnyAct, Remove, Size
from sheets.workshop.draft import finished_level, new_draft
from sheets.workshop.edits import EditRefused
from sheets.workshop.history import (
    Turned,
    carry_out,
    exceeds_one_transaction,
    forget_old_changes,
)
from sheets.workshop.losses import describe_losses

KEPT_REQUESTS: Final = 300

KEPT_DAYS: Final = 365
"""So long after somebody has opened it last a level is kept, where the site is run as
``docs/reference.md`` says (`prune`)."""


def create(
    document: Mapping[str, Any],
    *,
    is_bought: bool = False,
    sheet_has: Iterable[str] = (),
    key: str = "",
) -> str:
    """Begin a level of one's own with a document (a draft or a finished level); gives its key.

    Args:
        key: one that nothing has, in place of a new one.
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


def find(key: str) -> Access[WorkshopLevel]:
    """The level of a key. Raises UnknownKey."""
    return find_by_key(WorkshopLevel.objects.all(), key)


def light() -> QuerySet[WorkshopLevel]:
    """Levels without what only edits need."""
    return WorkshopLevel.objects.defer("requests", "compared")


def level_of(access: Access[WorkshopLevel]) -> Level:
    """The level as it is now, to be played or printed. Raises DocumentError while it lacks much."""
    return finished_level(access.thing.document)


def names(keys: Iterable[str]) -> set[str]:
    """What the levels of keys are called, in any language; a key that leads nowhere is left out."""
    found = find_all(WorkshopLevel.objects.only("key_digest", "share_digest", "document"), keys)
    return {name for access in found for name in access.thing.document.get("name", {}).values()}


def bought(access: Access[WorkshopLevel]) -> WorkshopLevel | None:
    """The level where it is a sheet that somebody bought, for what is begun with it."""
    return access.thing if access.thing.is_bought else None


def note_step(access: Access[WorkshopLevel], step: str) -> None:
    """Remember at which step of the guided way somebody is."""
    if access.thing.guide_step != step:
        WorkshopLevel.objects.filter(pk=access.thing.pk).update(guide_step=step)


class BatchTooLarge(Exception):
    """More acts than one transaction may apply to so large a draft; one act alone always may."""


class Outcome(NamedTuple):
    """What has come of the acts of a device.

    ``refusals`` are of those that changed nothing; ``turned`` are the changes that were taken back
    or made once more; ``lost`` says what went with rows and columns.
    """

    level: WorkshopLevel
    refusals: list[EditRefused]
    turned: list[Turned]
    lost: list[str]


@transaction.atomic
def act(access: Access[WorkshopLevel], acts: Sequence[AnyAct]) -> Outcome:
    """Carry out what a device did, in its order.

    A refused act changes nothing, and the others still count. An act whose id was seen before does
    not count again.

    Raises:
        NotAllowed, UnknownKey, BatchTooLarge: nothing has changed.
    """
    level = lock(access)
    if len(acts) > 1 and exceeds_one_transaction(level.document, len(acts)):
        raise BatchTooLarge
    before = (level.revision, level.position)
    requests: list[str] = list(level.requests)
    refusals: list[EditRefused] = []
    turned: list[Turned] = []
    lost: list[str] = []
    for one in acts:
        if one.id and one.id in requests:
            continue
        losses = describe_losses(level.document, one) if isinstance(one, Remove | Size) else ""
        try:
            turned += filter(None, [carry_out(level, one)])
        except EditRefused as refused:
            refusals.append(refused)
        else:
            lost += [losses] * bool(losses)
        if one.id:
            requests.append(one.id)
    if (level.revision, level.position) != before:
        level.touched = timezone.now()
        forget_old_changes(level)
    level.requests = requests[-KEPT_REQUESTS:]
    level.save()
    return Outcome(level, refusals, turned, lost)


@transaction.atomic
def delete(access: Access[WorkshopLevel]) -> None:
    """Delete a level with all its changes. Raises NotAllowed."""
    lock(access).delete()


def prune(before: datetime) -> int:
    """Delete the levels that nobody has touched since; gives their number."""
    found = WorkshopLevel.objects.filter(touched__lt=before)
    return found.delete()[1].get("sheets.WorkshopLevel", 0)
