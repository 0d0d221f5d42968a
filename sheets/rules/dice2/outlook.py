"""Outlook on a game of Dice²: numbers a field takes, lines that can still pay, a sure winner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from sheets.rules.dice2.board import (
    INDEX,
    LINES_OF_SIGHT,
    NAMES,
    SIDE,
    STEPS,
    Board,
    column_range,
    row_range,
    walk,
)
from sheets.rules.dice2.game import DIE_NUMBERS, MAX_SPAN, Dice2Game, bounds, check_placement
from sheets.rules.dice2.kinds import LINE_LENGTH
from sheets.rules.violations import RuleViolation


class Limit(NamedTuple):
    """A die that limits the numbers a field takes.

    ``side`` says where it lies: to the ``left`` or ``right`` of the field, ``above`` or ``below``.
    """

    side: str
    at: str
    number: int


class FieldOutlook(NamedTuple):
    """The numbers a field takes from the player to move.

    ``violation`` is the rule, other than the order of numbers, that forbids all numbers there. If
    it is None, ``numbers`` are the numbers that fit, and ``limits`` the dice that exclude the rest.
    """

    violation: RuleViolation | None
    numbers: range = range(0)
    limits: tuple[Limit, ...] = ()

    @property
    def in_the_way(self) -> tuple[str, ...]:
        """The fields whose dice are the reason that this field does not take all numbers."""
        if not self.violation:
            return tuple(limit.at for limit in self.limits)
        if self.violation.rule == "field-taken":
            return (str(self.violation.facts["at"]),)
        return tuple(str(self.violation.facts.get("by", "")).split())


def outlook_of(game: Dice2Game, at: str) -> FieldOutlook:
    """Return the outlook of a field for the player to move; ``at`` may be an unknown name."""
    violation = check_placement(game, at, 1)
    if violation and violation.rule not in ("row-order", "column-order"):
        return FieldOutlook(violation)
    limits = tuple(_limits(game.board, INDEX[at]))
    lowest = [limit.number for limit in limits if limit.side in ("left", "above")]
    highest = [limit.number for limit in limits if limit.side in ("right", "below")]
    return FieldOutlook(None, range(max(lowest, default=1), min(highest, default=6) + 1), limits)


def _limits(board: Board, index: int) -> Iterator[Limit]:
    """Yield the nearest dice in a field's row and column that exclude some numbers there."""
    for side, fields in zip(
        ("left", "right", "above", "below"), LINES_OF_SIGHT[index], strict=True
    ):
        field = next((field for field in fields if board.numbers[field]), None)
        harmless = 1 if side in ("left", "above") else 6
        if field is not None and board.numbers[field] != harmless:
            yield Limit(side, NAMES[field], board.numbers[field])


class OpenLine(NamedTuple):
    """A line of `square` that can still pay.

    ``numbers`` are the numbers that its ``fields`` must have, ``missing`` the fields without a die.
    """

    fields: tuple[str, ...]
    numbers: tuple[int, ...]
    missing: tuple[str, ...]


def _patterns() -> tuple[tuple[int, ...], ...]:
    same = [(number,) * LINE_LENGTH for number in DIE_NUMBERS]
    rows = [tuple(range(start, start + LINE_LENGTH)) for start in DIE_NUMBERS[: 7 - LINE_LENGTH]]
    return (*same, *rows)


PATTERNS: Final = _patterns()
"""The sequences of numbers that pay in `square`: first the equal, then the consecutive ones."""


def open_lines(game: Dice2Game) -> list[OpenLine]:
    """Return every line of four of `square` that can still pay, with the numbers it needs.

    Each empty field of such a line can take its number now; later dice may prevent that. A line
    with several possible sequences of numbers is listed once for each. Lines with the fewest empty
    fields come first.
    """
    lines = [] if game.is_finished else list(_find_open_lines(game))
    return sorted(lines, key=lambda line: len(line.missing))


def _find_open_lines(game: Dice2Game) -> Iterator[OpenLine]:
    numbers = game.board.numbers
    for start, (down, right) in product(range(SIDE**2), STEPS):
        fields = [start, *walk(start, down, right)][:LINE_LENGTH]
        missing = [field for field in fields if not numbers[field]]
        if len(fields) < LINE_LENGTH or not missing or len(missing) > game.dice_left[0]:
            continue
        if not _fit_in_bounds(game, fields):
            continue
        patterns = [*PATTERNS, *(pattern[::-1] for pattern in PATTERNS[6:] if right < 0)]
        for pattern in patterns:
            if all(_can_show(game, *pair) for pair in zip(fields, pattern, strict=True)):
                names = tuple(NAMES[field] for field in fields)
                yield OpenLine(names, pattern, tuple(NAMES[field] for field in missing))


def _can_show(game: Dice2Game, index: int, number: int) -> bool:
    """Return whether a field has the number or can still take it."""
    present = game.board.numbers[index]
    if present:
        return bool(present == number)
    low_row, high_row = row_range(game.board, index)
    low_column, high_column = column_range(game.board, index)
    return number in range(max(low_row, low_column), min(high_row, high_column) + 1)


def sure_winner(game: Dice2Game) -> int | None:
    """Return the player who wins a running game regardless of further throws, or None.

    In games decided by the last die it is the only player with dice left: as the game is not over,
    one of their dice still fits.
    """
    with_dice = [player for player in range(game.players) if game.dice_left[player]]
    if game.is_finished or game.players == 1 or game.kind.collects or len(with_dice) != 1:
        return None
    return with_dice[0]


def _fit_in_bounds(game: Dice2Game, fields: list[int]) -> bool:
    """Return whether `square-bounds` allows dice on all of these fields."""
    rows, columns = bounds(game.board)
    all_rows: list[int] = [*rows, *(field // SIDE for field in fields)]
    all_columns: list[int] = [*columns, *(field % SIDE for field in fields)]
    height, width = max(all_rows) - min(all_rows), max(all_columns) - min(all_columns)
    return height < MAX_SPAN and width < MAX_SPAN
