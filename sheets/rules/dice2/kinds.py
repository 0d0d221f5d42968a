"""Rules of each of the four games of Dice²."""

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
"""Number of dice in a line of `square` and of `four-wins`."""

RUN_LENGTH: Final = 5
"""Number of dice in a run of `major` that pays; no run may be longer."""

MARKERS_TO_WIN: Final = 6
"""Number of markers that wins a `major`."""


class Square(Kind):
    """Square Dice: one player, 16 dice within 4 rows and 4 columns, lines of four pay."""

    name = "square"
    player_counts = (1,)
    is_bounded = True
    collects = "points"

    def skip_ends(self) -> bool:
        """Return True: the first die that fits nowhere ends the game."""
        return True

    def points(self, game: Dice2Game) -> tuple[int, ...]:
        """Return one point per line, plus the bonus once all dice are placed."""
        return (len(self.paid_lines(game)) + self.bonus(game),)

    def bonus(self, game: Dice2Game) -> int:
        """Return `SQUARE_BONUS` once all dice are placed, else 0."""
        return 0 if game.dice_left[0] else SQUARE_BONUS

    def paid_lines(self, game: Dice2Game) -> list[PaidLine]:
        """Return the lines of four that pay."""
        return scored_lines(game.board)


class FourWins(Kind):
    """4 Dice Wins: the first with four or more own dice in an unbroken line wins."""

    name = "four-wins"

    def settle(self, game: Dice2Game, player: int, index: int) -> Dice2Game:
        """End the game if the die just placed completes a line of its player's dice."""
        for down, right in STEPS:
            if len(run_through(game.board, index, down, right, player)) >= LINE_LENGTH:
                return finish(game, (player,))
        return game


class LastMan(Kind):
    """Last Man Dice: the player who places the last die wins; own dice must touch each other."""

    name = "last-man"
    dice_each = 8
    is_bounded = True
    touches_own_colour = True


class Major(Kind):
    """Major Dice: a run of five pays markers to the player with most dice; six markers win."""

    name = "major"
    player_counts = (2, 3)
    collects = "markers"

    def is_on_board(self, players: int, index: int) -> bool:
        """Return whether a field is on the board: the inner 7×7 for two players, else 9×9."""
        return players > 2 or is_inner(index)

    def check(self, game: Dice2Game, index: int) -> RuleViolation | None:
        """Return `six-in-a-row` if a die on the field makes a run of six or more."""
        for down, right in STEPS[:2]:
            run = run_through(game.board, index, down, right)
            if len(run) > RUN_LENGTH:
                dice = " ".join(NAMES[field] for field in run if field != index)
                return RuleViolation("six-in-a-row", at=NAMES[index], count=len(run), by=dice)
        return None

    def settle(self, game: Dice2Game, player: int, index: int) -> Dice2Game:
        """Settle each run of exactly five that the die makes; six markers end the game."""
        for down, right in STEPS[:2]:
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
        """Return the settled runs."""
        return [paid_run(game.board, run, game.players) for run in game.scored_runs]

    def winners_at_end(self, game: Dice2Game) -> tuple[int, ...]:
        """Return the players with most markers; several if they are tied."""
        most = max(game.markers)
        return tuple(p for p in range(game.players) if game.markers[p] == most)


def scored_lines(board: Board) -> list[PaidLine]:
    """Return the lines of `square` that pay: four of a kind, or four consecutive numbers.

    On diagonals that rise to the right, the numbers may be consecutive in either direction.
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


def winning_line(board: Board, player: int) -> tuple[str, ...]:
    """Return the fields of a player's winning line of `four-wins`; empty if there is none."""
    for index, owner in enumerate(board.owners):
        if owner == player:
            for down, right in STEPS:
                run = run_through(board, index, down, right, player)
                if len(run) >= LINE_LENGTH:
                    return tuple(NAMES[field] for field in run)
    return ()


def run_owners(board: Board, run: list[int] | tuple[int, ...], players: int) -> list[int]:
    """Return the indexes of the players with most dice in a run; several if they are tied."""
    counts = [sum(board.owners[field] == player for field in run) for player in range(players)]
    return [player for player in range(players) if counts[player] == max(counts)]


def paid_run(board: Board, run: list[int] | tuple[int, ...], players: int) -> PaidLine:
    """Return the `PaidLine` of a run of five in `major`.

    It pays two markers to the player with most dice in it, or one to each of several tied players.
    """
    owners = tuple(run_owners(board, run, players))
    fields = tuple(NAMES[field] for field in run)
    return PaidLine(fields, "run", owners, 2 if len(owners) == 1 else 1)


def _with_markers(board: Board, markers: tuple[int, ...], run: list[int]) -> tuple[int, ...]:
    """Return the markers per player after a run was settled."""
    paid = paid_run(board, run, len(markers))
    return tuple(
        count + paid.each * (player in paid.owners) for player, count in enumerate(markers)
    )


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind for kind in (Square(), FourWins(), LastMan(), Major())
}
"""The four games by name."""
