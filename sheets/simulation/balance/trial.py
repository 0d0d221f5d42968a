"""Trial of a level: a few solo games show whether its points are far from the shipped levels'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Level
from sheets.simulation.balance.report import BOT, SEED, is_far, plan_games
from sheets.simulation.balance.shipped_figures import Range, shipped_range
from sheets.simulation.games import simulate
from sheets.simulation.summary import summarise

REPORT_GAMES_PER_GAME: Final = 10
"""Number of solo games of a report for each solo game of a trial."""

MIN_GAMES: Final = 8
"""Minimum number of games of a trial."""


class Trial(NamedTuple):
    """Number of solo ``games`` by bots, and the ``median`` of their points."""

    games: int
    median: float

    @property
    def ours(self) -> Range:
        """Range of the shipped levels' solo medians."""
        return shipped_range(1, lambda setting: setting["scores"]["median"])

    @property
    def is_far(self) -> bool:
        """Whether the median is far from the range `ours` (`report.is_far`)."""
        return is_far(self.median, self.ours)


def try_level(level: Level) -> Trial | None:
    """Play the trial of a level, with the same games each time; None if it has no solo games."""
    games = next((setting.games for setting in plan_games(level) if setting.players == 1), 0)
    if not games:
        return None
    games = max(MIN_GAMES, games // REPORT_GAMES_PER_GAME)
    tally = simulate(level, players=1, games=games, bot=BOT, seed=SEED, processes=1, chunk=games)
    return Trial(games, summarise(level, tally)["scores"]["median"])


def reported_trial(report: Mapping[str, Any]) -> Trial | None:
    """Return the solo games of a complete report as a trial; None if it has no solo games."""
    solo = next((found for found in report["settings"] if found["players"] == 1), None)
    return Trial(solo["games"], solo["scores"]["median"]) if solo else None
