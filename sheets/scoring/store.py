"""Use cases of scorings: create, find by key, add, remove and rename players.

`changes` writes the marks of the sheets; this module writes everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from sheets.access.keys import Access, UnknownKey, create_once, create_resource, find_by_key, lock
from sheets.models import Mark, PaperSheet, Scoring, WorkshopLevel
from sheets.models.levels import stored_level
from sheets.names.cleaning import clean_name
from sheets.rules import Level, format_level
from sheets.rules.documents.digests import paper_digest
from sheets.rules.level import MAX_PLAYERS
from sheets.rules.paper_scoring import Paper
from sheets.scoring.marks import PaperMarks, stored_marks
from sheets.text.player_names import typed_names


class Malformed(ValueError):
    """A place that does not exist, or a value that is impossible in its place."""


class StillMarked(Exception):
    """Removal of a sheet with marks, without the user's confirmation."""


class Stale(Exception):
    """Refusal of an act that does not fit the current state, often changed by another device.

    ``reason`` is ``sheet`` (the sheet was removed), ``place`` (another device has changed the place
    since), ``nothing`` (there is nothing to undo or redo), ``full`` (there are already six sheets)
    or ``last`` (the only sheet cannot be removed).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def create(
    level: Level,
    players: Sequence[str],
    bought: WorkshopLevel | None = None,
    *,
    key: str = "",
) -> str:
    """Begin a scoring with one sheet for each player and return its key; names may be empty.

    Args:
        bought: the workshop level, if the level is a bought pad.
        key: an unused key that cannot be guessed; a new one by default.
    """
    return _create(level, [(player, {}) for player in players], None, bought, key=key)


def repeat(access: Access[Scoring]) -> str:
    """Begin another scoring of the same level for the same players and return its key.

    Raises NotAllowed, UnknownKey.
    """
    access.refuse_unless_edits()
    scoring, sheets = access.resource, read_sheets(access.resource).values()
    entries: list[tuple[str, PaperMarks]] = [(sheet.row.player, {}) for sheet in sheets]
    level = level_of(scoring)
    is_solo = scoring.is_solo if len(entries) == 1 else None
    return _create(level, entries, is_solo, scoring.bought_level, is_bought=scoring.is_bought)


def create_from_paper(
    paper: Paper, bought: WorkshopLevel | None = None, *, idempotency_key: str = ""
) -> str:
    """Begin a scoring with the sheets of a document and return its key. Idempotent.

    Args:
        bought: as in `create`.
        idempotency_key: empty if the request has none.
    """
    is_solo = paper.is_solo if len(paper.sheets) == 1 else None
    entries = [
        (clean_name(player), stored_marks(paper, i)) for i, player in enumerate(paper.players)
    ]
    file_digest = paper_digest(paper, typed_names(paper.players))

    def begin(key: str) -> None:
        _create(paper.level, entries, is_solo, bought, key=key, file_digest=file_digest)

    return create_once(__name__, idempotency_key, find, begin)


@transaction.atomic
def _create(
    level: Level,
    entries: Sequence[tuple[str, PaperMarks]],
    is_solo: bool | None,
    bought: WorkshopLevel | None = None,
    *,
    is_bought: bool = False,
    key: str = "",
    file_digest: str = "",
) -> str:
    scoring = Scoring(
        level=dict(format_level(level)),
        is_bought=is_bought or bought is not None,
        bought_level=bought,
        is_solo=is_solo,
        last_number=len(entries),
        file_digest=file_digest,
    )
    key = create_resource(scoring, key)
    for number, (player, marks) in enumerate(entries, start=1):
        sheet = scoring.sheets.create(number=number, player=player)
        Mark.objects.bulk_create(
            Mark(sheet=sheet, at=at, value=value) for at, value in marks.items()
        )
    return key


def find(key: str) -> Access[Scoring]:
    """Find the scoring of a key; its level, which is large, is not loaded. Raises UnknownKey."""
    return find_by_key(Scoring.objects.defer("level"), key)


def level_of(scoring: Scoring) -> Level:
    """Return the level as it was when the scoring began.

    Raises:
        UnknownKey: the scoring was deleted.
    """
    try:
        return stored_level(Scoring, pk=scoring.pk, key_digest=scoring.key_digest)
    except Scoring.DoesNotExist:
        raise UnknownKey from None


class MarkedSheet(NamedTuple):
    """A player's sheet, and its marks by place.

    ``photo`` is the id of the act that entered the marks from the stored photo; None without photo.
    """

    row: PaperSheet
    marks: dict[str, str]
    photo: str | None = None


def read_sheets(scoring: Scoring) -> dict[int, MarkedSheet]:
    """Return the sheets of a scoring with their marks, by number, ascending. One query."""
    found: dict[int, MarkedSheet] = {}
    rows = scoring.sheets.order_by("number", "marks__pk")
    for pk, number, player, is_blank, photo, at, value in rows.values_list(
        "pk", "number", "player", "is_blank", "picture__act", "marks__at", "marks__value"
    ):
        if number not in found:
            row = PaperSheet(
                pk=pk, scoring=scoring, number=number, player=player, is_blank=is_blank
            )
            found[number] = MarkedSheet(row, {}, photo)
        if at is not None:
            found[number].marks[at] = value
    return found


@transaction.atomic
def add_sheet(access: Access[Scoring], player: str) -> int:
    """Add a player's sheet and return its number. Raises NotAllowed, Stale (``full``)."""
    scoring = lock(access)
    if scoring.sheets.count() >= MAX_PLAYERS:
        raise Stale("full")
    scoring.last_number += 1
    scoring.sheets.create(number=scoring.last_number, player=player)
    _save(scoring, "last_number")
    return scoring.last_number


