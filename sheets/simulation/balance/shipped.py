"""Figures of the shipped levels, with which reports compare.

Their reports are made like all others; ``figures.json`` stores the results.
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
"""File of the figures, written by ``manage.py measure_balance``."""

Setting = Mapping[str, Any]
"""Games of bots for one number of players: an entry of ``settings`` in a report."""

OWN: Final = ""
"""Id of a chosen workshop level, among the ids of shipped levels."""


class Beside(NamedTuple):
    """One figure of other levels: of the chosen one (None if it has no such figure), and the
    least, the median and the most of all that have it."""

    one: float | None
    least: float
    median: float
    most: float


@dataclass(frozen=True)
class OtherLevels:
    """The shipped levels that a level is compared with, by id; ``chosen`` is shown in full.

    If ``chosen`` is a workshop level, ``own`` has its settings by number of players; its id is
    `OWN`, and it does not count among the shipped levels.
    """

    levels: Mapping[str, Level]
    chosen: Level
    own: Mapping[int, Setting] | None = None

    def settings(self, players: int) -> dict[str, Setting]:
        """Return the settings for a number of players by id; levels without one are left out."""
        played = {id: shipped_settings()[id].get(players) for id in self.levels}
        if self.own is not None:
            played = {OWN: self.own.get(players)} | played
        return {id: setting for id, setting in played.items() if setting}

    def setting(self, players: int) -> Setting | None:
        """Return the chosen level's setting for a number of players."""
        return self.settings(players).get(self.chosen_id)

    @property
    def chosen_id(self) -> str:
        """Id of the chosen level in `settings`."""
        return self.chosen.id if self.own is None else OWN

    def level(self, id: str) -> Level:
        """Return a level of `settings` by id."""
        return self.chosen if id == OWN else self.levels[id]

    def beside(self, players: int, figure: Callable[[Setting], float]) -> Beside | None:
        """Return a figure of these levels for a number of players; None if no level has it."""
        return self.gather({id: figure(found) for id, found in self.settings(players).items()})

    def gather(self, figures: Mapping[str, float]) -> Beside | None:
        """Return a figure of these levels from values by id; None if no shipped level has it."""
        every = [figure for id, figure in figures.items() if id != OWN]
        if not every:
            return None
        return Beside(figures.get(self.chosen_id), min(every), median(every), max(every))


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


def beside_own(others: OtherLevels, level: Level, report: Mapping[str, Any]) -> OtherLevels:
    """Return the same levels with a workshop level as the chosen one, by its report."""
    played = {setting["players"]: setting for setting in report["settings"]}
    return OtherLevels(others.levels, level, played)


def _unlikeness(level: Level, other: Level) -> tuple[int, int, str]:
    """Return how dissimilar levels are: missing player counts, then the difference in fields."""
    lacking = set(level.player_counts) - set(other.player_counts)
    return len(lacking), abs(len(level.fields) - len(other.fields)), other.id


class Range(NamedTuple):
    """Minimum and maximum of a figure of all shipped levels."""

    least: float
    most: float


def shipped_range(players: int, figure: Callable[[Setting], float]) -> Range:
    """Return the range of a figure of the shipped levels for a number of players."""
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

    Reports have fewer games, and compare with `shipped_settings`, which are made in the same way.
    """
    found: dict[str, dict[str, Any]] = json.loads(FIGURES.read_text("utf-8"))["totals"]
    return {
        id: {int(players): _spread(**one) for players, one in histograms.items()}
        for id, histograms in found.items()
    }


def _spread(games: int, least: int, counts: Sequence[int]) -> Totals:
    sheets = (repeat(total, count) for total, count in enumerate(counts, start=least))
    return Totals(games, tuple(chain.from_iterable(sheets)))
