"""Does a level play far from the shipped ones? A few solo games tell what is far off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Level
from sheets.simulation.balance.report import BOT, SEED, is_far, plan
from sheets.simulation.balance.shipped import Range, shipped_range
from sheets.simulation.games import simulate
from sheets.simulation.summary import summarise

SHARE: Final = 10
"""A report plays so many times as many games alone."""

LEAST_GAMES: Final = 8


class Trial(NamedTuple):
    """How many ``games`` bots played alone, and the ``median`` of their points."""

    games: int
    median: float

    @property
    def ours(self) -> Range:
        """The medians of the shipped levels."""
        return shipped_range(1, lambda setting: setting["scores"]["median"])

    @property
    def is_far(self) -> bool:
        """Whether it lies further from those than a level that plays like them would."""
        return is_far(self.median, self.ours)


def try_alone(level: Level) -> Trial | None:
    """A few games; None for a level that nobody can play alone. The same level, the same games."""
    games = next((setting.games for setting in plan(level) if setting.players == 1), 0)
    if not games:
        return None
    games = max(LEAST_GAMES, games // SHARE)
    tally = simulate(level, players=1, games=games, bot=BOT, seed=SEED, processes=1, chunk=games)
    return Trial(games, summarise(level, tally)["scores"]["median"])


def reported_trial(report: Mapping[str, Any]) -> Trial | None:
    """What a whole report says of the same."""
    solo = next((found for found in report["settings"] if found["players"] == 1), None)
    return Trial(solo["games"], solo["scores"]["median"]) if solo else None
