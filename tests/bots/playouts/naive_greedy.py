"""Values of `GreedyPolicy`, computed position by position from the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from sheets.bots.dice2.playouts.greedy import MARKER_VALUE, POINT_VALUE, WIN_VALUE
from sheets.rules.dice2 import Board, Dice2Game
from sheets.rules.dice2.board import SIDE, STEPS, run_through, walk
from sheets.rules.dice2.game import open_fields
from sheets.rules.dice2.kinds import LINE_LENGTH, RUN_LENGTH, run_owners


def worth(game: Dice2Game, player: int) -> float:
    """Return the value of a game for the player who has just moved; higher is better.

    A won game counts most, then points and markers, then the prospects of the board.
    """
    if game.is_finished:
        won = player in game.winners
        return game.points[player] * POINT_VALUE + (WIN_VALUE if won else -WIN_VALUE)
    return PROSPECTS[game.kind.name](game, player)


def _square(game: Dice2Game, player: int) -> float:
    """Value points, lines that can become four alike or in order, and room for later dice."""
    room = sum(high - low + 1 for _, low, high in open_fields(game))
    lines = 0
    for fields in LINES:
        numbers = [game.board.numbers[field] for field in fields]
        filled = [number for number in numbers if number]
        if len(filled) > 1 and (len(set(filled)) == 1 or _is_in_order(numbers)):
            lines += len(filled) ** 2
    return game.points[0] * POINT_VALUE + lines + room / 2


def _is_in_order(numbers: list[int]) -> bool:
    """Return whether the numbers present could be part of a row such as 2-3-4-5."""
    places = [(place, number) for place, number in enumerate(numbers) if number]
    return all(b - a == there - here for (here, a), (there, b) in pairwise(places))


def _four_wins(game: Dice2Game, player: int) -> float:
    """Value own unfinished lines of four against those of the others, who move next."""
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
    """Value room for own dice against the others' room."""
    rooms = [
        sum(high - low + 1 for _, low, high in open_fields(game._replace(player=other)))
        for other in range(game.players)
    ]
    return 2 * rooms[player] - sum(rooms)


def _major(game: Dice2Game, player: int) -> float:
    """Value markers, and the lead in runs, most of all in those that one more die settles."""
    own = game.markers[player]
    value = MARKER_VALUE * (own - max(m for p, m in enumerate(game.markers) if p != player))
    for run in _runs(game.board):
        leaders = run_owners(game.board, run, game.players)
        weight = 1.0 if len(run) < RUN_LENGTH - 1 else 3.0
        value += weight * (len(run) if leaders == [player] else 0)
        value -= weight * (len(run) if player not in leaders else 0)
    return value


def _runs(board: Board) -> set[tuple[int, ...]]:
    """Return the unbroken runs of two to four dice, across and down."""
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
"""Lines of four fields on the board, each in reading order."""

PROSPECTS: Final[Mapping[str, Callable[[Dice2Game, int], float]]] = {
    "square": _square,
    "four-wins": _four_wins,
    "last-man": _last_man,
    "major": _major,
}
"""Values of an unfinished board, by game."""
