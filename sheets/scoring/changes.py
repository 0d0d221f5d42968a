"""Use cases of marking sheets: mark, undo, redo and replace, each in one transaction.

A place is a field or a number track of a sheet (see `marks`). Each is stored separately, so two
devices can change different places of a scoring at the same time; for one place the last write
wins. A device undoes only its own changes, and only while no other device has changed the place
since.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from sheets.access.keys import Access, lock
from sheets.models import Change, Mark, PaperSheet, Receipt, Scoring, SheetPicture
from sheets.rules import Level
from sheets.scoring.acts import MAX_ACTS, Act
from sheets.scoring.marks import PaperMarks, place_values, takes_number
from sheets.scoring.store import Malformed, MarkedSheet, Stale, level_of, read_sheets

MAX_DEVICE_CHANGES: Final = 300
"""Number of changes that one device can undo on one sheet. Older changes are deleted when their
number exceeds `MAX_ACTS`."""

MAX_SHEET_CHANGES: Final = 1000
"""Maximum number of stored changes of one sheet, by all devices together. It may be exceeded until
the next pruning (`_is_pruning_due`).

A client that keeps no cookie is a new device with each request. At 100 to 200 bytes a change, six
sheets take about 1 MB.
"""

MAX_RECEIPTS: Final = 2000
"""Maximum number of stored ids of acts per scoring, by which repeated acts are recognised. It may
be exceeded until the next pruning (`_is_pruning_due`)."""


class Outcome(NamedTuple):
    """Result of a device's acts.

    ``sheets`` are all sheets after the acts, by number. ``changes`` has the changes that the device
    can undo or redo, by sheet number; they are loaded only for sheets of the acts and the shown
    sheet, and empty for others. ``refusals`` has the reason for each refused act; repeated acts are
    not refused.
    """

    scoring: Scoring
    sheets: Mapping[int, MarkedSheet]
    changes: Mapping[int, Sequence[Change]]
    refusals: Sequence[Stale]


def act(access: Access[Scoring], acts: Sequence[Act], device: str, shown: int = 0) -> Outcome:
    """Apply a device's acts in their order.

    A refused act changes nothing, and the others still apply. Acts with an id are idempotent: an
    id that was seen before is skipped, whether it was refused or not. Acts without an id always
    apply.

    Args:
        shown: number of the sheet on the device's page, whose changes to return, too; 0 for none.

    Raises:
        NotAllowed, UnknownKey, Malformed: nothing has changed.
    """
    access.refuse_unless_edits()
    level = level_of(access.resource)
    for one in acts:
        if one.do == "mark":
            check_mark(level, one.at, one.value)
    with transaction.atomic():
        scoring, seen = _increment_revision(access, {one.id for one in acts if one.id})
        _prune_sheet_changes(scoring, len(acts))
        sheets = _load_sheets(scoring, level, device, {shown, *(one.number for one in acts)})
        refusals: list[Stale] = []
        decided: list[str] = []
        has_changed = False
        for one in acts:
            if one.id and one.id in seen:
                continue
            try:
                _apply(sheets, one)
                has_changed = True
            except Stale as stale:
                refusals.append(stale)
                # A change that cannot be undone is deleted.
                has_changed |= stale.reason == "place"
            if one.id:
                decided.append(one.id)
                seen.add(one.id)
        # A refused act is recorded, too: repeated later, it could undo newer changes.
        if has_changed:
            scoring.revision += 1
            _store(sheets.values())
        elif decided:
            Scoring.objects.filter(pk=scoring.pk).update(revision=scoring.revision)
        else:
            transaction.set_rollback(True)
        if decided:
            _add_receipts(scoring, decided)
    return Outcome(
        scoring,
        {
            number: MarkedSheet(sheet.row, sheet.marks, sheet.photo)
            for number, sheet in sheets.items()
        },
        {number: sheet.changes for number, sheet in sheets.items()},
        refusals,
    )


def replace(
    access: Access[Scoring], sheets: Mapping[int, PaperMarks], device: str
) -> Mapping[int, str]:
    """Replace all marks of some sheets, on each sheet in one act that the device can undo.

    Return the id of each sheet's act, by the sheet's number.

    Args:
        sheets: the new marks by the sheet's number.

    Raises:
        NotAllowed, UnknownKey, Malformed, Stale (``sheet``): nothing has changed.
    """
    access.refuse_unless_edits()
    level = level_of(access.resource)
    for marks in sheets.values():
        for at, value in marks.items():
            check_mark(level, at, value)
    with transaction.atomic():
        scoring, _seen = _increment_revision(access, set())
        _prune_sheet_changes(scoring, MAX_ACTS)
        # Sheets that are entered from photos add a receipt, too.
        _prune_receipts(scoring)
        found = _load_sheets(scoring, level, device, sheets.keys())
        acts = {}
        for number, marks in sheets.items():
            if number not in found:
                raise Stale("sheet")
            acts[number] = found[number].replace(marks)
        _store(found.values())
    return acts


def check_mark(level: Level, at: str, value: str) -> None:
    """Raise Malformed unless the value is empty or possible in that place."""
    allowed = place_values(level, at)
    if not allowed or value not in ("", *allowed):
        raise Malformed(at)


def changes_of(sheet: PaperSheet, device: str) -> list[Change]:
    """Return a device's changes of a sheet, the oldest first."""
    return list(sheet.changes.filter(device=device).order_by("pk"))


