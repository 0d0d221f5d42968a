"""What has each of the four games of Dice² of its own?"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from sheets.rules.dice2.board import NAMES, SIDE, STEPS, Board, run_through, walk
from sheets.rules.dice2.game import Dice2Game, Kind, finish, is_inner
from sheets.rules.violations import RuleViolation

SQUARE_BONUS: Final = 4
"""Points for placing all dice of `square`."""

LINE_LENGTH: Final = 4
RUN_LENGTH: Final = 5
MARKERS_TO_WIN: Final = 6


class ScoredLine(NamedTuple):
    """A line of four that pays a point: its fields in order; ``what`` is ``same`` or ``row``."""

    fields: tuple[str, ...]
    what: str


class Square(Kind):
    """Square Dice: alone, 16 dice within 4 rows and 4 columns, lines of four pay."""

    name = "square"
    player_counts = (1,)
    is_bounded = True

    def skip_ends(self) -> bool:
        """The first die that fits nowhere ends the game."""
        return True

    def points(self, game: Dice2Game) -> tuple[int, ...]:
        """One point a line, and the bonus once all dice lie."""
        bonus = 0 if game.dice_left[0] else SQUARE_BONUS
        return (len(scored_lines(game.board)) + bonus,)


class FourWins(Kind):
    """4 Dice Wins: the first with four or more own dice in an unbroken line wins."""

    name = "four-wins"

    def settle(self, game: Dice2Game, player: int, index: int) -> Dice2Game:
        """Whether the die just placed makes a line of its player's dice."""
        for down, right in STEPS:
            if len(run_through(game.board, index, down, right, player)) >= LINE_LENGTH:
                return finish(game, (player,))
        return game


class LastMan(Kind):
    """Last Man Dice: who can place the last die wins; own dice stay together."""

    name = "last-man"
    dice_each = 8
    is_bounded = True
    touches_own_colour = True


class Major(Kind):
    """Major Dice: most dice in a run of five get markers; six markers win."""

    name = "major"
    player_counts = (2, 3)

    def is_on_board(self, players: int, index: int) -> bool:
        """Two play on the inner 7×7."""
        return players > 2 or is_inner(index)

    def check(self, game: Dice2Game, index: int) -> RuleViolation | None:
        """No die makes a run of six or more (`six-in-a-row`)."""
        for down, right in ((0, 1), (1, 0)):
            run = run_through(game.board, index, down, right)
            if len(run) > RUN_LENGTH:
                dice = " ".join(NAMES[field] for field in run if field != index)
                return RuleViolation("six-in-a-row", at=NAMES[index], count=len(run), by=dice)
        return None

    def settle(self, game: Dice2Game, player: int, index: int) -> Dice2Game:
        """Each run of exactly five that the die makes is settled at once."""
        for down, right in ((0, 1), (1, 0)):
            run = run_through(game.board, index, down, right)
            if len(run) == RUN_LENGTH:
                game = game._replace(
                    markers=_with_markers(game.board, game.markers, run),
                    scored_runs=(*game.scored_runs, tuple(run)),
                )
        reached = [p for p in range(game.players) if game.markers[p] >= MARKERS_TO_WIN]
        if reached:
            return finish(game, (max(reached, key=lambda p: game.last_placed[p]),))
        return game

    def winners_at_end(self, game: Dice2Game) -> tuple[int, ...]:
        """Most markers win, equal ones share."""
        most = max(game.markers)
        return tuple(p for p in range(game.players) if game.markers[p] == most)


def scored_lines(board: Board) -> list[ScoredLine]:
    """The lines of four of `square` that pay: four alike, or four consecutive numbers in order.

    The diagonal that runs against the order of rows and columns is read in either direction.
    """
    lines = []
    for start in range(SIDE**2):
        for down, right in STEPS:
            fields = [start, *walk(start, down, right)][:LINE_LENGTH]
            numbers = [board.numbers[field] for field in fields]
            if len(fields) < LINE_LENGTH or not all(numbers):
                continue
            names = tuple(NAMES[field] for field in fields)
            steps = {b - a for a, b in pairwise(numbers)}
            if steps == {0}:
                lines.append(ScoredLine(names, "same"))
            elif steps == {1} or (right < 0 and steps == {-1}):
                lines.append(ScoredLine(names, "row"))
    return lines


def own_line(board: Board, player: int) -> tuple[str, ...]:
    """The fields of a line of four or more of a player's dice, as `four-wins` wants; else none."""
    for index, owner in enumerate(board.owners):
        if owner == player:
            for down, right in STEPS:
                run = run_through(board, index, down, right, player)
                if len(run) >= LINE_LENGTH:
                    return tuple(NAMES[field] for field in run)
    return ()


def run_owners(board: Board, run: list[int] | tuple[int, ...], players: int) -> list[int]:
    """Who has the most dice in a run; several when they are tied."""
    counts = [sum(board.owners[field] == player for field in run) for player in range(players)]
    return [player for player in range(players) if counts[player] == max(counts)]


def _with_markers(board: Board, markers: tuple[int, ...], run: list[int]) -> tuple[int, ...]:
    """Two markers for the most dice in the run; one each where two are tied."""
    best = run_owners(board, run, len(markers))
    each = 2 if len(best) == 1 else 1
    return tuple(count + each * (player in best) for player, count in enumerate(markers))


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind for kind in (Square(), FourWins(), LastMan(), Major())
}
"""The four games by name."""
