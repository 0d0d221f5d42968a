"""What is a board of Dice² worth that was played without us, and what cannot be right on it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sheets.rules.dice2.board import CENTRE, EDGES, NAMES, SIDE, STEPS, Board, run_through, walk
from sheets.rules.dice2.game import MAX_SPAN, Kind, bounds
from sheets.rules.dice2.kinds import (
    MARKERS_TO_WIN,
    RUN_LENGTH,
    SQUARE_BONUS,
    run_owners,
    scored_lines,
)
from sheets.rules.violations import RuleViolation


class PaidLine(NamedTuple):
    """A line that paid: its fields, what it is (``same``, ``row`` or ``run``), and for whom.

    ``owners`` are the players who got ``each`` points or markers.
    """

    fields: tuple[str, ...]
    what: str
    owners: tuple[int, ...]
    each: int


class Finished(NamedTuple):
    """A finished board: points or markers per player, the lines they come from, and doubts.

    ``bonus`` is part of the points of `square`; ``doubts`` are rules that the board breaks, in
    reading order, with the fields in their facts.
    """

    points: tuple[int, ...]
    lines: tuple[PaidLine, ...]
    bonus: int
    doubts: tuple[RuleViolation, ...]


def score_board(kind: Kind, board: Board, players: int) -> Finished:
    """Score a board of `square` or `major` as it lies there.

    A run of five of `major` was settled when it was made, and no die can have been added to it, so
    that the board alone tells the markers.
    """
    doubts = tuple(_doubts(kind, board, players))
    if kind.name == "square":
        lines = [PaidLine(line.fields, line.what, (0,), 1) for line in scored_lines(board)]
        is_full = SIDE**2 - board.numbers.count(0) == kind.dice_each
        bonus = SQUARE_BONUS if is_full else 0
        return Finished((len(lines) + bonus,), tuple(lines), bonus, doubts)
    lines = list(_settled_runs(board, players))
    points = tuple(
        sum(line.each for line in lines if player in line.owners) for player in range(players)
    )
    return Finished(points, tuple(lines), 0, doubts)


def winners_of(finished: Finished) -> tuple[int, ...]:
    """Who has won a finished `major`; several with six markers: whose last die came latest, which
    the board does not tell, so that all of them are named."""
    reached = [p for p, markers in enumerate(finished.points) if markers >= MARKERS_TO_WIN]
    most = max(finished.points)
    return tuple(reached or [p for p, markers in enumerate(finished.points) if markers == most])


def _settled_runs(board: Board, players: int) -> Iterator[PaidLine]:
    for run in _runs(board):
        if len(run) == RUN_LENGTH:
            owners = tuple(run_owners(board, run, players))
            fields = tuple(NAMES[field] for field in run)
            yield PaidLine(fields, "run", owners, 2 if len(owners) == 1 else 1)


def _runs(board: Board) -> Iterator[list[int]]:
    """The unbroken runs across and down, each once, by its first field."""
    for index, number in enumerate(board.numbers):
        for down, right in STEPS[:2]:
            if number and (run := run_through(board, index, down, right))[0] == index:
                yield run


def _doubts(kind: Kind, board: Board, players: int) -> Iterator[RuleViolation]:
    taken = [index for index, number in enumerate(board.numbers) if number]
    if taken and CENTRE not in taken:
        yield RuleViolation("centre-first", at=NAMES[taken[0]])
    for index in taken:
        yield from _doubts_about(kind, board, players, index, alone=len(taken) == 1)
    rows, columns = bounds(board)
    if kind.is_bounded and max(len(rows), len(columns)) > MAX_SPAN:
        yield RuleViolation("square-bounds", at=NAMES[taken[0]])
    for player in range(players):
        count = board.owners.count(player)
        if count > kind.dice_each:
            yield RuleViolation("too-many-dice", player=player, count=count, most=kind.dice_each)
    if kind.name == "major":
        for run in _runs(board):
            if len(run) > RUN_LENGTH:
                yield RuleViolation("six-in-a-row", at=NAMES[run[0]], by=NAMES[run[-1]])


def _doubts_about(
    kind: Kind, board: Board, players: int, index: int, *, alone: bool
) -> Iterator[RuleViolation]:
    at = NAMES[index]
    if not kind.is_on_board(players, index):
        yield RuleViolation("no-field", at=at)
    if not alone and not any(board.numbers[other] for other in EDGES[index]):
        yield RuleViolation("not-next-to-die", at=at)
    for rule, (down, right) in zip(("row-order", "column-order"), STEPS[:2], strict=True):
        following = next((i for i in walk(index, down, right) if board.numbers[i]), None)
        if following is not None and board.numbers[following] < board.numbers[index]:
            yield RuleViolation(
                rule,
                at=NAMES[following],
                die=board.numbers[following],
                by=at,
                low=board.numbers[index],
                high=6,
            )
