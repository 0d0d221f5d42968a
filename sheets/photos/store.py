"""Use cases that store reviewed sheets in a new or an existing scoring, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from django.db import transaction

from sheets.access.keys import Access, create_once, lock
from sheets.models import Receipt, Scoring, SheetPicture, WorkshopLevel
from sheets.photos.forms import ReviewedSheet
from sheets.photos.picture_storage import keep_picture
from sheets.photos.worker.messages import EmptySheetResult, StoredPicture
from sheets.rules.marks import parse_marks
from sheets.scoring import changes, store
from sheets.scoring.marks import PaperMarks
from sheets.workshop.empty_sheets import Parts
from sheets.workshop.photo_result import EmptySheetContent

Pictures = Mapping[int, StoredPicture]
"""Pictures to store, by the number of the sheet on the web page (`ReviewedSheet.place`)."""


def form_content(sheets: Sequence[ReviewedSheet], pictures: Pictures) -> bytes:
    """Return the content of a form as JSON, to derive its idempotency key."""
    plain = [
        [one.level.id, sorted(one.marks.items()), one.player, one.number, one.place in pictures]
        for one in sheets
    ]
    return msgspec.json.encode(plain)


def begin(
    sheets: Sequence[ReviewedSheet],
    device: str,
    pictures: Pictures,
    idempotency_key: str = "",
    bought: WorkshopLevel | None = None,
) -> str:
    """Begin a scoring with these sheets and return its key. Idempotent.

    A single sheet is taken for a solo game, unless a bomb has exploded on it: bombs do not explode
    in solo games.

    Args:
        idempotency_key: empty if the request has none.
        bought: workshop level of the sheets, if they are from a bought pad.
    """

    def fill(key: str) -> None:
        _begin(key, sheets, device, pictures, bought)

    return create_once(__name__, idempotency_key, store.find, fill)


@transaction.atomic
def _begin(
    key: str,
    sheets: Sequence[ReviewedSheet],
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
    sheets: Sequence[ReviewedSheet],
    device: str,
    pictures: Pictures,
    idempotency_key: str = "",
) -> None:
    """Add these sheets to a scoring; for existing sheets, replace the marks. Idempotent.

    Args:
        idempotency_key: empty if the request has none.

    Raises:
        NotAllowed, UnknownKey, Malformed, Stale: nothing has changed.
    """
    scoring = lock(access)
    if idempotency_key:
        _receipt, is_new = Receipt.objects.get_or_create(
            scoring=scoring, request=idempotency_key[: Receipt.REQUEST_LENGTH]
        )
        if not is_new:
            return
    by_number = {sheet.number or store.add_sheet(access, sheet.player): sheet for sheet in sheets}
    named = {sheet.number: sheet.player for sheet in sheets if sheet.number and sheet.player}
    if named:
        store.rename(access, named)
    access.resource.refresh_from_db(fields=["revision"])
    _fill(access, by_number, device, pictures)


def _fill(
    access: Access[Scoring], sheets: Mapping[int, ReviewedSheet], device: str, pictures: Pictures
) -> None:
    marks = {number: sheet.marks for number, sheet in sheets.items()}
    acts = changes.replace(access, marks, device)
    # Older pictures do not show these marks.
    SheetPicture.objects.filter(sheet__scoring=access.resource, sheet__number__in=sheets).delete()
    for row in access.resource.sheets.filter(number__in=sheets):
        if picture := pictures.get(sheets[row.number].place):
            keep_picture(row, picture, acts[row.number])


def has_exploded(marks: PaperMarks) -> bool:
    """Return whether a bomb has exploded on the sheet, so that the game cannot be solo."""
    return any("exploded" in parse_marks(value) for value in marks.values() if not value.isdigit())


def empty_sheet_parts(found: EmptySheetResult) -> Parts:
    """Return the parts of a successfully read empty sheet for storage."""
    seen = msgspec.json.decode(found.seen, type=EmptySheetContent)
    return Parts(found.picture, msgspec.json.decode(found.layout), seen)
