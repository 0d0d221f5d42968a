"""Turns of a tracked or untracked pass, and its end."""

import pytest

from sheets.rules import Action, Game, RuleViolation, new_game
from tests.rules.drawing import drawn, level_of, open_pass_of, tidy, turn_of


def refusal(game: Game, action: Action) -> str:
    """Return the rule that refuses an action."""
    with pytest.raises(RuleViolation) as raised:
        game.apply(action)
    return raised.value.rule


ROW = "4x 2 3 5 6 1"
"""The sheet of most tests."""


def test_dice_count_says_how_many_dice_the_start_player_rolls() -> None:
    level = level_of(ROW, dice={"5": 16}, rounds={"5": 3})
    for players, dice in {1: 8, 2: 7, 3: 10, 4: 13, 5: 16}.items():
        game = new_game(level, ["Ana"] * players, tracked=True)
        assert game.dice_to_roll == dice
        assert refusal(game, Action("roll", dice=(1,) * (dice - 1))) == "bad-dice"
        assert game.apply(Action("roll", dice=(2,) * dice)).pool == (2,) * dice


def test_players_may_not_act_out_of_turn() -> None:
    game = turn_of(ROW, ROW, pool=(2, 3))
    assert refusal(game, Action("place", 1, "b1")) == "not-your-turn"
    assert refusal(game, Action("drop", 1)) == "not-your-turn"
    assert refusal(game, Action("reroll", 1, dice=(1, 1))) == "not-your-turn"


@pytest.mark.parametrize("do", ["roll", "erupt", "lava", "extra", "end_pass", "rocket", "track"])
def test_acts_of_other_phases_are_refused_in_a_turn(do: str) -> None:
    game = turn_of(ROW, ROW, pool=(2, 3))
    assert refusal(game, Action(do, 0, "b1", dice=(1, 2))) == "not-now"


def test_placed_die_leaves_the_pool() -> None:
    game = turn_of(ROW, ROW, pool=(2, 2, 5))
    assert game.apply(Action("place", 0, "b1", 2)).pool == (2, 5)
    assert refusal(turn_of(ROW, ROW, pool=(5,)), Action("place", 0, "b1")) == "no-such-die"


def test_player_who_can_place_must_place() -> None:
    game = turn_of(ROW, ROW, pool=(2, 6))
    assert game.may() == ["place"]
    assert refusal(game, Action("drop", 0)) == "must-place"
    assert refusal(game, Action("reroll", 0, dice=(1, 1))) == "must-place"


def test_reroll_that_fits_must_be_placed_in_the_same_turn() -> None:
    game = turn_of(ROW, ROW, pool=(5, 6))
    assert game.may() == ["reroll", "drop"]
    assert refusal(game, Action("reroll", 0, dice=(2,))) == "bad-dice"
    game = game.apply(Action("reroll", 0, dice=(6, 2)))
    assert (game.phase, game.player, game.pool) == ("turn", 0, (2, 6))
    assert refusal(game, Action("drop", 0)) == "must-place"
    assert game.apply(Action("place", 0, "b1")).player == 1


def test_reroll_that_does_not_fit_costs_one_die_with_its_value_unchanged() -> None:
    game = turn_of("4x 2* 3* 5", "4x 2 3 5", pool=(6,))
    game = game.apply(Action("reroll", 0, dice=(1,)))
    assert (game.phase, game.player) == ("return", 0)
    assert refusal(game, Action("drop", 0)) == "must-return"
    assert refusal(game, Action("place", 0, "d1")) == "not-now"
    assert refusal(game, Action("return", 1, "b1")) == "not-your-turn"
    assert refusal(game, Action("return", 0, "z9")) == "no-field"
    assert refusal(game, Action("return", 0, "d1")) == "no-such-die"
    game = game.apply(Action("return", 0, "b1"))
    assert (game.phase, game.player, game.pool) == ("turn", 1, (1, 2))
    assert drawn(game.sheets[0]) == "4x 2 3* 5"


def test_reroll_without_a_die_to_return_just_ends_the_turn() -> None:
    game = turn_of(ROW, ROW, pool=(5,)).apply(Action("reroll", 0, dice=(6,)))
    assert (game.phase, game.player, game.sheets[0].is_out) == ("turn", 1, False)


def test_turn_passes_over_players_who_dropped_out() -> None:
    game = turn_of(ROW, ROW, ROW, pool=(5, 5)).apply(Action("drop", 0))
    game = game.apply(Action("reroll", 1, dice=(6, 6)))
    assert game.player == 2
    assert game.apply(Action("reroll", 2, dice=(6, 6))).player == 1


