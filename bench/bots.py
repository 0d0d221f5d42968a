"""How well do bots of different strengths play, and how long do they think?

For each level: for each pair of strengths the share of games for two that the stronger wins (a
shared win is half of one), with its 95 % interval; everybody plays the same dice from either seat.
Then the median of games alone, and the processor time of one decision that leaves a choice: of half
of them, of 95 % and of all at most. Experts of all games think at once, which takes far less time;
the decisions that are timed are taken one by one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.bots import GreedyBot, deciding_players  # noqa: E402
from sheets.bots.options import find_options  # noqa: E402
from sheets.bots.strengths import ALL_BOTS, STRENGTHS  # noqa: E402
from sheets.bots.throwing import play_on  # noqa: E402
from sheets.levels import shipped_levels  # noqa: E402
from sheets.rules import Game, Level, new_game  # noqa: E402
from sheets.simulation.matches import Wins, count_wins, play_alone  # noqa: E402


def main() -> None:
    """Print the tables."""
    asked = parse()
    levels = [shipped_levels()[level_id] for level_id in asked.levels]
    pairs = list(combinations(asked.strengths, 2))
    wins: dict[tuple[str, str], list[Wins]] = {pair: [] for pair in pairs}
    medians: dict[str, list[float]] = {strength: [] for strength in asked.strengths}
    print(f"{asked.games} games of each kind on each level, seed {asked.seed}")
    for level in levels:
        print(f"\n{level.id}", flush=True)
        for weak, strong in pairs:
            wins[weak, strong].append(count_wins(level, strong, weak, asked.games, asked.seed))
            print_wins(strong, weak, wins[weak, strong][-1])
        for strength in asked.strengths:
            totals = play_alone(level, strength, asked.games, asked.seed)
            medians[strength].append(statistics.median(totals))
            print(f"  {strength:>8} alone: median {medians[strength][-1]:g}", flush=True)
        for strength in asked.strengths if asked.timed else ():
            print_times(strength, time_decisions(level, strength, asked.timed, asked.seed))
    print(f"\nmean of {len(levels)} levels")
    for (weak, strong), by_level in wins.items():
        print_wins(strong, weak, reduce(Wins.add, by_level))
        print(f"{'':11}at least {min(each.share for each in by_level):.1%} on each")
    for weak, strong in pairs:
        gains = [b / a - 1 for a, b in zip(medians[weak], medians[strong], strict=True)]
        mean, least = statistics.mean(gains), min(gains)
        print(f"  {strong:>8} alone: {mean:+.1%} on {weak}, at least {least:+.1%} on each")


def print_wins(strong: str, weak: str, wins: Wins) -> None:
    """One pair's row."""
    low, high = wins.interval
    share = f"{wins.share:6.1%} ({low:.1%} to {high:.1%})"
    print(f"  {strong:>8} against {weak:8} wins {share}", flush=True)


def parse() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=_names, default=list(shipped_levels()))
    parser.add_argument("--games", type=int, default=4, help="of each kind, an even number")
    parser.add_argument("--seed", type=int, default=1, help="names the dice")
    parser.add_argument("--strengths", type=_names, default=list(STRENGTHS), help="weakest first")
    parser.add_argument("--timed", type=int, default=8, help="decisions by each, on each level")
    asked = parser.parse_args()
    unknown = {*asked.levels} - {*shipped_levels()} | {*asked.strengths} - {*ALL_BOTS}
    if unknown or asked.games < 2 or asked.games % 2:
        parser.error(f"unknown: {', '.join(unknown)}" if unknown else "--games must be even")
    return asked


def _names(text: str) -> list[str]:
    return text.split(",")


def time_decisions(level: Level, strength: str, count: int, seed: int) -> list[float]:
    """Seconds of the processor for decisions by chance from a game for two, by one bot."""
    random = Random(f"{seed}/times")
    open_questions = [
        (game, player)
        for game in course(level, random)
        for player in deciding_players(game)[:1]
        if len(find_options(game, player)) > 1
    ]
    # The first is the hardest: a whole game is still to come.
    chosen = [0, *sorted(random.sample(range(1, len(open_questions)), count - 1))]
    bot = ALL_BOTS[strength](random)
    bot.choose(*open_questions[0])  # NumPy is loaded and the level laid out but once
    seconds = []
    for game, player in (open_questions[number] for number in chosen):
        start = time.process_time()
        bot.choose(game, player)
        seconds.append(time.process_time() - start)
    return seconds


def course(level: Level, random: Random) -> list[Game]:
    """All positions of a game for two."""
    game, bot = new_game(level, ["Ana", "Ben"], tracked=True), GreedyBot(random)
    games = [game]
    while not game.is_finished:
        game = play_on(game, bot, random)
        games.append(game)
    return games


def print_times(strength: str, seconds: Sequence[float]) -> None:
    """Half of the decisions, 95 % and all of them took at most so long."""
    ordered = sorted(seconds)
    half, most = (ordered[int(part * (len(ordered) - 1))] for part in (0.5, 0.95))
    found = ", ".join(f"{value * 1000:.2f}" for value in (half, most, ordered[-1]))
    print(f"  {strength:>8} decides in {found} ms (50, 95, 100 % of {len(ordered)})", flush=True)


if __name__ == "__main__":
    main()
