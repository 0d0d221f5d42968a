"""Examples of the rules page, compared with what the rules allow and refuse."""

from __future__ import annotations

import pytest

from sheets.printing.rule_positions import (
    DICE2_EXAMPLES,
    DIZZLE_EXAMPLES,
    BoardPosition,
    Position,
    fields_between,
)
from sheets.rules import (
    Action,
    RuleViolation,
    Sheet,
    check_placement,
    new_game,
    score_sheet,
    targets,
)
from sheets.rules.dice2 import check_placement as check_dice2
from sheets.rules.dice2.kinds import winning_line
from sheets.rules.placement import is_boxed_in

SHOWN = {
    "first-die": ({"a1": "not-next-to-cross"}, ["c2", "b3"]),
    "next-die": ({"b1": "not-next-to-die"}, ["d2"]),
    "jump": ({"a2": "not-next-to-cross"}, ["d3"]),
    "locks": ({"c1": "locked"}, []),
}
"""Barred fields with their rules and framed fields of the first position, by example."""


def positions(name: str) -> list[Position]:
    return [position for row in DIZZLE_EXAMPLES[name]() for position in row.positions]


def crossed(sheet: Sheet) -> list[str]:
    return sheet.level.names(sheet.crosses & ~sheet.level.printed)


@pytest.mark.parametrize("name", SHOWN)
def test_dice_may_go_on_framed_fields_only_and_barred_ones_are_refused(name: str) -> None:
    refused, allowed = SHOWN[name]
    position = positions(name)[0]
    assert (position.refused, list(position.allowed)) == (refused, allowed)
    sheet, (die,) = position.sheet, position.pool
    for field in sheet.level.fields:
        violation = check_placement(sheet, field.name, die)
        assert (violation is None) == (field.name in position.allowed), field.name
        if field.name in refused:
            assert violation is not None
            assert violation.rule == refused[field.name]
            assert field.number == die, "the number is not the reason"


def test_the_player_who_jumps_is_boxed_in() -> None:
    assert is_boxed_in(positions("jump")[0].sheet)
    assert not is_boxed_in(positions("next-die")[0].sheet)


def test_nothing_fits_before_and_after_the_reroll_and_a_die_goes_back() -> None:
    before, rerolled, returned = positions("reroll")
    for position in (before, rerolled):
        level = position.sheet.level
        fields = targets(position.sheet)
        assert fields
        assert not any(fields & level.with_number[die] for die in position.pool)
    assert before.sheet == rerolled.sheet
    assert before.pool != rerolled.pool
    (back,) = level.names(rerolled.sheet.dice & ~returned.sheet.dice)
    number = level.fields[level.index[back]].number
    assert returned.pool == tuple(sorted((*rerolled.pool, number)))


def test_the_lock_opens_in_the_pass_after_its_key_is_crossed() -> None:
    before, after = positions("locks")
    assert crossed(before.sheet) == []
    assert crossed(after.sheet) == ["b1"]
    assert after.allowed == ("c1",)
    assert check_placement(after.sheet, "c1", after.pool[0]) is None


def test_the_bomb_is_crossed_on_one_sheet_and_explodes_on_the_others() -> None:
    mine, crossed_mine, other, exploded = (position.sheet for position in positions("bombs"))
    level = mine.level
    assert (level.names(mine.dice), other.dice) == (["b1"], 0)
    assert (crossed(crossed_mine), crossed_mine.exploded) == (["b1"], 0)
    assert (crossed(exploded), level.names(exploded.exploded)) == ([], ["b1"])


def test_flags_of_the_same_pass_get_the_same_number() -> None:
    assert [position.circled for position in positions("flags")] == [10, 10, 3]
    assert {position.numbers for position in positions("flags")} == {(10, 6, 3, 1)}


def test_the_rocket_crosses_a_planet_that_touches_no_cross() -> None:
    before, after = (position.sheet for position in positions("rockets"))
    assert crossed(after) == ["b1", "d1"]
    assert before.level.names(before.planets_left) == ["d1"]
    assert not after.level.neighbours[after.level.index["b1"]] >> after.level.index["d1"] & 1
    assert positions("rockets")[1].by_rocket == ("d1",)


def test_lava_flows_to_framed_fields_only() -> None:
    (position,) = positions("volcano")
    level = position.sheet.level
    game = new_game(level, ["0", "1"], tracked=False)
    game = game._replace(sheets=(position.sheet,) * 2).apply(Action("erupt", die=position.pool[0]))
    assert game.pending()[0].at == position.allowed == ("b1", "d1")
    assert position.refused == {"d3": "not-a-choice"}
    with pytest.raises(RuleViolation) as refusal:
        game.apply(Action("lava", 0, "d3"))
    assert refusal.value.rule == "not-a-choice"


def test_the_loop_of_six_and_the_open_route_of_two_pay_with_the_stop() -> None:
    (position,) = positions("tracks")
    score = score_sheet(position.sheet, solo=False)
    assert (score.by_category["tracks"], score.by_category["stops"]) == (6 * 3 + 2 * 1, 4)


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("placing", {"f6": "not-next-to-die"}),
        ("order", {"g5": "row-order", "e7": "column-order"}),
        ("last-man", {"g5": "own-colour"}),
        ("major", {"b5": "six-in-a-row", "h5": "six-in-a-row"}),
    ],
)
def test_dice_of_dice2_may_go_on_framed_fields_only(name: str, refused: dict[str, str]) -> None:
    position = DICE2_EXAMPLES[name]()
    assert position.refused == refused
    assert len(position.allowed) >= 2
    for at in fields_between(position.first, position.last):
        violation = check_dice2(position.game, at, position.die)
        assert (violation is None) == (at in position.allowed), at
        if at in refused:
            assert violation is not None
            assert violation.rule == refused[at]


def test_lines_of_dice2_pay_or_win() -> None:
    square, four, major = (DICE2_EXAMPLES[name]().game for name in ("square", "four-wins", "major"))
    assert square.points == (3,)
    assert {line.what for line in square.kind.paid_lines(square)} == {"same", "row"}
    assert four.winners == (0,)
    assert len(winning_line(four.board, 0)) == 4
    assert major.markers == (2, 0)


def test_boards_show_all_dice() -> None:
    for name in DICE2_EXAMPLES:
        position = DICE2_EXAMPLES[name]()
        shown = fields_between(position.first, position.last)
        dice = sum(number > 0 for number in position.game.board.numbers)
        taken = [at for at in shown if is_taken(position, at)]
        assert len(taken) == dice, name


def is_taken(position: BoardPosition, at: str) -> bool:
    violation = check_dice2(position.game, at, 1)
    return violation is not None and violation.rule == "field-taken"


def test_every_example_is_built() -> None:
    assert all(positions(name) for name in DIZZLE_EXAMPLES)
