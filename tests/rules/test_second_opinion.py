"""Do the engine and the plain rules agree on random games, in every field of the result?"""

from random import Random
from typing import Any

import pytest

from sheets.rules.documents.game import parse_game, replay_record
from tests.conformance.comparison import differences
from tests.rules import naive
from tests.rules.random_games import random_game

GAMES_PER_SEED = 10


def disagreements(game: dict[str, Any], random: Random) -> dict[int, Any]:
    """By the number of actions played: at the end of the game and at a few earlier moments."""
    actions = game["actions"]
    moments = {len(actions), *(random.randint(0, len(actions)) for _ in range(3))}
    found = {}
    for moment in sorted(moments):
        document = {**game, "actions": actions[:moment]}
        if difference := differences(naive.replay(document), replay_record(parse_game(document))):
            found[moment] = difference
    return found


@pytest.mark.parametrize("seed", range(20))
def test_engine_agrees_with_the_second_opinion(seed: int) -> None:
    random = Random(seed)
    for _ in range(GAMES_PER_SEED):
        game = random_game(random)
        assert not disagreements(game, random), game
