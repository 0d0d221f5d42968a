"""The four games of Dice², on drawn boards and compared with a second implementation."""

from __future__ import annotations

from random import Random

import pytest

from sheets.rules import RuleViolation
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, check_placement, new_game
from sheets.rules.dice2.board import INDEX, SIDE
from sheets.rules.dice2.game import RULES
from sheets.rules.dice2.kinds import scored_lines
from sheets.rules.dice2.record import format_dice2_state
from tests.rules.dice2.drawing import board_of, game_of
from tests.rules.dice2.naive import NaiveDice2


def place(game: Dice2Game, at: str, die: int) -> Dice2Game:
    """Return the game after the player to move has placed a die."""
    return game.apply(Dice2Action("place", game.player, die, at))


REFUSALS = [
    ("first die", "four-wins", ".", "d5", 3, "centre-first"),
    ("off the board", "four-wins", "3a", "j5", 3, "no-field"),
    ("outside the inner board", "major", "3a", "a5", 3, "no-field"),
    ("taken", "four-wins", "3a", "e5", 3, "field-taken"),
    ("corner only", "four-wins", "3a", "f6", 3, "not-next-to-die"),
    ("smaller to the right", "four-wins", "3a", "f5", 2, "row-order"),
    ("over a gap", "four-wins", "2a 2a 2a\n2a . 2a\n2a 2a 2a", "f6", 1, "row-order"),
    ("smaller below", "four-wins", "3a", "e6", 2, "column-order"),
    ("fifth column", "square", "1a 1a 1a 1a", "i5", 1, "square-bounds"),
    ("fifth row", "last-man", "1a\n1a\n1a\n1a", "e9", 1, "square-bounds"),
    ("away from own dice", "last-man", "1a 2b 2b", "h5", 6, "own-colour"),
    ("fifth in a row", "major", "1a 1b 1a 1b", "d5", 1, None),
]
"""Name of the case, game, drawing, field, die and expected rule."""


@pytest.mark.parametrize(
    ("name", "drawing", "at", "die", "rule"),
    [r[1:] for r in REFUSALS],
    ids=[r[0] for r in REFUSALS],
)
def test_refused_placements(name: str, drawing: str, at: str, die: int, rule: str | None) -> None:
    violation = check_placement(game_of(name, drawing), at, die)
    assert (violation.rule if violation else None) == rule


def test_six_in_a_row_is_refused_also_where_a_die_would_join_two_runs() -> None:
    game = game_of("major", "1a 1b 1a . 1b 1a\n1a 1a 1a 1a 1a 1a", at="c4", players=3)
    violation = check_placement(game, "f4", 1)
    assert violation
    assert violation.rule == "six-in-a-row"
    assert violation.facts == {"at": "f4", "count": 6, "by": "c4 d4 e4 g4 h4"}


def test_every_rule_of_dice2_has_a_case() -> None:
    assert {case[5] for case in REFUSALS} | {"six-in-a-row"} >= set(RULES)


def test_skip_is_refused_while_the_die_fits_and_does_not_use_the_die_up() -> None:
    game = game_of("four-wins", "3a")
    with pytest.raises(RuleViolation) as raised:
        game.apply(Dice2Action("skip", 0, 3))
    assert raised.value.rule == "must-place"
    crowded = game_of("last-man", "1a 1a 1a 1a\n1b 1b 1b 1b\n6a 6b 6a .", player=1)
    after = crowded.apply(Dice2Action("skip", 1, 2))
    assert (after.player, after.dice_left) == (0, crowded.dice_left)


def test_actions_out_of_turn_and_after_the_end_are_refused() -> None:
    game = new_game(KINDS["four-wins"], 2)
    with pytest.raises(RuleViolation, match="not-your-turn"):
        game.apply(Dice2Action("place", 1, 3, "e5"))
    over = game._replace(is_finished=True)
    with pytest.raises(RuleViolation, match="not-now"):
        over.apply(Dice2Action("skip", 1, 3))


@pytest.mark.parametrize(
    ("drawing", "at", "wins"),
    [
        ("1a 2a 3a .\n1b 2b 3b .", "h5", True),
        ("1a .\n2a .\n3a .\n. .", "e8", True),
        ("1a 1b . .\n1b 2a 2b .\n. 2b 3a 3b\n. . 3b .", "h8", True),
        ("1a 2a . 3a\n1b 2b 3b .", "g5", True),
        ("1a 2b 3a .\n1b 2b 3b .", "h5", False),
    ],
    ids=["row", "column", "diagonal", "gap filled", "other colour between"],
)
def test_four_own_dice_in_a_line_win(drawing: str, at: str, wins: bool) -> None:
    game = place(game_of("four-wins", drawing), at, 4 if at != "g5" else 3)
    assert (game.winners == (0,)) == wins


