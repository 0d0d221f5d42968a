"""Use cases of marking sheets: what a device did, and what it takes back. One transaction each.

Two devices at one scoring change different places without disturbing each other: what is stored
is one place at a time, and the last one to change a place is right. Each device takes back its own
changes only, and only while nobody else has changed the place since.
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
from sheets.scoring.acts import MOST_ACTS, Act
from sheets.scoring.marks import Marks, place_values, takes_number
from sheets.scoring.store import Malformed, MarkedSheet, Stale, level_of, read_sheets

KEPT_CHANGES: Final = 300
"""How many changes of one sheet are kept to be taken back; more, until they exceed it by as many
as one request may bring."""

KEPT_CHANGES_OF_ALL: Final = 1000
"""Maximum number of changes of one sheet kept for undo, of all devices together; more, until the
next request with several acts or every hundredth change of the scoring.

A client that keeps no cookie is a new device with each request. At 100 to 200 bytes a change, six
sheets take about 1 MB.
"""

KEPT_RECEIPTS: Final = 2000
"""How many requests of a scoring are known again; sometimes more, as with the changes."""


class Outcome(NamedTuple):
    """What has come of the acts of a device.

    ``sheets`` are all of them as they are now, ``changes`` those the device has made of the sheets
    it acted on or asked for, each by the sheet's number; ``refusals`` are of acts that changed
    nothing.
    """

    scoring: Scoring
    sheets: Mapping[int, MarkedSheet]
    changes: Mapping[int, Sequence[Change]]
    refusals: Sequence[Stale]


def act(access: Access[Scoring], acts: Sequence[Act], device: str, shown: int = 0) -> Outcome:
    """Carry out what a device did, in its order.

    A refused act changes nothing, and the others still count. An act whose id was seen before does
    not count again, refused or not; one without an id is always new.

    Args:
        shown: the number of a sheet whose changes are wanted besides, 0 for none.

    Raises:
        NotAllowed, UnknownKey, Malformed: nothing has changed.
    """
    access.refuse_unless_edits()
    level = level_of(access.thing)
    for one in acts:
        if one.do == "mark":
            check_mark(level, one.at, one.value)
    with transaction.atomic():
        scoring, seen = _count_change(access, {one.id for one in acts if one.id})
        _forget_old_changes_of_all(scoring, len(acts))
        pages = _open(scoring, level, device, {shown, *(one.number for one in acts)})
        refusals: list[Stale] = []
        decided: list[str] = []
        has_changed = False
        for one in acts:
            if one.id and one.id in seen:
                continue
            try:
                _carry_out(pages, one)
                has_changed = True
            except Stale as stale:
                refusals.append(stale)
                # A change that cannot be taken back is forgotten.
                has_changed |= stale.reason == "place"
            if one.id:
                decided.append(one.id)
                seen.add(one.id)
        # What was refused is decided, too: sent once more, it could take back what came after it.
        if has_changed:
            scoring.revision += 1
            _store(pages.values())
        elif decided:
            Scoring.objects.filter(pk=scoring.pk).update(revision=scoring.revision)
        else:
            transaction.set_rollback(True)
        if decided:
            _note_decided(scoring, decided)
    return Outcome(
        scoring,
        {number: MarkedSheet(page.row, page.marks, page.photo) for number, page in pages.items()},
        {number: page.changes for number, page in pages.items()},
        refusals,
    )


def replace(access: Access[Scoring], sheets: Mapping[int, Marks], device: str) -> Mapping[int, str]:
    """Put marks in place of all that stands on some sheets, by their numbers.

    On each sheet that is one act, which the device can take back; gives their ids.

    Raises:
        NotAllowed, UnknownKey, Malformed, Stale (``sheet``): nothing has changed.
    """
    access.refuse_unless_edits()
    level = level_of(access.thing)
    for marks in sheets.values():
        for at, value in marks.items():
            check_mark(level, at, value)
    with transaction.atomic():
        scoring, _seen = _count_change(access, set())
        _forget_old_changes_of_all(scoring, MOST_ACTS)
        # Photos that are taken over bring one, too.
        _forget_old_receipts(scoring)
        pages = _open(scoring, level, device, sheets.keys())
        acts = {}
        for number, marks in sheets.items():
            if number not in pages:
                raise Stale("sheet")
            acts[number] = pages[number].replace(marks)
        _store(pages.values())
    return acts


def check_mark(level: Level, at: str, value: str) -> None:
    """Raise Malformed unless the value, or nothing, can stand in that place."""
    allowed = place_values(level, at)
    if not allowed or value not in ("", *allowed):
        raise Malformed(at)


def changes_of(sheet: PaperSheet, device: str) -> list[Change]:
    """What a device has changed on a sheet, the first change first."""
    return list(sheet.changes.filter(device=device).order_by("pk"))


def history(changes: Iterable[Change]) -> dict[str, list[list[list[str]]]]:
    """What a device can take back (``undo``) and make again (``redo``), what comes next last.

    Each is a list of acts, each act a list of ``[place, before, after]``.

    Args:
        changes: what the device has changed on one sheet, the first change first.
    """
    stacks: tuple[dict[str, list[list[str]]], dict[str, list[list[str]]]] = ({}, {})
    for change in changes:
        acts = stacks[change.is_undone]
        acts.setdefault(change.act, []).append([change.at, change.before, change.after])
    undo, redo = (list(acts.values()) for acts in stacks)
    return {"undo": undo, "redo": redo[::-1]}


class _Page:
    """A sheet as a batch found it and leaves it, with the changes one device has made of it."""

    def __init__(self, sheet: MarkedSheet, level: Level, device: str) -> None:
        self.row = sheet.row
        self.level = level
        self.device = device
        self.found = dict(sheet.marks)
        self.marks = dict(sheet.marks)
        self.was_undone: dict[int, bool] = {}
        self.changes: list[Change] = []
        self.photo = self.found_photo = sheet.photo

    def take(self, change: Change) -> None:
        """Know of a stored change; the first one first."""
        self.was_undone[change.pk] = change.is_undone
        self.changes.append(change)

    def mark(self, at: str, value: str) -> None:
        """Put a value (empty: nothing) in one place; what was taken back cannot come again."""
        self._change({at: value} | dict.fromkeys(self._numbers_lost(at, value), ""))

    def replace(self, marks: Marks) -> str:
        """Put these marks in place of all others; gives the act's id."""
        return self._change(dict.fromkeys(self.marks, "") | dict(marks))

    def _change(self, changed: Marks) -> str:
        """Put values in places, as one act."""
        self.changes = [change for change in self.changes if not change.is_undone]
        act = secrets.token_urlsafe(8)
        for place, after in changed.items():
            before = self.marks.get(place, "")
            if before != after:
                self._put(place, after)
                more = {"at": place, "before": before, "after": after}
                self.changes.append(Change(sheet=self.row, device=self.device, act=act, **more))
        return act

    def turn_back(self, *, is_undo: bool) -> None:
        """Take back the device's last change, or make again the one taken back last."""
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
            # Made again they come without it: what somebody takes back shall not lie about.
            self.photo = None

    def _put(self, at: str, value: str) -> None:
        if value:
            self.marks[at] = value
        else:
            self.marks.pop(at, None)

    def _numbers_lost(self, at: str, value: str) -> list[str]:
        """The circled numbers that go when a flag or race is not reached any more."""
        after = {**self.marks, at: value}
        return [
            place
            for place in self.marks
            if place in self.level.number_tracks
            and place != at
            and takes_number(self.level, self.marks, place)
            and not takes_number(self.level, after, place)
        ]


