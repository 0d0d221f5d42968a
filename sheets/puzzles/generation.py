"""Games of bots as a source of puzzles."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count, islice
from math import ceil
from random import Random
from typing import Any, Final, NamedTuple

from sheets.bots import Bot
from sheets.bots.dice_rolls import record_to_end
from sheets.bots.strengths import STRENGTHS
from sheets.levels import find_level
from sheets.puzzles.document import format_puzzle
from sheets.puzzles.puzzle import number_seats
from sheets.puzzles.search import find_puzzles
from sheets.rules import Level, new_game
from sheets.rules.documents.game import Record
from sheets.simulation.games import run_in_processes

PLAYER_COUNTS: Final = (1, 2, 2, 2, 3)
"""Numbers of players among which a game's number is drawn; searching larger games takes minutes."""

SEATS: Final = ("beginner", "player")
"""Bots that play the games; they make mistakes, as people do."""

MAX_SHARE: Final = Fraction(1, 3)
"""Maximum share of the puzzles with one grade; most puzzles are hard, few are very hard."""

BATCH_GAMES: Final = 64
"""Number of games that are handed to the worker processes together."""

MAX_FRUITLESS: Final = 100
"""Maximum number of consecutive games without a useful puzzle, after which the search ends."""


class GameTask(NamedTuple):
    """A game to play and search: the id of a shipped level, and the seed."""

    level: str
    seed: str


def generate(
    levels: Sequence[str],
    wanted: int,
    seed: str,
    *,
    processes: int = 0,
    on_wait: Callable[[], object] = lambda: None,
) -> Iterator[dict[str, Any]]:
    """Yield the documents of up to ``wanted`` puzzles, one from each of as many games.

    The levels take turns. From each game comes a puzzle of the grade that is rarest so far, unless
    it has `MAX_SHARE` already. The search ends early if `MAX_FRUITLESS` games in a row have none.

    Args:
        levels: ids of shipped levels.
        wanted: number of puzzles.
        seed: seed of all games and simulations.
        processes: number of processes that play, 0 for one per core.
        on_wait: called at regular intervals while worker processes are at work.
    """
    processes = processes or os.cpu_count() or 1
    grades: Counter[str] = Counter()
    most, fruitless = ceil(wanted * MAX_SHARE), 0
    tasks = (GameTask(level, f"{seed}/{level}/{number}") for number in count() for level in levels)
    while batch := list(islice(tasks, BATCH_GAMES)):
        for documents in run_in_processes(search_game, batch, processes, on_wait):
            useful = [one for one in documents if grades[one["grade"]] < most]
            fruitless = 0 if useful else fruitless + 1
            if useful:
                puzzle = min(useful, key=lambda one: grades[one["grade"]])
                grades[puzzle["grade"]] += 1
                yield puzzle
            if grades.total() == wanted or fruitless == MAX_FRUITLESS:
                return


def search_game(task: GameTask) -> list[dict[str, Any]]:
    """Play a game, and return the documents of all puzzles in it."""
    level, random = find_level(task.level), Random(task.seed)  # noqa: S311
    players = random.choice([n for n in PLAYER_COUNTS if n in level.player_counts])
    seats = [random.choice(SEATS) for _ in range(players)]
    record = play_record(level, seats, task.seed)
    return [format_puzzle(puzzle) for puzzle in find_puzzles(record, task.seed)]


def play_record(level: Level, seats: Sequence[str], seed: str) -> Record:
    """Let bots play a game on a shipped level; ``seats`` are names in `STRENGTHS`."""
    dice = Random(f"{seed}/dice")  # noqa: S311  dice, not secrets
    bots: list[Bot] = [
        STRENGTHS[name](Random(f"{seed}/{seat}"))  # noqa: S311
        for seat, name in enumerate(seats)
    ]
    names = number_seats(len(seats))
    actions, _end = record_to_end(new_game(level, names, tracked=True), bots, dice)
    return Record(level, level.id, names, True, tuple(actions))
