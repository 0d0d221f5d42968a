"""Game of Dice²: state, legal moves, and the transition by one action.

This module has what the four games share: the board, the order of numbers, turns and skipping.
The rules of each game are a `Kind`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sheets.rules.dice2.board import (
    CENTRE,
    EDGE_NEIGHBOURS,
    INDEX,
    INNER,
    LINES_OF_SIGHT,
    NAMES,
    SIDE,
    SURROUNDING,
    Board,
    column_range,
    row_range,
)
from sheets.rules.violations import RuleViolation

DIE_NUMBERS: Final = range(1, 7)
"""The numbers of a die."""

MAX_SPAN: Final = 4
"""Maximum number of rows and of columns that `square-bounds` allows."""

RULES: Final = (
    "centre-first",
    "row-order",
    "column-order",
    "square-bounds",
    "own-colour",
    "six-in-a-row",
)
"""The refusals that only Dice² has; it shares the others with Dizzle."""


class PaidLine(NamedTuple):
    """A line of dice that has paid points or markers.

    ``fields`` are names in order. ``what`` is ``same`` (equal numbers) or ``row`` (consecutive
    numbers) in `square`, ``run`` (five dice) in `major`. ``owners`` are the indexes of the players
    who received points or markers, ``each`` is how many each of them received.
    """

    fields: tuple[str, ...]
    what: str
    owners: tuple[int, ...] = (0,)
    each: int = 1


class Kind:
    """Rules of one of the four games (strategy pattern); stateless, one instance per kind."""

    name = ""
    """The game's name in documents."""

    player_counts: tuple[int, ...] = (2,)
    """The possible numbers of players."""

    dice_each = 16
    """Number of dice of each player."""

    is_bounded = False
    """Whether `square-bounds` holds."""

    touches_own_colour = False
    """Whether `own-colour` holds."""

    collects = ""
    """``points`` or ``markers``, whichever the players collect; empty if only the win counts."""

    def is_on_board(self, players: int, index: int) -> bool:
        """Return whether a field is on the board with that number of players (`no-field`)."""
        return True

    def check(self, game: Dice2Game, index: int) -> RuleViolation | None:
        """Return which of this game's own rules forbids the next die on a field, or None."""
        return None

    def settle(self, game: Dice2Game, player: int, index: int) -> Dice2Game:
        """Return the game with the effects of the die just placed: markers, a winner."""
        return game

    def skip_ends(self) -> bool:
        """Return whether skipping ends the game."""
        return False

    def points(self, game: Dice2Game) -> tuple[int, ...]:
        """Return points or markers per player."""
        return game.markers

    def bonus(self, game: Dice2Game) -> int:
        """Return the points that do not come from lines."""
        return 0

    def paid_lines(self, game: Dice2Game) -> Sequence[PaidLine]:
        """Return the lines that have paid points or markers."""
        return ()

    def winners_at_end(self, game: Dice2Game) -> tuple[int, ...]:
        """Return the winners of a game that ends because no die can be placed any more.

        In most games it is the player who placed the last die.
        """
        return (max(range(game.players), key=lambda player: game.last_placed[player]),)


class Dice2Action(NamedTuple):
    """One action: ``do`` is ``place`` (with ``at``) or ``skip``; ``die`` is the number thrown."""

    do: str
    player: int
    die: int
    at: str = ""


class Dice2Game(NamedTuple):
    """A game of Dice²; immutable.

    ``player`` is to move; ``dice_left`` and ``markers`` are per player; ``last_placed`` has the
    position of each player's last die among all dice placed, counted from 0, -1 for none.
    ``scored_runs`` are the settled runs of five, as field indexes. ``winners`` is empty
    while ``is_finished`` is false.
    """

    kind: Kind
    players: int
    player: int
    board: Board
    dice_left: tuple[int, ...]
    markers: tuple[int, ...]
    last_placed: tuple[int, ...]
    scored_runs: tuple[tuple[int, ...], ...] = ()
    is_finished: bool = False
    winners: tuple[int, ...] = ()

    def apply(self, action: Dice2Action) -> Dice2Game:
        """Return the game after the action; this one is unchanged.

        Raises:
            RuleViolation: the first that applies of `not-now`, `not-your-turn`, then `must-place`
                for a skip or the rules of `check_placement`.
        """
        if self.is_finished:
            raise RuleViolation("not-now", do=action.do)
        if action.player != self.player:
            raise RuleViolation("not-your-turn", player=action.player, turn=self.player)
        if action.do == "skip":
            return self._skip(action)
        if violation := check_placement(self, action.at, action.die):
            raise violation
        index = INDEX[action.at]
        player = self.player
        placed = SIDE**2 - self.board.numbers.count(0)
        game = self._replace(
            board=self.board.with_die(index, player, action.die),
            dice_left=_with_value(self.dice_left, player, self.dice_left[player] - 1),
            last_placed=_with_value(self.last_placed, player, placed),
        )
        return _next_turn(game.kind.settle(game, player, index))

    def _skip(self, action: Dice2Action) -> Dice2Game:
        if fields := legal_fields(self, action.die):
            raise RuleViolation("must-place", die=action.die, at=fields[0])
        if self.kind.skip_ends():
            return finish(self, self.kind.winners_at_end(self))
        return _next_turn(self)

    def legal(self) -> dict[int, list[str]]:
        """Return the fields that take a die of the player to move, by number."""
        if self.is_finished:
            return {}
        return {die: legal_fields(self, die) for die in DIE_NUMBERS}

    @property
    def points(self) -> tuple[int, ...]:
        """Points (`square`) or markers (`major`) per player, else zeros."""
        return self.kind.points(self)


