"""Which of several suggestions play as the shipped levels do? Bots try them, and such are kept.

Numbers follow each other from the one that is wished for. A number gives the same sheet on every
machine; how many numbers are tried has a bound, and a lower one where machines are slow. What is
best of those that were tried is shown then.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any, Final, NamedTuple

from sheets.rules import parse_level
from sheets.simulation.balance.shipped import Range, shipped_range
from sheets.simulation.games import simulate
from sheets.simulation.summary import summarise
from sheets.workshop.suggest.suggestion import LIMITS, CannotSuggest, Wanted
from sheets.workshop.suggest.tuning import games_on, suggest_played

SHOWN: Final = 3
CANDIDATES: Final = 12
"""So many suggestions are tried at most …"""

RAIL_CANDIDATES: Final = 6
"""… of sheets with tracks, on which bots think long, fewer."""

GAMES: Final = 60
"""Alone, and as many for two …"""

RAIL_GAMES: Final = 40
"""… on sheets with tracks (but see `games_on`)."""

ENOUGH_SECONDS: Final = 15
"""Once so long has passed, nothing more is tried: with what is under way it is to stay below the
minute that a drawing may take, on a machine three times as slow as usual, too."""


class Played(NamedTuple):
    """How a level plays: solo ``median`` and middle half (``lower`` to ``upper``), in points; the
    shares of fields ``crossed`` solo, and of games for two that the ``first`` seat wins."""

    median: float
    lower: float
    upper: float
    crossed: float
    first: float | None = None


class Tried(NamedTuple):
    """A suggestion: its number, its document, and how it plays."""

    seed: int
    document: dict[str, Any]
    played: Played


class Beside(NamedTuple):
    """A figure (``median``, ``spread`` or ``first``) beside the range of the shipped levels.

    ``off`` is how far it lies below (negative) or above that, 0 within it.
    """

    name: str
    figure: float
    ours: Range

    @property
    def off(self) -> float:
        """See there."""
        return min(0, self.figure - self.ours.least) or max(0, self.figure - self.ours.most)


def suggest_tried(wanted: Wanted) -> list[Tried]:
    """The first suggestions from the wished number on that play as the shipped levels do.

    Where too few do, those that come nearest are among them. They are `SHOWN`, or fewer where the
    time is up or numbers give no sheet, and at least one.

    Raises:
        CannotSuggest: none of the numbers gives a sheet.
    """
    end = monotonic() + ENOUGH_SECONDS
    games = games_for(wanted)
    kept: list[Tried] = []
    others: list[Tried] = []
    hopeless: set[int] = set()
    refused: CannotSuggest | None = None
    for step in range(RAIL_CANDIDATES if wanted.rails else CANDIDATES):
        seed = (wanted.seed + step) % (LIMITS["seed"][1] + 1)
        try:
            tried, is_hopeless = _begin(wanted._replace(seed=seed), games)
        except CannotSuggest as problem:
            refused = refused or problem
            # What is wrong with the wish itself is wrong with every number.
            if problem.reason not in ("no-luck", "crowded"):
                raise
            continue
        if is_hopeless:
            hopeless.add(seed)
        (others if _unlikeness(tried) else kept).append(tried)
        if len(kept) == SHOWN:
            return kept
        if monotonic() > end:
            break
    if refused and not kept and not others:
        raise refused
    for one in sorted(others, key=_unlikeness)[: SHOWN - len(kept)]:
        is_done = one.played.first is not None
        if is_done or not kept or monotonic() <= end:
            alone = _alone(one, games) if one.seed in hopeless else one
            kept.append(_for_two(alone, games))
    return kept


def games_for(wanted: Wanted) -> int:
    """How many games alone the figures of its suggestions come of, and as many for two."""
    usual = RAIL_GAMES if wanted.rails else GAMES
    return games_on(wanted.columns * wanted.rows, usual, rails=wanted.rails)


def set_beside(played: Played) -> list[Beside]:
    """The figures of a level for which the shipped ones have a range, the gravest first."""
    figures: dict[str, float] = {"median": played.median, "spread": played.upper - played.lower}
    if played.first is not None:
        figures["first"] = played.first
    return [Beside(name, figure, RANGES[name]) for name, figure in figures.items()]


RANGES: Final[Mapping[str, Range]] = {
    "median": shipped_range(1, lambda setting: setting["scores"]["median"]),
    "spread": shipped_range(
        1, lambda setting: setting["scores"]["upper_quartile"] - setting["scores"]["lower_quartile"]
    ),
    "first": shipped_range(2, lambda setting: setting["wins"][0]),
}
"""Of the shipped levels: solo median and width of the middle half in points, and the share of games
for two that the first seat wins."""


def _begin(wanted: Wanted, games: int) -> tuple[Tried, bool]:
    """A suggestion, tried as far as is worth it; and whether that was not at all.

    What is hopeless shows in the few games by which it was tuned; what is not good alone is tried
    no further. Raises CannotSuggest.
    """
    document, sample = suggest_played(wanted)
    tried = Tried(wanted.seed, document, _played(summarise(parse_level(document), sample)))
    is_hopeless = bool(set_beside(tried.played)[0].off)
    if not is_hopeless:
        tried = _alone(tried, games)
    if not _unlikeness(tried):
        tried = _for_two(tried, games)
    return tried, is_hopeless


def _alone(tried: Tried, games: int) -> Tried:
    return tried._replace(played=_played(_games(tried, 1, games)))


def _for_two(tried: Tried, games: int) -> Tried:
    if tried.played.first is not None:
        return tried
    first = _games(tried, 2, games)["wins"][0]
    return tried._replace(played=tried.played._replace(first=first))


def _played(solo: Mapping[str, Any]) -> Played:
    scores = solo["scores"]
    return Played(
        scores["median"], scores["lower_quartile"], scores["upper_quartile"], solo["crossed"]
    )


def _games(tried: Tried, players: int, games: int) -> dict[str, Any]:
    level = parse_level(tried.document)
    tally = simulate(
        level, players=players, games=games, bot="greedy", seed=1, processes=1, chunk=games
    )
    return summarise(level, tally)


def _unlikeness(tried: Tried) -> float:
    """How far it plays from what shipped levels do, in parts of their ranges; 0 within them."""
    return sum(abs(one.off) / (one.ours.most - one.ours.least) for one in set_beside(tried.played))
