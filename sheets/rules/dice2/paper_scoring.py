"""Scoring and plausibility checks of a Dice² board that was played without the app."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sheets.rules.dice2.board import (
    CENTRE,
    EDGE_NEIGHBOURS,
    NAMES,
    SIDE,
    STEPS,
    Board,
    run_through,
    walk,
)
from sheets.rules.dice2.game import MAX_SPAN, Kind, PaidLine, bounds, is_stuck, new_game
from sheets.rules.dice2.kinds import (
    MARKERS_TO_WIN,
    RUN_LENGTH,
    SQUARE_BONUS,
    paid_run,
    scored_lines,
)
from sheets.rules.violations import RuleViolation


class PaperBoardScore(NamedTuple):
    """Points or markers per player, the lines they come from, and doubts about the board.

    ``bonus`` is included in the points of `square`; ``doubts`` are the rules the board breaks, in
    reading order, with the fields in their facts. ``is_over`` is false while a player can go on.
    """

    points: tuple[int, ...]
    lines: tuple[PaidLine, ...]
    bonus: int
    doubts: tuple[RuleViolation, ...]
    is_over: bool


def score_board(kind: Kind, board: Board, players: int) -> PaperBoardScore:
    """Score a board of `square` or `major`.

    In `major` a run of five is settled when it is made, and no die can be added to it, so the
    markers follow from the board alone.
    """
    doubts = tuple(_doubts(kind, board, players))
    dice_left = tuple(max(0, kind.dice_each - board.owners.count(p)) for p in range(players))
    is_over = is_stuck(new_game(kind, players)._replace(board=board, dice_left=dice_left))
    if kind.name == "square":
        lines = scored_lines(board)
        is_full = SIDE**2 - board.numbers.count(0) == kind.dice_each
        bonus = SQUARE_BONUS if is_full else 0
        return PaperBoardScore((len(lines) + bonus,), tuple(lines), bonus, doubts, is_over)
    lines = list(_settled_runs(board, players))
    points = tuple(
        sum(line.each for line in lines if player in line.owners) for player in range(players)
    )
    doubts += tuple(_won_before(points, lines))
    return PaperBoardScore(
        points, tuple(lines), 0, doubts, is_over or max(points) >= MARKERS_TO_WIN
    )


def _won_before(points: Sequence[int], lines: Sequence[PaidLine]) -> Iterator[RuleViolation]:
    """Find `won-before`: a die was placed although a player already had six markers.

    The board does not show which die was placed last. The doubt is raised only if a player has six
    markers without the last die, whichever die this was.
    """
    for last in {field for line in lines for field in line.fields}:
        before = (
            sum(line.each for line in lines if player in line.owners and last not in line.fields)
            for player in range(len(points))
        )
        if max(before) < MARKERS_TO_WIN:
            return
    if lines:
        reached = [p for p, markers in enumerate(points) if markers >= MARKERS_TO_WIN]
        players = " ".join(map(str, reached))
        yield RuleViolation("won-before", players=players, count=max(points))


def winners_of(score: PaperBoardScore) -> tuple[int, ...]:
    """Return the winners of a `major`, or its leaders while nobody has six markers.

    If several players have six markers, the one whose last die was placed latest has won. The board
    does not show the order of the dice, so all of these players are returned.
    """
    reached = [p for p, markers in enumerate(score.points) if markers >= MARKERS_TO_WIN]
    most = max(score.points)
    return tuple(reached or [p for p, markers in enumerate(score.points) if markers == most])


def _settled_runs(board: Board, players: int) -> Iterator[PaidLine]:
    for run in _runs(board):
        if len(run) == RUN_LENGTH:
            yield paid_run(board, run, players)


def _runs(board: Board) -> Iterator[list[int]]:
    """Yield the unbroken runs across and down, each once, in the order of their first fields."""
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
    yield from _doubts_about_groups(board)
    rows, columns = bounds(board)
    if kind.is_bounded and max(len(rows), len(columns)) > MAX_SPAN:
        at, *by = _outermost(taken, rows, columns)
        yield RuleViolation("square-bounds", at=at, by=" ".join(by))
    for player in range(players):
        count = board.owners.count(player)
        if count > kind.dice_each:
            yield RuleViolation("too-many-dice", player=player, count=count, most=kind.dice_each)
    if kind.name == "major":
        for run in _runs(board):
            if len(run) > RUN_LENGTH:
                yield RuleViolation("six-in-a-row", at=NAMES[run[0]], by=NAMES[run[-1]])


def _outermost(taken: Sequence[int], rows: range, columns: range) -> list[str]:
    """Return the fields of the dice in the two outermost rows if there are too many rows.

    The same for columns.
    """
    return [
        NAMES[index]
        for index in taken
        if (len(rows) > MAX_SPAN and index // SIDE in (rows[0], rows[-1]))
        or (len(columns) > MAX_SPAN and index % SIDE in (columns[0], columns[-1]))
    ]


def _doubts_about_groups(board: Board) -> Iterator[RuleViolation]:
    """Find `apart`: groups of dice that share no edge with the largest group.

    Of equally large groups the one on the centre, where the first die goes, counts as the largest.
    """
    for first, *others in _groups(board)[1:]:
        if others:  # a single die is `not-next-to-die`
            by = " ".join(NAMES[index] for index in others)
            yield RuleViolation("apart", at=NAMES[first], by=by)


def _groups(board: Board) -> list[list[int]]:
    """Return the connected components of the dice, the largest first.

    Of equally large ones, the one on the centre comes first.
    """
    groups = []
    unvisited = {index for index, number in enumerate(board.numbers) if number}
    while unvisited:
        group, frontier = set[int](), {min(unvisited)}
        while frontier:
            group |= frontier
            near = {other for index in frontier for other in EDGE_NEIGHBOURS[index]}
            frontier = near & unvisited - group
        groups.append(sorted(group))
        unvisited -= group
    return sorted(groups, key=lambda group: (len(group), CENTRE in group), reverse=True)


def _doubts_about(
    kind: Kind, board: Board, players: int, index: int, *, alone: bool
) -> Iterator[RuleViolation]:
    at = NAMES[index]
    if not kind.is_on_board(players, index):
        yield RuleViolation("no-field", at=at)
    if not alone and not any(board.numbers[other] for other in EDGE_NEIGHBOURS[index]):
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
