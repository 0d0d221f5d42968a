"""Records of games on the sheet of a day."""

from datetime import date, timedelta

import pytest

from sheets.daily.day import FIRST_DAY, dice_of_pass, level_of
from sheets.daily.record import MAX_RECORD_LENGTH, BadRecord, replay
from tests.daily.played_days import played_day

DAY = date(2026, 11, 30)


def day_of(level_id: str) -> date:
    """Return the first day with a level."""
    days = (FIRST_DAY + timedelta(days=n) for n in range(400))
    return next(day for day in days if level_of(day).id == level_id)


@pytest.mark.parametrize("number", range(1, 9))
def test_replay_of_a_record_is_the_game(number: int) -> None:
    day = day_of(f"level-{number}")
    for seed in range(5):
        record, played = played_day(day, seed)
        again = replay(day, record)
        assert again.game == played.game
        assert again.totals == played.totals
        assert again.game.is_finished
        assert again.totals[-1] == again.game.scores()[0].total
        assert len(record) < MAX_RECORD_LENGTH / 3


@pytest.mark.parametrize("day", [DAY, day_of("level-7")])
def test_dice_of_a_pass_do_not_depend_on_choices_in_earlier_passes(day: date) -> None:
    second = set()
    for seed in range(8):
        record, _ = played_day(day, seed)
        words = record.split(" ")
        found = replay(day, "")
        while len(found.totals) < 1:
            found.apply(words.pop(0))
        while found.game.phase != "turn":
            found.apply(words.pop(0))
        second.add(found.game.pool)
    level, dice = level_of(day), dice_of_pass(day, 2)
    eruption = int(bool(level.by_symbol["volcano"]))
    assert second == {tuple(sorted(dice[eruption:][: level.dice[1]]))}


@pytest.mark.parametrize(
    "record",
    ["z9", "*  *", " ", "**", "* c4NS", "* out", "* * *", "c4", "out", "* \u0664", "x" * 50],
)
def test_bad_records_are_refused(record: str) -> None:
    with pytest.raises(BadRecord):
        replay(DAY, record)


def test_a_game_ends() -> None:
    record, _ = played_day(DAY)
    with pytest.raises(BadRecord):
        replay(DAY, f"{record} *")
