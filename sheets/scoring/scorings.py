"""Use cases of scoring paper sheets: load, ask the rules, save at once. Only this file writes.

Two devices at one scoring change different places without disturbing each other: what is stored
is one place at a time, and the last one to change a place is right. Each device takes back its own
changes only, and only while nobody else has changed the place since.
"""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from sheets.models import Change, Mark, PaperSheet, Receipt, Scoring, WorkshopLevel
from sheets.names import clean_name
from sheets.rules import Level, format_level, parse_level
from sheets.rules.paper import Paper
from sheets.scoring.marks import Marks, place_values, stored_marks, takes_number

MAX_SHEETS: Final = 6
KEPT_CHANGES: Final = 300
"""How many changes of one sheet are kept to be taken back."""

KEPT_RECEIPTS: Final = 2000


class Unknown(LookupError):
    """No scoring has this key."""


class NotAllowed(Exception):
    """The key is for looking only."""


class Malformed(ValueError):
    """A value that cannot stand in its place."""


class StillMarked(Exception):
    """A sheet that somebody has marked goes only if that is meant."""


class Stale(Exception):
    """Somebody else was faster, or there is nothing to act on.

    ``reason`` is ``sheet`` (it is gone), ``place`` (changed by somebody else since), ``nothing``
    (to take back), ``full`` (six sheets already) or ``last`` (the only sheet).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Door(NamedTuple):
    """A scoring, the key it was opened with, and whether that key lets one write."""

    scoring: Scoring
    key: str
    can_edit: bool

    @property
    def share_key(self) -> str:
        """The key for looking only."""
        return share_key(self.key) if self.can_edit else self.key


def share_key(key: str) -> str:
    """The key for looking only that belongs to a key; it does not lead back."""
    return urlsafe_b64encode(sha256(f"share {key}".encode()).digest()[:24]).decode()


def digest(key: str) -> str:
    """What is stored of a key."""
    return sha256(key.encode()).hexdigest()


def create(level: Level, players: Sequence[str], bought: WorkshopLevel | None = None) -> str:
    """Begin a scoring with one sheet per name (empty: a player without a name) and give its key.

    ``bought`` is the sheet that somebody bought, where the level is one.
    """
    return _create(level, [(player, {}) for player in players], None, bought)


def create_from_paper(paper: Paper) -> str:
    """Begin a scoring with the sheets of a document and give its key."""
    is_solo = paper.is_solo if len(paper.sheets) == 1 else None
    entries = [
        (clean_name(player), stored_marks(paper, i)) for i, player in enumerate(paper.players)
    ]
    return _create(paper.level, entries, is_solo)


@transaction.atomic
def _create(
    level: Level,
    entries: Sequence[tuple[str, Marks]],
    is_solo: bool | None,
    bought: WorkshopLevel | None = None,
) -> str:
    key = secrets.token_urlsafe(24)
    scoring = Scoring.objects.create(
        key_digest=digest(key),
        share_digest=digest(share_key(key)),
        level=dict(format_level(level)),
        is_bought=bought is not None,
        bought_level=bought,
        is_solo=is_solo,
        last_number=len(entries),
    )
    for number, (player, marks) in enumerate(entries, start=1):
        sheet = scoring.sheets.create(number=number, player=player)
        Mark.objects.bulk_create(
            Mark(sheet=sheet, at=at, value=value) for at, value in marks.items()
        )
    return key


def open_door(key: str) -> Door:
    """The scoring of a key. Raises Unknown."""
    found = digest(key)
    for scoring in Scoring.objects.filter(key_digest=found):
        return Door(scoring, key, True)
    for scoring in Scoring.objects.filter(share_digest=found):
        return Door(scoring, key, False)
    raise Unknown


def level_of(scoring: Scoring) -> Level:
    """The level as it was when scoring began."""
    return _parse(json.dumps(scoring.level, sort_keys=True))


@lru_cache(maxsize=64)
def _parse(text: str) -> Level:
    return parse_level(json.loads(text))


def marks_by_sheet(sheets: Iterable[PaperSheet]) -> dict[int, dict[str, str]]:
    """The marks of each sheet, by its number."""
    found: dict[int, dict[str, str]] = {sheet.number: {} for sheet in sheets}
    rows = Mark.objects.filter(sheet__in=list(sheets)).order_by("pk")
    for number, at, value in rows.values_list("sheet__number", "at", "value"):
        found[number][at] = value
    return found


def note_visit(door: Door, now: datetime | None = None) -> None:
    """Remember, once a day at most, that somebody still looks at a scoring."""
    now = now or timezone.now()
    if now - door.scoring.touched > timedelta(days=1):
        Scoring.objects.filter(pk=door.scoring.pk).update(touched=now)


def check_mark(level: Level, at: str, value: str) -> None:
    """Raise Malformed unless the value, or nothing, can stand in that place."""
    allowed = place_values(level, at)
    if not allowed or value not in ("", *allowed):
        raise Malformed(at)


@transaction.atomic
def mark(door: Door, number: int, *, at: str, value: str, device: str, request: str = "") -> None:
    """Put a value (empty: nothing) in one place of a sheet.

    Raises:
        NotAllowed, Malformed, Stale: nothing has changed.
    """
    sheet = _locked_sheet(door, number)
    level = level_of(sheet.scoring)
    check_mark(level, at, value)
    if not _is_new(sheet.scoring, request):
        return
    marks = marks_by_sheet([sheet])[number]
    changed = {at: value} | dict.fromkeys(_numbers_lost(level, marks, at, value), "")
    sheet.changes.filter(device=device, is_undone=True).delete()
    act = secrets.token_urlsafe(8)
    for place, after in changed.items():
        before = marks.get(place, "")
        if before != after:
            _put(sheet, place, after)
            sheet.changes.create(device=device, act=act, at=place, before=before, after=after)
    _forget_old_changes(sheet, device)
    _save(sheet.scoring)


def _numbers_lost(level: Level, marks: Marks, at: str, value: str) -> list[str]:
    """The circled numbers that go when a flag or race is not reached any more."""
    after = {**marks, at: value}
    return [
        place
        for place in marks
        if " " in place
        and place != at
        and takes_number(level, marks, place)
        and not takes_number(level, after, place)
    ]


def undo(door: Door, number: int, *, device: str, request: str = "") -> None:
    """Take back the device's last change of a sheet. Raises NotAllowed, Stale."""
    _turn_back(door, number, device, request, is_undo=True)


