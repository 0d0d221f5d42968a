"""Bots of all strengths: legal and reproducible decisions, and obvious gains."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from sheets.bots import GreedyBot, search
from sheets.bots.beginner_bot import BeginnerBot
from sheets.bots.dice_rolls import play_on
from sheets.bots.expert_bot import ExpertBot
from sheets.bots.halving import Round
from sheets.bots.option_values import Ends, evaluate_ends
from sheets.bots.options import find_options
from sheets.bots.playouts import supports
from sheets.bots.search import SearchTask, decide, plan, search_all
from sheets.bots.strengths import STRENGTHS
from sheets.bots.track_choices import MAX_WAYS
from sheets.levels import find_level, shipped_levels
from sheets.rules import Action, Game, Level, new_game, parse_level
from sheets.simulation.matches import Match, play_matches

QUICK = (Round(99, 12), Round(2, 8))
"""Rounds with few play-outs, for speed."""

TINY = {"id": "tiny", "name": "Tiny", "points": {"gem": {"yellow": 4}, "heap": -3}}
SOLO = TINY | {"dice": {"1": 1}, "rounds": {"1": 1}}
TWO = TINY | {"dice": {"2": 3}, "rounds": {"2": 1}}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "ROUNDS", QUICK)
    monkeypatch.setattr(search, "RAIL_ROUNDS", QUICK)
    monkeypatch.setattr(search, "SLOW_ROUNDS", QUICK)


@pytest.mark.parametrize("level", shipped_levels().values(), ids=lambda level: level.id)
def test_every_strength_plays_every_level_to_its_end_and_the_same_again(level: Level) -> None:
    """An action the rules forbid would raise."""
    short = parse_level(level.document | {"rounds": {"3": 1}, "id": "short"})
    match = Match(tuple(STRENGTHS), "1")
    first, second = (play_matches(short, [match])[0] for _ in range(2))
    assert first.is_finished
    assert first == second


def test_games_in_a_batch_equal_games_played_alone() -> None:
    level = parse_level(find_level("level-4").document | {"rounds": {"2": 1}, "id": "short"})
    matches = [Match(("expert", "greedy"), "1"), Match(("greedy", "expert"), "2")]
    together = play_matches(level, matches)
    assert together == [play_matches(level, [match])[0] for match in matches]


def test_levels_that_cannot_be_batched_are_played_game_by_game() -> None:
    rails = {"marks": "tracks", "grid": ["1 2 3 4 5 6 1 2"] * 9, "tracks": {"a1": "ES"}}
    level = parse_level(SOLO | rails)
    assert not supports(level)
    (game,) = play_matches(level, [Match(("expert",), "1")])
    assert game.is_finished


def begin(document: dict[str, Any], *acts: Action, players: int = 1) -> Game:
    """Return a small game after some actions."""
    game = new_game(parse_level(document), ["Ana", "Ben"][:players], tracked=True)
    for action in acts:
        game = game.apply(action)
    return game


def decision(game: Game, player: int = 0) -> Action:
    """Return the expert's decision, which must not depend on the random numbers."""
    found = {ExpertBot(Random(seed)).choose(game, player) for seed in range(3)}
    assert len(found) == 1
    return found.pop()


def test_an_expert_takes_the_gem() -> None:
    game = begin(SOLO | {"grid": ["1 3x 1Gy"]}, Action("roll", dice=(1,)))
    assert decision(game) == Action("place", 0, "c1", 1)


def test_an_expert_takes_the_field_that_leads_to_a_gem() -> None:
    """Both fields pay nothing, but one of them is next to a gem for the other die."""
    document = SOLO | {"grid": ["3 1 3x 1 5Gy"], "dice": {"1": 2}}
    game = begin(document, Action("roll", dice=(1, 5)))
    assert decision(game) == Action("place", 0, "d1", 1)


def last_turn(grid: list[str]) -> Game:
    """Return a game in its last turn in which Ana has a die on b1 and no number fits."""
    acts = [Action("roll", dice=(2, 4, 4)), Action("place", 0, "b1", 2), Action("drop", 1)]
    return begin(TWO | {"grid": grid}, *acts, players=2)._replace(passes_done=1)


