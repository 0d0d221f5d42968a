"""Attributes of a sheet after a die was placed."""

from typing import Any

from sheets.rules import Sheet
from tests.rules.drawing import level_of


def test_placing_a_die_changes_only_the_dice() -> None:
    """`Sheet.with_die` lists all attributes for speed; a forgotten one would be lost."""
    level = level_of("4x 2 5")
    others: dict[str, Any] = {name: object() for name in Sheet._fields}
    sheet = Sheet(**others | {"level": level, "dice": 0b001, "near_dice": 0b010})
    with_die = sheet.with_die(1)
    assert with_die._asdict() == sheet._asdict() | {"dice": 0b011, "near_dice": 0b111}
