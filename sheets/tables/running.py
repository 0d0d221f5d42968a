"""Which games are going on for a device, to lead it back with one tap?"""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from sheets.tables import reading, seating
from sheets.tables.access import TableAccess, find_access
from sheets.tables.games import family_of
from sheets.texts.players import join_names

RESULTS_SHOWN_FOR: Final = timedelta(days=1)


class Running(NamedTuple):
    """A table with what is going on there; ``is_called``: somebody here is awaited."""

    code: str
    title: str
    names: str
    sentence: str
    is_called: bool


def running_games(token: str) -> list[Running]:
    """The games of a device that are not over, or have just ended; the latest first."""
    found = []
    for table in seating.running_tables(token):
        access = find_access(table.code, token)
        if not _is_old(access):
            found.append(_running(access))
    return found


def _is_old(access: TableAccess) -> bool:
    """Whether the game is over and nobody comes back to it."""
    table = access.table
    if not table.has_started:
        return timezone.now() - table.touched > RESULTS_SHOWN_FOR
    if not reading.load(access).state.game.is_finished:
        return False
    return bool(table.next_code) or timezone.now() - table.touched > RESULTS_SHOWN_FOR


def _running(access: TableAccess) -> Running:
    table, family = access.table, family_of(access.table)
    taken = [str(seat) for seat in access.everybody if not seat.is_free]
    is_called = False
    if not table.has_started:
        sentence = _("Not begun yet")
    else:
        view = family.view(access)
        is_called = bool(view.call)
        if reading.load(access).state.game.is_finished:
            sentence = _("Results: %(result)s") % {"result": view.result}
        else:
            sentence = _("Your turn") if is_called else view.rounds_sentence
    return Running(table.code, family.title(table), join_names(taken), sentence, is_called)
