"""Strength of the bots of Dice², against each other and alone, and CPU time of their decisions.

Each pairing plays every game from both seats with the same dice. Shares of wins are for the bot of
the row, with 95 % intervals; a shared game counts for half. The times are of decisions with more
than one option, in games of equal bots.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.bots.dice2.strengths import ALL_DICE2_BOTS, DICE2_STRENGTHS  # noqa: E402
from sheets.rules.dice2 import KINDS, Dice2Game, new_game  # noqa: E402

SHOWN = ("greedy", *DICE2_STRENGTHS)
SURE = 1.96
"""Standard deviations to either side of a mean within which 95 % lie."""


def main() -> None:
    """Print a table for each game, and the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="of each pairing, an even number")
    parser.add_argument("--alone", type=int, default=20, help="games of Square Dice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=sorted(KINDS), default=list(KINDS))
    parser.add_argument("--bots", nargs="+", choices=sorted(ALL_DICE2_BOTS), default=list(SHOWN))
    parser.add_argument("--timed", type=int, default=3, help="games of each bot")
    asked = parser.parse_args()
    for name in asked.only:
        if name == "square":
            print_alone(asked.bots, asked.alone, asked.seed)
        else:
            print_pairings(name, asked.bots, asked.games, asked.seed)
    if asked.timed:
        print_times(asked.only, asked.bots, asked.timed, asked.seed)


def print_alone(bots: Sequence[str], games: int, seed: int) -> None:
    """What each bot reaches in Square Dice."""
    print(f"square, {games} games each, seed {seed}")
    for bot in bots:
        ends = [play_game("square", [bot], f"{seed}/{number}") for number in range(games)]
        points = [end.points[0] for end in ends]
        error = SURE * statistics.stdev(points) / math.sqrt(games)
        full = sum(not end.dice_left[0] for end in ends) / games
        print(
            f"  {bot:9} mean {statistics.mean(points):.2f} ± {error:.2f}, median "
            f"{statistics.median(points):g}, best {max(points)}; all dice placed {full:.0%}",
            flush=True,
        )


def print_pairings(name: str, bots: Sequence[str], games: int, seed: int) -> None:
    """How often each bot wins against each other one, for two players."""
    print(f"{name}, {games} games of each pairing, seed {seed}")
    print(" " * 12 + "".join(f"{bot:>15}" for bot in bots))
    shares: dict[tuple[str, str], float] = {}
    for place, bot in enumerate(bots):
        for other in bots[:place]:
            shares[other, bot] = share_of(name, other, bot, games, seed)
            shares[bot, other] = 1 - shares[other, bot]
    for bot in bots:
        cells = (_cell(shares, bot, other, games) for other in bots)
        print(f"  {bot:10}" + "".join(f"{cell:>15}" for cell in cells), flush=True)


def _cell(shares: Mapping[tuple[str, str], float], bot: str, other: str, games: int) -> str:
    if bot == other:
        return "-"
    share = shares[bot, other]
    return f"{share:.1%} ± {SURE * math.sqrt(share * (1 - share) / games):.1%}"


def share_of(name: str, bot: str, other: str, games: int, seed: int) -> float:
    """Which part of its games against another a bot wins."""
    seats = ([bot, other], [other, bot])
    ends = [play_game(name, seats[n % 2], f"{seed}/{n // 2}") for n in range(games)]
    return sum((n % 2 in end.winners) / len(end.winners) for n, end in enumerate(ends)) / games


def play_game(name: str, seats: Sequence[str], seed: str) -> Dice2Game:
    """A whole game. Its dice are those of its seed, whatever the bots do."""
    game = new_game(KINDS[name], len(seats))
    dice = Random(seed)
    bots = [ALL_DICE2_BOTS[bot](Random(f"{seed}/{seat}")) for seat, bot in enumerate(seats)]
    while not game.is_finished:
        game = game.apply(bots[game.player].choose(game, dice.randint(1, 6)))
    return game


def print_times(names: Sequence[str], bots: Sequence[str], games: int, seed: int) -> None:
    """How long decisions take: half of them at most, nearly all, all."""
    print("\nmilliseconds of the processor for a decision: 50 %, 95 %, 100 %")
    for name in names:
        for bot in bots:
            spent = sorted(time_decisions(name, bot, games, seed))
            parts = (spent[math.ceil(part * len(spent)) - 1] * 1000 for part in (0.5, 0.95, 1))
            print(f"  {name:10} {bot:10}" + "".join(f"{part:>9.1f}" for part in parts), flush=True)


def time_decisions(name: str, bot: str, games: int, seed: int) -> Iterator[float]:
    """The seconds that decisions with a choice take, in games of equal bots."""
    for number in range(games):
        random = Random(f"{seed}/{number}")
        game = new_game(KINDS[name], KINDS[name].player_counts[0])
        player = ALL_DICE2_BOTS[bot](random)
        while not game.is_finished:
            die = random.randint(1, 6)
            start = time.process_time()
            action = player.choose(game, die)
            spent = time.process_time() - start
            if len(game.legal()[die]) > 1:
                yield spent
            game = game.apply(action)


if __name__ == "__main__":
    main()
