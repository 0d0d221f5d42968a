"""What has each of the four games of Dice² of its own?"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from sheets.rules.dice2.board import NAMES, SIDE, STEPS, Board, run_through, walk
from sheets.rules.dice2.game import Dice2Game, Kind, PaidLine, finish, is_inner
from sheets.rules.violations import RuleViolation

SQUARE_BONUS: Final = 4
"""Points for placing all dice of `square`."""

LINE_LENGTH: Final = 4
RUN_LENGTH: Final = 5
MARKERS_TO_WIN: Final = 6


class Square(Kind):
    """Square Dice: alone, 16 dice within 4 rows and 4 columns, lines of four pay."""

    name = "square"
    player_counts = (1,)
    is_bounded = True
    collects = "points"

    def skip_ends(self) -> bool:
        """The first die that fits nowhere ends the game."""
        return True

    def points(self, game: Dice2Game) -> tuple[int, ...]:
        """One point a line, and the bonus once all dice lie."""
        return (len(self.paid_lines(game)) + self.bonus(game),)

    def bonus(self, game: Dice2Game) -> int:
        """For having placed all dice."""
        return 0 if game.dice_left[0] else SQUARE_BONUS

    def paid_lines(self, game: Dice2Game) -> list[PaidLine]:
        """Those of four."""
        return scored_lines(game.board)


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
    collects = "markers"

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

    def paid_lines(self, game: Dice2Game) -> list[PaidLine]:
        """The runs that were settled."""
        return [paid_run(game.board, run, game.players) for run in game.scored_runs]

    def winners_at_end(self, game: Dice2Game) -> tuple[int, ...]:
        """Most markers win, equal ones share."""
        most = max(game.markers)
        return tuple(p for p in range(game.players) if game.markers[p] == most)


def scored_lines(board: Board) -> list[PaidLine]:
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
                lines.append(PaidLine(names, "same"))
            elif steps == {1} or (right < 0 and steps == {-1}):
                lines.append(PaidLine(names, "row"))
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


def paid_run(board: Board, run: list[int] | tuple[int, ...], players: int) -> PaidLine:
    """A run of five of `major`: two markers for the most dice; one each where two are tied."""
    owners = tuple(run_owners(board, run, players))
    fields = tuple(NAMES[field] for field in run)
    return PaidLine(fields, "run", owners, 2 if len(owners) == 1 else 1)


def _with_markers(board: Board, markers: tuple[int, ...], run: list[int]) -> tuple[int, ...]:
    paid = paid_run(board, run, len(markers))
    return tuple(
        count + paid.each * (player in paid.owners) for player, count in enumerate(markers)
    )


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind for kind in (Square(), FourWins(), LastMan(), Major())
}
"""The four games by name."""
