"""Use cases of the empty sheet that a level is entered from: begin with it, show it, turn it.

It is kept under the names that its fields had when it was read. Rows and columns that come or go
before them later are found out each time it is asked for, so that an undo needs no thought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sheets.access.keys import Access, UnknownKey, find_all, key_once, lock
from sheets.models import EmptySheet, WorkshopLevel
from sheets.rules.documents.level import HOLE, OPEN
from sheets.rules.level import format_field, parse_field
from sheets.workshop import store
from sheets.workshop.draft import Document, Draft, new_draft
from sheets.workshop.seen import Seen, nothing_on

MOST_BYTES: Final = 1_000_000
"""Of a picture; those that are made have half of that."""

_ENOUGH: Final = 0.75
"""The share of fields that were seen that have to be where they were, so that none has moved."""

_SAME_FIELDS, _SAME_DIGITS = 0.95, 0.9
"""Two photos are of one sheet if so many of the fields of both are in the same places, and so many
of their digits are the same. A field at the edge may be missed on one, and digits misread."""

_LEFT: Final = timedelta(days=1)
"""So long a level is kept that was begun with a photo and that nobody has opened."""


class Parts(NamedTuple):
    """What is kept of a photo: a picture, where fields are on it, and what was seen."""

    picture: bytes
    layout: dict[str, Any]
    seen: Seen


def once(request: str, photo: bytes) -> str:
    """What is the same if the same photo comes with the same request once more.

    Args:
        request: what the page calls it; empty: nothing is the same.
    """
    if not request:
        return ""
    made = salted_hmac(f"{__name__} {request}", photo, algorithm="sha256")
    return made.hexdigest()


def begun(once: str) -> str:
    """The key of the level that was begun under it already; empty if none was."""
    if not once:
        return ""
    with suppress(UnknownKey):
        return store.find(key_once(__name__, once)).key
    return ""


def begin(name: Mapping[str, str], parts: Parts, once: str = "") -> str:
    """Begin a level with what was read on an empty sheet; gives its key.

    Args:
        once: what was begun under it is not begun again: its key is that level's.
    """
    key = key_once(__name__, once)
    try:
        with transaction.atomic():
            document = draft_of(name, store.new_id(), parts.seen)
            sheet_has = ["shifts"] if "shifts" in document else []
            store.create(document, is_bought=True, sheet_has=sheet_has, key=key)
            _keep(store.find(key).thing, parts)
    except IntegrityError:  # the same once more was as fast
        store.find(key)
    return key


def entered(key: str, others: Sequence[str]) -> Access[WorkshopLevel] | None:
    """Which level was entered before from a photo of the same sheet? None if none was.

    Args:
        key: of the level that was begun with its photo.
        others: the keys of those that it may be; the first one counts.
    """
    found = [access for access in find_all(store.light(), others) if access.can_edit]
    pks = [access.thing.pk for access in found]
    sheets = EmptySheet.objects.filter(level__in=pks).values_list("level", "seen")
    seen = {pk: msgspec.convert(one, Seen) for pk, one in sheets}
    own = msgspec.convert(EmptySheet.objects.get(level=store.find(key).thing).seen, Seen)
    alike = (a for a in found if a.thing.pk in seen and _is_same(own, seen[a.thing.pk]))
    return next(alike, None)


def _is_same(one: Seen, other: Seen) -> bool:
    """Whether two photos show the same sheet; a row or column at the edge may be seen on one."""
    places, clear = _places(one)
    other_places, other_clear = _places(other)
    if len(places) < _SAME_FIELDS * len(other_places):
        return False
    for by in product((0, 1, -1), repeat=2):
        moved = {(x + by[0], y + by[1]): digit for (x, y), digit in clear.items()}
        both = {(x + by[0], y + by[1]) for x, y in places} & other_places
        if len(both) < _SAME_FIELDS * max(len(places), len(other_places)):
            continue
        read = moved.keys() & other_clear.keys()
        same = sum(moved[place] == other_clear[place] for place in read)
        # Of sheets on which hardly a digit was read nothing can be said.
        if 2 * len(read) > len(both) and same >= _SAME_DIGITS * len(read):
            return True
    return False


def _places(seen: Seen) -> tuple[set[tuple[int, int]], dict[tuple[int, int], int]]:
    """Where fields are, and the digits that were read for sure."""
    asked = set(seen.asked)
    digits = {parse_field(name): digit for name, digit in seen.digits.items() if name not in asked}
    return {parse_field(name) for name in seen.digits}, digits


def leave_until_opened(key: str) -> None:
    """Let a level go soon that was begun with a photo, unless somebody opens it: it is asked
    whether it shall be another one."""
    soon = timezone.now() - timedelta(days=store.KEPT_DAYS) + _LEFT
    WorkshopLevel.objects.filter(pk=store.find(key).thing.pk).update(touched=soon)


def _keep(level: WorkshopLevel, parts: Parts) -> None:
    """Raises ValueError for a picture that no photo becomes."""
    if len(parts.picture) > MOST_BYTES:
        raise ValueError("picture")
    EmptySheet.objects.update_or_create(
        level=level,
        defaults={
            "picture": parts.picture,
            "layout": parts.layout,
            "seen": msgspec.to_builtins(parts.seen),
        },
    )


def draft_of(name: Mapping[str, str], level_id: str, seen: Seen) -> dict[str, Any]:
    """The draft that an empty sheet gives: what a person shall look at is still to enter."""
    draft = new_draft(name, level_id, seen.columns, seen.rows)
    asked = set(seen.asked)

    def number(field: str) -> str:
        if field not in seen.digits:
            return HOLE
        return OPEN if field in asked else str(seen.digits[field] or OPEN)

    draft["grid"] = [
        " ".join(number(format_field(column, row)) for column in range(seen.columns))
        for row in range(seen.rows)
    ]
    if any(seen.shifts):
        draft["shifts"] = seen.shifts
    return draft | Draft(draft).document()


@transaction.atomic
def turn(access: Access[WorkshopLevel], was: EmptySheet, parts: Parts) -> bool:
    """Begin anew with the sheet turned; False where somebody has changed the level already.

    Args:
        was: the sheet as it was when it was turned.

    Raises:
        NotAllowed, UnknownKey: nothing has changed.
    """
    level = lock(access)
    kept = EmptySheet.objects.get(level=level)
    if level.revision or kept.layout != was.layout:
        return False
    level.document = draft_of(level.document["name"], level.document["id"], parts.seen)
    level.save(update_fields=["document"])
    _keep(level, parts)
    return True


@transaction.atomic
def put(access: Access[WorkshopLevel], parts: Parts) -> None:
    """Keep the empty sheet of a level that was entered already, in place of another one.

    Raises:
        NotAllowed, UnknownKey: nothing has changed.
    """
    _keep(lock(access), parts)


def find(level: WorkshopLevel) -> EmptySheet | None:
    """The empty sheet of a level, without its picture."""
    return EmptySheet.objects.filter(level=level).defer("picture").first()


def find_picture(access: Access[WorkshopLevel]) -> bytes | None:
    """The picture of a level's empty sheet (WebP), None without one. Raises NotAllowed."""
    access.refuse_unless_edits()
    found = EmptySheet.objects.filter(level=access.thing).values_list("picture", flat=True).first()
    return bytes(found) if found is not None else None


