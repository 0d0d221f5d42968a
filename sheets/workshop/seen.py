"""What was seen on the photo of an empty sheet that a level is entered from?"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field


class Seen(Struct, frozen=True):
    """What was read on an empty sheet, by the names that its fields had then.

    ``digits`` are those of all fields (0: none can be read), ``asked`` the fields whose digit a
    person shall look at; ``shifts`` say how far each row lies to the right, in fields. ``groups``
    are fields that look alike but for their digit, the largest first; in each those come first that
    are least like the others. ``areas`` are fields that a
    thick line seems to run around, ``arrows`` the numbers that stand beyond the end of a row or
    column, by its number or letter. ``is_upright``: the digits say which way is up.
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


def nothing_on(names: Sequence[str]) -> str:
    """What is kept for “there is nothing on these fields”: ``keyOf`` in ``workshop/gather.js``.

    Args:
        names: in reading order.
    """
    key = 0xCBF29CE484222325
    for letter in " ".join(("nothing", *names)):
        key = (key ^ ord(letter)) * 0x100000001B3 % 2**64
    return f"{key:016x}"