@transaction.atomic
def remove_sheet(access: Access[Scoring], number: int, *, is_sure: bool = False) -> None:
    """Remove a player's sheet; one with marks only if ``is_sure``.

    A single remaining sheet counts as one of a game with several players, until the user says that
    it was a solo game.

    Raises:
        NotAllowed, StillMarked, Stale (``sheet``, ``last``): nothing has changed.
    """
    sheet = _locked_sheet(access, number)
    scoring = sheet.scoring
    if scoring.sheets.count() == 1:
        raise Stale("last")
    if sheet.marks.exists() and not is_sure:
        raise StillMarked
    sheet.delete()
    if scoring.sheets.count() == 1 and scoring.is_solo is None:
        scoring.is_solo = False
    _save(scoring, "is_solo")


@transaction.atomic
def rename(access: Access[Scoring], names: Mapping[int, str]) -> None:
    """Rename players, by the numbers of their sheets. Raises NotAllowed, Stale (``sheet``)."""
    scoring = lock(access)
    for number, player in names.items():
        if not scoring.sheets.filter(number=number).update(player=player):
            raise Stale("sheet")
    _save(scoring)


@transaction.atomic
def set_solo(access: Access[Scoring], is_solo: bool) -> None:
    """Record whether a single sheet is from a solo game. Raises NotAllowed."""
    scoring = lock(access)
    scoring.is_solo = is_solo
    _save(scoring, "is_solo")


@transaction.atomic
def confirm_blank(access: Access[Scoring], number: int) -> None:
    """Record that a sheet has no marks. Raises NotAllowed, Stale (``sheet``)."""
    sheet = _locked_sheet(access, number)
    sheet.is_blank = True
    sheet.save(update_fields=["is_blank"])
    _save(sheet.scoring)


def _locked_sheet(access: Access[Scoring], number: int) -> PaperSheet:
    scoring = lock(access)
    sheet = scoring.sheets.filter(number=number).first()
    if not sheet:
        raise Stale("sheet")
    sheet.scoring = scoring
    return sheet


def _save(scoring: Scoring, *fields: str) -> None:
    """Store the fields and a new revision, without the level, which is large and constant."""
    scoring.revision += 1
    scoring.touched = timezone.now()
    scoring.save(update_fields=["revision", "touched", *fields])


def export_level(scoring: Scoring, shipped: Mapping[str, Level]) -> str | dict[str, Any]:
    """Return the level for a file: the id of an identical shipped level, else the whole level."""
    level = level_of(scoring)
    document = dict(format_level(level))
    known = shipped.get(level.id)
    return level.id if known and dict(format_level(known)) == document else document
