"""Which of several suggestions play as the shipped levels do? Bots try them, and the best are kept.

Numbers follow each other from the one that is wished for, so that the same wish gives the same
sheets on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Level, parse_level
from sheets.simulation.balance.shipped import shipped_settings
from sheets.simulation.games import simulate
from sheets.simulation.summary import summarise
from sheets.workshop.suggest.suggestion import LIMITS, CannotSuggest, Wanted, suggest_played

SHOWN: Final = 3
CANDIDATES: Final = 10
"""So many suggestions are compared by the solo games that their grades come from …"""

RAIL_CANDIDATES: Final = 4
"""… of sheets with tracks, on which bots think long, fewer …"""

FINALISTS: Final = 4
"""… and so many of those are tried in more games, also of two players."""

SOLO_GAMES: Final = 40
TWO_GAMES: Final = 40

CHANCE: Final = 0.08
"""How far a share of so few games for two is off by chance alone."""


class Played(NamedTuple):
    """How a level plays: solo ``median`` and middle half (``lower`` to ``upper``), in points; the
    shares of fields that are ``crossed`` solo, and of games for two that the first seat wins."""

    median: int
    lower: int
    upper: int
    crossed: float
    first: float | None = None


class Tried(NamedTuple):
    """A suggestion: its number, its document, and how it plays."""

    seed: int
    document: dict[str, Any]
    played: Played


def suggest_tried(wanted: Wanted) -> list[Tried]:
    """The best of the suggestions from the wished number on, the most like shipped levels first.

    Raises:
        CannotSuggest: none of the numbers gives a sheet.
    """
    found: list[Tried] = []
    refused: CannotSuggest | None = None
    for step in range(RAIL_CANDIDATES if wanted.rails else CANDIDATES):
        seed = (wanted.seed + step) % (LIMITS["seed"][1] + 1)
        try:
            document, games = suggest_played(wanted._replace(seed=seed))
        except CannotSuggest as problem:
            refused = refused or problem
            # What is wrong with the wish itself is wrong with every number.
            if problem.reason not in ("no-luck", "crowded"):
                raise
            continue
        found.append(Tried(seed, document, _played(summarise(parse_level(document), games))))
    if refused and not found:
        raise refused
    found.sort(key=_unlikeness)
    finalists = [one._replace(played=_play(parse_level(one.document))) for one in found[:FINALISTS]]
    return sorted(finalists, key=_unlikeness)[:SHOWN]


def _play(level: Level) -> Played:
    return _played(_games(level, 1, SOLO_GAMES), _games(level, 2, TWO_GAMES)["wins"][0])


def _played(solo: Mapping[str, Any], first: float | None = None) -> Played:
    scores = solo["scores"]
    return Played(
        scores["median"], scores["lower_quartile"], scores["upper_quartile"], solo["crossed"], first
    )


def _games(level: Level, players: int, games: int) -> dict[str, Any]:
    tally = simulate(
        level, players=players, games=games, bot="greedy", seed=1, processes=1, chunk=games
    )
    return summarise(level, tally)


class Range(NamedTuple):
    """The least and the most of a figure of all shipped levels."""

    least: float
    most: float


def shipped_range(players: int, figure: Callable[[Mapping[str, Any]], float]) -> Range:
    """Of the shipped levels that are made for so many players."""
    settings = (found.get(players) for found in shipped_settings().values())
    figures = [figure(setting) for setting in settings if setting]
    return Range(min(figures), max(figures))


def shipped_medians() -> Range:
    """The solo medians of the shipped levels."""
    return shipped_range(1, lambda setting: setting["scores"]["median"])


def _unlikeness(tried: Tried) -> tuple[float, float]:
    """How far it plays from what shipped levels do; 0 within their range. Then from the middle."""
    played, medians = tried.played, shipped_medians()
    spreads = shipped_range(
        1, lambda s: s["scores"]["upper_quartile"] - s["scores"]["lower_quartile"]
    )
    found = [
        _outside(played.median, medians),
        _outside(played.upper - played.lower, spreads),
    ]
    if played.first is not None:
        seats = shipped_range(2, lambda setting: setting["wins"][0])
        found.append(_outside(played.first, Range(seats.least - CHANCE, seats.most + CHANCE)))
    middle = (medians.least + medians.most) / 2
    return sum(found), abs(played.median - middle)


def _outside(figure: float, of: Range) -> float:
    return max(0.0, of.least - figure, figure - of.most) / (of.most - of.least)