def test_an_expert_drops_out_with_a_gem_to_lose() -> None:
    assert decision(last_turn(["3x 2Gy 6 6 6"])) == Action("drop", 0)


def test_an_expert_rerolls_where_a_heap_may_go_back() -> None:
    assert decision(last_turn(["3x 2H 6 6 6"])) == Action("reroll", 0)


def test_an_expert_gives_back_what_pays_least() -> None:
    game = begin(
        TWO | {"grid": ["3x 2Gy 6 6 6", "2 . . . ."]},
        Action("roll", dice=(2, 2, 4)),
        players=2,
    )
    sheet = game.sheets[0].with_die(1).with_die(5)
    game = game._replace(
        sheets=(sheet, game.sheets[1]), phase="return", pool=(4,), is_last_turn=True
    )
    assert decision(game) == Action("return", 0, "a2")


def test_an_expert_lets_lava_have_what_pays_least() -> None:
    document = SOLO | {"grid": ["1Gy -V 1", "3x . ."], "dice": {"1": 6}}
    game = begin(document, Action("erupt", die=1))
    assert decision(game) == Action("lava", 0, "c1")


def test_an_expert_flies_where_a_row_waits() -> None:
    document = SOLO | {"grid": ["3x 1R -P", "-P . . "], "lines": [{"row": 1, "points": 9}]}
    game = begin(document, Action("roll", dice=(1,)), Action("place", 0, "b1"))
    assert game.phase == "marking"
    assert decision(game) == Action("rocket", 0, "c1")


def test_an_expert_closes_a_loop() -> None:
    laid = {"a1": "ES", "b1": "SW", "a2": "NE"}
    document = SOLO | {"marks": "tracks", "grid": ["1 2", "3 4"], "tracks": laid}
    game = begin(document, Action("roll", dice=(4,)), Action("place", 0, "b2"))
    assert decision(game) == Action("track", 0, "b2", shape="NW")


def owing(random: Random) -> Game:
    """Return a game on level-8 in which a player owes at least two tracks."""
    bot = GreedyBot(random)
    game = new_game(find_level("level-8"), ["Ana", "Ben"], tracked=True)
    passes = random.randrange(12)
    while not (game.passes_done >= passes and max(game.owed, default=0).bit_count() > 1):
        game = play_on(game, bot, random)
    return game


@pytest.mark.parametrize("seed", range(12))
def test_options_for_owed_tracks_are_complete_legal_and_distinct(seed: int) -> None:
    """A piece the rules forbid would raise."""
    game = owing(Random(seed))
    player = max(range(2), key=lambda who: game.owed[who].bit_count())
    options = find_options(game, player)
    ways = [frozenset(option.actions) for option in options]
    assert len(set(ways)) == len(ways) <= MAX_WAYS
    for option in options:
        at = game.level.mask(piece.at for piece in option.actions)
        assert at == game.owed[player]
        after = option.game
        assert after.passes_done > game.passes_done or not after.owed[player]


def test_track_is_drawn_as_planned_although_others_draw_meanwhile() -> None:
    game = owing(Random(3))
    player = max(range(2), key=lambda who: game.owed[who].bit_count())
    planned = ExpertBot(Random(1)).think(game, player)
    random = Random(1)
    bot, other, drawn = ExpertBot(random), GreedyBot(Random(2)), []
    states = set()
    for _ in planned:
        drawn.append(bot.choose(game, player))
        game = game.apply(drawn[-1])
        states.add(random.getstate())
        if game.phase == "marking" and game.owed[1 - player]:
            game = game.apply(other.choose(game, 1 - player))
    assert tuple(drawn) == planned
    assert len(states) == 1  # nothing was computed again


def test_a_player_without_a_die_to_lose_rerolls_without_play_outs() -> None:
    game = begin(SOLO | {"grid": ["3x 1"]}, Action("roll", dice=(4,)))
    random = Random(1)
    before = random.getstate()
    assert decide([SearchTask(game, 0, random)]) == [(Action("reroll", 0),)]
    assert random.getstate() == before


