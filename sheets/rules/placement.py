"""Where may a die go, and if it may not, why?

`check_placement` is the only place with this logic: hints, enforcement, bots and the check of a
photo all ask it (or `targets`, which it asks itself).
"""

from __future__ import annotations

from sheets.rules.sheet import Sheet
from sheets.rules.violations import RuleViolation


def free_fields(sheet: Sheet) -> int:
    """The fields that would take a die if its number and its place were right."""
    return sheet.level.numbered & ~(
        sheet.crosses | sheet.dice | sheet.exploded | sheet.lava | sheet.closed
    )


def targets(sheet: Sheet) -> int:
    """The fields the player's next die may go on, whatever its number.

    The first die touches a cross, later ones touch a die; boxed in, the player must jump, again
    next to a cross.
    """
    free = free_fields(sheet)
    if sheet.dice and (beside := sheet.near_dice & free):
        return beside
    return sheet.near_crosses & free


def is_boxed_in(sheet: Sheet) -> bool:
    """Whether the player has dice but no free field touches any of them (`jump`)."""
    return bool(sheet.dice) and not sheet.near_dice & free_fields(sheet)


def check_field(sheet: Sheet, at: str) -> RuleViolation | None:
    """Why the field as such takes no die now, or None.

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
    """Why a die may not go on a field, or None when it may.

    Args:
        sheet: the sheet before the move.
        at: the field's name, such as ``"c4"``.
        die: the number thrown, 1 to 6; 0 stands for whatever number the field has.

    Returns:
        The first that applies of what `check_field` says, `not-next-to-cross` or
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
