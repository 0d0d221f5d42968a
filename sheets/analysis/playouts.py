"""Play-outs of many options of a game's decisions, each many times.

All options of one comparison are played out with common random numbers: in each repetition, all of
them have the same dice. So their results can be compared repetition by repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheets.bots.option_values import Ends, play_after
from sheets.bots.options import Option
from sheets.bots.playouts import supports
from sheets.rules import Level

Results = NDArray[np.float64]
"""Results by repetition (or game), player and kind: `POINTS` or `WIN`."""

POINTS: Final = 0
"""Index of a result: the total."""

WIN: Final = 1
"""Index of a result: the share of the win."""

BATCH_SIZE: Final = 1500
"""Maximum number of games in a batch; each takes some 50 kB of memory."""

UNBATCHED_DIVISOR: Final = 6
"""Divisor of the number of games where they are played out one by one (`supports`)."""


class Comparison(NamedTuple):
    """Options of one position, each of which is played out ``times`` times.

    ``name`` begins the seeds of the random numbers.
    """

    name: str
    options: tuple[Option, ...]
    times: int


def play_comparisons(
    comparisons: Sequence[Comparison], on_progress: Callable[[int], object] = lambda games: None
) -> list[Results]:
    """Return the results of each comparison: an array by option, repetition, player and kind.

    Args:
        comparisons: of games on one level, with the same number of players.
        on_progress: called with the number of games of each batch.
    """
    found = [
        np.empty((len(one.options), one.times, len(one.options[0].game.players), 2))
        for one in comparisons
    ]
    playouts = _playouts(comparisons)
    while batch := list(islice(playouts, BATCH_SIZE)):
        randoms = {one.seed: Random(one.seed) for one in batch}  # noqa: S311  dice, not secrets
        ends = play_after([one.option for one in batch], [randoms[one.seed] for one in batch])
        for one, results in zip(batch, results_of(ends), strict=True):
            found[one.comparison][one.place, one.time] = results
        on_progress(len(batch))
    return found


class _Playout(NamedTuple):
    """A game to be played out, and where its result belongs.

    ``comparison``, ``place`` and ``time`` are the indices of the comparison, of its option, and of
    the repetition. ``seed`` seeds the dice.
    """

    comparison: int
    place: int
    time: int
    option: Option
    seed: str


def _playouts(comparisons: Sequence[Comparison]) -> Iterator[_Playout]:
    for number, one in enumerate(comparisons):
        for place, option in enumerate(one.options):
            for time in range(one.times):
                yield _Playout(number, place, time, option, f"{one.name}/{time}")


def results_of(ends: Ends) -> Results:
    """Return the results of games by game, player and kind."""
    return np.stack([ends.totals, ends.wins], axis=2)


def affordable_playouts(level: Level, times: int) -> int:
    """Return how many of ``times`` play-outs are affordable: fewer on slow levels."""
    return times if supports(level) else max(8, times // UNBATCHED_DIVISOR)


def count_games(comparisons: Iterable[Comparison]) -> int:
    """Return the number of games of all comparisons."""
    return sum(len(one.options) * one.times for one in comparisons)
