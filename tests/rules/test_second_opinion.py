"""Comparison of the engine with the second implementation on random games."""

from random import Random
from typing import Any

import pytest

from sheets.rules.documents.game import parse_game, replay_record
from tests.conformance.comparison import differences
from tests.rules import naive
from tests.rules.random_games import random_game

GAMES_PER_SEED = 10
"""Number of random games per test case."""


def disagreements(game: dict[str, Any], random: Random) -> dict[int, Any]:
    """Return the differences by number of actions, at the end and at three earlier moments."""
    actions = game["actions"]
    moments = {len(actions), *(random.randint(0, len(actions)) for _ in range(3))}
    result = {}
    for moment in sorted(moments):
        document = {**game, "actions": actions[:moment]}
        if difference := differences(naive.replay(document), replay_record(parse_game(document))):
            result[moment] = difference
    return result


@pytest.mark.parametrize("seed", range(20))
def test_engine_agrees_with_the_second_implementation(seed: int) -> None:
    random = Random(seed)
    for _ in range(GAMES_PER_SEED):
        game = random_game(random)
        assert not disagreements(game, random), game
