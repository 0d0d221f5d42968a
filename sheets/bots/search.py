"""Search of the expert bot: play the rest of the game out after each option, by successive halving.

The decisions of several games are searched together, which takes far less time for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from sheets.bots.halving import Halving, Round
from sheets.bots.option_values import Ends, evaluate_ends, play_after
from sheets.bots.options import find_options
from sheets.bots.playouts import supports
from sheets.rules import Action, Game


class SearchTask(NamedTuple):
    """A decision that ``player`` has to make. ``random`` is the only source of chance."""

    game: Game
    player: int
    random: Random


ROUNDS: Final = (Round(99, 160), Round(3, 160))
"""Rounds of a search in a game of two players; `plan` adapts them to other games."""

RAIL_ROUNDS: Final = (Round(99, 320), Round(3, 640))
"""Rounds of a search on a rail level, where larger batches take hardly more time."""

SLOW_ROUNDS: Final = (Round(99, 24), Round(2, 16))
"""Rounds of a search on a level whose games must be played out one by one (`supports`)."""

RAIL_COST: Final = 2
"""Duration of a play-out on a rail level, relative to other levels."""

MAX_COST: Final = 2
"""Maximum duration of a play-out for a search of several rounds, relative to a game of two players
on a level without rails. Longer games have one round."""

BATCH_SIZE: Final = 2000
"""Minimum number of games in a full batch; larger batches take more time per game."""


def decide(tasks: Sequence[SearchTask]) -> list[tuple[Action, ...]]:
    """Return for each decision the actions of its best option."""
    return [search.best for search in search_all(tasks)]


def search_all(tasks: Sequence[SearchTask]) -> list[Search]:
    """Return the finished searches of all decisions.

    A decision with a single option needs no play-outs.
    """
    searches = [Search(task) for task in tasks]
    while playouts := [playout for search in searches for playout in search.next_playouts()]:
        for batch in _batches(playouts):
            _play(batch)
    return searches


def plan(game: Game, options: int) -> list[Round]:
    """Return the rounds of a search among that many options.

    Games that take longer have fewer play-outs, solo games have more. Very long games have one
    round, because their time depends more on the number of batches than on the games in a batch.
    """
    if options == 1:
        return []
    level = game.level
    cost = len(game.players) / 2 * (RAIL_COST if level.rails else 1)
    if not supports(level):
        rounds = SLOW_ROUNDS
    elif level.rails and cost <= MAX_COST:
        rounds = RAIL_ROUNDS
    else:
        rounds = ROUNDS
    if cost > MAX_COST:
        return [Round(options, int(sum(part.playouts for part in rounds) / cost))]
    return [Round(part.keeps, int(part.playouts / cost)) for part in rounds]


class PlayoutTask(NamedTuple):
    """The games to play out after one option of a search, one for each of ``randoms``.

    ``option`` is the index of the option.
    """

    search: Search
    option: int
    randoms: Sequence[Random]


class Search:
    """The options of one decision, and their values in the games played out so far."""

    def __init__(self, task: SearchTask) -> None:
        self.player = task.player
        self.options = find_options(task.game, task.player)
        rounds = plan(task.game, len(self.options))
        self.halving = Halving(len(self.options), rounds)
        self._seed = task.random.getrandbits(64) if rounds else 0

    @property
    def best(self) -> tuple[Action, ...]:
        """The actions of the best option."""
        return self.options[self.halving.ranking[0]].actions

    def next_playouts(self) -> list[PlayoutTask]:
        """Return the games of the next round, by option; empty once the decision is made."""
        batch = self.halving.next_batch()
        if batch is None:
            return []
        randoms = [Random(f"{self._seed}/{number}") for number in batch.numbers]  # noqa: S311
        return [PlayoutTask(self, option, randoms) for option in batch.options]

    def add(self, option: int, ends: Ends) -> None:
        """Add the final scores of games played out after an option."""
        self.halving.add(option, evaluate_ends(ends, self.player))


def _batches(playouts: Sequence[PlayoutTask]) -> list[list[PlayoutTask]]:
    """Group tasks into batches of at least `BATCH_SIZE` games; the last may be smaller."""
    batches: list[list[PlayoutTask]] = [[]]
    size = 0
    for playout in playouts:
        if size >= BATCH_SIZE:
            batches.append([])
            size = 0
        batches[-1].append(playout)
        size += len(playout.randoms)
    return batches


def _play(playouts: Sequence[PlayoutTask]) -> None:
    options = [one.search.options[one.option] for one in playouts for _ in one.randoms]
    ends = play_after(options, [random for one in playouts for random in one.randoms])
    begin = 0
    for one in playouts:
        part = slice(begin, begin + len(one.randoms))
        one.search.add(one.option, Ends(ends.totals[part], ends.marks[part]))
        begin = part.stop
