"""Trial of a level: a few solo games show whether it plays far from the shipped levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Level
from sheets.simulation.balance.report import BOT, SEED, is_far, plan
from sheets.simulation.balance.shipped import Range, shipped_range
from sheets.simulation.games import simulate
from sheets.simulation.summary import summarise

SHARE: Final = 10
"""Number of solo games of a report for each solo game of a trial."""

LEAST_GAMES: Final = 8
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
        """Whether the median is far from that range (`report.is_far`)."""
        return is_far(self.median, self.ours)


def try_alone(level: Level) -> Trial | None:
    """Return the trial of a level, always with the same games; None if it has no solo games."""
    games = next((setting.games for setting in plan(level) if setting.players == 1), 0)
    if not games:
        return None
    games = max(LEAST_GAMES, games // SHARE)
    tally = simulate(level, players=1, games=games, bot=BOT, seed=SEED, processes=1, chunk=games)
    return Trial(games, summarise(level, tally)["scores"]["median"])


def reported_trial(report: Mapping[str, Any]) -> Trial | None:
    """Return the solo games of a whole report as a trial; None without them."""
    solo = next((found for found in report["settings"] if found["players"] == 1), None)
    return Trial(solo["games"], solo["scores"]["median"]) if solo else None
