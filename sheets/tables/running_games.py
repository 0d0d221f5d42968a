"""The games in which a device has a seat, with a summary of each for the start page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from sheets.tables import event_loader, seating
from sheets.tables.access import UnknownTable, find_access
from sheets.tables.family import family_of

LOBBY_RETENTION: Final = timedelta(days=1)
"""How long after its last use a table whose game has not begun stays in the list."""


class TableSummary(NamedTuple):
    """Summary of a table; ``is_called`` says that a player on this device is awaited."""

    title: str
    players: list[str]
    sentence: str
    is_called: bool


class SeatedTable(NamedTuple):
    """A table at which a device has a seat; ``when`` is the time of its last use."""

    code: str
    when: datetime
    is_paused: bool


def seated_tables(token: str) -> list[SeatedTable]:
    """Return the tables at which a device has a seat, latest first."""
    limit = timezone.now() - LOBBY_RETENTION
    tables = seating.tables_of(token)
    return [
        SeatedTable(table.code, table.touched, table.is_paused)
        for table in tables
        if table.has_started or table.touched > limit
    ]


def game_at(code: str, token: str) -> TableSummary | None:
    """Return the summary of a table for a device; None if the table is gone."""
    try:
        access = find_access(code, token)
    except UnknownTable:
        return None
    table, family = access.table, family_of(access.table)
    taken = [str(seat) for seat in access.all_seats if not seat.is_free]
    is_called = False
    if not table.has_started:
        sentence = _("Not begun yet")
    else:
        view = family.view(access)
        is_called = bool(view.call)
        if event_loader.load(access).state.game.is_finished:
            sentence = _("Results: %(result)s") % {"result": view.result}
            taken = [str(seat) for seat in access.all_seats]
        else:
            sentence = view.call_sentence if is_called else view.rounds_sentence
        if table.is_paused:
            sentence = _("Paused: %(sentence)s") % {"sentence": sentence}
    return TableSummary(family.title(table), taken, sentence, is_called)
