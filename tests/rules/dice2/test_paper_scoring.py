"""Scoring and plausibility checks of a board that was played without the app."""

from __future__ import annotations

from random import Random

import pytest

from sheets.rules.dice2 import KINDS, Board, Dice2Action, new_game
from sheets.rules.dice2.board import INDEX
from sheets.rules.dice2.paper_scoring import score_board, winners_of


def board_of(*dice: str) -> Board:
    """Return a board with dice such as ``3e5``, or ``3e5/1`` for the second player."""
    board = Board()
    for die in dice:
        placed, _slash, owner = die.partition("/")
        board = board.with_die(INDEX[placed[1:]], int(owner or 0), int(placed[0]))
    return board


@pytest.mark.parametrize(("name", "players"), [("square", 1), ("major", 2), ("major", 3)])
def test_scored_board_agrees_with_the_game_that_led_to_it(name: str, players: int) -> None:
    for seed in range(6):
        random = Random(seed)
        game = new_game(KINDS[name], players)
        while not game.is_finished:
            die = random.randint(1, 6)
            fields = game.legal()[die]
            do = "place" if fields else "skip"
            at = random.choice(fields) if fields else ""
            game = game.apply(Dice2Action(do, game.player, die, at))
        finished = score_board(KINDS[name], game.board, players)
        assert finished.points == game.points
        assert finished.doubts == ()
        if name == "major":
            assert finished.is_over
            assert set(game.winners) <= set(winners_of(finished))


def test_points_are_listed_by_line() -> None:
    finished = score_board(KINDS["square"], board_of("2d5", "3e5", "4f5", "5g5"), 1)
    assert [(line.fields, line.what) for line in finished.lines] == [
        (("d5", "e5", "f5", "g5"), "row")
    ]
    assert (finished.points, finished.bonus) == ((1,), 0)


def test_run_tied_between_two_of_three_players_pays_one_marker_each() -> None:
    board = board_of("3c5", "3d5", "3e5/1", "3f5/1", "3g5/2")
    finished = score_board(KINDS["major"], board, 3)
    assert finished.points == (1, 1, 0)
    assert finished.lines[0].owners == (0, 1)


@pytest.mark.parametrize(
    ("dice", "rule", "at"),
    [
        (("4e5", "3f5"), "row-order", "f5"),
        (("4e5", "4f5", "6g5", "2h5"), "row-order", "h5"),
        (("4e5", "3e6"), "column-order", "e6"),
        (("4e5", "5g5"), "not-next-to-die", "e5"),
        (("4d5", "4c5"), "centre-first", "c5"),
        (("1e5", "1f5", "1g5", "1h5", "1i5"), "square-bounds", "e5"),
        (("3c4", "3d4", "3e5", "3f5"), "apart", "c4"),
    ],
)
def test_impossible_dice_are_doubts(dice: tuple[str, ...], rule: str, at: str) -> None:
    finished = score_board(KINDS["square"], board_of(*dice), 1)
    assert (rule, at) in [(doubt.rule, doubt.facts["at"]) for doubt in finished.doubts]


def test_too_many_dice_six_in_a_row_and_the_rim_are_doubts() -> None:
    row = [f"3{column}5" for column in "bcdefg"]
    doubts = score_board(KINDS["major"], board_of(*row), 2).doubts
    assert [doubt.rule for doubt in doubts] == ["six-in-a-row"]
    more = [f"3{column}{row}" for column in "bcdefgh" for row in (5, 6, 7)]
    rules = {doubt.rule for doubt in score_board(KINDS["major"], board_of(*more, "3a5"), 2).doubts}
    assert {"too-many-dice", "no-field"} <= rules


def test_separate_group_of_dice_is_a_doubt_with_all_its_fields() -> None:
    dice = ("3e5", "3f5", "3e6", "4h7", "4h8")
    (doubt,) = score_board(KINDS["major"], board_of(*dice), 2).doubts
    assert (doubt.rule, doubt.facts) == ("apart", {"at": "h7", "by": "h8"})
    alone = score_board(KINDS["major"], board_of(*dice[:4]), 2).doubts
    assert [(doubt.rule, doubt.facts["at"]) for doubt in alone] == [("not-next-to-die", "h7")]


def test_six_markers_before_the_last_die_are_a_doubt() -> None:
    """Rows and columns of five dice that all belong to the first player pay two markers each."""
    rows = [[f"3{column}{row}" for column in "cdefg"] for row in range(3, 8)]

    def markers_and_doubts(dice: list[str]) -> tuple[int, list[str]]:
        finished = score_board(KINDS["major"], board_of(*dice), 3)
        return finished.points[0], [doubt.rule for doubt in finished.doubts]

    three = [*rows[0], *rows[2], *rows[4], "3d4", "3d6"]
    # Without the die on d3, d5 or d7 a row and a column are missing, which leaves four markers.
    assert markers_and_doubts(three) == (8, ["too-many-dice"])
    four = [*rows[0], *rows[1], *rows[2], *rows[3]]
    assert markers_and_doubts(four) == (8, ["too-many-dice", "won-before"])


@pytest.mark.parametrize(("dice", "is_over"), [
    (("3c5", "3d5", "3e5", "3f5", "3g5"), False),
    (("6e5", "5f5", "1e6"), False),
    (tuple(f"3{column}{row}" for column in "cdefg" for row in (4, 5, 6)), True),
])  # fmt: skip
def test_game_continues_while_no_player_has_six_markers(
    dice: tuple[str, ...], is_over: bool
) -> None:
    assert score_board(KINDS["major"], board_of(*dice), 2).is_over == is_over


def test_board_without_dice_scores_0() -> None:
    assert score_board(KINDS["square"], Board(), 1).points == (0,)
