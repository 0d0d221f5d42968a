"""Placement rules of the second implementation, computed from the whole sheet each time."""

from __future__ import annotations

from tests.rules.naive.level import NaiveLevel
from tests.rules.naive.scoring import NaiveSheet


def refusal_of_field(level: NaiveLevel, sheet: NaiveSheet, at: str) -> str | None:
    """Return the rule that forbids any die on the field regardless of its neighbours, or None."""
    if at not in level.fields:
        return "no-field"
    if at in sheet.crosses or at in sheet.dice:
        return "field-taken"
    if level.numbers[at] == 0:
        return "no-number"
    if at in sheet.exploded:
        return "exploded"
    if at in sheet.lava:
        return "lava"
    if level.symbols[at] == "L":
        keys = level.with_symbol("K", level.colours[at])
        if not keys & sheet.crosses:
            return "locked"
    return None


def touching(level: NaiveLevel, fields: set[str]) -> set[str]:
    return {near for field in fields for near in level.neighbours[field]}


def free_fields(level: NaiveLevel, sheet: NaiveSheet) -> set[str]:
    return {at for at in level.fields if refusal_of_field(level, sheet, at) is None}


def is_boxed_in(level: NaiveLevel, sheet: NaiveSheet) -> bool:
    return bool(sheet.dice) and not free_fields(level, sheet) & touching(level, sheet.dice)


def targets(level: NaiveLevel, sheet: NaiveSheet) -> set[str]:
    free = free_fields(level, sheet)
    return free & touching(level, sheet.dice) or free & touching(level, sheet.crosses)
