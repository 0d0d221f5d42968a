"""What does somebody take over from their photos? A form in, checked sheets out."""

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
    """A sheet as somebody has left it.

    ``place`` is its number on the page, ``number`` that of the scoring's sheet, 0 for a new one,
    None where nobody has said whose it is.
    ``unread`` are the flags and races of which it says nothing, not even that none is circled: on
    a leaf of a pad nobody knows where their numbers stand.
    """

    place: int
    level: Level
    marks: Marks
    player: str
    number: int | None
    unread: frozenset[str] = frozenset()


class CannotTake(Exception):
    """What is sent together does not go together; the message is a sentence for people."""


def read_taken(form: QueryDict, desk: Desk) -> list[TakenSheet]:
    """The sheets that are to be taken, in their order.

    Raises:
        Malformed: no page of ours sends this.
        CannotTake: it cannot be done; nothing has changed.
    """
    taken = read_sheets(form, desk)
    if any(sheet.number is None for sheet in taken):
        raise CannotTake(_("Choose first whose sheet each of these is."))
    refuse_together(taken, desk)
    _refuse_unread(form)
    return taken


def read_sheets(form: QueryDict, desk: Desk) -> list[TakenSheet]:
    """The sheets that are not left out, whether or not they go together; raises as `read_taken`."""
    indices = [_index(text) for text in form.getlist("sheet")]
    if len(set(indices)) < len(indices):  # each costs as much time as its marks are long
        raise Malformed("sheet")
    return [_sheet(form, desk, index) for index in indices if f"out-{index}" not in form]


def refuse_together(taken: Sequence[TakenSheet], desk: Desk) -> None:
    """Raise CannotTake where the sheets are not those of one game."""
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
    """Raise CannotTake where a sheet was not read, and nobody has said to leave it out."""
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


def _index(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", text):
        raise Malformed(text)
    return int(text)


def _sheet(form: QueryDict, desk: Desk, index: int) -> TakenSheet:
    level = desk.level(form.get(f"level-{index}", ""))
    if level is None:
        raise Malformed("level")
    marks = _marks(form.get(f"marks-{index}", ""))
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


def _marks(text: str) -> dict[str, str]:
    """The marks that a page of ours has written. Raises Malformed."""
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed("marks") from error