def redo(door: Door, number: int, *, device: str, request: str = "") -> None:
    """Make the device's change that was taken back last once more. Raises NotAllowed, Stale."""
    _turn_back(door, number, device, request, is_undo=False)


def _turn_back(door: Door, number: int, device: str, request: str, *, is_undo: bool) -> None:
    with transaction.atomic():
        sheet = _locked_sheet(door, number)
        if not _is_new(sheet.scoring, request):
            return
        changes = sheet.changes.filter(device=device, is_undone=not is_undo)
        last = changes.order_by("-pk" if is_undo else "pk").first()
        if not last:
            raise Stale("nothing")
        marks = marks_by_sheet([sheet])[number]
        acts = list(changes.filter(act=last.act))
        steps = [(c.at, c.after, c.before) if is_undo else (c.at, c.before, c.after) for c in acts]
        is_free = all(marks.get(at, "") == expected for at, expected, _ in steps)
        if is_free:
            for at, _, value in steps:
                _put(sheet, at, value)
            changes.filter(act=last.act).update(is_undone=is_undo)
        else:
            changes.filter(act=last.act).delete()
        _save(sheet.scoring)
    if not is_free:
        raise Stale("place")


def history(sheet: PaperSheet, device: str) -> dict[str, list[list[list[str]]]]:
    """What a device can take back (``undo``) and make again (``redo``), what comes next last.

    Each is a list of acts, each act a list of ``[place, before, after]``.
    """
    stacks: dict[str, list[list[list[str]]]] = {"undo": [], "redo": []}
    for is_undone, name in ((False, "undo"), (True, "redo")):
        acts: dict[str, list[list[str]]] = {}
        for change in sheet.changes.filter(device=device, is_undone=is_undone).order_by("pk"):
            acts.setdefault(change.act, []).append([change.at, change.before, change.after])
        stacks[name] = list(acts.values())
    stacks["redo"].reverse()
    return stacks


