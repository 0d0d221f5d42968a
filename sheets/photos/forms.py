"""Validation of the form with reviewed sheets, to store in a scoring or compare with a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.photos.page_context import PhotoPageContext
from sheets.photos.worker.messages import Corners, GridCorners
from sheets.rules import Level
from sheets.rules.level import MAX_PLAYERS
from sheets.scoring.changes import check_mark
from sheets.scoring.forms import PlayerName
from sheets.scoring.marks import PaperMarks
from sheets.scoring.store import Malformed

_MAX_CORNERS_LENGTH: Final = 200
"""Maximum length of a text with four corners."""

_COUNT: Final = re.compile(r"[1-9][0-9]?")
"""Pattern of a number of columns or rows."""


class ReviewedSheet(NamedTuple):
    """A sheet as the user has reviewed it.

    ``place`` is its number on the web page. ``number`` is the number of the scoring's sheet that it
    belongs to: 0 for a new one, None if the user has not chosen the player. ``unread`` has the
    flags and races whose circled numbers were not read. On a sheet of a pad, none are read, because
    their positions are unknown.
    """

    place: int
    level: Level
    marks: PaperMarks
    player: str
    number: int | None
    unread: frozenset[str] = frozenset()


class SheetsRefused(Exception):
    """Refusal to store or compare reviewed sheets; the message is a sentence for the user."""


def parse_sheets_of_game(form: QueryDict, page_context: PhotoPageContext) -> list[ReviewedSheet]:
    """Return the sheets of the form, after all checks, in the order of the form.

    Raises:
        Malformed: our pages do not send such a form.
        SheetsRefused: the user must correct something first.
    """
    sheets = parse_sheets(form, page_context)
    if any(sheet.number is None for sheet in sheets):
        raise SheetsRefused(_("Choose first whose sheet each of these is."))
    check_same_game(sheets, page_context)
    _check_all_read(form)
    return sheets


def parse_sheets(form: QueryDict, page_context: PhotoPageContext) -> list[ReviewedSheet]:
    """Return the sheets of the form that the user has not left out.

    Each sheet is checked alone; `check_same_game` compares them with each other. Raises the same
    exceptions as `parse_sheets_of_game`.
    """
    indices = [_parse_index(text) for text in form.getlist("sheet")]
    if len(set(indices)) < len(indices):  # repeated indices would multiply the decoding time
        raise Malformed("sheet")
    return [
        _parse_sheet(form, page_context, index) for index in indices if f"out-{index}" not in form
    ]


def check_same_game(sheets: Sequence[ReviewedSheet], page_context: PhotoPageContext) -> None:
    """Raise SheetsRefused unless the sheets can belong to one game, together with the scoring."""
    if not sheets:
        raise SheetsRefused(_("There is no sheet to score. Photograph one first."))
    if len(sheets) > MAX_PLAYERS:
        raise SheetsRefused(_("Six sheets at most belong to one game. Leave the others out."))
    if len({sheet.level.id for sheet in sheets}) > 1:
        raise SheetsRefused(
            _("These sheets are of different levels. Leave out those that are not of this game.")
        )
    numbers = [sheet.number for sheet in sheets if sheet.number]
    if len(set(numbers)) < len(numbers):
        raise SheetsRefused(_("Two of these sheets have the same player. Choose whose each is."))
    if len(page_context.sheets) + sum(sheet.number == 0 for sheet in sheets) > MAX_PLAYERS:
        raise SheetsRefused(_("Six sheets at most belong to one game. Leave the others out."))


def parse_corners(text: str) -> Corners | None:
    """Return the corners that the user placed in the photo; None for an empty text.

    The text has the form ``0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9``. A malformed one has no corners, which
    the reading refuses.
    """
    if not text:
        return None
    if len(text) > _MAX_CORNERS_LENGTH:
        return ()
    try:
        return tuple((float(x), float(y)) for x, y in (one.split(",") for one in text.split(" ")))
    except ValueError:
        return ()


def grid_corners(form: QueryDict) -> GridCorners | None:
    """Return the corners of a grid with its numbers of columns and rows; None without corners.

    A malformed number becomes 0, which the reading refuses.
    """
    corners = parse_corners(form.get("corners", ""))
    if corners is None:
        return None
    columns, rows = (form.get(name, "") for name in ("columns", "rows"))
    return GridCorners(
        corners, *(int(one) if _COUNT.fullmatch(one) else 0 for one in (columns, rows))
    )


def _check_all_read(form: QueryDict) -> None:
    """Raise SheetsRefused if a sheet was not read and is not left out."""
    unread = [index for index in form.getlist("unread") if f"out-{index}" not in form]
    if unread:
        raise SheetsRefused(
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


def _parse_sheet(form: QueryDict, page_context: PhotoPageContext, index: int) -> ReviewedSheet:
    level = page_context.level(form.get(f"level-{index}", ""))
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
    known = {str(row.number) for row, _name, _marks in page_context.sheets} | {"0"}
    if page_context.sheets:
        known.add("")
    if number not in known:
        raise SheetsRefused(
            _("The sheet of one of these players has been removed. Choose another one.")
        )
    seen_marked = form.get(f"marked-{index}", "").split(",")
    for row, name, marked in page_context.sheets:
        if str(row.number) == number and marked and number not in seen_marked:
            sentence = _(
                "Somebody has marked the sheet of %(player)s in the meantime. Choose again."
            )
            raise SheetsRefused(sentence % {"player": name})
    try:
        player = PlayerName().clean(form.get(f"name-{index}", ""))
    except ValidationError as error:
        raise SheetsRefused(error.messages[0]) from None
    kept = {at: value for at, value in marks.items() if value}
    return ReviewedSheet(
        index,
        level,
        kept,
        player,
        int(number) if number else None,
        frozenset(level.number_tracks.keys() - marks),
    )


def _parse_marks(text: str) -> dict[str, str]:
    """Decode the JSON with the marks of a sheet, value by place. Raises Malformed."""
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed("marks") from error
