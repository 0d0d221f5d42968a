"""Statistics of the shipped levels, for comparison in the balance report of a level.

They come from ordinary reports on the shipped levels; `measure_balance` writes them to
``figures.json``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from sheets.levels import shipped_levels
from sheets.rules import Level, format_level
from sheets.simulation.balance.report import plays_alike

FIGURES: Final = Path(__file__).with_name("figures.json")
"""File with the statistics, written by ``manage.py measure_balance``."""

Setting = Mapping[str, Any]
"""Statistics of bots' games for one number of players: an entry of ``settings`` in a report."""

OWN_LEVEL_ID: Final = ""
"""Id of a workshop level that is chosen for comparison; shipped levels have other ids."""


class ComparedFigure(NamedTuple):
    """A statistic of the levels that a level is compared with.

    ``one`` is the value of the chosen level, None if it has none. ``least``, ``median`` and
    ``most`` are those of the shipped levels.
    """

    one: float | None
    least: float
    median: float
    most: float


@dataclass(frozen=True)
class OtherLevels:
    """The shipped levels that a level is compared with, by id; ``chosen`` is shown in full.

    If ``chosen`` is a workshop level, ``own`` has its settings by number of players; its id is
    `OWN_LEVEL_ID`, and it does not count among the shipped levels.
    """

    levels: Mapping[str, Level]
    chosen: Level
    own: Mapping[int, Setting] | None = None

    def settings(self, players: int) -> dict[str, Setting]:
        """Return the settings for a number of players, by id of the levels that have one."""
        played = {id: shipped_settings()[id].get(players) for id in self.levels}
        if self.own is not None:
            played = {OWN_LEVEL_ID: self.own.get(players)} | played
        return {id: setting for id, setting in played.items() if setting}

    def setting(self, players: int) -> Setting | None:
        """Return the chosen level's setting for a number of players; None if it has none."""
        return self.settings(players).get(self.chosen_id)

    @property
    def chosen_id(self) -> str:
        """Id of the chosen level in `settings`."""
        return self.chosen.id if self.own is None else OWN_LEVEL_ID

    def level(self, id: str) -> Level:
        """Return a level of `settings` by id."""
        return self.chosen if id == OWN_LEVEL_ID else self.levels[id]

    def compare(self, players: int, figure: Callable[[Setting], float]) -> ComparedFigure | None:
        """Return the comparison of a statistic; None if no shipped level has these games."""
        return self.compare_values(
            {id: figure(found) for id, found in self.settings(players).items()}
        )

    def compare_values(self, figures: Mapping[str, float]) -> ComparedFigure | None:
        """Return the comparison of values by level id; None if none is of a shipped level."""
        every = [figure for id, figure in figures.items() if id != OWN_LEVEL_ID]
        if not every:
            return None
        return ComparedFigure(figures.get(self.chosen_id), min(every), median(every), max(every))


def find_other_levels(level: Level, wanted: str = "") -> OtherLevels:
    """Return the levels that a level is compared with: all shipped levels but itself.

    Args:
        level: the level that a report is about.
        wanted: the id of the level to choose; by default the most similar one.

    Raises:
        KeyError: no other shipped level has this id.
    """
    document = format_level(level)
    levels = {
        id: other
        for id, other in shipped_levels().items()
        if not plays_alike(format_level(other), document)
    }
    if wanted:
        return OtherLevels(levels, levels[wanted])
    return OtherLevels(levels, min(levels.values(), key=lambda other: _unlikeness(level, other)))


def choose_own_level(others: OtherLevels, level: Level, report: Mapping[str, Any]) -> OtherLevels:
    """Return ``others`` with a workshop level as the chosen level.

    The chosen level's statistics come from ``report``, its balance report.
    """
    played = {setting["players"]: setting for setting in report["settings"]}
    return OtherLevels(others.levels, level, played)


def _unlikeness(level: Level, other: Level) -> tuple[int, int, str]:
    """Return a sort key for the dissimilarity of two levels.

    It has the count of the level's player counts that the other one lacks, the difference in
    fields, and the other level's id.
    """
    lacking = set(level.player_counts) - set(other.player_counts)
    return len(lacking), abs(len(level.fields) - len(other.fields)), other.id


class Range(NamedTuple):
    """Minimum and maximum of a statistic of all shipped levels."""

    least: float
    most: float


def shipped_range(players: int, figure: Callable[[Setting], float]) -> Range:
    """Return the range of a statistic of the shipped levels for a number of players."""
    settings = (found.get(players) for found in shipped_settings().values())
    figures = [figure(setting) for setting in settings if setting]
    return Range(min(figures), max(figures))


@cache
def shipped_settings() -> Mapping[str, Mapping[int, Setting]]:
    """Return the ``settings`` of the shipped levels' reports by level id and number of players."""
    found: dict[str, list[dict[str, Any]]] = json.loads(FIGURES.read_text("utf-8"))["levels"]
    return {id: {s["players"]: s for s in settings} for id, settings in found.items()}


class Totals(NamedTuple):
    """Number of ``games`` of bots, and the ``totals`` of all their sheets, ascending."""

    games: int
    totals: Sequence[int]


@cache
def shipped_totals() -> Mapping[str, Mapping[int, Totals]]:
    """Return the totals of thousands of games on each shipped level, by id and number of players.

    Reports have fewer games. They are compared with `shipped_settings`, which have as many.
    """
    found: dict[str, dict[str, Any]] = json.loads(FIGURES.read_text("utf-8"))["totals"]
    return {
        id: {int(players): _spread(**one) for players, one in histograms.items()}
        for id, histograms in found.items()
    }


def _spread(games: int, least: int, counts: Sequence[int]) -> Totals:
    sheets = (repeat(total, count) for total, count in enumerate(counts, start=least))
    return Totals(games, tuple(chain.from_iterable(sheets)))