def new_game(kind: Kind, players: int, starter: int = 0) -> Dice2Game:
    """Return a new game.

    Args:
        kind: one of the four games.
        players: the number of players, one of ``kind.player_counts``.
        starter: the index of the player who moves first.
    """
    nothing = (0,) * players
    dice = (kind.dice_each,) * players
    return Dice2Game(kind, players, starter, Board(), dice, nothing, (-1,) * players)


def check_placement(game: Dice2Game, at: str, die: int) -> RuleViolation | None:
    """Return why the player to move may not put a die on a field, or None if they may.

    The first that applies of `no-field`, `field-taken`, `centre-first`, `square-bounds` (which
    closes a field for the rest of the game), `not-next-to-die`, `own-colour`, `six-in-a-row`,
    `row-order`, `column-order`.
    """
    index = INDEX.get(at, -1)
    if index < 0 or not game.kind.is_on_board(game.players, index):
        return RuleViolation("no-field", at=at)
    if game.board.numbers[index]:
        return RuleViolation("field-taken", at=at)
    if violation := _check_position(game, index):
        return violation
    for rule, (low, high), (before, after) in (
        ("row-order", row_range(game.board, index), LINES_OF_SIGHT[index][:2]),
        ("column-order", column_range(game.board, index), LINES_OF_SIGHT[index][2:]),
    ):
        if not low <= die <= high:
            by = _nearest_die(game.board, before if die < low else after)
            return RuleViolation(rule, at=at, die=die, low=low, high=high, by=by)
    return None


def _nearest_die(board: Board, fields: Sequence[int]) -> str:
    """Return the name of the first of the fields with a die."""
    return next(NAMES[field] for field in fields if board.numbers[field])


def _check_position(game: Dice2Game, index: int) -> RuleViolation | None:
    """Return why no die of any number may go on an empty field of the board, or None."""
    board, at = game.board, NAMES[index]
    if board.is_empty:
        return None if index == CENTRE else RuleViolation("centre-first", at=at)
    if game.kind.is_bounded and (violation := _check_bounds(board, index)):
        return violation
    if not _has_neighbour(board, index):
        return RuleViolation("not-next-to-die", at=at)
    if not _touches_own(game, index):
        return RuleViolation("own-colour", at=at)
    return game.kind.check(game, index)


def _has_neighbour(board: Board, index: int) -> bool:
    return any(board.numbers[other] for other in EDGE_NEIGHBOURS[index])


def _touches_own(game: Dice2Game, index: int) -> bool:
    """Return whether the next die on a field obeys `own-colour`; a player's first die is exempt."""
    if not game.kind.touches_own_colour or game.dice_left[game.player] == game.kind.dice_each:
        return True
    return any(game.board.owners[other] == game.player for other in SURROUNDING[index])


def legal_fields(game: Dice2Game, die: int) -> list[str]:
    """Return the fields that take a die of the player to move, in reading order."""
    return [NAMES[index] for index, low, high in open_fields(game) if low <= die <= high]


def open_fields(game: Dice2Game) -> Iterator[tuple[int, int, int]]:
    """Yield the fields the player to move may use, with the lowest and highest number each takes.

    Fields whose row and column leave no number are excluded.
    """
    board = game.board
    for index in range(SIDE**2):
        if board.numbers[index] or not game.kind.is_on_board(game.players, index):
            continue
        # Most fields are away from all dice; checking this first makes a game twice as fast.
        if not (board.is_empty or _has_neighbour(board, index)) or _check_position(game, index):
            continue
        low_row, high_row = row_range(board, index)
        low_column, high_column = column_range(board, index)
        low, high = max(low_row, low_column), min(high_row, high_column)
        if low <= high:
            yield index, low, high


def is_inner(index: int) -> bool:
    """Return whether a field is on the light inner 7×7."""
    return index // SIDE in INNER and index % SIDE in INNER


def bounds(board: Board) -> tuple[range, range]:
    """Return the ranges of rows and of columns that the dice occupy, counted from 0."""
    taken = [index for index, number in enumerate(board.numbers) if number]
    rows, columns = [i // SIDE for i in taken], [i % SIDE for i in taken]
    if not taken:
        return range(0), range(0)
    return range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)


def _check_bounds(board: Board, index: int) -> RuleViolation | None:
    """Return the violation of `square-bounds` by a die on a field, or None.

    Its facts are the number of ``rows`` or ``columns`` there would be, and the farthest die.
    """
    position = divmod(index, SIDE)
    for what, line, taken in zip(("rows", "columns"), position, bounds(board), strict=True):
        count = max(taken[-1], line) - min(taken[0], line) + 1
        if count > MAX_SPAN:
            far = taken[0] if line > taken[-1] else taken[-1]
            by = next(
                NAMES[other]
                for other, number in enumerate(board.numbers)
                if number and divmod(other, SIDE)[what == "columns"] == far
            )
            return RuleViolation("square-bounds", at=NAMES[index], what=what, count=count, by=by)
    return None


def _next_turn(game: Dice2Game) -> Dice2Game:
    """Begin the next turn, or end the game if no player with dice can place any number."""
    if game.is_finished:
        return game
    if is_stuck(game):
        return finish(game, game.kind.winners_at_end(game))
    player = game.player
    while True:
        player = (player + 1) % game.players
        if game.dice_left[player]:
            return game._replace(player=player)


def is_stuck(game: Dice2Game) -> bool:
    """Return whether no player with dice left can place any number."""
    with_dice = [player for player in range(game.players) if game.dice_left[player]]
    moves = (move for player in with_dice for move in open_fields(game._replace(player=player)))
    return next(moves, None) is None


def finish(game: Dice2Game, winners: Sequence[int]) -> Dice2Game:
    """Return the finished game with its winners."""
    return game._replace(is_finished=True, winners=tuple(winners))


def _with_value(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
