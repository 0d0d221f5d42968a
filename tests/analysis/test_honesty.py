"""Is what a look says of choices as true as it says?

On levels of four fields everything that can happen is worked out, by other code and without a
sample.
"""

from __future__ import annotations

from random import Random

import pytest

from sheets.analysis.analyser import AnalysedDecision, Analyser
from sheets.analysis.playing import POINTS, WIN
from sheets.rules.documents.game import Record
from tests.analysis.exhaustive import Exhaustive, Values
from tests.analysis.tiny_games import played, tiny_level

GAMES = 14
ROUNDED = 1e-6


def looked_at(seed: int, players: int) -> tuple[Record, list[AnalysedDecision]]:
    """A tiny game, and what the first answer says of it."""
    random = Random(f"honest/{players}/{seed}")
    record = played(tiny_level(random), ("Ana", "Ben")[:players], random)
    return record, list(next(Analyser(record, seed=seed).rounds()).found)


def misses(found: AnalysedDecision, true: list[Values]) -> list[bool]:
    """Of each choice's points and chance to win: whether it lies outside of what was stated."""
    player = found.decision.player
    return [
        abs(estimates[player].mean - value[player, kind]) > estimates[player].within + ROUNDED
        for pair, value in zip(found.values, true, strict=True)
        for kind, estimates in ((POINTS, pair.points), (WIN, pair.win))
    ]


@pytest.mark.parametrize("players", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_values_are_off_by_no_more_than_is_stated(players: int) -> None:
    missed: list[bool] = []
    for seed in range(GAMES // players**2):
        record, found = looked_at(seed, players)
        exhaustive = Exhaustive(record.start())
        for one in found:
            decision = one.decision
            true = [exhaustive.after(decision.game, choice) for choice in decision.choices]
            missed += misses(one, true)
    assert len(missed) > 40
    assert sum(missed) <= 0.05 * len(missed)


@pytest.mark.slow
def test_no_choice_is_called_a_mistake_that_was_none() -> None:
    """Not even if everybody went on as well as one can, instead of as bots do."""
    called = 0
    for seed in range(GAMES):
        record, found = looked_at(seed, 1)
        clear = [one for one in found if one.is_clear and one.best is not None]
        for plays_best in (False, True) if clear else ():
            exhaustive = Exhaustive(record.start(), plays_best=plays_best)
            for one in clear:
                decision, best = one.decision, one.best or 0
                better, done = (
                    exhaustive.after(decision.game, decision.choices[place])
                    for place in (best, decision.played)
                )
                assert better[decision.player, POINTS] > done[decision.player, POINTS]
                called += 1
    assert called
