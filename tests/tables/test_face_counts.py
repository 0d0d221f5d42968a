"""Counts of the faces of dice: cautious statements about fairness."""

from __future__ import annotations

from math import comb

import pytest

from sheets.stats import binomial_p_value, binomial_range
from sheets.tables.face_counts import MIN_DICE, count_faces


def exact_chance(trials: int, low: int, high: int) -> float:
    """Return the exact chance that the count of a face is from ``low`` to ``high``."""
    ways = sum(comb(trials, count) * 5 ** (trials - count) for count in range(low, high + 1))
    return float(ways / 6**trials)


@pytest.mark.parametrize("trials", [1, 6, 60, 156, 400])
def test_range_is_the_narrowest_with_at_most_2_5_percent_at_each_side(trials: int) -> None:
    low, high = binomial_range(trials, 1 / 6)
    assert exact_chance(trials, 0, low - 1) <= 0.025 < exact_chance(trials, 0, low)
    assert exact_chance(trials, high + 1, trials) <= 0.025 < exact_chance(trials, high, trials)


def test_p_value_is_twice_the_smaller_tail() -> None:
    for count in range(61):
        tails = exact_chance(60, 0, count), exact_chance(60, count, 60)
        assert binomial_p_value(count, 60, 1 / 6) == pytest.approx(min(1, 2 * min(tails)))


def test_many_dice_are_computed() -> None:
    assert binomial_range(20_000, 1 / 6) == (3230, 3437)


def test_few_dice_are_not_judged() -> None:
    counts = count_faces([6] * (MIN_DICE - 1))
    assert counts.finding == "few"
    assert [one.times for one in counts.faces] == [0, 0, 0, 0, 0, MIN_DICE - 1]
    assert count_faces([]).total == 0


def test_one_face_outside_its_range_is_still_usual_among_six() -> None:
    counts = count_faces([1] * 16 + [2, 3, 4, 5, 6] * 28)
    assert (counts.total, counts.expected, counts.low, counts.high) == (156, 26, 17, 35)
    assert [one.is_usual for one in counts.faces] == [False] + [True] * 5
    assert counts.finding == "usual"


def test_loaded_dice_are_rare() -> None:
    assert count_faces([1] * 10 + [2, 3, 4, 5] * 26 + [6] * 42).finding == "rare"
