"""A player's figures: games, wins with a confidence interval, and points; signs of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork.drawings import symbol_id
from sheets.charts.lines import sparkline
from sheets.groups.statistics import ENOUGH, PlayerSums
from sheets.rules.symbols import COLOURS
from sheets.stats import Interval, wilson

LAST: Final = 10
"""Number of totals in the line of the last games."""

SIGNS: Final = tuple(
    symbol_id(symbol, colour) for symbol in ("gem", "flag", "key") for colour in COLOURS.values()
)
"""Drawings that stand for players: gems, whose colours differ in shape, then flags and keys."""


class Percents(NamedTuple):
    """An `Interval` and the share of wins by chance alone, in percent."""

    share: int
    low: int
    high: int
    chance: int


class Figures(NamedTuple):
    """A player's figures. ``wins`` counts shared wins as parts of one.

    ``games`` are all, ``matches`` those with others; ``chance`` is the share of them that luck
    alone would have won. Means, the best and the worst are of the points in ``scored`` games of
    Dizzle. ``last`` are the totals of the last of these, the latest at the end.
    """

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

    @property
    def trend(self) -> SafeString:
        """Chart of the last totals."""
        return mark_safe(sparkline(self.last))  # noqa: S308  drawn by us

    @property
    def percents(self) -> Percents | None:
        """The interval and the share by chance alone in whole percent."""
        if self.interval is None:
            return None
        return Percents(*(round(100 * part) for part in (*self.interval, self.chance)))

    @property
    def says(self) -> str:
        """``more`` or ``less`` wins than by chance; empty if the interval contains chance."""
        if self.interval is None or self.interval.low <= self.chance <= self.interval.high:
            return ""
        return "more" if self.interval.low > self.chance else "less"


def sign_of(number: int) -> str:
    """Return the id of the drawing that stands for a player."""
    return SIGNS[number % len(SIGNS)]


def figures_from(of_all: PlayerSums, matches: PlayerSums, totals: Sequence[int]) -> Figures:
    """Return the figures of a player.

    Args:
        of_all: all games.
        matches: those with others.
        totals: the totals of all games, in their order.
    """
    is_enough = of_all.scored >= ENOUGH
    return Figures(
        of_all.games,
        matches.games,
        matches.wins,
        matches.luck / matches.games if matches.games else 0.0,
        wilson(matches.wins, matches.games) if matches.games >= ENOUGH else None,
        of_all.scored,
        of_all.mean if is_enough else None,
        of_all.best,
        min(totals) if is_enough else None,
        list(totals[-LAST:]) if is_enough else [],
    )


def wins_words(wins: float) -> str:
    """Write a number of wins with the shares of shared ones, to the hundredth: 2.5, 0.83."""
    return number_format(f"{wins:.2f}".rstrip("0").rstrip("."))