@transaction.atomic
def add_sheet(door: Door, player: str) -> int:
    """One more player's sheet; gives its number. Raises NotAllowed, Stale (``full``)."""
    scoring = _locked(door)
    if scoring.sheets.count() >= MAX_SHEETS:
        raise Stale("full")
    scoring.last_number += 1
    scoring.sheets.create(number=scoring.last_number, player=player)
    _save(scoring)
    return scoring.last_number


@transaction.atomic
def remove_sheet(door: Door, number: int, *, is_sure: bool = False) -> None:
    """Throw a player's sheet away, one with marks only if ``is_sure``.

    The one that stays comes from a game with several players until somebody says otherwise.

    Raises:
        NotAllowed, StillMarked, Stale (``sheet``, ``last``): nothing has changed.
    """
    sheet = _locked_sheet(door, number)
    scoring = sheet.scoring
    if scoring.sheets.count() == 1:
        raise Stale("last")
    if sheet.marks.exists() and not is_sure:
        raise StillMarked
    sheet.delete()
    if scoring.sheets.count() == 1 and scoring.is_solo is None:
        scoring.is_solo = False
    _save(scoring)


@transaction.atomic
def rename(door: Door, names: Mapping[int, str]) -> None:
    """Give players new names, by the numbers of their sheets. Raises NotAllowed, Stale."""
    for number, player in names.items():
        sheet = _locked_sheet(door, number)
        sheet.player = player
        sheet.save(update_fields=["player"])
    _save(_locked(door))


@transaction.atomic
def set_solo(door: Door, is_solo: bool) -> None:
    """Say whether a single sheet is from a solo game. Raises NotAllowed."""
    scoring = _locked(door)
    scoring.is_solo = is_solo
    _save(scoring)


@transaction.atomic
def delete(door: Door) -> None:
    """Delete a scoring with all its sheets. Raises NotAllowed."""
    _locked(door).delete()


def prune(before: datetime) -> int:
    """Delete the scorings that nobody has touched since; gives their number."""
    return Scoring.objects.filter(touched__lt=before).delete()[1].get("sheets.Scoring", 0)


def _locked(door: Door) -> Scoring:
    """The scoring as it is now; the transaction keeps all others from changing it."""
    if not door.can_edit:
        raise NotAllowed
    found = Scoring.objects.select_for_update().filter(pk=door.scoring.pk).first()
    if not found:
        raise Unknown
    return found


def _locked_sheet(door: Door, number: int) -> PaperSheet:
    scoring = _locked(door)
    sheet = scoring.sheets.filter(number=number).first()
    if not sheet:
        raise Stale("sheet")
    sheet.scoring = scoring
    return sheet


def _is_new(scoring: Scoring, request: str) -> bool:
    """Note a request as carried out; False if it was already. One without an id is always new."""
    if not request:
        return True
    if not Receipt.objects.get_or_create(scoring=scoring, request=request)[1]:
        return False
    old = scoring.receipts.order_by("-pk").values_list("pk", flat=True)[KEPT_RECEIPTS:]
    Receipt.objects.filter(pk__in=list(old)).delete()
    return True


def _put(sheet: PaperSheet, at: str, value: str) -> None:
    if value:
        Mark.objects.update_or_create(sheet=sheet, at=at, defaults={"value": value})
    else:
        Mark.objects.filter(sheet=sheet, at=at).delete()


def _forget_old_changes(sheet: PaperSheet, device: str) -> None:
    old = sheet.changes.filter(device=device).order_by("-pk")[KEPT_CHANGES:]
    Change.objects.filter(pk__in=[change.pk for change in old]).delete()


def _save(scoring: Scoring) -> None:
    scoring.revision += 1
    scoring.touched = timezone.now()
    scoring.save()


def export_level(scoring: Scoring, shipped: Mapping[str, Level]) -> str | dict[str, Any]:
    """How a document names the level: by id while the shipped one is still the same."""
    level = level_of(scoring)
    document = dict(format_level(level))
    known = shipped.get(level.id)
    return level.id if known and dict(format_level(known)) == document else document
