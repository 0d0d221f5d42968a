"""Validation of the form with reviewed sheets, which are to be added to a scoring or table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.photos.desk import Desk
from sheets.rules import Level
from sheets.rules.level import MOST_PLAYERS
from sheets.scoring.changes import check_mark
from sheets.scoring.forms import PlayerName
from sheets.scoring.marks import Marks
from sheets.scoring.store import Malformed


class TakenSheet(NamedTuple):
    """A sheet as the user has reviewed it.

    ``place`` is its number on the page, ``number`` that of the scoring's sheet, 0 for a new one,
    None if the user has not chosen the player. ``unread`` has the flags and races whose numbers
    were not read, as on a pad, where their position is unknown.
    """

    place: int
    level: Level
    marks: Marks
    player: str
    number: int | None
    unread: frozenset[str] = frozenset()


class CannotTake(Exception):
    """Sheets that cannot be taken over; the message is a sentence for the user."""


def read_taken(form: QueryDict, desk: Desk) -> list[TakenSheet]:
    """Return the sheets to take over, in their order.

    Raises:
        Malformed: our pages do not send such a form.
        CannotTake: the sheets cannot be taken over; nothing has changed.
    """
    taken = read_sheets(form, desk)
    if any(sheet.number is None for sheet in taken):
        raise CannotTake(_("Choose first whose sheet each of these is."))
    refuse_together(taken, desk)
    _refuse_unread(form)
    return taken


def read_sheets(form: QueryDict, desk: Desk) -> list[TakenSheet]:
    """Return the sheets that are not left out, without checks between them.

    Raises as `read_taken`.
    """
    indices = [_parse_index(text) for text in form.getlist("sheet")]
    if len(set(indices)) < len(indices):  # repeated indices would multiply the decoding time
        raise Malformed("sheet")
    return [_parse_sheet(form, desk, index) for index in indices if f"out-{index}" not in form]


def refuse_together(taken: Sequence[TakenSheet], desk: Desk) -> None:
    """Raise CannotTake unless the sheets can be those of one game."""
    if not taken:
        raise CannotTake(_("There is no sheet to score. Photograph one first."))
    if len(taken) > MOST_PLAYERS:
        raise CannotTake(_("Six sheets at most belong to one game. Leave the others out."))
    if len({sheet.level.id for sheet in taken}) > 1:
        raise CannotTake(
            _("These sheets are of different levels. Leave out those that are not of this game.")
        )
    numbers = [sheet.number for sheet in taken if sheet.number]
    if len(set(numbers)) < len(numbers):
        raise CannotTake(_("Two of these sheets have the same player. Choose whose each is."))
    if len(desk.sheets) + sum(sheet.number == 0 for sheet in taken) > MOST_PLAYERS:
        raise CannotTake(_("Six sheets at most belong to one game. Leave the others out."))


def _refuse_unread(form: QueryDict) -> None:
    """Raise CannotTake if a sheet was not read and is not left out."""
    unread = [index for index in form.getlist("unread") if f"out-{index}" not in form]
    if unread:
        raise CannotTake(
            ngettext(
                "%(count)d sheet was not read. Photograph it again, or leave it out.",
                "%(count)d sheets were not read. Photograph them again, or leave them out.",
                len(unread),
            )
            % {"count": len(unread)}
        )


def _parse_index(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", text):
        raise Malformed(text)
    return int(text)


def _parse_sheet(form: QueryDict, desk: Desk, index: int) -> TakenSheet:
    level = desk.level(form.get(f"level-{index}", ""))
    if level is None:
        raise Malformed("level")
    marks = _parse_marks(form.get(f"marks-{index}", ""))
    answered = f"at-{index}-"
    for name, value in form.items():
        if name.startswith(answered):
            marks[name.removeprefix(answered)] = str(value)
    for at, value in marks.items():
        check_mark(level, at, value)
    number = form.get(f"who-{index}", "0")
    known = {str(row.number) for row, _name, _marks in desk.sheets} | {"0"}
    if desk.sheets:
        known.add("")
    if number not in known:
        raise CannotTake(
            _("The sheet of one of these players has been removed. Choose another one.")
        )
    seen_marked = form.get(f"marked-{index}", "").split(",")
    for row, name, marked in desk.sheets:
        if str(row.number) == number and marked and number not in seen_marked:
            sentence = _(
                "Somebody has marked the sheet of %(player)s in the meantime. Choose again."
            )
            raise CannotTake(sentence % {"player": name})
    try:
        player = PlayerName().clean(form.get(f"name-{index}", ""))
    except ValidationError as error:
        raise CannotTake(error.messages[0]) from None
    kept = {at: value for at, value in marks.items() if value}
    return TakenSheet(
        index,
        level,
        kept,
        player,
        int(number) if number else None,
        frozenset(level.number_tracks.keys() - marks),
    )


def _parse_marks(text: str) -> dict[str, str]:
    """Decode the marks that our page has sent. Raises Malformed."""
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed("marks") from error
