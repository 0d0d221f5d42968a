"""Level and dice of a day: equal on all sites and in all releases."""

from collections import Counter
from datetime import date, timedelta

import pytest

from sheets.daily.day import DICE_PER_PASS, FIRST_DAY, LEVELS, dice_of_pass, level_of
from sheets.groups.game_results import level_digest
from sheets.levels import shipped_levels

GOLDEN = {
    "2026-01-01": ("level-4", "1526613112664616", "1644234616156664"),
    "2026-11-30": ("level-2", "2663365444411446", "2442126551213321"),
    "2026-12-01": ("level-8", "3463643513415341", "3234646324145313"),
    "2028-02-29": ("level-4", "1651461261333535", "5126666332652224"),
}
"""Level, and the first dice of passes 1 and 10. These never change."""

DIGESTS = {
    "level-1": "4842b51c32ae3901",
    "level-2": "95e7143212d879ca",
    "level-3": "06010e64de05d129",
    "level-4": "cc233e59c0bbc74a",
    "level-5": "f0519f2f2b927cd7",
    "level-6": "6c454cb9762cfd81",
    "level-7": "615ec08704ebc247",
    "level-8": "188db294dfe1946d",
}
"""Digests of the levels of the sheet of the day.

If one of them changes, games of past days have another sheet. Then give the changed level a new id,
and keep the old one for the sheet of the day.
"""


@pytest.mark.parametrize("day", GOLDEN)
def test_a_day_never_changes(day: str) -> None:
    its = date.fromisoformat(day)
    dice = ["".join(map(str, dice_of_pass(its, number)[:16])) for number in (1, 10)]
    assert (level_of(its).id, *dice) == GOLDEN[day]


def test_levels_of_past_days_never_change() -> None:
    assert {id: level_digest(shipped_levels()[id]) for id in LEVELS} == DIGESTS


def test_all_levels_are_equally_frequent() -> None:
    days = [FIRST_DAY + timedelta(days=n) for n in range(4000)]
    found = Counter(level_of(day).id for day in days)
    assert set(found) == set(LEVELS)
    # 500 expected, with a standard deviation of 21.
    assert all(420 < count < 580 for count in found.values()), found


def test_passes_have_different_dice() -> None:
    day = date(2026, 11, 30)
    passes = [dice_of_pass(day, number) for number in range(1, 11)]
    assert len(set(passes)) == 10
    assert {len(one) for one in passes} == {DICE_PER_PASS}
    assert dice_of_pass(day, 1) != dice_of_pass(day + timedelta(days=1), 1)
