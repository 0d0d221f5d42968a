"""Readable list of the lines that can still score on a board of Dice²."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from sheets.rules.dice2.outlook import OpenLine
from sheets.tables.dice2.score_view import MAX_OPEN_LINES, nearest_lines
from tests.dice2_tables import sit_down_for
from tests.tables.table_clients import client_of


def line(row: int, missing: int) -> OpenLine:
    """Return a line of threes in a row of the board."""
    fields = tuple(f"{column}{row}" for column in "defg")
    return OpenLine(fields, (3,) * 4, fields[:missing])


def test_lines_with_two_dice_are_listed_alone() -> None:
    found = nearest_lines([line(5, 1), line(6, 2), line(7, 3), line(8, 4)])
    assert [one.fields[0] for one in found] == ["d5", "d6"]


def test_a_few_lines_without_two_dice_are_listed_and_many_are_not() -> None:
    few = [line(row, 3) for row in range(1, MAX_OPEN_LINES + 1)]
    assert len(nearest_lines(few)) == MAX_OPEN_LINES
    assert nearest_lines([*few, line(9, 4)]) == []


def test_one_missing_die_and_several_are_described_in_german() -> None:
    with override("de"):
        one, two = nearest_lines([line(5, 1), line(6, 2)])
    assert one.text.endswith("es fehlt d5")
    assert two.text.endswith("es fehlen d6, e6")


@pytest.mark.django_db
def test_lines_that_can_still_score_are_listed_while_there_are_any() -> None:
    party = sit_down_for("square")
    for die, at in ((1, "e5"), (6, "f5")):
        party.act("place", 0, at, die=die)
        text = client_of(party).get(f"/table/{party.code}/").content.decode()
        assert "lines of four can still pay, none of which has two dice yet" in text
