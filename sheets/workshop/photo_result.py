"""Result of reading the photo of an empty sheet, from which a level is entered."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field


class EmptySheetContent(Struct, frozen=True):
    """Result of reading the photo of an empty sheet; fields have their names at that time.

    Attributes:
        columns: number of columns.
        rows: number of rows.
        digits: digit of each field, by its name; 0 if it is illegible.
        asked: names of fields whose digit a person has to check.
        shifts: how far each row is shifted to the right, in fields.
        groups: sets of fields that are equal apart from their digits, the largest first; in each
            set the fields that resemble the others least come first.
        areas: sets of fields that a thick line seems to surround.
        arrows: numbers beyond the end of a row or column, by its number or letter.
        is_upright: whether the digits show which way is up.
    """

    columns: int
    rows: int
    digits: dict[str, int]
    asked: list[str]
    shifts: list[float]
    groups: list[list[str]]
    areas: list[list[str]] = field(default_factory=list)
    arrows: dict[str, int] = field(default_factory=dict)
    is_upright: bool = True


def blank_fields_key(names: Sequence[str]) -> str:
    """Return the key that states that fields have only a number; it is a 64-bit FNV-1a hash.

    It is stored in ``WorkshopLevel.compared``. ``keyOf`` in ``workshop/gather.js`` computes the
    same key.

    Args:
        names: names of the fields, in reading order.
    """
    key = 0xCBF29CE484222325
    for letter in " ".join(("nothing", *names)):
        key = (key ^ ord(letter)) * 0x100000001B3 % 2**64
    return f"{key:016x}"
