"""Use cases that store reviewed sheets in a new or an existing scoring, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.crypto import salted_hmac

from sheets.access.keys import Access, lock
from sheets.models import Receipt, Scoring, SheetPicture, WorkshopLevel
from sheets.photos.kept import keep_picture
from sheets.photos.seen import StoredPicture
from sheets.photos.taken import TakenSheet
from sheets.rules.marks import parse_marks
from sheets.scoring import changes, store
from sheets.scoring.marks import Marks

Pictures = Mapping[int, StoredPicture]
"""Pictures to store, by the sheets' numbers on the page."""


def idempotency_key(request: str, sheets: Sequence[TakenSheet], pictures: Pictures) -> str:
    """Derive the idempotency key of a form from the page's id and the sheets.

    Args:
        request: id of the page; without one the key is empty.
    """
    if not request:
        return ""
    plain = [
        [one.level.id, sorted(one.marks.items()), one.player, one.number, one.place in pictures]
        for one in sheets
    ]
    made = salted_hmac(__name__, json.dumps([request, plain]), algorithm="sha256")
    return made.hexdigest()[:40]


def begin(
    sheets: Sequence[TakenSheet],
    device: str,
    pictures: Pictures,
    once: str = "",
    bought: WorkshopLevel | None = None,
) -> str:
    """Begin a scoring with these sheets and return its key. Idempotent by ``once``.

    A single sheet is from a solo game unless a bomb has exploded on it, which is impossible there.

    Args:
        once: idempotency key, see `store.begin_once`.
        bought: workshop level, if the sheets are of a bought pad.
    """

    def fill(key: str) -> None:
        _begin(key, sheets, device, pictures, bought)

    return store.begin_once(__name__, once, fill)


@transaction.atomic
def _begin(
    key: str,
    sheets: Sequence[TakenSheet],
    device: str,
    pictures: Pictures,
    bought: WorkshopLevel | None,
) -> None:
    store.create(sheets[0].level, [sheet.player for sheet in sheets], bought, key=key)
    access = store.find(key)
    _fill(access, dict(enumerate(sheets, start=1)), device, pictures)
    if len(sheets) == 1 and has_exploded(sheets[0].marks):
        store.set_solo(access, is_solo=False)


@transaction.atomic
def add(
    access: Access[Scoring],
    sheets: Sequence[TakenSheet],
    device: str,
    pictures: Pictures,
    once: str = "",
) -> None:
    """Add these sheets to a scoring, or replace the marks of its sheets. Idempotent by ``once``.

    Args:
        once: idempotency key; empty if the request has none.

    Raises:
        NotAllowed, UnknownKey, Malformed, Stale: nothing has changed.
    """
    scoring = lock(access)
    if once:
        _receipt, is_new = Receipt.objects.get_or_create(scoring=scoring, request=once)
        if not is_new:
            return
    by_number = {sheet.number or store.add_sheet(access, sheet.player): sheet for sheet in sheets}
    named = {sheet.number: sheet.player for sheet in sheets if sheet.number and sheet.player}
    if named:
        store.rename(access, named)
    access.thing.refresh_from_db(fields=["revision"])
    _fill(access, by_number, device, pictures)


def _fill(
    access: Access[Scoring], sheets: Mapping[int, TakenSheet], device: str, pictures: Pictures
) -> None:
    marks = {number: sheet.marks for number, sheet in sheets.items()}
    acts = changes.replace(access, marks, device)
    # Older pictures do not show these marks.
    SheetPicture.objects.filter(sheet__scoring=access.thing, sheet__number__in=sheets).delete()
    for row in access.thing.sheets.filter(number__in=sheets):
        if picture := pictures.get(sheets[row.number].place):
            keep_picture(row, picture, acts[row.number])


def has_exploded(marks: Marks) -> bool:
    """Whether a bomb has exploded on the sheet, which is impossible in a solo game."""
    return any("exploded" in parse_marks(value) for value in marks.values() if not value.isdigit())
