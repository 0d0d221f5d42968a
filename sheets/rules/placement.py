"""Placement rules: the fields a die may go on, and the first rule that forbids one.

`check_placement` is the only implementation: hints, enforcement, bots and the check of a photo all
call it, or `targets`, on which it is based.
"""

from __future__ import annotations

from sheets.rules.sheet import Sheet
from sheets.rules.violations import RuleViolation


def free_fields(sheet: Sheet) -> int:
    """Return the mask of the free fields: a die may lie there if its number and position fit."""
    return sheet.level.numbered & ~(
        sheet.crosses | sheet.dice | sheet.exploded | sheet.lava | sheet.closed
    )


def targets(sheet: Sheet) -> int:
    """Return the mask of the fields the player's next die may go on, for any number.

    The first die must touch a cross, later ones a die; a player who is boxed in must jump to a
    field next to a cross (`jump`).
    """
    free = free_fields(sheet)
    if sheet.dice and (near := sheet.near_dice & free):
        return near
    return sheet.near_crosses & free


def is_boxed_in(sheet: Sheet) -> bool:
    """Return whether the player has dice but no free field touches any of them (`jump`)."""
    return bool(sheet.dice) and not sheet.near_dice & free_fields(sheet)


def check_field(sheet: Sheet, at: str) -> RuleViolation | None:
    """Return why a field takes no die of any number, or None.

    The first that applies of `no-field`, `field-taken`, `no-number`, `exploded`, `lava`, `locked`.
    """
    level = sheet.level
    index = level.index.get(at)
    if index is None:
        return RuleViolation("no-field", at=at)
    bit = 1 << index
    if (sheet.crosses | sheet.dice) & bit:
        return RuleViolation("field-taken", at=at)
    if not level.numbers[index]:
        return RuleViolation("no-number", at=at)
    if sheet.exploded & bit:
        return RuleViolation("exploded", at=at)
    if sheet.lava & bit:
        return RuleViolation("lava", at=at)
    if sheet.closed & bit:
        return RuleViolation("locked", at=at, colour=level.fields[index].colour)
    return None


def check_placement(sheet: Sheet, at: str, die: int) -> RuleViolation | None:
    """Return why a die may not go on a field, or None if it may.

    Args:
        sheet: the sheet before the move.
        at: the field's name, such as ``"c4"``.
        die: the number thrown, 1 to 6; 0 stands for the field's own number.

    Returns:
        The first that applies of the rules of `check_field`, `not-next-to-cross` or
        `not-next-to-die`, `wrong-number`.
    """
    if violation := check_field(sheet, at):
        return violation
    index = sheet.level.index[at]
    if not targets(sheet) >> index & 1:
        has_neighbour = sheet.dice and sheet.near_dice & free_fields(sheet)
        return RuleViolation("not-next-to-die" if has_neighbour else "not-next-to-cross", at=at)
    number = sheet.level.numbers[index]
    if die and die != number:
        return RuleViolation("wrong-number", at=at, die=die, number=number)
    return None
