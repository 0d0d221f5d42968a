"""Who has just done better than ever on a level?"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, Max

from sheets.groups.evenings import title_of
from sheets.groups.figures import ENOUGH
from sheets.models import GroupGame, GroupResult


class Record(NamedTuple):
    """Somebody's best total on a level; ``before`` is what was the best until then."""

    name: str
    level: str
    total: int
    before: int


def records_of(game: GroupGame) -> list[Record]:
    """Whose best on its level a kept game is, among those with several games on it."""
    if game.is_open or not game.level_digest:
        return []
    results = [one for one in game.results.select_related("player") if one.player]
    rows = (
        GroupResult.objects.filter(
            player__in=[one.player for one in results],
            game__level_digest=game.level_digest,
            total__isnull=False,
        )
        .exclude(game=game)
        .order_by()
        .values("player")
        .annotate(games=Count("pk"), best=Max("total"))
    )
    before = {row["player"]: row["best"] for row in rows if row["games"] + 1 >= ENOUGH}
    return [
        Record(str(one.player), title_of(game), one.total, before[one.player_id])
        for one in results
        if one.player_id in before and one.total is not None and one.total > before[one.player_id]
    ]