def history(changes: Iterable[Change]) -> dict[str, list[list[list[str]]]]:
    """Return a device's stacks ``undo`` and ``redo``; the last act of a stack is the next one.

    A stack is a list of acts, an act is a list of changes ``[place, before, after]``.

    Args:
        changes: the device's changes of one sheet, the oldest first.
    """
    stacks: tuple[dict[str, list[list[str]]], dict[str, list[list[str]]]] = ({}, {})
    for change in changes:
        acts = stacks[change.is_undone]
        acts.setdefault(change.act, []).append([change.at, change.before, change.after])
    undo, redo = (list(acts.values()) for acts in stacks)
    return {"undo": undo, "redo": redo[::-1]}


class _EditedSheet:
    """A sheet before and after a request's acts, with the changes of one device."""

    def __init__(self, sheet: MarkedSheet, level: Level, device: str) -> None:
        self.row = sheet.row
        self.level = level
        self.device = device
        self.found = dict(sheet.marks)
        self.marks = dict(sheet.marks)
        self.was_undone: dict[int, bool] = {}
        self.changes: list[Change] = []
        self.photo = self.found_photo = sheet.photo

    def add_stored(self, change: Change) -> None:
        """Add a stored change of the device; calls start with the oldest change."""
        self.was_undone[change.pk] = change.is_undone
        self.changes.append(change)

    def mark(self, at: str, value: str) -> None:
        """Set the value of one place (empty: no mark), and discard the redo stack.

        If the sheet thereby loses a flag or a race, its circled number is removed in the same act.
        """
        self._change({at: value} | dict.fromkeys(self._numbers_lost(at, value), ""))

    def replace(self, marks: PaperMarks) -> str:
        """Replace all marks and return the act's id."""
        return self._change(dict.fromkeys(self.marks, "") | dict(marks))

    def _change(self, changed: PaperMarks) -> str:
        """Set the values of several places as one act and return the act's id."""
        self.changes = [change for change in self.changes if not change.is_undone]
        act = secrets.token_urlsafe(8)
        for place, after in changed.items():
            before = self.marks.get(place, "")
            if before != after:
                self._put(place, after)
                more = {"at": place, "before": before, "after": after}
                self.changes.append(Change(sheet=self.row, device=self.device, act=act, **more))
        return act

    def undo_or_redo(self, *, is_undo: bool) -> None:
        """Undo the device's last act, or redo the one that was undone last. Raises Stale."""
        changes = [change for change in self.changes if change.is_undone is not is_undo]
        if not changes:
            raise Stale("nothing")
        act = changes[-1 if is_undo else 0].act
        changes = [change for change in changes if change.act == act]
        steps = [
            (c.at, c.after, c.before) if is_undo else (c.at, c.before, c.after) for c in changes
        ]
        if any(self.marks.get(at, "") != expected for at, expected, _ in steps):
            self.changes = [change for change in self.changes if change.act != act]
            raise Stale("place")
        for change, (at, _, value) in zip(changes, steps, strict=True):
            self._put(at, value)
            change.is_undone = is_undo
        if is_undo and act == self.photo:
            # Redo does not restore the photo: a photo that its user undid must not stay stored.
            self.photo = None

    def _put(self, at: str, value: str) -> None:
        if value:
            self.marks[at] = value
        else:
            self.marks.pop(at, None)

    def _numbers_lost(self, at: str, value: str) -> list[str]:
        """Return the circled number tracks whose flag or race a new value takes from the sheet."""
        after = {**self.marks, at: value}
        return [
            place
            for place in self.marks
            if place in self.level.number_tracks
            and place != at
            and takes_number(self.level, self.marks, place)
            and not takes_number(self.level, after, place)
        ]


def _increment_revision(
    access: Access[Scoring], requests: Collection[str]
) -> tuple[Scoring, set[str]]:
    """Increment the revision; this locks the scoring until the transaction ends.

    Optimistic locking: a single statement is enough if the loaded revision is still current and no
    request is repeated. Return the scoring with its old revision, and those of the ``requests``
    (ids of acts) that were handled before.

    Raises:
        UnknownKey: the scoring was deleted.
    """
    scoring = access.resource
    rows = Scoring.objects.filter(pk=scoring.pk, key_digest=scoring.key_digest)
    counted = {"revision": F("revision") + 1, "touched": timezone.now()}
    as_known = rows.filter(revision=scoring.revision).exclude(receipts__request__in=requests)
    if as_known.update(**counted):
        return scoring, set()
    found = lock(access)
    rows.update(**counted)
    seen = found.receipts.filter(request__in=requests)
    return found, set(seen.values_list("request", flat=True))


