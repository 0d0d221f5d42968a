"""Strength of the bots against each other and alone, and CPU time of their decisions.

On each level and in each game of Dice² for two: the share of games that the stronger bot of a pair
wins, with its 95 % confidence interval. Games come in pairs with the same dice and swapped seats,
and a shared win counts for half. Then the points of solo games, where there are any, and the CPU
time of decisions that leave a choice. In games on levels, experts decide in many games at once,
which costs less per decision; the timed decisions are taken one by one.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, count, islice
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, Protocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.bots import GreedyBot, deciding_players  # noqa: E402
from sheets.bots.dice2.strengths import ALL_DICE2_BOTS  # noqa: E402
from sheets.bots.dice_rolls import play_on  # noqa: E402
from sheets.bots.options import find_options  # noqa: E402
from sheets.bots.strengths import ALL_BOTS, STRENGTHS  # noqa: E402
from sheets.levels import shipped_levels  # noqa: E402
from sheets.rules import Game, Level  # noqa: E402
from sheets.rules import new_game as new_dizzle  # noqa: E402
from sheets.rules.dice2 import KINDS, Dice2Game, Kind  # noqa: E402
from sheets.rules.dice2 import new_game as new_dice2  # noqa: E402
from sheets.simulation.matches import Wins, count_wins, play_alone  # noqa: E402
from sheets.stats import Z_95  # noqa: E402

LEVELS: Final = "dizzle"
"""Name of all levels together in ``--only``."""


class Family(Protocol):
    """Measurements on a level or in a game of Dice²."""

    @property
    def player_counts(self) -> Sequence[int]:
        """Possible numbers of players."""

    def count_wins(self, strong: str, weak: str, games: int, seed: int) -> Wins:
        """Return the wins of ``strong`` against ``weak`` in an even number of games for two."""

    def play_alone(self, bot: str, games: int, seed: int) -> list[int]:
        """Return the points of solo games."""

    def time_decisions(self, bot: str, seed: int) -> Iterator[float]:
        """Yield the CPU time of decisions that leave a choice, in seconds."""


class Dizzle:
    """Games on a level."""

    player_counts = (1, 2)

    def __init__(self, level: Level) -> None:
        self.level = level

    def count_wins(self, strong: str, weak: str, games: int, seed: int) -> Wins:
        return count_wins(self.level, strong, weak, games, seed)

    def play_alone(self, bot: str, games: int, seed: int) -> list[int]:
        return play_alone(self.level, bot, games, seed)

    def time_decisions(self, bot: str, seed: int) -> Iterator[float]:
        """Yield the time of the first and hardest decision of a game, then of others at random."""
        random = Random(f"{seed}/times")
        choices = [
            (game, player)
            for game in self._positions(random)
            for player in deciding_players(game)[:1]
            if len(find_options(game, player)) > 1
        ]
        timed = ALL_BOTS[bot](random)
        timed.choose(*choices[0])  # loads NumPy and lays out the level
        for game, player in [choices[0], *random.sample(choices[1:], len(choices) - 1)]:
            start = time.process_time()
            timed.choose(game, player)
            yield time.process_time() - start

    def _positions(self, random: Random) -> Iterator[Game]:
        game = new_dizzle(self.level, ["Ana", "Ben"], tracked=True)
        greedy = GreedyBot(random)
        while not game.is_finished:
            yield game
            game = play_on(game, greedy, random)


class Dice2:
    """Games of one kind of Dice²."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.player_counts = kind.player_counts

    def count_wins(self, strong: str, weak: str, games: int, seed: int) -> Wins:
        won = 0.0
        for number in range(games):
            seats = (strong, weak) if number % 2 == 0 else (weak, strong)
            winners = self._play(seats, f"{seed}/{number // 2}").winners
            won += (number % 2 in winners) / len(winners)
        return Wins(won, games)

    def play_alone(self, bot: str, games: int, seed: int) -> list[int]:
        return [self._play([bot], f"{seed}/{number}").points[0] for number in range(games)]

    def _play(self, seats: Sequence[str], seed: str) -> Dice2Game:
        """Return a finished game. Its dice depend on the seed alone, not on the bots."""
        game, dice = new_dice2(self.kind, len(seats)), Random(seed)
        bots = [ALL_DICE2_BOTS[bot](Random(f"{seed}/{seat}")) for seat, bot in enumerate(seats)]
        while not game.is_finished:
            game = game.apply(bots[game.player].choose(game, dice.randint(1, 6)))
        return game

    def time_decisions(self, bot: str, seed: int) -> Iterator[float]:
        """Yield the times of decisions in games of equal bots, endlessly."""
        for number in count():
            random = Random(f"{seed}/{number}")
            game = new_dice2(self.kind, self.player_counts[0])
            timed = ALL_DICE2_BOTS[bot](random)
            while not game.is_finished:
                die = random.randint(1, 6)
                start = time.process_time()
                action = timed.choose(game, die)
                seconds = time.process_time() - start
                if len(game.legal()[die]) > 1:
                    yield seconds
                game = game.apply(action)