def _count_change(access: Access[Scoring], requests: Collection[str]) -> tuple[Scoring, set[str]]:
    """Let the revision rise; the transaction keeps all others from changing the scoring.

    One statement where nobody was faster and no request is sent again, so that what is known of
    the scoring still holds. Gives the scoring as it was before, and which requests it has seen.

    Raises:
        UnknownKey: it was deleted.
    """
    scoring = access.thing
    rows = Scoring.objects.filter(pk=scoring.pk, key_digest=scoring.key_digest)
    counted = {"revision": F("revision") + 1, "touched": timezone.now()}
    as_known = rows.filter(revision=scoring.revision).exclude(receipts__request__in=requests)
    if as_known.update(**counted):
        return scoring, set()
    found = lock(access)
    rows.update(**counted)
    seen = found.receipts.filter(request__in=requests)
    return found, set(seen.values_list("request", flat=True))


def _open(
    scoring: Scoring, level: Level, device: str, numbers: Collection[int]
) -> dict[int, _Page]:
    """All sheets, and the device's changes of those with the numbers."""
    sheets = read_sheets(scoring)
    pages = {number: _Page(sheet, level, device) for number, sheet in sheets.items()}
    wanted = {page.row.pk: page for number, page in pages.items() if number in numbers}
    for change in Change.objects.filter(sheet__in=wanted, device=device).order_by("pk"):
        wanted[change.sheet_id].take(change)
    return pages