@pytest.mark.parametrize(
    ("drawing", "lines"),
    [
        ("2a 2a 2a 2a", ["same"]),
        ("2a 3a 4a 5a", ["row"]),
        ("2a 3a 3a 4a", []),
        ("1a\n2a\n3a\n4a", ["row"]),
        ("1a . . .\n. 2a . .\n. . 3a .\n. . . 4a", ["row"]),
        (". . . 1a\n. . 2a .\n. 3a . .\n4a . . .", ["row"]),
        (". . . 4a\n. . 3a .\n. 2a . .\n1a . . .", ["row"]),
        ("4a . . .\n. 3a . .\n. . 2a .\n. . . 1a", []),
    ],
)
def test_square_pays_lines_of_four_alike_or_in_order(drawing: str, lines: list[str]) -> None:
    assert [line.what for line in scored_lines(board_of(drawing))] == lines


def test_square_bonus_for_all_sixteen_dice() -> None:
    game = game_of("square", "1a 1a 1a 1a\n2a 2a 2a 2a\n3a 3a 3a 3a\n4a 4a 4a .")
    rows, columns, against_the_order = 3, 3, 1
    assert game.points == (rows + columns + against_the_order,)
    game = place(game, "h8", 4)
    rows, columns, diagonals, bonus = 4, 4, 2, 4
    assert (game.is_finished, game.points) == (True, (rows + columns + diagonals + bonus,))


def test_square_ends_with_the_first_die_that_fits_nowhere() -> None:
    game = game_of("square", "1a 1a 1a 1a\n1a 1a 1a 1a\n1a 1a 1a 1a\n6a 6a 6a .")
    assert game.legal()[5] == []
    game = game.apply(Dice2Action("skip", 0, 5))
    assert (game.is_finished, game.winners) == (True, (0,))


def test_major_settles_a_run_of_five_at_once_and_both_ways() -> None:
    cross = """
        . . 1a . .
        . . 1b . .
        1a 1b . 1b 1a
        . . 1b . .
        . . 1a . .
    """
    game = place(game_of("major", cross, at="c3", player=1), "e5", 1)
    assert game.markers == (0, 4)
    assert len(game.scored_runs) == 2


def test_major_tie_of_two_among_three_players_pays_one_marker_each() -> None:
    game = place(game_of("major", "1a 1b 1a 1b", at="c5", player=2, players=3), "g5", 1)
    assert game.markers == (1, 1, 0)


def test_major_six_markers_win_and_the_later_die_decides() -> None:
    game = game_of("major", "1a 1b 1a 1b", at="c5", player=2, players=3)
    game = game._replace(markers=(5, 5, 0), last_placed=(9, 8, 7))
    assert place(game, "g5", 1).winners == (0,)


def test_player_without_dice_is_passed_over() -> None:
    game = game_of("four-wins", "3a")._replace(dice_left=(5, 0), player=0)
    assert place(game, "f5", 3).player == 0


@pytest.mark.parametrize(
    ("name", "players"),
    [("square", 1), ("four-wins", 2), ("last-man", 2), ("major", 2), ("major", 3)],
)
def test_random_games_agree_with_the_second_implementation(name: str, players: int) -> None:
    """Listed moves are the accepted moves, and every field of the output is the same."""
    for seed in range(2 if players == 1 else 1):
        random = Random(seed)
        game, plain = new_game(KINDS[name], players), NaiveDice2(name, players)
        while not game.is_finished:
            assert format_dice2_state(game) == plain.state()
            die = random.randint(1, 6)
            at = random.choice([*INDEX, "k3"])
            field = ("abcdefghijk".index(at[0]), int(at[1]) - 1)
            violation = check_placement(game, at, die)
            broken = plain.broken(field, die, game.player)
            assert violation.rule in broken if violation else not broken
            fields = game.legal()[die]
            if fields:
                at = random.choice(fields)
                game = place(game, at, die)
                plain.place((INDEX[at] % SIDE, INDEX[at] // SIDE), die)
            else:
                game = game.apply(Dice2Action("skip", game.player, die))
                plain.skip()
        assert format_dice2_state(game) == plain.state()
