"""Estimated difficulty of a level, and influence of skill."""

from __future__ import annotations

import pytest

from sheets.levels import shipped_levels
from sheets.rules import parse_level
from sheets.simulation.balance.difficulty import describe_difficulty, estimate_difficulty, skill_of
from sheets.simulation.balance.report import PlannedGames, measure, top_findings
from sheets.simulation.balance.sentences import sentences
from tests.score_levels import GARDEN


@pytest.mark.parametrize("level_id", sorted(shipped_levels()))
def test_shipped_levels_are_estimated_within_one_star(level_id: str) -> None:
    level = shipped_levels()[level_id]
    measured = measure(level, [PlannedGames(1, 30)], processes=1)
    stars = estimate_difficulty(level, measured)
    assert stars
    assert abs(stars - level.difficulty) <= 1
    skill = skill_of(measured)
    assert skill
    assert skill[0] > 1.5 * skill[1], "who plans has more than who does not"


def test_report_without_games_at_random_says_nothing_of_skill() -> None:
    level = parse_level(GARDEN)
    measured = measure(level, [PlannedGames(1, 4)], processes=1)
    assert describe_difficulty(level, measured)
    del measured["random"]
    assert describe_difficulty(level, measured) == []
    assert describe_difficulty(level, measure(level, [PlannedGames(2, 4)], processes=1)) == []


@pytest.mark.parametrize(
    ("median", "word"),
    [(34, "only 34 points or fewer"), (46, ""), (85, ""), (86, "86 points or more")],
)
def test_median_far_from_the_shipped_levels_is_reported(median: int, word: str) -> None:
    level = parse_level(GARDEN)
    measured = measure(level, [PlannedGames(1, 10)], processes=1)
    measured["settings"][0]["scores"]["median"] = median
    found = [finding.name for finding in top_findings(level, measured, (54, 74))]
    assert ("median-far" in found) == bool(word)
    assert word in " ".join(sentences(level, measured, (54, 74)))
