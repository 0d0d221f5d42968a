"""How does one player of a group do, level by level, and against each of the others?"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from django.db.models import Avg, Count, F, Max, OuterRef, Q, Subquery

from sheets.groups.evenings import title_of
from sheets.groups.figures import ENOUGH, sign_of
from sheets.models import GroupGame, GroupPlayer, GroupResult


class OnLevel(NamedTuple):
    """Somebody's games on a level; ``when`` was the evening of the best one.

    Below `ENOUGH` games there is no opinion: all but their number is None.
    """

    title: str
    games: int
    mean: float | None = None
    best: int | None = None
    when: date | None = None


class Against(NamedTuple):
    """The games of two: how often the one was ahead, the other was, and neither."""

    name: str
    sign: str
    games: int
    ahead: int
    behind: int
    even: int


def levels_of(player: GroupPlayer) -> list[OnLevel]:
    """The levels that somebody has played, the one played most first."""
    own = GroupResult.objects.filter(player=player, total__isnull=False).exclude(
        game__level_digest=""
    )
    rows = list(
        own.order_by()
        .values(digest=F("game__level_digest"))
        .annotate(
            games=Count("pk"), mean=Avg("total"), best=Max("total"), latest=Max("game__number")
        )
    )
    latest = {
        game.number: game
        for game in player.group.games.filter(number__in=[row["latest"] for row in rows])
    }
    found = []
    for row in rows:
        title = title_of(latest[row["latest"]])
        if row["games"] < ENOUGH:
            found.append(OnLevel(title, row["games"]))
            continue
        best = own.filter(game__level_digest=row["digest"], total=row["best"])
        when = best.order_by("played").values_list("game__evening", flat=True)[0]
        found.append(OnLevel(title, row["games"], row["mean"], row["best"], when))
    return sorted(found, key=lambda one: (-one.games, one.title))


def against_others(player: GroupPlayer) -> list[Against]:
    """Everybody somebody has played with, those most often met first."""
    mine = GroupResult.objects.filter(game=OuterRef("game"), player=player)
    rows = (
        GroupResult.objects.filter(
            game__in=GroupGame.objects.filter(results__player=player), player__isnull=False
        )
        .exclude(player=player)
        .annotate(mine=Subquery(mine.order_by("place").values("place")[:1]))
        .order_by()
        .values("player", "player__name", "player__sign")
        .annotate(
            games=Count("pk"),
            ahead=Count("pk", filter=Q(place__gt=F("mine"))),
            behind=Count("pk", filter=Q(place__lt=F("mine"))),
        )
    )
    found = [
        Against(
            row["player__name"],
            sign_of(row["player__sign"]),
            row["games"],
            row["ahead"],
            row["behind"],
            row["games"] - row["ahead"] - row["behind"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: (-one.games, one.name))


def streak_of(player: GroupPlayer) -> int:
    """How many games with others somebody has won in a row until now, shared wins included."""
    games = GroupResult.objects.filter(player=player, chance__lt=1).order_by("-played", "-pk")
    won = games.values_list("won", flat=True)[:100]
    return next((count for count, share in enumerate(won) if not share), len(won))