def test_last_player_has_exactly_one_more_turn() -> None:
    game = turn_of(ROW, ROW, pool=(2, 3, 5))
    game = game._replace(player=1, pool=(5, 6))
    game = game.apply(Action("drop", 1))
    assert (game.player, game.is_last_turn) == (0, True)
    game = game._replace(pool=(2, 3)).apply(Action("place", 0, "b1"))
    assert (game.phase, game.pass_number) == ("roll", 2)
    assert drawn(game.sheets[0]) == tidy("4x 2X 3 5 6 1")


def test_last_turn_may_be_a_reroll_with_its_consequence() -> None:
    game = turn_of(ROW, ROW, pool=(5, 6), player=1).apply(Action("drop", 1))
    game = game.apply(Action("reroll", 0, dice=(6, 2)))
    assert (game.phase, game.player) == ("turn", 0)
    assert game.apply(Action("place", 0, "b1")).pass_number == 2


def test_player_without_any_target_is_stuck_when_the_turn_begins() -> None:
    nowhere = "4x 2~ 3 5 6 1"
    game = turn_of(ROW, nowhere, ROW, pool=(2, 3, 5)).apply(Action("place", 0, "b1"))
    assert game.player == 2
    assert game.sheets[1].is_out


def test_last_turn_that_begins_stuck_ends_the_pass() -> None:
    game = turn_of("4x 2~ 3", "4x 2~ 3", "4x 2 3", pool=(6,), player=2)
    assert game.apply(Action("drop", 2)).pass_number == 2


def test_stuck_solo_player_ends_the_pass_only_after_the_extra_dice() -> None:
    game = turn_of("4x 2 . 5", pool=(2, 5, 5))
    game = game.apply(Action("place", 0, "b1"))
    assert (game.phase, game.player) == ("extra", 0)
    assert game.apply(Action("extra", dice=(1, 1))).pass_number == 2


def test_pass_ends_with_an_empty_pool() -> None:
    game = turn_of(ROW, ROW, pool=(2,)).apply(Action("place", 0, "b1"))
    assert (game.phase, game.pass_number) == ("roll", 2)


def test_pass_ends_when_all_players_drop_out_and_the_next_player_starts() -> None:
    game = turn_of(ROW, ROW, pool=(5,)).apply(Action("drop", 0)).apply(Action("drop", 1))
    assert (game.pass_number, game.start_player) == (2, 1)
    assert game.apply(Action("roll", dice=(2,) * 7)).player == 1


def test_solo_double_removes_two_dice_where_there_are_two() -> None:
    game = turn_of(ROW, pool=(2, 3, 3, 3, 5, 6)).apply(Action("place", 0, "b1"))
    assert refusal(game, Action("place", 0, "c1")) == "not-now"
    assert refusal(game, Action("extra", dice=(3,))) == "bad-dice"
    assert game.apply(Action("extra", dice=(3, 3))).pool == (3, 5, 6)
    assert game.apply(Action("extra", dice=(5, 5))).pool == (3, 3, 3, 6)
    assert game.apply(Action("extra", dice=(1, 6))).pool == (3, 3, 3, 5)


def test_solo_extra_dice_are_not_rolled_for_an_empty_pool() -> None:
    assert turn_of(ROW, pool=(2,)).apply(Action("place", 0, "b1")).pass_number == 2


def test_untracked_pass_is_open_to_all_players_until_one_ends_it() -> None:
    game = open_pass_of(ROW, ROW)
    game = game.apply(Action("place", 1, "b1")).apply(Action("place", 0, "b1"))
    game = game.apply(Action("place", 1, "c1")).apply(Action("return", 1, "c1"))
    assert refusal(game, Action("return", 1, "c1")) == "no-such-die"
    assert refusal(game, Action("place", 1, "c1", 4)) == "wrong-number"
    game = game.apply(Action("drop", 0)).apply(Action("drop", 1))
    assert refusal(game, Action("drop", 1)) == "dropped-out"
    assert refusal(game, Action("place", 0, "c1")) == "dropped-out"
    assert game.phase == "open"
    game = game.apply(Action("return", 1, "b1")).apply(Action("end_pass"))
    assert [drawn(sheet) for sheet in game.sheets] == ["4x 2X 3 5 6 1", "4x 2 3 5 6 1"]


def test_rounds_end_the_game() -> None:
    game = open_pass_of(ROW, ROW, ROW, ROW, rounds={"4": 1})
    for number in range(1, 5):
        assert (game.pass_number, game.round_number) == (number, 1)
        game = game.apply(Action("end_pass"))
    assert game.phase == "finished"
    assert refusal(game, Action("end_pass")) == "not-now"
