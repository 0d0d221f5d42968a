"""What is the state of a game of Dice², and what does one action make of it?

What the four games share stands here: the board, the order of numbers, turns and skipping. What
each has of its own is a `Kind`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sheets.rules.dice2.board import (
    AROUND,
    CENTRE,
    EDGES,
    INDEX,
    INNER,
    NAMES,
    SIDE,
    SIGHT,
    Board,
    column_range,
    row_range,
)
from sheets.rules.violations import RuleViolation

DIE_NUMBERS: Final = range(1, 7)
MAX_SPAN: Final = 4
"""How many rows and columns `square-bounds` allows."""


RULES: Final = (
    "centre-first",
    "row-order",
    "column-order",
    "square-bounds",
    "own-colour",
    "six-in-a-row",
)
"""The refusals only Dice² knows; it shares the others with Dizzle."""


class PaidLine(NamedTuple):
    """A line that paid: its fields in order, what it is (``same``, ``row`` or ``run``), for whom.

    ``owners`` are the players who got ``each`` points or markers.
    """

    fields: tuple[str, ...]
    what: str
    owners: tuple[int, ...] = (0,)
    each: int = 1


class Kind:
    """What one of the four games has of its own; each is one object without state."""

    name = ""
    player_counts: tuple[int, ...] = (2,)
    dice_each = 16
    is_bounded = False
    """Whether `square-bounds` holds."""

    touches_own_colour = False
    """Whether `own-colour` holds."""

    collects = ""
    """What its players collect, ``points`` or ``markers``; empty where the win alone counts."""

    def is_on_board(self, players: int, index: int) -> bool:
        """Whether a field belongs to the board of a game of so many players (`no-field`)."""
        return True

    def check(self, game: Dice2Game, index: int) -> RuleViolation | None:
        """Why the player to move may not use a field, by this game's own rules."""
        return None

    def settle(self, game: Dice2Game, player: int, index: int) -> Dice2Game:
        """The game after the die just placed there was looked at: markers, a winner."""
        return game

    def skip_ends(self) -> bool:
        """Whether a skipped die is the end of the game."""
        return False

    def points(self, game: Dice2Game) -> tuple[int, ...]:
        """Points or markers per player."""
        return game.markers

    def bonus(self, game: Dice2Game) -> int:
        """Points besides those of lines."""
        return 0

    def paid_lines(self, game: Dice2Game) -> Sequence[PaidLine]:
        """The lines that have brought points or markers."""
        return ()

    def winners_at_end(self, game: Dice2Game) -> tuple[int, ...]:
        """Who wins a game that ends without a winner of its own: the last die's player."""
        return (max(range(game.players), key=lambda player: game.last_placed[player]),)


class Dice2Action(NamedTuple):
    """One thing a player did: ``do`` is ``place`` (with ``at``) or ``skip``; ``die`` is thrown."""

    do: str
    player: int
    die: int
    at: str = ""


class Dice2Game(NamedTuple):
    """A game of Dice²: an immutable value.

    ``player`` is to move; ``dice_left`` and ``markers`` are per player; ``last_placed`` says with
    which of the dice of the whole game (counted from 0) each player last placed one, -1 for none.
    ``scored_runs`` are the runs of five that were settled, as field indexes. ``winners`` is empty
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
        """The game after the action; this one stays as it is.

        Raises:
            RuleViolation: the first that applies of `not-now`, `not-your-turn`, then `must-place`
                for a skip or what `check_placement` says.
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
            dice_left=_changed(self.dice_left, player, self.dice_left[player] - 1),
            last_placed=_changed(self.last_placed, player, placed),
        )
        return _go_on(game.kind.settle(game, player, index))

    def _skip(self, action: Dice2Action) -> Dice2Game:
        if fields := legal_fields(self, action.die):
            raise RuleViolation("must-place", die=action.die, at=fields[0])
        if self.kind.skip_ends():
            return _finish(self)
        return _go_on(self)

    def legal(self) -> dict[int, list[str]]:
        """Where the player to move may place each number that could be thrown."""
        if self.is_finished:
            return {}
        return {die: legal_fields(self, die) for die in DIE_NUMBERS}

    @property
    def points(self) -> tuple[int, ...]:
        """Points (`square`) or markers (`major`) per player, else zeros."""
        return self.kind.points(self)


def new_game(kind: Kind, players: int, starter: int = 0) -> Dice2Game:
    """A game about to start.

    Args:
        kind: which of the four games.
        players: how many, one of ``kind.player_counts``.
        starter: the index of the player who moves first.
    """
    nothing = (0,) * players
    dice = (kind.dice_each,) * players
    return Dice2Game(kind, players, starter, Board(), dice, nothing, (-1,) * players)


