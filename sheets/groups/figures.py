"""How does everybody in a group do? Added up in the database, and no opinion on few games.

What a share of wins says beside chance is an interval: that of Wilson, which holds for few games
and shares near 0 and 1, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from django.db.models import Avg, Count, Max, Min, Q, Sum
from django.utils.formats import number_format

from sheets.artwork.drawings import symbol_id
from sheets.groups.filters import ALL, Choice
from sheets.groups.sums import Rating, Sums
from sheets.models import Group, GroupPlayer, GroupResult
from sheets.rules.symbols import COLOURS

ENOUGH: Final = 5
"""From so many games on there is more to say than how many."""

LAST: Final = 10

SIGNS: Final = tuple(
    symbol_id(symbol, colour) for symbol in ("gem", "flag", "key") for colour in COLOURS.values()
)
"""What stands for players: each colour of gems has a shape of its own, then flags, then keys."""

Z: Final = 1.96
"""95 of 100 such intervals hold the true share."""


class Interval(NamedTuple):
    """A share with what it may be in truth, 0 to 1."""

    share: float
    low: float
    high: float


class Percents(NamedTuple):
    """An `Interval` beside what luck would give, in percents."""

    share: int
    low: int
    high: int
    chance: int


class Figures(NamedTuple):
    """How somebody does. ``wins`` counts shared wins as what they are a part of.

    ``games`` are all, ``matches`` those with others; ``chance`` is the share of them that luck
    alone would have won. Means, the best and the worst are of the points in ``scored`` games of
    Dizzle. ``last`` are the totals of the last of these, the latest first. ``rating`` is by all
    games.
    """

    player: GroupPlayer
    sign: str
    games: int
    matches: int
    wins: float
    chance: float
    interval: Interval | None
    scored: int
    mean: float | None
    best: int | None
    worst: int | None
    last: list[int]
    rating: Rating | None = None

    @property
    def lately(self) -> list[int]:
        """The last totals in their order, the latest at the end."""
        return self.last[::-1]

    @property
    def trend(self) -> str:
        """The last totals as points of a line in a box of 100 by 30, the oldest on the left."""
        if len(self.last) < 2:
            return ""
        low, high = min(self.last), max(self.last)
        step, scale = 100 / (len(self.last) - 1), 30 / max(1, high - low)
        return " ".join(
            f"{i * step:.4g},{30 - (total - low) * scale:.4g}"
            for i, total in enumerate(self.lately)
        )

    @property
    def percents(self) -> Percents | None:
        """The share of wins, what it may be, and what luck would give, in full percents."""
        if self.interval is None:
            return None
        return Percents(*(round(100 * part) for part in (*self.interval, self.chance)))

    @property
    def says(self) -> str:
        """Whether somebody wins ``more`` or ``less`` than by chance, else nothing."""
        if self.interval is None or self.interval.low <= self.chance <= self.interval.high:
            return ""
        return "more" if self.interval.low > self.chance else "less"


def sign_of(number: int) -> str:
    """The id of the drawing that stands for a player."""
    return SIGNS[number % len(SIGNS)]


def rating_of(sums: Sums | None) -> Rating | None:
    """How strong somebody is; None on few games."""
    return sums.rating if sums and sums.rated >= ENOUGH else None


def figures_of(group: Group, choice: Choice = ALL) -> list[Figures]:
    """Everybody who counts for themselves and plays on, who has played most first.

    Only the games of a choice count.
    """
    wanted, matches = choice.on_results(), choice.matches
    players = {
        player.pk: player for player in group.players.filter(merged_into=None, is_retired=False)
    }
    sums = (
        GroupResult.objects.filter(wanted, player__in=players)
        .order_by()
        .values("player")
        .annotate(
            games=Count("pk"),
            matches=Count("pk", filter=matches),
            wins=Sum("won", filter=matches),
            chances=Sum("chance", filter=matches),
            scored=Count("total"),
            mean=Avg("total"),
            best=Max("total"),
            worst=Min("total"),
        )
    )
    found = [_figures(players[row["player"]], row, wanted) for row in sums]
    return sorted(found, key=lambda one: (-one.games, one.player.number))


def _figures(player: GroupPlayer, row: Mapping[str, Any], wanted: Q) -> Figures:
    matches, wins = row["matches"], row["wins"] or 0.0
    is_enough = row["scored"] >= ENOUGH
    return Figures(
        player,
        sign_of(player.sign),
        row["games"],
        matches,
        wins,
        (row["chances"] or 0.0) / matches if matches else 0.0,
        wilson(wins, matches) if matches >= ENOUGH else None,
        row["scored"],
        row["mean"] if is_enough else None,
        row["best"],
        row["worst"] if is_enough else None,
        _last(player, wanted) if is_enough else [],
    )


def _last(player: GroupPlayer, wanted: Q) -> list[int]:
    rows = GroupResult.objects.filter(wanted, player=player, total__isnull=False)
    totals = rows.order_by("-played", "-pk").values_list("total", flat=True)[:LAST]
    return [total for total in totals if total is not None]


def figures_from(player: GroupPlayer, mine: Sums, totals: Sequence[int]) -> Figures:
    """The same from what was added up of all games; ``totals`` with the first game first."""
    is_enough = len(totals) >= ENOUGH
    return Figures(
        player,
        sign_of(player.sign),
        mine.games,
        mine.matches,
        mine.wins,
        mine.chances / mine.matches if mine.matches else 0.0,
        wilson(mine.wins, mine.matches) if mine.matches >= ENOUGH else None,
        len(totals),
        sum(totals) / len(totals) if is_enough else None,
        max(totals, default=None),
        min(totals) if is_enough else None,
        list(totals[: -LAST - 1 : -1]) if is_enough else [],
    )


def wins_words(wins: float) -> str:
    """A number of wins with the shares of shared ones, to the hundredth: 2.5, 0.83."""
    return number_format(f"{wins:.2f}".rstrip("0").rstrip("."))


def wilson(wins: float, games: int) -> Interval:
    """The share of wins and the interval in which the true one is likely to be.

    >>> [round(part, 2) for part in wilson(5, 10)]
    [0.5, 0.24, 0.76]
    """
    share, square = wins / games, Z * Z / games
    middle = (share + square / 2) / (1 + square)
    half = Z * sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))