def _carry_out(pages: Mapping[int, _Page], act: Act) -> None:
    page = pages.get(act.number)
    if not page:
        raise Stale("sheet")
    if act.do == "mark":
        page.mark(act.at, act.value)
    else:
        page.turn_back(is_undo=act.do == "undo")


def _note_decided(scoring: Scoring, requests: Sequence[str]) -> None:
    """Know these requests when they are sent once more."""
    Receipt.objects.bulk_create([Receipt(scoring=scoring, request=one) for one in requests])
    if _is_time_to_forget(scoring, len(requests)):
        _forget_old_receipts(scoring)


def _forget_old_receipts(scoring: Scoring) -> None:
    old = scoring.receipts.order_by("-pk").values("pk")[KEPT_RECEIPTS : KEPT_RECEIPTS + 1]
    scoring.receipts.filter(pk__lte=old).delete()


def _is_time_to_forget(scoring: Scoring, acts: int) -> bool:
    """After a batch at once; single acts let it wait until there are as many."""
    return acts > 1 or scoring.revision % MOST_ACTS == 0


def _forget_old_changes_of_all(scoring: Scoring, acts: int) -> None:
    """Delete the oldest changes of sheets that have too many; of an act all or none.

    It runs before the changes are read, so that the outcome is what is stored.
    """
    if not _is_time_to_forget(scoring, acts):
        return
    counted = scoring.sheets.annotate(count=Count("changes"))
    for sheet in counted.filter(count__gt=KEPT_CHANGES_OF_ALL):
        oldest = sheet.changes.order_by("-pk")[KEPT_CHANGES_OF_ALL]
        sheet.changes.filter(Q(pk__lte=oldest.pk) | Q(act=oldest.act)).delete()


def _store(pages: Collection[_Page]) -> None:
    """Write what has changed."""
    _store_marks(pages)
    for page in pages:
        if len(page.changes) > KEPT_CHANGES + MOST_ACTS:
            _forget_old_changes(page.changes)
        if page.photo != page.found_photo:
            SheetPicture.objects.filter(sheet=page.row).delete()
    _store_changes(pages)


def _forget_old_changes(changes: list[Change]) -> None:
    """Keep the last ones, and of an act all or nothing: half of it cannot be taken back."""
    first = len(changes) - KEPT_CHANGES
    while first < len(changes) and changes[first].act == changes[first - 1].act:
        first += 1
    del changes[:first]


def _store_marks(pages: Collection[_Page]) -> None:
    Mark.objects.bulk_create(
        [
            Mark(sheet=page.row, at=at, value=value)
            for page in pages
            for at, value in page.marks.items()
            if page.found.get(at) != value
        ],
        update_conflicts=True,
        unique_fields=("sheet", "at"),
        update_fields=("value",),
    )
    gone = [
        Q(sheet=page.row, at__in=lost) for page in pages if (lost := page.found.keys() - page.marks)
    ]
    if gone:
        Mark.objects.filter(reduce(or_, gone)).delete()


def _store_changes(pages: Iterable[_Page]) -> None:
    was_undone = {pk: was for page in pages for pk, was in page.was_undone.items()}
    kept = {change.pk: change for page in pages for change in page.changes if change.pk}
    Change.objects.bulk_create(
        [change for page in pages for change in page.changes if not change.pk]
    )
    turned = [pk for pk, change in kept.items() if change.is_undone is not was_undone[pk]]
    if turned:
        Change.objects.filter(pk__in=turned).update(is_undone=~F("is_undone"))
    forgotten = was_undone.keys() - kept
    if forgotten:
        Change.objects.filter(pk__in=forgotten).delete()
