"""Games of bots of different strengths against each other, and alone.

Many games run concurrently: the decisions of experts in all of them are searched as one batch,
which takes far less time per decision. A game's course depends only on its own random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from sheets.bots import Bot, deciding_players
from sheets.bots.dice_rolls import act, throw_next
from sheets.bots.expert_bot import ExpertBot
from sheets.bots.search import SearchTask, decide
from sheets.bots.strengths import ALL_BOTS
from sheets.rules import Action, Game, Level, new_game
from sheets.rules.scoring import find_winners, share_win
from sheets.stats import wilson_interval


class Match(NamedTuple):
    """A game to be played: the bot on each seat, and the seed of its dice."""

    seats: tuple[str, ...]
    seed: str


class Wins(NamedTuple):
    """Number of games won (a shared win counts in part) and number of all games."""

    won: float
    games: int

    @property
    def share(self) -> float:
        """Share of wins."""
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the share at 95 %."""
        found = wilson_interval(self.won, self.games)
        return found.low, found.high

    def add(self, other: Wins) -> Wins:
        """Return the sum of these wins and ``other``."""
        return Wins(self.won + other.won, self.games + other.games)


def count_wins(level: Level, one: str, other: str, games: int, seed: int) -> Wins:
    """Return the wins of ``one`` against ``other`` in ``games`` games, an even number.

    Each game is played twice with the same dice, the second time with exchanged seats.
    """
    matches = [
        Match((one, other) if number % 2 == 0 else (other, one), f"{seed}/{number // 2}")
        for number in range(games)
    ]
    won = 0.0
    for number, game in enumerate(play_matches(level, matches)):
        won += share_win(find_winners(game.scores()), 2)[number % 2]
    return Wins(won, games)


def play_alone(level: Level, bot: str, games: int, seed: int) -> list[int]:
    """Return the totals of a bot's solo games."""
    matches = [Match((bot,), f"{seed}/{number}") for number in range(games)]
    return [game.scores()[0].total for game in play_matches(level, matches)]


def play_matches(level: Level, matches: Sequence[Match]) -> list[Game]:
    """Play games with the same number of players, and return them in their final state.

    Args:
        level: the level.
        matches: their seats are names in `ALL_BOTS`.
    """
    running = [_Running(level, match) for match in matches]
    while open_games := [one for one in running if not one.game.is_finished]:
        asking = [one for one in open_games if one.go_on()]
        tasks = [one.task for one in asking]
        for one, actions in zip(asking, decide(tasks), strict=True):
            one.act(*actions)
    return [one.game for one in running]


class _Running:
    """A running game; ``task`` is the expert's decision for which the game waits."""

    def __init__(self, level: Level, match: Match) -> None:
        count = len(match.seats)
        names = [f"Bot {seat}" for seat in range(1, count + 1)]
        self.game = new_game(level, names, tracked=True)
        self._dice = Random(f"{match.seed}/dice")  # noqa: S311 dice, not secrets
        self._randoms = [Random(f"{match.seed}/{seat}") for seat in range(count)]  # noqa: S311
        makers = [ALL_BOTS[name] for name in match.seats]
        self._bots: list[Bot] = [
            make(random) for make, random in zip(makers, self._randoms, strict=True)
        ]
        self.task: SearchTask

    def go_on(self) -> bool:
        """Play until an expert has to decide; return False if the game ends first."""
        while not self.game.is_finished:
            deciding = deciding_players(self.game)
            if not deciding:
                self.game = self.game.apply(throw_next(self.game, self._dice))
                continue
            player = deciding[0]
            if isinstance(self._bots[player], ExpertBot):
                self.task = SearchTask(self.game, player, self._randoms[player])
                return True
            self.act(self._bots[player].choose(self.game, player))
        return False

    def act(self, *actions: Action) -> None:
        """Carry out the actions of a decision."""
        for action in actions:
            self.game = act(self.game, action, self._dice)
