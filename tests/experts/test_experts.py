"""Do the bots people can beat, or not, decide by the rules, the same each time, and well?"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sheets.experts import STRENGTHS, ExpertBot, search
from sheets.experts.search import Round
from sheets.levels import shipped_levels
from sheets.rules import Action, Level, new_game, parse_level
from sheets.simulation.matches import Match, play_matches

TINY = {"id": "tiny", "name": "Tiny", "dice": {"1": 1}, "rounds": {"1": 1}}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experts who hardly think: they have to play by the rules all the same."""
    monkeypatch.setattr(search, "ROUNDS", (Round(99, 6), Round(2, 4)))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("level", shipped_levels().values(), ids=lambda level: level.id)
def test_every_strength_plays_every_level_to_its_end_and_the_same_again(level: Level) -> None:
    """An action the rules forbid would raise."""
    short = parse_level(level.document | {"rounds": {"3": 1}, "id": "short"})
    match = Match(tuple(STRENGTHS), "1")
    first, second = (play_matches(short, [match])[0] for _ in range(2))
    assert first.is_finished
    assert first == second


def decides(document: dict[str, Any], *acts: Action) -> Action:
    """What the expert does on a small sheet after these acts, playing alone."""
    game = new_game(parse_level(TINY | document), ["Ana"], tracked=True)
    for action in acts:
        game = game.apply(action)
    return ExpertBot(Random(1)).choose(game, 0)