def shown(sheet: EmptySheet) -> dict[str, Any]:
    """What the page's script knows of an empty sheet, by the names that its fields had then.

    ``fieldPx`` is how far it is from field to field on the picture, ``first`` where the middle of
    ``a1`` lies there in pixels if its row is not shifted.
    """
    seen = msgspec.convert(sheet.seen, Seen)
    return {
        "fieldPx": sheet.layout["field_px"],
        "first": sheet.layout["first"],
        "digits": seen.digits,
        "groups": seen.groups,
        "areas": seen.areas,
        "arrows": seen.arrows,
        "isUpright": seen.is_upright,
    }


class Gathering(NamedTuple):
    """How far the kinds on an empty sheet were gathered.

    ``moved`` is `moved_by`, ``unsaid`` the fields of each kind of which nobody has said what it is.
    """

    moved: tuple[int, int]
    unsaid: list[list[str]]


def gathering(level: WorkshopLevel) -> Gathering | None:
    """How far a level's empty sheet was gathered; None without one."""
    sheet = EmptySheet.objects.filter(level=level).only("seen").first()
    if sheet is None:
        return None
    seen = msgspec.convert(sheet.seen, Seen)
    by = moved_by(seen, level.document)
    return Gathering(by, list(_unsaid(seen, by, level)))


def _unsaid(seen: Seen, by: tuple[int, int], level: WorkshopLevel) -> Iterator[list[str]]:
    there = dict(Draft(level.document).places())
    for group in seen.groups:
        places = sorted((row + by[1], column + by[0]) for column, row in map(parse_field, group))
        names = [format_field(column, row) for row, column in places if column >= 0 <= row]
        blank = [
            name
            for name in names
            if name in there and not there[name].symbol and not there[name].printed
        ]
        if blank and nothing_on(blank) not in level.compared:
            yield blank


def moved_by(seen: Seen, document: Document) -> tuple[int, int]:
    """How many columns and rows have come before all that were seen; negative: have gone.

    What most digits say: those that were read beside those that stand in the draft.
    """
    draft = Draft(document)
    there = {name: square.number for name, square in draft.places()}
    same = sum(there.get(name) == str(digit) for name, digit in seen.digits.items())
    if same >= _ENOUGH * len(seen.digits):
        return 0, 0
    votes: Counter[tuple[int, int]] = Counter()
    by_number: dict[str, list[tuple[int, int]]] = {}
    for name, number in there.items():
        by_number.setdefault(number, []).append(parse_field(name))
    for name, digit in seen.digits.items():
        column, row = parse_field(name)
        for x, y in by_number.get(str(digit), ()):
            votes[x - column, y - row] += 1
    if not votes:
        return 0, 0
    # Where several are as many, the nearest.
    return max(votes, key=lambda by: (votes[by], -abs(by[0]) - abs(by[1])))