def check_placement(game: Dice2Game, at: str, die: int) -> RuleViolation | None:
    """Why the player to move may not put a die on a field, or None when they may.

    The first that applies of `no-field`, `field-taken`, `centre-first`, `square-bounds` (which
    closes a field for good), `not-next-to-die`, `own-colour`, `six-in-a-row`, `row-order`,
    `column-order`.
    """
    index = INDEX.get(at, -1)
    if index < 0 or not game.kind.is_on_board(game.players, index):
        return RuleViolation("no-field", at=at)
    if game.board.numbers[index]:
        return RuleViolation("field-taken", at=at)
    if violation := _check_place(game, index):
        return violation
    for rule, (low, high), (before, behind) in (
        ("row-order", row_range(game.board, index), SIGHT[index][:2]),
        ("column-order", column_range(game.board, index), SIGHT[index][2:]),
    ):
        if not low <= die <= high:
            by = _nearest_die(game.board, before if die < low else behind)
            return RuleViolation(rule, at=at, die=die, low=low, high=high, by=by)
    return None


def _nearest_die(board: Board, fields: Sequence[int]) -> str:
    """The field of the first die in sight."""
    return next(NAMES[field] for field in fields if board.numbers[field])


def _check_place(game: Dice2Game, index: int) -> RuleViolation | None:
    """Why no die at all may go on an empty field of the board, whatever its number."""
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
    return any(board.numbers[other] for other in EDGES[index])


def _touches_own(game: Dice2Game, index: int) -> bool:
    """Whether `own-colour` lets the player to move use a field: their first die goes anywhere."""
    if not game.kind.touches_own_colour or game.dice_left[game.player] == game.kind.dice_each:
        return True
    return any(game.board.owners[other] == game.player for other in AROUND[index])


def legal_fields(game: Dice2Game, die: int) -> list[str]:
    """The fields that take a die of the player to move, in reading order."""
    return [NAMES[index] for index, low, high in open_fields(game) if low <= die <= high]


def open_fields(game: Dice2Game) -> Iterator[tuple[int, int, int]]:
    """The fields the player to move may use, with the lowest and highest number each takes.

    A field whose row and column leave no number is left out.
    """
    board = game.board
    for index in range(SIDE**2):
        if board.numbers[index] or not game.kind.is_on_board(game.players, index):
            continue
        # Most fields lie away from all dice; to ask this first makes a game twice as fast.
        if not (board.is_empty or _has_neighbour(board, index)) or _check_place(game, index):
            continue
        low_row, high_row = row_range(board, index)
        low_column, high_column = column_range(board, index)
        low, high = max(low_row, low_column), min(high_row, high_column)
        if low <= high:
            yield index, low, high


def is_inner(index: int) -> bool:
    """Whether a field lies on the light inner 7×7."""
    return index // SIDE in INNER and index % SIDE in INNER


def bounds(board: Board) -> tuple[range, range]:
    """The rows and the columns the dice occupy, from the first to the last, counted from 0."""
    taken = [index for index, number in enumerate(board.numbers) if number]
    rows, columns = [i // SIDE for i in taken], [i % SIDE for i in taken]
    if not taken:
        return range(0), range(0)
    return range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)


def _check_bounds(board: Board, index: int) -> RuleViolation | None:
    """`square-bounds`, with how many ``rows`` or ``columns`` it would be, and the farthest die."""
    places = divmod(index, SIDE)
    for what, place, taken in zip(("rows", "columns"), places, bounds(board), strict=True):
        count = max(taken[-1], place) - min(taken[0], place) + 1
        if count > MAX_SPAN:
            far = taken[0] if place > taken[-1] else taken[-1]
            by = next(
                NAMES[other]
                for other, number in enumerate(board.numbers)
                if number and divmod(other, SIDE)[what == "columns"] == far
            )
            return RuleViolation("square-bounds", at=NAMES[index], what=what, count=count, by=by)
    return None


def _go_on(game: Dice2Game) -> Dice2Game:
    """The next player's turn, unless the game is over: nobody with dice can place any number."""
    if game.is_finished:
        return game
    if is_stuck(game):
        return _finish(game)
    player = game.player
    while True:
        player = (player + 1) % game.players
        if game.dice_left[player]:
            return game._replace(player=player)


def is_stuck(game: Dice2Game) -> bool:
    """Whether nobody who has dice left could place any number."""
    with_dice = [player for player in range(game.players) if game.dice_left[player]]
    moves = (move for player in with_dice for move in open_fields(game._replace(player=player)))
    return next(moves, None) is None


def _finish(game: Dice2Game) -> Dice2Game:
    return finish(game, game.kind.winners_at_end(game))


def finish(game: Dice2Game, winners: Sequence[int]) -> Dice2Game:
    """The game, over and won."""
    return game._replace(is_finished=True, winners=tuple(winners))


def _changed(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
