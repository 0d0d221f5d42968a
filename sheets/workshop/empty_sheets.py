"""Use cases of photographed empty sheets, from which users enter levels: begin, show, rotate.

The stored reading result of a photo names fields by their original columns and rows. If columns or
rows are inserted or removed later, the names in the draft differ. Each request computes the
difference (`find_offset`), so that undo needs no special case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec
from django.db import transaction
from django.utils import timezone

from sheets.access.keys import Access, UnknownKey, create_once, find_all, key_of_request, lock
from sheets.models import EmptySheet, WorkshopLevel
from sheets.rules.documents.level import HOLE, OPEN_NUMBER
from sheets.rules.level import format_field, parse_field
from sheets.workshop import store
from sheets.workshop.draft import Document, Draft, new_draft
from sheets.workshop.guide import NO_GOALS, PHOTO, features_of
from sheets.workshop.photo_result import EmptySheetContent, blank_fields_key

MAX_BYTES: Final = 1_000_000
"""Maximum size of a picture, in bytes; the pictures that the site makes have half of that."""

_MIN_UNMOVED_SHARE: Final = 0.75
"""Share of the read digits that equal the draft's number of the same field, from which on
`find_offset` assumes that no column or row was inserted or removed."""

_SAME_FIELDS, _SAME_DIGITS = 0.95, 0.9
"""Minimum shares of fields at the same positions, and of equal digits, on two photos of one sheet.
Photo reading can miss a field at the edge, and misread digits."""

_UNOPENED_RETENTION: Final = timedelta(days=1)
"""Retention of a level that was begun with a photo and that the user has not opened."""


class Parts(NamedTuple):
    """Stored parts of a photo: the picture, the layout of its fields, and the reading result."""

    picture: bytes
    layout: dict[str, Any]
    seen: EmptySheetContent


def find_by_idempotency_key(idempotency_key: str) -> str:
    """Return the key of the level that was begun under an idempotency key; empty if none was."""
    with suppress(UnknownKey):
        return store.find(key_of_request(__name__, idempotency_key)).key
    return ""


def begin(name: Mapping[str, str], parts: Parts, idempotency_key: str = "") -> str:
    """Create a level from the photo of an empty sheet, and return its key. Idempotent.

    Args:
        idempotency_key: key of the request; empty if it has none.
    """

    @transaction.atomic
    def create(key: str) -> None:
        document = draft_of(name, store.new_id(), parts.seen)
        sheet_has = ["shifts"] if "shifts" in document else []
        store.create(document, is_bought=True, sheet_has=sheet_has, key=key)
        _keep(store.find(key).resource, parts)

    return create_once(__name__, idempotency_key, store.find, create)


def find_same_sheet(key: str, others: Sequence[str]) -> Access[WorkshopLevel] | None:
    """Return an older level that was entered from a photo of the same sheet; None if there is none.

    Args:
        key: key of the level that was begun with the new photo.
        others: keys of older levels; if several match, the first of them is returned.
    """
    found = [access for access in find_all(store.levels_for_display(), others) if access.can_edit]
    pks = [access.resource.pk for access in found]
    sheets = EmptySheet.objects.filter(level__in=pks).values_list("level", "seen")
    seen = {pk: msgspec.convert(one, EmptySheetContent) for pk, one in sheets}
    own = msgspec.convert(
        EmptySheet.objects.get(level=store.find(key).resource).seen, EmptySheetContent
    )
    alike = (a for a in found if a.resource.pk in seen and _is_same(own, seen[a.resource.pk]))
    return next(alike, None)


def _is_same(one: EmptySheetContent, other: EmptySheetContent) -> bool:
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


def _places(seen: EmptySheetContent) -> tuple[set[tuple[int, int]], dict[tuple[int, int], int]]:
    """Return the columns and rows of all fields, and the digits that need no check, by field."""
    asked = set(seen.asked)
    digits = {parse_field(name): digit for name, digit in seen.digits.items() if name not in asked}
    return {parse_field(name) for name in seen.digits}, digits


def leave_until_opened(key: str) -> None:
    """Shorten the retention of a level that was begun with a photo; a visit restores it.

    It is needed when the page suggests an older level of the same sheet, because the user may
    choose that one.
    """
    soon = timezone.now() - timedelta(days=store.RETENTION_DAYS) + _UNOPENED_RETENTION
    WorkshopLevel.objects.filter(pk=store.find(key).resource.pk).update(touched=soon)


def _keep(level: WorkshopLevel, parts: Parts) -> None:
    """Store a level's empty sheet. Raises ValueError for a picture that is too large."""
    if len(parts.picture) > MAX_BYTES:
        raise ValueError("picture")
    EmptySheet.objects.update_or_create(
        level=level,
        defaults={
            "picture": parts.picture,
            "layout": parts.layout,
            "seen": msgspec.to_builtins(parts.seen),
        },
    )


