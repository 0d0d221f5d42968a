"""Effects of the end of a pass on all sheets, in their order."""

import pytest

from sheets.rules import Action, Game, RuleViolation
from tests.rules.drawing import drawn, open_pass_of, tidy

END = Action("end_pass")
"""The action that ends an untracked pass."""


def end(*drawings: str, **keys: object) -> Game:
    """Return the game after the end of the open pass with the drawn sheets."""
    return open_pass_of(*drawings, **keys).apply(END)


def refusal(game: Game, action: Action) -> str:
    """Return the rule that refuses an action."""
    with pytest.raises(RuleViolation) as raised:
        game.apply(action)
    return raised.value.rule


def test_every_die_becomes_a_cross() -> None:
    game = end("4x 2* 3*", "4x 2 3")
    assert [drawn(sheet) for sheet in game.sheets] == ["4x 2X 3X", "4x 2 3"]


def test_bomb_explodes_on_the_sheets_of_all_players_without_a_die_there() -> None:
    game = end("4x 2B* 3", "4x 2B 3*", "4x 2B* 3", "4x 2B~ 3")
    assert [drawn(sheet) for sheet in game.sheets[:3]] == ["4x 2BX 3", "4x 2B! 3X", "4x 2BX 3"]
    lava = game.sheets[3]
    assert lava.exploded == lava.lava == 0b010
    assert [score.by_category["bombs"] for score in game.scores()] == [0, -2, 0, -2]


def test_solo_bomb_explodes_nowhere_and_pays_two() -> None:
    game = end("4x 2B*")
    assert drawn(game.sheets[0]) == "4x 2BX"
    assert game.scores()[0].by_category["bombs"] == 2


def test_returned_die_leaves_no_cross_and_a_heap_costs_nothing() -> None:
    game = open_pass_of("4x 2H* 3H*").apply(Action("return", 0, "c1")).apply(END)
    assert game.scores()[0].by_category["heaps"] == -3


def test_players_on_a_flag_at_once_all_get_the_highest_number_and_strike_one_each() -> None:
    flags = "4x 2Fr* 1", "4x 2Fr* 1", "4x 2Fr 1"
    game = end(*flags)
    assert [dict(sheet.flags) for sheet in game.sheets] == [{"red": 10}, {"red": 10}, {}]
    game = game.apply(Action("place", 2, "b1")).apply(END)
    assert game.sheets[2].flags == {"red": 3}


def test_used_up_flag_pays_nothing_unless_its_last_number_repeats() -> None:
    drawings = "4x 2Fr* 1", "4x 2Fr* 1", "4x 2Fr 1"
    for repeat_last, points in ((False, 0), (True, 6)):
        game = end(*drawings, points={"flag": {"red": [10, 6]}}, repeat_last=repeat_last)
        game = game.apply(Action("place", 2, "b1")).apply(END)
        assert game.sheets[2].flags == {"red": points}


def test_second_flag_of_a_colour_scores_and_strikes_nothing() -> None:
    game = end("2Fr* 4x 3Fr 1", "2Fr 4x 3Fr 1").apply(Action("place", 0, "c1")).apply(END)
    game = game.apply(Action("place", 1, "a1")).apply(END)
    assert [dict(sheet.flags) for sheet in game.sheets] == [{"red": 10}, {"red": 6}]


def test_rocket_crosses_a_planet_of_the_players_choice_at_once() -> None:
    game = end("4x 2R* . -P\n1 1 . 5P\n3P~ 1 . 6", lines=[{"column": "d", "points": 7}])
    assert (game.phase, game.pass_number) == ("marking", 1)
    assert game.pending() == [(0, "rocket", 1, ("d1", "d2"))]
    assert refusal(game, END) == "not-now"
    assert refusal(game, Action("rocket", 0, "z1")) == "no-field"
    assert refusal(game, Action("rocket", 0, "d3")) == "not-a-choice"
    game = game.apply(Action("rocket", 0, "d1"))
    assert game.phase == "open"
    assert "d2" in game.legal()[0]


def test_rocket_without_planet_left_is_lost() -> None:
    game = end("4x 2R* 3R* 5P 1", rounds={"1": 1})
    assert game.pending() == [(0, "rocket", 1, ("d1",))]
    assert game.apply(Action("rocket", 0, "d1")).phase == "finished"


def test_only_a_player_with_a_launched_rocket_may_choose_a_planet() -> None:
    game = end("4x 2R* 5P", "4x 2R 5P")
    assert refusal(game, Action("rocket", 1, "c1")) == "not-now"
    assert refusal(game, Action("track", 0, "c1", shape="NS")) == "not-now"


