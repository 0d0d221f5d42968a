"""Day on which a game was played, for the pages and pictures of its result."""

from __future__ import annotations

from datetime import date

from sheets.groups.keeping import FIELDS, Source
from sheets.groups.played import end_of
from sheets.groups.store import evening_of
from sheets.models import GroupGame, Table


def day_of(source: Source) -> date | None:
    """Return the evening of a game; None if it is not known, or the game goes on.

    A group stores the evening of each game. Without a group, only the log of a table has times.
    """
    kept = GroupGame.objects.filter(is_open=False, **{FIELDS[type(source)]: source})
    evening: date | None = kept.order_by("evening").values_list("evening", flat=True).first()
    if evening is None and isinstance(source, Table):
        end = end_of(source)
        return evening_of(end) if end else None
    return evening
