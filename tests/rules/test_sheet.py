"""What a sheet keeps while dice are put on it and crosses are drawn."""

from typing import Any

from sheets.rules import Sheet
from tests.rules.drawing import level_of


def test_a_die_changes_nothing_but_the_dice() -> None:
    """`Sheet.with_die` writes all fields out for speed: one that it forgets is lost here."""
    level = level_of("4x 2 5")
    others: dict[str, Any] = {name: object() for name in Sheet._fields}
    sheet = Sheet(**others | {"level": level, "dice": 0b001, "near_dice": 0b010})
    with_die = sheet.with_die(1)
    assert with_die._asdict() == sheet._asdict() | {"dice": 0b011, "near_dice": 0b111}
