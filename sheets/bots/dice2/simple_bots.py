"""How do bots play the four games of Dice²?

A bot is asked with a game and the die the player to move has thrown, and answers with an action the
rules allow: the die put down, or the skip if it fits nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from random import Random
from typing import Final, Protocol

from sheets.rules.dice2 import Board, Dice2Action, Dice2Game
from sheets.rules.dice2.board import SIDE, STEPS, run_through, walk
from sheets.rules.dice2.game import open_fields
from sheets.rules.dice2.kinds import LINE_LENGTH, RUN_LENGTH, run_owners

WIN_WORTH: Final = 10_000.0
MARKER_WORTH: Final = 100.0
POINT_WORTH: Final = 20.0


class Dice2Bot(Protocol):
    """Plays one seat of a game of Dice²; throws no dice."""

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """What the player to move does with a die."""
        ...


class RandomDice2Bot:
    """Any field that takes the die, each as likely as the next."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """What the player to move does with a die."""
        if fields := game.legal()[die]:
            return Dice2Action("place", game.player, die, self._random.choice(fields))
        return Dice2Action("skip", game.player, die)


class GreedyDice2Bot:
    """The field after which the board is worth most to the player; chance decides ties."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """What the player to move does with a die."""
        player = game.player
        actions = [Dice2Action("place", player, die, at) for at in game.legal()[die]]
        if not actions:
            return Dice2Action("skip", player, die)
        worths = [worth(game.apply(action), player) for action in actions]
        best = [a for a, w in zip(actions, worths, strict=True) if w == max(worths)]
        return self._random.choice(best)


def worth(game: Dice2Game, player: int) -> float:
    """What a game is worth to a player who has just moved; higher is better.

    A won game counts most, then points and markers, then what the board promises.
    """
    if game.is_finished:
        won = player in game.winners
        return game.points[player] * POINT_WORTH + (WIN_WORTH if won else -WIN_WORTH)
    return PROMISES[game.kind.name](game, player)


def _square(game: Dice2Game, player: int) -> float:
    """Points, lines that can still become four alike or in order, and room for what comes."""
    room = sum(high - low + 1 for _, low, high in open_fields(game))
    lines = 0
    for fields in LINES:
        numbers = [game.board.numbers[field] for field in fields]
        filled = [number for number in numbers if number]
        if len(filled) > 1 and (len(set(filled)) == 1 or _is_in_order(numbers)):
            lines += len(filled) ** 2
    return game.points[0] * POINT_WORTH + lines + room / 2


def _is_in_order(numbers: list[int]) -> bool:
    """Whether the numbers present could be part of a row such as 2-3-4-5."""
    places = [(place, number) for place, number in enumerate(numbers) if number]
    return all(b - a == there - here for (here, a), (there, b) in pairwise(places))


def _four_wins(game: Dice2Game, player: int) -> float:
    """Own lines of four in the making against the others', which threaten to be next."""
    value = 0.0
    for fields in LINES:
        owners = [game.board.owners[field] for field in fields]
        own = owners.count(player)
        empty = owners.count(-1)
        others = LINE_LENGTH - own - empty
        if own and not others:
            value += 4.0**own
        elif others and not own:
            value -= 1.5 * 4.0**others
    return value


def _last_man(game: Dice2Game, player: int) -> float:
    """Room for one's own dice against the others' room."""
    rooms = [
        sum(high - low + 1 for _, low, high in open_fields(game._replace(player=other)))
        for other in range(game.players)
    ]
    return 2 * rooms[player] - sum(rooms)


def _major(game: Dice2Game, player: int) -> float:
    """Markers, and who leads in the runs that one more die will settle."""
    own = game.markers[player]
    value = MARKER_WORTH * (own - max(m for p, m in enumerate(game.markers) if p != player))
    for run in _runs(game.board):
        leaders = run_owners(game.board, run, game.players)
        weight = 1.0 if len(run) < RUN_LENGTH - 1 else 3.0
        value += weight * (len(run) if leaders == [player] else 0)
        value -= weight * (len(run) if player not in leaders else 0)
    return value


def _runs(board: Board) -> set[tuple[int, ...]]:
    """The unbroken runs of two to four dice, across and down."""
    runs = set()
    for index in range(SIDE**2):
        if board.numbers[index]:
            for down, right in STEPS[:2]:
                run = run_through(board, index, down, right)
                if 1 < len(run) < RUN_LENGTH:
                    runs.add(tuple(run))
    return runs


def _all_lines() -> tuple[tuple[int, ...], ...]:
    lines = (
        (start, *walk(start, down, right))[:LINE_LENGTH]
        for start in range(SIDE**2)
        for down, right in STEPS
    )
    return tuple(line for line in lines if len(line) == LINE_LENGTH)


LINES: Final = _all_lines()
"""All lines of four fields on the board, each in reading order."""

PROMISES: Final[Mapping[str, Callable[[Dice2Game, int], float]]] = {
    "square": _square,
    "four-wins": _four_wins,
    "last-man": _last_man,
    "major": _major,
}
"""What a board promises in each game."""

DICE2_BOTS: Final[Mapping[str, Callable[[Random], Dice2Bot]]] = {
    "random": RandomDice2Bot,
    "greedy": GreedyDice2Bot,
}
"""By name, what makes a bot; the random numbers are all the chance it may use."""
