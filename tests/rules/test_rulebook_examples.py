"""The situations that the rulebooks explain with pictures, on our own drawn sheets."""

from sheets.rules import Action, Game
from tests.rules.drawing import drawn, open_pass_of, tidy, turn_of


def play(game: Game, *acts: tuple[object, ...]) -> Game:
    """Return the game after actions of player 0."""
    for do, *rest in acts:
        game = game.apply(Action(str(do), 0, *rest))  # type: ignore[arg-type]
    return game


def test_boxed_in_player_jumps_and_jumps_again() -> None:
    """Base rules, "Eingekesselt": 2, then 1 next to it, a jump to 4, another jump to 5."""
    game = open_pass_of("""
        1  3x 6  4
        2  3x 3x 3x
        3x 5  3x 6
    """)
    game = play(game, ("place", "a2"), ("place", "a1"))
    assert game.legal()[0] == ["c1", "d1", "b3", "d3"]
    game = play(game, ("place", "b3"))
    assert game.legal()[0] == ["c1", "d1", "d3"]
    game = play(game, ("place", "d3"))
    assert game.legal()[0] == ["c1", "d1"]


def test_returned_die_tears_the_group_and_every_remaining_die_counts() -> None:
    """Base rules, "Erneut würfeln": 3 next to a cross, 1 and 4 next to the 3; the 3 is returned."""
    game = turn_of("2 1* 3* 4* 6\n5 5 6x 2 5", "2 1 3 4 6\n5 5 6x 2 5", pool=(3,), player=0)
    game = game.apply(Action("reroll", 0, dice=(3,))).apply(Action("return", 0, "c1"))
    assert drawn(game.sheets[0]) == tidy("2 1* 3 4* 6\n5 5 6x 2 5")
    game = game._replace(player=0, pool=(2, 3, 5, 6))
    assert game.legal() == {2: ["a1", "d2"], 3: ["c1"], 5: ["b2"], 6: ["e1"]}


def test_two_flags_at_once_get_10_and_10_and_the_next_gets_3() -> None:
    """Base rules, "Fahne"."""
    game = open_pass_of("4x 2Fr* 1", "4x 2Fr* 1", "4x 2Fr 1").apply(Action("end_pass"))
    game = game.apply(Action("place", 2, "b1")).apply(Action("end_pass"))
    assert [sheet.flags["red"] for sheet in game.sheets] == [10, 10, 3]


def test_several_players_on_one_bomb_all_keep_their_cross() -> None:
    """Base rules, "Bombe"."""
    game = open_pass_of("4x 2B*", "4x 2B*", "4x 2B").apply(Action("end_pass"))
    assert [drawn(sheet) for sheet in game.sheets] == ["4x 2BX", "4x 2BX", "4x 2B!"]


def test_last_player_has_a_single_turn_and_the_pass_ends_with_dice_left() -> None:
    """Base rules, "Nur noch ein Spieler"."""
    row = "4x 2 3 5"
    game = turn_of(row, row, pool=(5, 5), player=1).apply(Action("drop", 1))
    game = game._replace(pool=(2, 3, 5)).apply(Action("place", 0, "b1"))
    assert (game.phase, game.pass_number, game.pool) == ("roll", 2, ())


def test_solo_double_takes_two_dice_of_its_number() -> None:
    """Base rules, "Solo-Spiel"."""
    game = turn_of("4x 2 3 5", pool=(1, 2, 3, 3, 5)).apply(Action("place", 0, "b1"))
    assert game.apply(Action("extra", dice=(3, 3))).pool == (1, 5)


def test_lava_of_one_number_flows_where_each_player_wants() -> None:
    """Level 7: an eruption of 1 has no candidate next to A's volcano and lava; B may choose."""
    game = open_pass_of("1* 2 1\n2~ -V 1*\n4x 5 1", "1 2 1\n2 -V 1\n4x 5 1")
    game = game.apply(Action("end_pass")).apply(Action("erupt", die=1))
    assert game.pending() == [(1, "lava", 1, ("c2",))]


def test_track_in_the_middle_closes_a_route_into_a_loop() -> None:
    """Level 8: a straight and a curve join two loose pieces; the loop then pays 3 a field."""
    tracks = {"a1": "ES", "b1": "EW", "c1": "SW", "a2": "NS", "a3": "NE", "b3": "EW"}
    game = open_pass_of("1 2 3\n4 5 6\n1 2 3*", marks="tracks", tracks=tracks)
    game = game.apply(Action("place", 0, "c2")).apply(Action("end_pass"))
    game = game.apply(Action("track", 0, "c2", shape="NS"))
    assert game.scores()[0].by_category["tracks"] == 7
    game = game.apply(Action("track", 0, "c3", shape="NW"))
    assert game.scores()[0].by_category["tracks"] == 24
