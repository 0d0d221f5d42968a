"""Estimates of the analysis, compared with exact values.

Other code computes the exact values on levels of four fields without sampling.
"""

from __future__ import annotations

from random import Random

import pytest

from sheets.analysis.analyser import AnalysedDecision, Analyser
from sheets.analysis.playouts import POINTS, WIN
from sheets.rules.documents.game import Record
from tests.analysis.exhaustive import Exhaustive, Values
from tests.analysis.tiny_games import play_tiny_game, tiny_level

GAMES = 14
ROUNDED = 1e-6


def first_analysis(seed: int, players: int) -> tuple[Record, list[AnalysedDecision]]:
    """Return a tiny game and the first round of its analysis."""
    random = Random(f"honest/{players}/{seed}")
    record = play_tiny_game(tiny_level(random), ("Ana", "Ben")[:players], random)
    return record, list(next(Analyser(record, seed=seed).rounds()).decisions)


def outside_margins(found: AnalysedDecision, true: list[Values]) -> list[bool]:
    """Return for points and win of each choice whether the exact value is outside the margin."""
    player = found.decision.player
    return [
        abs(estimates[player].mean - value[player, kind]) > estimates[player].within + ROUNDED
        for pair, value in zip(found.values, true, strict=True)
        for kind, estimates in ((POINTS, pair.points), (WIN, pair.win))
    ]


@pytest.mark.parametrize("players", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_errors_of_values_are_within_their_margins(players: int) -> None:
    missed: list[bool] = []
    for seed in range(GAMES // players**2):
        record, found = first_analysis(seed, players)
        exhaustive = Exhaustive(record.start())
        for one in found:
            decision = one.decision
            true = [exhaustive.after(decision.game, choice) for choice in decision.choices]
            missed += outside_margins(one, true)
    assert len(missed) > 40
    assert sum(missed) <= 0.05 * len(missed)


@pytest.mark.slow
def test_no_good_choice_is_called_a_mistake() -> None:
    """This also holds if all players play optimally afterwards instead of like bots."""
    called = 0
    for seed in range(GAMES):
        record, found = first_analysis(seed, 1)
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