def test_rocket_planet_crossed_by_a_rocket_fires_nothing() -> None:
    game = end("4x 2R* 1 5O").apply(Action("rocket", 0, "d1"))
    assert game.pass_number == 2


def test_rocket_planet_under_a_die_is_a_rocket() -> None:
    game = end("4x 2O* . 5O")
    assert game.pending() == [(0, "rocket", 1, ("d1",))]


def test_race_is_ranked_like_a_flag_after_the_rockets() -> None:
    areas = [{"fields": ["b1", "c1"], "race": [8, 4]}]
    game = end("2R* 4x 5P", "2R 4x 5P*", areas=areas)
    assert [dict(sheet.races) for sheet in game.sheets] == [{}, {}]
    game = game.apply(Action("rocket", 0, "c1"))
    assert [dict(sheet.races) for sheet in game.sheets] == [{0: 8}, {0: 8}]
    late = end("2R 4x 5P* 1", "2R 4x 5P 1", areas=areas).apply(Action("place", 1, "c1")).apply(END)
    assert [dict(sheet.races) for sheet in late.sheets] == [{0: 8}, {0: 4}]


def test_printed_flag_and_printed_race_area_score_nothing() -> None:
    game = end("4x 2xFr 3 1", "4x 2xFr 3 1", areas=[{"fields": ["a1", "b1"], "race": [8, 4]}])
    assert [(sheet.flags, sheet.races) for sheet in game.sheets] == [({}, {}), ({}, {})]


def test_full_sheet_ends_the_game_and_counts_numberless_planets_as_left() -> None:
    assert end("4x 2* 3B!", "4x 2 3B").phase == "finished"
    assert end("4x 2* 3~ ").phase == "finished"
    assert end("4x 2* -P").phase == "open"


def test_full_sheet_made_by_lava_is_noticed_at_the_end_of_the_pass() -> None:
    game = end("4x 2 -V").apply(Action("erupt", die=2)).apply(Action("lava", 0, "b1"))
    assert game.phase == "open"
    assert game.apply(END).phase == "finished"


def test_each_player_chooses_their_own_lava_before_the_dice_are_rolled() -> None:
    game = end("2 -V 2\n1 3x 1", "2* -V 2\n1 3x 1", "2* -V 2*\n1 3x 1")
    assert (game.phase, game.dice_to_roll) == ("erupt", 1)
    game = game.apply(Action("erupt", die=2))
    assert game.pending() == [(0, "lava", 1, ("a1", "c1")), (1, "lava", 1, ("c1",))]
    assert refusal(game, Action("lava", 2, "a1")) == "not-now"
    assert refusal(game, Action("lava", 0, "f9")) == "no-field"
    assert refusal(game, Action("lava", 1, "a1")) == "not-a-choice"
    game = game.apply(Action("lava", 1, "c1")).apply(Action("lava", 0, "a1"))
    assert game.phase == "open"
    assert drawn(game.sheets[0]) == tidy("2~ -V 2\n1 3x 1")


def test_lava_spreads_from_lava_and_spares_crosses_and_exploded_bombs() -> None:
    game = end("-V 2~ 2\n2B! 2X 1\n3x 1 1", "-V 2 2\n2B 2 1\n3x 1 1")
    game = game.apply(Action("erupt", die=2))
    assert game.pending()[0].at == ("c1",)


def test_pass_opens_at_once_if_no_player_has_a_candidate_for_lava() -> None:
    game = end("2 -V 2\n1 3x 1").apply(Action("erupt", die=6))
    assert game.phase == "open"


def test_rails_ask_for_the_shape_of_each_track() -> None:
    keys = {"marks": "tracks", "tracks": {"a1": "EW"}}
    game = end("4 2* 3*\n1 1 1", "4 2 3\n1 1 1", **keys)
    assert game.pending() == [(0, "track", 2, ("b1", "c1"))]
    assert refusal(game, Action("track", 0, "a1", shape="NS")) == "not-a-choice"
    assert refusal(game, Action("rocket", 0, "b1")) == "not-now"
    game = game.apply(Action("track", 0, "c1", shape="SW"))
    assert game.pending() == [(0, "track", 1, ("b1",))]
    game = game.apply(Action("track", 0, "b1", shape="EW"))
    assert (game.phase, game.scores()[0].by_category["tracks"]) == ("open", 3)
