"""Batched games have the same moves and scores as games played one by one.

The random numbers are the same: moves are compared from positions of all kinds on random levels,
then all scores.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from sheets.bots import GreedyBot, deciding_players
from sheets.bots.dice_rolls import throw, throw_next
from sheets.bots.playouts import play_out, supports
from sheets.bots.playouts.batch_state import PHASES, Lanes
from sheets.bots.playouts.passes import step
from sheets.levels import find_level
from sheets.rules import Game, Level, new_game, parse_level
from sheets.rules.symbols import SYMBOLS
from sheets.simulation.games import MIN_BATCH_GAMES, Tally, play_game, simulate
from tests.bots.playouts.positions import positions
from tests.rules.random_games import random_house_rules, random_level

TOGETHER = 6
"""Number of games of a level in a batch."""

KNOWN = {PHASES.index(phase) for phase in ("erupt", "roll", "turn", "return", "extra", "finished")}
"""Phases in which positions are compared; the rules skip others where nobody owes a choice."""


class Moment(NamedTuple):
    """A position, and the state of its game's random numbers."""

    game: Game
    numbers: tuple[Any, ...]


def course(game: Game, random: Random) -> list[Moment]:
    """Return all positions of a game that greedy bots play."""
    bot = GreedyBot(random)
    moments = [Moment(game, random.getstate())]
    while not game.is_finished:
        if deciding := deciding_players(game):
            action = bot.choose(game, deciding[0])
            if action.do == "reroll":
                action = action._replace(dice=throw(random, len(game.pool)))
        else:
            action = throw_next(game, random)
        game = game.apply(action)
        moments.append(Moment(game, random.getstate()))
    return moments


def covered_level(random: Random) -> Level:
    """Return a random level that the play-outs cover; half of them have house rules."""
    while True:
        document = random_level(random)
        if random.random() < 0.5:
            document["house_rules"] = random_house_rules(random)
        level = parse_level(document)
        if supports(level):
            return level


def plain(game: Game) -> Game:
    """Return a game without its mark that a player must place now, which greedy bots do anyway."""
    return game._replace(has_rerolled=False)


@pytest.mark.parametrize("seed", range(30))
def test_games_take_the_same_course_from_any_position(seed: int) -> None:
    random = Random(seed)
    level = covered_level(random)
    players = random.choice(level.player_counts)
    start = new_game(level, [f"Bot {n}" for n in range(players)], tracked=True)
    courses = [course(start, Random(f"{seed}/{n}")) for n in range(TOGETHER)]
    places = [random.randrange(len(moments)) if n else 0 for n, moments in enumerate(courses)]
    begun = [moments[place] for moments, place in zip(courses, places, strict=True)]
    numbers = [Random() for _ in courses]
    for source, moment in zip(numbers, begun, strict=True):
        source.setstate(moment.numbers)
    lanes = Lanes([moment.game for moment in begun], numbers)
    while step(lanes):
        stand = [n for n, phase in enumerate(lanes.phase) if phase in KNOWN]
        for number, game in zip(stand, positions(lanes, stand), strict=True):
            left = courses[number][places[number] :]
            later = (n for n, moment in enumerate(left) if plain(moment.game) == game)
            found = next(later, None)
            assert found is not None, f"game {number} of level {seed} never comes to {game}"
            places[number] += found
    assert [len(moments) - 1 for moments in courses] == places


def both_tallies(level: Level, players: int, games: int) -> tuple[Tally, Tally]:
    """Return the tallies of batched games, and of the same games played one by one."""
    start = new_game(level, [f"Bot {n}" for n in range(players)], tracked=True)
    together, alone = Tally(), Tally()
    together.add_scores(level, play_out([start] * games, [Random(n) for n in range(games)]))
    for number in range(games):
        alone.add_game(play_game(level, players, "greedy", Random(number)))
    return together, alone


@pytest.mark.parametrize(
    ("level_id", "players"),
    [
        *(("level-1", 1), ("level-2", 2), ("level-3", 4), ("level-4", 3)),
        *(
            ("level-5", 6),
            ("level-6", 2),
            ("level-7", 1),
            ("level-7", 4),
            ("level-8", 1),
            ("level-8", 3),
        ),
    ],
)
def test_scores_on_the_shipped_levels_are_those_of_the_rules(level_id: str, players: int) -> None:
    together, alone = both_tallies(find_level(level_id), players, TOGETHER)
    assert together == alone


@pytest.mark.parametrize("seed", range(20))
def test_scores_on_any_level_are_those_of_the_rules(seed: int) -> None:
    random = Random(f"scores/{seed}")
    level = covered_level(random)
    together, alone = both_tallies(level, random.choice(level.player_counts), TOGETHER)
    assert together == alone


def test_a_simulation_is_the_same_as_of_games_played_one_by_one() -> None:
    level = find_level("level-3")
    assert supports(level)
    alone = Tally()
    for number in range(MIN_BATCH_GAMES):
        alone.add_game(play_game(level, 1, "greedy", Random(f"3/{number}")))
    assert (
        simulate(level, players=1, games=MIN_BATCH_GAMES, bot="greedy", seed=3, processes=1)
        == alone
    )


def test_long_games_fetch_more_random_numbers() -> None:
    level = parse_level(find_level("level-2").document | {"rounds": {"1": 25}, "id": "long"})
    start = new_game(level, ["Bot 1"], tracked=True)
    scores = play_out([start, start], [Random(1), Random(2)])
    alone = [play_game(level, 1, "greedy", Random(n)).scores()[0] for n in (1, 2)]
    assert scores.totals.ravel().tolist() == [score.total for score in alone]
    assert scores.marks.ravel().tolist() == [score.marks for score in alone]


TINY = {"id": "tiny", "name": "Tiny", "grid": ["3x 1 2"]}

WIDE = TINY | {"marks": "tracks", "grid": ["1 2 3 4 5 6 1 2"] * 9, "tracks": {"a1": "ES"}}


@pytest.mark.parametrize(
    "document",
    [
        WIDE | {"rounds": {"1": 1}},
        TINY | {"grid": ["3x " + "1 " * 24] * 3, "rounds": {"1": 1}},
    ],
    ids=["many loops", "many fields with a number"],
)
def test_games_that_are_not_covered_are_played_one_by_one(document: dict[str, Any]) -> None:
    assert supports(parse_level(TINY))
    level = parse_level(document)
    assert not supports(level)
    games = simulate(level, players=1, games=MIN_BATCH_GAMES, bot="greedy", seed=1, processes=1)
    assert games.games == MIN_BATCH_GAMES


def test_a_symbol_with_an_unknown_effect_is_not_covered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    level = parse_level(TINY | {"grid": ["3x 1Kr 2"]})
    assert supports(level)
    monkeypatch.setitem(SYMBOLS, "beacon", SYMBOLS["key"]._replace(name="beacon"))  # type: ignore[index]
    monkeypatch.setitem(level.by_symbol, "beacon", level.mask(["b1"]))  # type: ignore[index]
    assert not supports(level)