def _load_sheets(
    scoring: Scoring, level: Level, device: str, numbers: Collection[int]
) -> dict[int, _EditedSheet]:
    """Load all sheets, and the device's changes of those with the given numbers."""
    sheets = {
        number: _EditedSheet(sheet, level, device) for number, sheet in read_sheets(scoring).items()
    }
    by_pk = {sheet.row.pk: sheet for number, sheet in sheets.items() if number in numbers}
    for change in Change.objects.filter(sheet__in=by_pk, device=device).order_by("pk"):
        by_pk[change.sheet_id].add_stored(change)
    return sheets


def _apply(sheets: Mapping[int, _EditedSheet], act: Act) -> None:
    sheet = sheets.get(act.number)
    if not sheet:
        raise Stale("sheet")
    if act.do == "mark":
        sheet.mark(act.at, act.value)
    else:
        sheet.undo_or_redo(is_undo=act.do == "undo")


def _add_receipts(scoring: Scoring, requests: Sequence[str]) -> None:
    """Store the ids of acts, so that repeated acts are recognised."""
    Receipt.objects.bulk_create([Receipt(scoring=scoring, request=one) for one in requests])
    if _is_pruning_due(scoring, len(requests)):
        _prune_receipts(scoring)


def _prune_receipts(scoring: Scoring) -> None:
    old = scoring.receipts.order_by("-pk").values("pk")[MAX_RECEIPTS : MAX_RECEIPTS + 1]
    scoring.receipts.filter(pk__lte=old).delete()


def _is_pruning_due(scoring: Scoring, acts: int) -> bool:
    """Return whether to prune now: after several acts at once, or every `MAX_ACTS` changes."""
    return acts > 1 or scoring.revision % MAX_ACTS == 0


def _prune_sheet_changes(scoring: Scoring, acts: int) -> None:
    """Delete the oldest acts of sheets with more than `MAX_SHEET_CHANGES` changes, if it is due.

    It runs before the changes are read, so that the outcome equals the stored state.
    """
    if not _is_pruning_due(scoring, acts):
        return
    counted = scoring.sheets.annotate(count=Count("changes"))
    for sheet in counted.filter(count__gt=MAX_SHEET_CHANGES):
        oldest = sheet.changes.order_by("-pk")[MAX_SHEET_CHANGES]
        sheet.changes.filter(Q(pk__lte=oldest.pk) | Q(act=oldest.act)).delete()


def _store(sheets: Collection[_EditedSheet]) -> None:
    """Write the changed marks, changes and photos of sheets to the database."""
    _store_marks(sheets)
    for sheet in sheets:
        if len(sheet.changes) > MAX_DEVICE_CHANGES + MAX_ACTS:
            _drop_oldest_changes(sheet.changes)
        if sheet.photo != sheet.found_photo:
            SheetPicture.objects.filter(sheet=sheet.row).delete()
    _store_changes(sheets)


def _drop_oldest_changes(changes: list[Change]) -> None:
    """Delete all but the last `MAX_DEVICE_CHANGES` changes from the list.

    An act is deleted as a whole, because a part of it cannot be undone.
    """
    first = len(changes) - MAX_DEVICE_CHANGES
    while first < len(changes) and changes[first].act == changes[first - 1].act:
        first += 1
    del changes[:first]


def _store_marks(sheets: Collection[_EditedSheet]) -> None:
    Mark.objects.bulk_create(
        [
            Mark(sheet=sheet.row, at=at, value=value)
            for sheet in sheets
            for at, value in sheet.marks.items()
            if sheet.found.get(at) != value
        ],
        update_conflicts=True,
        unique_fields=("sheet", "at"),
        update_fields=("value",),
    )
    gone = [
        Q(sheet=sheet.row, at__in=lost)
        for sheet in sheets
        if (lost := sheet.found.keys() - sheet.marks)
    ]
    if gone:
        Mark.objects.filter(reduce(or_, gone)).delete()


def _store_changes(sheets: Collection[_EditedSheet]) -> None:
    was_undone = {pk: was for sheet in sheets for pk, was in sheet.was_undone.items()}
    kept = {change.pk: change for sheet in sheets for change in sheet.changes if change.pk}
    Change.objects.bulk_create(
        [change for sheet in sheets for change in sheet.changes if not change.pk]
    )
    flipped = [pk for pk, change in kept.items() if change.is_undone is not was_undone[pk]]
    if flipped:
        Change.objects.filter(pk__in=flipped).update(is_undone=~F("is_undone"))
    dropped = was_undone.keys() - kept
    if dropped:
        Change.objects.filter(pk__in=dropped).delete()