def draft_of(name: Mapping[str, str], level_id: str, seen: EmptySheetContent) -> dict[str, Any]:
    """Return a draft with the digits of an empty sheet, except those that a person must check."""
    draft = new_draft(name, level_id, seen.columns, seen.rows)
    asked = set(seen.asked)

    def number(field: str) -> str:
        if field not in seen.digits:
            return HOLE
        return OPEN_NUMBER if field in asked else str(seen.digits[field] or OPEN_NUMBER)

    draft["grid"] = [
        " ".join(number(format_field(column, row)) for column in range(seen.columns))
        for row in range(seen.rows)
    ]
    if any(seen.shifts):
        draft["shifts"] = seen.shifts
    return draft | Draft(draft).document()


@transaction.atomic
def turn(access: Access[WorkshopLevel], was: EmptySheet, parts: Parts) -> bool:
    """Replace a level's draft and empty sheet after the photo was rotated.

    Return False, and change nothing, if the level or its empty sheet has changed meanwhile.

    Args:
        was: the empty sheet before the rotation.
        parts: the rotated photo.

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
    """Store the empty sheet of an existing level; it replaces the previous one, if any.

    Raises:
        NotAllowed, UnknownKey: nothing has changed.
    """
    _keep(lock(access), parts)


def find(level: WorkshopLevel) -> EmptySheet | None:
    """Return the empty sheet of a level, with its picture deferred; None if there is none."""
    return EmptySheet.objects.filter(level=level).defer("picture").first()


def find_picture(access: Access[WorkshopLevel]) -> bytes | None:
    """Return the picture of a level's empty sheet (WebP), None without one. Raises NotAllowed."""
    access.refuse_unless_edits()
    found = (
        EmptySheet.objects.filter(level=access.resource).values_list("picture", flat=True).first()
    )
    return bytes(found) if found is not None else None


def reading_for_page(sheet: EmptySheet) -> dict[str, Any]:
    """Return an empty sheet for the page's script; fields have the names from the photo reading.

    ``fieldPx`` is the distance between the centres of neighbouring fields, ``first`` the centre of
    ``a1`` if its row is not shifted; both are in pixels of the picture.
    """
    seen = msgspec.convert(sheet.seen, EmptySheetContent)
    return {
        "fieldPx": sheet.layout["field_px"],
        "first": sheet.layout["first"],
        "digits": seen.digits,
        "groups": seen.groups,
        "areas": seen.areas,
        "arrows": seen.arrows,
        "isUpright": seen.is_upright,
    }


def features_with_photo(level: WorkshopLevel, sheet: EmptySheet | None) -> set[str]:
    """Return the features of a level that decide on the steps of its guide."""
    has = {*level.sheet_has, *features_of(level.document)}
    if sheet is None:
        return has
    seen = msgspec.convert(sheet.seen, EmptySheetContent)
    has_goals = seen.areas or seen.arrows or level.document.get("areas")
    return has | ({PHOTO} if has_goals else {PHOTO, NO_GOALS})


class Gathering(NamedTuple):
    """Progress of entering the symbols of fields that look similar on a photo.

    ``moved`` is the result of `find_offset`. ``missing_kinds`` has the field names of each group
    that nobody has entered yet.
    """

    moved: tuple[int, int]
    missing_kinds: list[list[str]]


def find_gathering(level: WorkshopLevel) -> Gathering | None:
    """Return the `Gathering` of a level; None if it has no empty sheet."""
    sheet = EmptySheet.objects.filter(level=level).only("seen").first()
    if sheet is None:
        return None
    seen = msgspec.convert(sheet.seen, EmptySheetContent)
    by = find_offset(seen, level.document)
    return Gathering(by, list(_missing_kinds(seen, by, level)))


def _missing_kinds(
    seen: EmptySheetContent, by: tuple[int, int], level: WorkshopLevel
) -> Iterator[list[str]]:
    there = dict(Draft(level.document).places())
    for group in seen.groups:
        places = sorted((row + by[1], column + by[0]) for column, row in map(parse_field, group))
        names = [format_field(column, row) for row, column in places if column >= 0 <= row]
        blank = [
            name
            for name in names
            if name in there and not there[name].symbol and not there[name].printed
        ]
        if blank and blank_fields_key(blank) not in level.compared:
            yield blank


def find_offset(seen: EmptySheetContent, document: Document) -> tuple[int, int]:
    """Return how many columns and rows were inserted before the fields of a photo.

    Negative numbers mean that they were removed. The result is a majority vote: each digit of the
    photo votes for all offsets that lead to an equal number in the draft.
    """
    draft = Draft(document)
    there = {name: square.number for name, square in draft.places()}
    same = sum(there.get(name) == str(digit) for name, digit in seen.digits.items())
    if same >= _MIN_UNMOVED_SHARE * len(seen.digits):
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
