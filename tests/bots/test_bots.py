"""Random and greedy bot follow the rules on all levels, and the greedy bot plays well."""

from __future__ import annotations

from random import Random

import pytest

from sheets.bots import BOTS, GreedyBot, deciding_players
from sheets.bots.field_values import SYMBOL_VALUES
from sheets.bots.loops import open_loops, rectangular_loops
from sheets.levels import find_level
from sheets.rules import Action, Game, Level, RuleViolation, new_game, parse_level
from sheets.rules.symbols import COLOURED_PAYING_ALL, SYMBOLS
from sheets.simulation.games import play_game
from tests.rules.random_games import random_level

LINE = {
    "id": "line",
    "name": "Line",
    "grid": ["3x 1 2Gy 4H", "5  6 5  1 "],
    "points": {"gem": {"yellow": 2}, "heap": -3},
}


def turn(
    pool: tuple[int, ...], players: int = 1, document: dict[str, object] | None = None
) -> Game:
    """Return a game on a small sheet at its first turn."""
    document = (document or LINE) | {"dice": {str(players): len(pool)}}
    names = ["Ana", "Ben"][:players]
    return new_game(parse_level(document), names, tracked=True).apply(Action("roll", dice=pool))


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_any_level_to_its_end_by_the_rules(bot: str) -> None:
    """An action the rules forbid raises; levels have links, walls, races, lava and rails."""
    wrong: dict[int, object] = {}
    for seed in range(40):
        random = Random(seed)
        level = parse_level(random_level(random))
        try:
            game = play_game(level, random.choice(level.player_counts), bot, random)
        except RuleViolation as forbidden:
            wrong[seed] = forbidden
        else:
            if game.phase != "finished":
                wrong[seed] = game.phase
    assert wrong == {}


def test_every_symbol_has_a_value_alone_or_with_others() -> None:
    """A new symbol needs an entry in one of the lists; others are valued like a plain field."""
    with_others = {*COLOURED_PAYING_ALL, "stop"}
    nothing = {"lock", "planet", "volcano"}
    assert {*SYMBOL_VALUES, *with_others, *nothing} == {*SYMBOLS}


def test_a_bot_is_asked_only_for_decisions() -> None:
    game = turn((1, 1, 6), players=2)
    assert deciding_players(game) == [0]
    assert deciding_players(game.apply(Action("place", 0, "b1"))) == [1]
    assert deciding_players(new_game(game.level, ["Ana"], tracked=True)) == []


def test_every_player_who_owes_a_decision_is_asked() -> None:
    volcano = {"id": "v", "name": "V", "grid": ["3x 1 -V 1"]}
    game = new_game(parse_level(volcano), ["Ana", "Ben"], tracked=True)
    game = game.apply(Action("erupt", die=1))
    assert deciding_players(game) == [0, 1]
    lava = GreedyBot(Random(1)).choose(game, 1)
    assert lava.do == "lava"
    assert deciding_players(game.apply(lava)) == [0]


def test_a_reroll_leaves_the_throwing_to_the_table() -> None:
    action = GreedyBot(Random(1)).choose(turn((4, 4, 4)), 0)
    assert action == Action("reroll", 0)


def greedy_choice(grid: list[str], pool: tuple[int, ...], **more: object) -> str:
    document = LINE | {"grid": grid} | more
    bot = GreedyBot(Random(1))
    return bot.choose(turn(pool, document=document), 0).at


def test_the_greedy_bot_prefers_a_gem() -> None:
    assert greedy_choice(["1Gy 3x 1 ", "2   2  2 "], (1,)) == "a1"


def test_the_greedy_bot_leaves_a_heap_alone_while_it_can() -> None:
    assert greedy_choice(["1H  3x 1 ", "2   2  2 "], (1,)) == "c1"


def test_the_greedy_bot_completes_a_row() -> None:
    lines = [{"row": 1, "points": 9}]
    assert greedy_choice(["3x 1", "1 . "], (1,), lines=lines) == "b1"


def test_the_greedy_bot_gives_back_the_die_that_pays_least() -> None:
    game = turn((2, 4, 4), document=LINE | {"grid": ["3x 2Gy 6", "2  5   6"]})
    game = game.apply(Action("place", 0, "b1")).apply(Action("extra", dice=(1, 1)))
    game = game._replace(sheets=(game.sheets[0].with_die(game.level.index["a2"]),))
    game = game.apply(Action("reroll", 0, dice=(4, 4)))
    assert game.phase == "return"
    assert GreedyBot(Random(1)).choose(game, 0) == Action("return", 0, "a2")


def test_the_greedy_bot_sends_its_rocket_where_a_row_waits() -> None:
    level = parse_level(
        LINE
        | {
            "grid": ["3x 1R -P", "-P . . ", ". . -P"],
            "lines": [{"row": 1, "points": 9}],
            "dice": {"1": 1},
        }
    )
    game = new_game(level, ["Ana"], tracked=True).apply(Action("roll", dice=(1,)))
    game = game.apply(Action("place", 0, "b1"))
    assert game.phase == "marking"
    assert GreedyBot(Random(1)).choose(game, 0) == Action("rocket", 0, "c1")


def test_the_greedy_bot_lets_lava_have_what_pays_least() -> None:
    level = parse_level(LINE | {"grid": ["1Gy -V 1", "3x . ."]})
    game = new_game(level, ["Ana"], tracked=True).apply(Action("erupt", die=1))
    assert GreedyBot(Random(1)).choose(game, 0) == Action("lava", 0, "c1")


def test_the_greedy_bot_closes_a_loop() -> None:
    level = parse_level(
        {
            "id": "ring",
            "name": "Ring",
            "marks": "tracks",
            "grid": ["1 2", "3 4"],
            "tracks": {"a1": "ES", "b1": "SW", "a2": "NE"},
            "dice": {"1": 1},
        }
    )
    game = new_game(level, ["Ana"], tracked=True).apply(Action("roll", dice=(4,)))
    game = game.apply(Action("place", 0, "b2"))
    assert GreedyBot(Random(1)).choose(game, 0) == Action("track", 0, "b2", shape="NW")


def test_open_loops_are_those_that_no_other_piece_lies_on() -> None:
    """They are found once for the existing tracks, not for each option."""
    level = parse_level(
        {
            "id": "field",
            "name": "Field",
            "marks": "tracks",
            "grid": ["1 2 3 4", "5 6 1 2", "3 4 5 6"],
            "tracks": {"a1": "ES", "b2": "EW", "d3": "NW"},
        }
    )
    sheet = new_game(level, ["Ana"], tracked=True).sheets[0]
    tracks = sheet.tracks
    found = open_loops(sheet)
    assert list(found) == [
        loop
        for loop in rectangular_loops(level)
        if all(loop.shapes.get(field, shape) == shape for field, shape in tracks.items())
    ]
    assert 0 < len(found) < len(rectangular_loops(level))
    assert open_loops(sheet) is found


def mean_total(level: Level, bot: str, games: int = 20) -> float:
    totals = [play_game(level, 1, bot, Random(n)).scores()[0].total for n in range(games)]
    return sum(totals) / games


@pytest.mark.parametrize("level_id", ["level-2", "level-7", "level-8"])
def test_the_greedy_bot_beats_the_random_one_by_far(level_id: str) -> None:
    level = find_level(level_id)
    assert mean_total(level, "greedy") > mean_total(level, "random") + 15