def test_the_win_counts_more_than_points_and_fewer_crosses_decide() -> None:
    totals = np.array([[50, 49], [90, 91], [60, 60], [60, 60], [60, 60]])
    marks = np.array([[30, 30], [30, 30], [30, 31], [30, 30], [31, 30]])
    ends = Ends(totals, marks)
    assert ends.wins.tolist() == [[1, 0], [0, 1], [1, 0], [0.5, 0.5], [0, 1]]
    values = evaluate_ends(ends, 0).tolist()
    assert values[0] > values[2] > values[3] > values[4] > values[1]
    assert evaluate_ends(Ends(totals[:, :1], marks[:, :1]), 0).tolist() == [50, 90, 60, 60, 60]


def test_the_search_values_each_option_by_the_ends_of_its_games() -> None:
    """Ana gets the gem or not with the last die, so each result is known."""
    game = begin(TWO | {"grid": ["1 3x 1Gy"]}, Action("roll", dice=(1, 6, 6)), players=2)
    game = game._replace(passes_done=1, pool=(1,))
    (found,) = search_all([SearchTask(game, 0, Random(1))])
    ranking, halving = found.halving.ranking, found.halving
    assert [found.options[option].actions[0].at for option in ranking] == ["c1", "a1"]
    # Without the gem, nobody leads, and the other player wins by fewer crosses.
    with_gem = evaluate_ends(Ends(np.array([[4, 0]]), np.array([[2, 1]])), 0)
    without = evaluate_ends(Ends(np.array([[0, 0]]), np.array([[2, 1]])), 0)
    assert [halving.value(option) for option in ranking] == pytest.approx([*with_gem, *without])
    # One round is enough, so no further ones are played.
    assert sum(map(halving.playouts, ranking)) == QUICK[0].playouts


def test_on_rails_more_games_are_played_out_but_not_at_large_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At large tables, which take long anyway, all games are played in one round."""
    monkeypatch.setattr(search, "RAIL_ROUNDS", (Round(99, 40), Round(3, 80)))
    monkeypatch.setattr(search, "SLOW_ROUNDS", (Round(99, 8), Round(2, 4)))

    def plan_of(document: dict[str, Any], players: int) -> list[Round]:
        return plan(begin(document, players=players), 4)

    rails, wide = find_level("level-8").document, TINY | {"marks": "tracks"}
    wide |= {"grid": ["1 2 3 4 5 6 1 2"] * 9, "tracks": {"a1": "ES"}}
    assert plan_of(rails, 1) == [Round(99, 40), Round(3, 80)]
    assert plan_of(rails, 2) == [Round(99, 20), Round(3, 40)]
    assert plan_of(find_level("level-3").document, 2) == list(QUICK)
    assert plan_of(wide, 2) == [Round(99, 4), Round(2, 2)]
    seated = new_game(find_level("level-8"), ["Ana", "Ben", "Cem", "Dea"], tracked=True)
    assert plan(seated, 4) == [Round(4, 5)]


def test_a_single_option_needs_no_playouts() -> None:
    game = begin(SOLO | {"grid": ["3x 1"]}, Action("roll", dice=(1,)))
    (found,) = search_all([SearchTask(game, 0, Random(1))])
    assert found.best == (Action("place", 0, "b1", 1),)
    assert [found.halving.playouts(option) for option in found.halving.ranking] == [0]


def test_a_beginner_takes_what_pays_at_once() -> None:
    game = begin(SOLO | {"grid": ["1 3x 1Gy"]}, Action("roll", dice=(1,)))
    assert BeginnerBot(Random(1)).choose(game, 0) == Action("place", 0, "c1", 1)


@pytest.mark.slow
def test_stronger_bots_score_more_points() -> None:
    """With the same dice, few games show it for an expert, and more for a beginner."""
    level = parse_level(find_level("level-3").document | {"rounds": {"1": 6}, "id": "short"})
    assert mean_total(level, "beginner", 40) + 3 < mean_total(level, "player", 40)
    assert mean_total(level, "player", 40) + 3 < mean_total(level, "expert", 8)


def mean_total(level: Level, strength: str, games: int) -> float:
    matches = [Match((strength,), str(number)) for number in range(games)]
    return sum(game.scores()[0].total for game in play_matches(level, matches)) / games
