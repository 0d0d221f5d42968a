"""Outlook of fields, lines of Square Dice that can still pay, and certain winners."""

from __future__ import annotations

from random import Random

import pytest

from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, check_placement, new_game
from sheets.rules.dice2.board import NAMES
from sheets.rules.dice2.kinds import scored_lines
from sheets.rules.dice2.outlook import open_lines, outlook_of, sure_winner


def played(kind: str, players: int, *moves: str) -> Dice2Game:
    """Return a game after moves such as ``3e5``."""
    game = new_game(KINDS[kind], players)
    for move in moves:
        game = game.apply(Dice2Action("place", game.player, int(move[0]), move[1:]))
    return game


def test_row_and_column_limit_the_numbers_of_a_field() -> None:
    game = played("four-wins", 2, "3e5", "5f5", "4e6")
    outlook = outlook_of(game, "f6")
    assert outlook.limits == (("left", "e6", 4), ("above", "f5", 5))
    assert outlook.in_the_way == ("e6", "f5")
    assert list(outlook.numbers) == [5, 6]


def test_die_that_excludes_no_number_is_no_limit() -> None:
    game = played("four-wins", 2, "1e5", "6f5")
    assert outlook_of(game, "e6").limits == ()
    assert list(outlook_of(game, "e6").numbers) == [1, 2, 3, 4, 5, 6]


def test_field_out_of_bounds_is_closed_at_any_distance() -> None:
    game = played("square", 1, "3e5", "3f5", "3g5", "3h5")
    found = outlook_of(game, "b3").violation
    assert found
    assert (found.rule, dict(found.facts)) == (
        "square-bounds",
        {"at": "b3", "what": "columns", "count": 7, "by": "h5"},
    )
    found = outlook_of(game, "e9").violation
    assert found
    assert found.facts == {"at": "e9", "what": "rows", "count": 5, "by": "e5"}
    assert outlook_of(game, "e9").in_the_way == ("e5",)


def test_die_on_a_field_is_in_the_way() -> None:
    game = played("four-wins", 2, "3e5")
    assert outlook_of(game, "e5").in_the_way == ("e5",)
    assert outlook_of(game, "a1").in_the_way == ()


def test_refusal_by_order_names_the_nearest_die() -> None:
    game = played("four-wins", 2, "3e5", "5f5")
    violation = check_placement(game, "g5", 2)
    assert violation
    assert (violation.rule, violation.facts["by"]) == ("row-order", "f5")
    violation = check_placement(game, "e4", 6)
    assert violation
    assert (violation.rule, violation.facts["by"]) == ("column-order", "e5")


@pytest.mark.parametrize("name", list(KINDS))
def test_outlook_agrees_with_accepted_placements(name: str) -> None:
    random = Random(name)
    for _game in range(3):
        game = new_game(KINDS[name], KINDS[name].player_counts[0])
        while not game.is_finished:
            for at in NAMES:
                taken = [die for die in range(1, 7) if not check_placement(game, at, die)]
                assert list(outlook_of(game, at).numbers) == taken
            die = random.randint(1, 6)
            fields = game.legal()[die]
            do = "place" if fields else "skip"
            at = random.choice(fields) if fields else ""
            game = game.apply(Dice2Action(do, game.player, die, at))


def test_line_of_three_alike_lacks_one() -> None:
    game = played("square", 1, "3e5", "3f5", "3g5")
    lines = {line.fields: line for line in open_lines(game)[:2]}
    assert set(lines) == {("d5", "e5", "f5", "g5"), ("e5", "f5", "g5", "h5")}
    assert lines["d5", "e5", "f5", "g5"].missing == ("d5",)
    assert set(lines["d5", "e5", "f5", "g5"].numbers) == {3}


def test_line_is_closed_once_a_die_spoils_it() -> None:
    game = played("square", 1, "3e5", "3f5", "6g5")
    assert ("e5", "f5", "g5", "h5") not in {line.fields for line in open_lines(game)}


def test_every_line_that_pays_was_open_before_its_last_die() -> None:
    for seed in range(5):
        random = Random(seed)
        game = new_game(KINDS["square"], 1)
        while not game.is_finished:
            was_open = {line.fields for line in open_lines(game)}
            before = {line.fields for line in scored_lines(game.board)}
            die = random.randint(1, 6)
            fields = game.legal()[die]
            do = "place" if fields else "skip"
            at = random.choice(fields) if fields else ""
            game = game.apply(Dice2Action(do, 0, die, at))
            assert {line.fields for line in scored_lines(game.board)} - before <= was_open


@pytest.mark.parametrize("name", ["four-wins", "last-man", "major"])
def test_only_player_with_dice_is_the_certain_winner_if_the_last_die_decides(name: str) -> None:
    game = new_game(KINDS[name], 2)
    assert sure_winner(game) is None
    alone = game._replace(dice_left=(0, 1), player=1)
    assert sure_winner(alone) == (None if name == "major" else 1)
    assert sure_winner(alone._replace(is_finished=True, winners=(0,))) is None