class Strength(NamedTuple):
    """Wins by pair of bots (weaker, stronger), and the median points of each bot in solo games."""

    wins: dict[tuple[str, str], Wins]
    medians: dict[str, float]


def main() -> None:
    """Print the results of each level and game, and a summary of the levels."""
    levels = shipped_levels()
    parser = ArgumentParser()
    parser.add_argument(
        "--only", nargs="+", choices=[LEVELS, *levels, *KINDS], default=[LEVELS, *KINDS]
    )
    parser.add_argument(
        "--bots", nargs="+", choices=ALL_BOTS, default=[*STRENGTHS], help="weakest first"
    )
    parser.add_argument("--games", type=int, default=4, help="of each pair, an even number")
    parser.add_argument("--alone", type=int, help="solo games of each bot; default: as --games")
    parser.add_argument("--timed", type=int, default=8, help="decisions of each bot")
    parser.add_argument("--seed", type=int, default=1, help="of the dice")
    options = parser.parse_args()
    options.alone = options.alone or options.games
    if options.games % 2 or min(options.games, options.alone) < 2:
        parser.error("--games must be even, and --alone at least 2")
    of_levels = []
    for name in (name for one in options.only for name in (levels if one == LEVELS else [one])):
        print(f"{name}, seed {options.seed}", flush=True)
        if name in levels:
            of_levels.append(measure(Dizzle(levels[name]), options))
        else:
            measure(Dice2(KINDS[name]), options)
    if len(of_levels) > 1:
        print_summary(of_levels)


def measure(family: Family, options: Namespace) -> Strength:
    """Print and return the results of a level or a game of Dice²."""
    found = Strength({}, {})
    if 2 in family.player_counts:
        for weak, strong in combinations(options.bots, 2):
            wins = family.count_wins(strong, weak, options.games, options.seed)
            found.wins[weak, strong] = wins
            print_wins(strong, weak, wins)
    if 1 in family.player_counts:
        for bot in options.bots:
            points = family.play_alone(bot, options.alone, options.seed)
            found.medians[bot] = statistics.median(points)
            print_points(bot, points)
    if options.timed:
        for bot in options.bots:
            times = family.time_decisions(bot, options.seed)
            print_times(bot, sorted(islice(times, options.timed)))
    return found


def print_summary(of_levels: Sequence[Strength]) -> None:
    """Print the wins on all levels together, and how many more points stronger bots get alone."""
    print(f"all {len(of_levels)} levels")
    for weak, strong in of_levels[0].wins:
        print_wins(strong, weak, reduce(Wins.add, (one.wins[weak, strong] for one in of_levels)))
        gains = [one.medians[strong] / one.medians[weak] - 1 for one in of_levels]
        print(f"  {strong:>8} alone: points of {weak} {min(gains):+.0%} to {max(gains):+.0%}")


def print_wins(strong: str, weak: str, wins: Wins) -> None:
    """Print the share of games that the stronger bot wins."""
    low, high = wins.interval
    share = f"{wins.share:.1%} ({low:.1%} to {high:.1%})"
    print(f"  {strong:>8} against {weak}: wins {share} of {wins.games}", flush=True)


def print_points(bot: str, points: Sequence[int]) -> None:
    """Print the mean and the median of a bot's solo games."""
    error = Z_95 * statistics.stdev(points) / math.sqrt(len(points))
    mean, median = statistics.mean(points), statistics.median(points)
    print(f"  {bot:>8} alone: mean {mean:.2f} ± {error:.2f}, median {median:g}", flush=True)


def print_times(bot: str, seconds: Sequence[float]) -> None:
    """Print quantiles of ascending CPU times in milliseconds."""
    parts = [seconds[math.ceil(part * len(seconds)) - 1] * 1000 for part in (0.5, 0.95, 1)]
    found = ", ".join(f"{part:.2f}" for part in parts)
    print(f"  {bot:>8} decides in {found} ms (p50, p95, maximum of {len(seconds)})", flush=True)


if __name__ == "__main__":
    main()
