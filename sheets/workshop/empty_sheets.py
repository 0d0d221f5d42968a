"""Use cases of the photographed empty sheet that a level is entered from: begin, show, turn.

It is stored under the names that its fields had when it was read. Rows and columns that are
inserted or removed before them later are inferred on each request (`moved_by`), so that undo needs
no special case.
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
"""Maximum size of a picture, in bytes; the pictures that the site makes have half of that."""

_ENOUGH: Final = 0.75
"""Minimum share of the read digits that are in their places if no row or column was inserted or
removed before them."""

_SAME_FIELDS, _SAME_DIGITS = 0.95, 0.9
"""Minimum shares of fields in the same places, and of equal digits, on two photos of one sheet. A
field at the edge may be missed on one photo, and digits misread."""

_LEFT: Final = timedelta(days=1)
"""Retention of a level that was begun with a photo and that the user has not opened."""


class Parts(NamedTuple):
    """Stored parts of a photo: the picture, the layout of its fields, and what was read."""

    picture: bytes
    layout: dict[str, Any]
    seen: Seen


def once(request: str, photo: bytes) -> str:
    """Return the idempotency key of a photo: the same for the same photo and request.

    Args:
        request: the request's id, chosen by the page; if empty, the key is empty, too.
    """
    if not request:
        return ""
    made = salted_hmac(f"{__name__} {request}", photo, algorithm="sha256")
    return made.hexdigest()


def begun(once: str) -> str:
    """Return the key of the level that was begun under an idempotency key; empty if none was."""
    if not once:
        return ""
    with suppress(UnknownKey):
        return store.find(key_once(__name__, once)).key
    return ""


def begin(name: Mapping[str, str], parts: Parts, once: str = "") -> str:
    """Create a level from what was read on an empty sheet, and return its key.

    Args:
        once: idempotency key; if a level was begun under it, its key is returned.
    """
    key = key_once(__name__, once)
    try:
        with transaction.atomic():
            document = draft_of(name, store.new_id(), parts.seen)
            sheet_has = ["shifts"] if "shifts" in document else []
            store.create(document, is_bought=True, sheet_has=sheet_has, key=key)
            _keep(store.find(key).thing, parts)
    except IntegrityError:  # a concurrent request with the same idempotency key was faster
        store.find(key)
    return key


def entered(key: str, others: Sequence[str]) -> Access[WorkshopLevel] | None:
    """Return the level that was entered before from a photo of the same sheet, None if none was.

    Args:
        key: key of the level that was begun with the new photo.
        others: keys of the candidates; of several matches the first one counts.
    """
    found = [access for access in find_all(store.light(), others) if access.can_edit]
    pks = [access.thing.pk for access in found]
    sheets = EmptySheet.objects.filter(level__in=pks).values_list("level", "seen")
    seen = {pk: msgspec.convert(one, Seen) for pk, one in sheets}
    own = msgspec.convert(EmptySheet.objects.get(level=store.find(key).thing).seen, Seen)
    alike = (a for a in found if a.thing.pk in seen and _is_same(own, seen[a.thing.pk]))
    return next(alike, None)


def _is_same(one: Seen, other: Seen) -> bool:
    """Return whether two photos show the same sheet; one may lack a row or column at the edge."""
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
        # Sheets with few digits read on both photos cannot be compared.
        if 2 * len(read) > len(both) and same >= _SAME_DIGITS * len(read):
            return True
    return False


def _places(seen: Seen) -> tuple[set[tuple[int, int]], dict[tuple[int, int], int]]:
    """Return the places of all fields, and by place the digits that need no check."""
    asked = set(seen.asked)
    digits = {parse_field(name): digit for name, digit in seen.digits.items() if name not in asked}
    return {parse_field(name) for name in seen.digits}, digits


def leave_until_opened(key: str) -> None:
    """Shorten the retention of a level that was begun with a photo, unless the user opens it.

    The user is asked whether to continue with another level that was entered from the same sheet.
    """
    soon = timezone.now() - timedelta(days=store.KEPT_DAYS) + _LEFT
    WorkshopLevel.objects.filter(pk=store.find(key).thing.pk).update(touched=soon)


def _keep(level: WorkshopLevel, parts: Parts) -> None:
    """Store a level's empty sheet. Raises ValueError for a picture that is too large."""
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
    """Return the draft of an empty sheet; fields that a person has to check are open."""
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
    """Restart with the turned sheet; False if the level or its sheet has been changed meanwhile.

    Args:
        was: the sheet before it was turned.

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
    """Store the empty sheet of a level that was entered already, in place of another one.

    Raises:
        NotAllowed, UnknownKey: nothing has changed.
    """
    _keep(lock(access), parts)


def find(level: WorkshopLevel) -> EmptySheet | None:
    """Return the empty sheet of a level without its picture, if any."""
    return EmptySheet.objects.filter(level=level).defer("picture").first()


def find_picture(access: Access[WorkshopLevel]) -> bytes | None:
    """Return the picture of a level's empty sheet (WebP), None without one. Raises NotAllowed."""
    access.refuse_unless_edits()
    found = EmptySheet.objects.filter(level=access.thing).values_list("picture", flat=True).first()
    return bytes(found) if found is not None else None


def shown(sheet: EmptySheet) -> dict[str, Any]:
    """Return what the page's script needs about an empty sheet, by the names of the reading.

    ``fieldPx`` is the distance between the centres of neighbouring fields, ``first`` the centre of
    ``a1`` if its row is not shifted; both are in pixels of the picture.
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
    """Progress of entering the kinds of fields on an empty sheet.

    ``moved`` is the result of `moved_by`, ``unsaid`` the fields of each kind that nobody has
    entered yet.
    """

    moved: tuple[int, int]
    unsaid: list[list[str]]


def gathering(level: WorkshopLevel) -> Gathering | None:
    """Return the progress of a level's empty sheet; None without one."""
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
    """Return how many columns and rows were inserted before the read fields; negative: removed.

    It is a majority vote: each digit that was read votes for all moves to an equal number of the
    draft.
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
    # A tie goes to the shortest move.
    return max(votes, key=lambda by: (votes[by], -abs(by[0]) - abs(by[1])))
