"""How do games go on from a position, over and over again?

A `Spot` is a position, or a reroll of which the dice are yet to fall. All spots of a `Look` are
played on with the same random numbers, one source for each time, so that they can be compared
time by time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheets.bots import GreedyBot
from sheets.bots.playouts import covers, play_out, share_wins
from sheets.bots.throwing import act, play_to_end
from sheets.rules import Action, Game, Level
from sheets.rules.scoring import find_winners

Results = NDArray[np.float64]
"""By time and player: what came of it, as `POINTS` and `WIN`."""

POINTS: Final = 0
WIN: Final = 1
"""The share of the win: half of it for each of two who share it."""

AT_ONCE: Final = 1500
"""So many games are played at once; each keeps some 50 kB busy."""

ONE_BY_ONE: Final = 6
"""Where games have to be played one by one, so many times fewer are played."""


class Spot(NamedTuple):
    """A game, and perhaps what is done next: a reroll without dice, or anything else."""

    game: Game
    action: Action | None = None

    def begin(self) -> Game:
        """The position from which is played on; of a reroll that before it."""
        if self.action is None or self.is_open:
            return self.game
        return self.game.apply(self.action)

    @property
    def is_open(self) -> bool:
        """Whether chance decides at once where it leads."""
        return self.action is not None and self.action.do == "reroll"


class Look(NamedTuple):
    """Spots of one game that are to be compared, and how many times each is played on from.

    ``name`` names the random numbers.
    """

    name: str
    spots: tuple[Spot, ...]
    times: int


def play_looks(
    looks: Sequence[Look], on_progress: Callable[[int], object] = lambda games: None
) -> list[Results]:
    """What came of each look: an array by spot, time, player, and `POINTS` or `WIN`.

    Args:
        looks: of games on one level, of as many players.
        on_progress: told now and then how many more games are played.
    """
    if not looks:
        return []
    level = looks[0].spots[0].game.level
    play = _play_at_once if covers(level) else _play_one_by_one
    found = [
        np.empty((len(look.spots), look.times, len(look.spots[0].game.players), 2))
        for look in looks
    ]
    lanes: list[_Lane] = []
    for lane in _lanes(looks):
        lanes.append(lane)
        if len(lanes) == AT_ONCE:
            _settle(lanes, found, play)
            on_progress(len(lanes))
            lanes = []
    if lanes:
        _settle(lanes, found, play)
        on_progress(len(lanes))
    return found


class _Lane(NamedTuple):
    """One game to be played, and where its result belongs.

    ``game`` is what is played on from, or where somebody is about to reroll.
    """

    look: int
    spot: int
    time: int
    game: Game
    is_rerolled: bool
    numbers: str


def _lanes(looks: Sequence[Look]) -> Iterator[_Lane]:
    for number, look in enumerate(looks):
        for place, spot in enumerate(look.spots):
            game = spot.begin()
            for time in range(look.times):
                yield _Lane(number, place, time, game, spot.is_open, f"{look.name}/{time}")


def _settle(
    lanes: Sequence[_Lane], found: Sequence[Results], play: Callable[[Sequence[_Lane]], Results]
) -> None:
    for lane, result in zip(lanes, play(lanes), strict=True):
        found[lane.look][lane.spot, lane.time] = result


def _play_at_once(lanes: Sequence[_Lane]) -> Results:
    shared = {lane.numbers: _random(lane.numbers) for lane in lanes}
    begun = [
        _begun(lane) if lane.is_rerolled else (lane.game, shared[lane.numbers]) for lane in lanes
    ]
    scores = play_out([game for game, _ in begun], [random for _, random in begun])
    return np.stack([scores.totals, share_wins(scores.totals, scores.marks)], axis=2)


def _play_one_by_one(lanes: Sequence[_Lane]) -> Results:
    return np.array([_results(_finished(lane)) for lane in lanes])


def _finished(lane: _Lane) -> Game:
    game, random = _begun(lane)
    return play_to_end(game, GreedyBot(random), random)


def _begun(lane: _Lane) -> tuple[Game, Random]:
    """The position of a lane once the dice of its reroll have fallen, and what is left of its
    numbers."""
    random, game = _random(lane.numbers), lane.game
    if lane.is_rerolled and game.player is not None:
        game = act(game, Action("reroll", game.player), random)
    return game, random


def _random(name: str) -> Random:
    return Random(name)  # noqa: S311  dice, not secrets


def _results(game: Game) -> list[tuple[float, float]]:
    scores = game.scores()
    winners = find_winners(scores)
    return [
        (score.total, 1 / len(winners) if player in winners else 0.0)
        for player, score in enumerate(scores)
    ]


def final_results(game: Game) -> Results:
    """By player, of a game as it stands: its points, and the win."""
    return np.array(_results(game))


def thinned(level: Level, times: int) -> int:
    """How many times can be played on where so many are wanted."""
    return times if covers(level) else max(8, times // ONE_BY_ONE)


def count_games(looks: Iterable[Look]) -> int:
    """How many games that makes."""
    return sum(len(look.spots) * look.times for look in looks)
