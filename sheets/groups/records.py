"""Personal records that a game sets on its level."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, Max, Q

from sheets.groups.filters import level_names
from sheets.groups.game_titles import title_among
from sheets.groups.statistics import MIN_GAMES
from sheets.models import GroupGame, GroupResult


class PersonalRecord(NamedTuple):
    """A player's new best total on a level; ``before`` is the former best total."""

    name: str
    level: str
    total: int
    before: int


def records_of(game: GroupGame) -> list[PersonalRecord]:
    """Return the personal records that a game set.

    A record needs at least `MIN_GAMES` games of the player on the level, this game included. Later
    games are ignored, so they do not change the records of a game.
    """
    if game.is_open or not game.level_digest:
        return []
    results = [one for one in game.results.select_related("player") if one.player]
    earlier = Q(game__played__lt=game.played) | Q(
        game__played=game.played, game__number__lt=game.number
    )
    rows = (
        GroupResult.objects.filter(
            earlier,
            player__in=[one.player for one in results],
            game__level_digest=game.level_digest,
            total__isnull=False,
        )
        .order_by()
        .values("player")
        .annotate(games=Count("pk"), best=Max("total"))
    )
    before = {row["player"]: row["best"] for row in rows if row["games"] + 1 >= MIN_GAMES}
    better = [
        (str(one.player), one.total, before[one.player_id])
        for one in results
        if one.player_id in before and one.total is not None and one.total > before[one.player_id]
    ]
    if not better:
        return []
    title = title_among(level_names(game.group), game)
    return [PersonalRecord(name, title, total, best) for name, total, best in better]
