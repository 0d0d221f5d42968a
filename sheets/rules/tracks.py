"""Which numbers do players circle for flags and for race areas, and who gets which?

Flags and races are one thing: a track of numbers that never rise. Who comes there gets the first
that is not struck yet and circles it; those who come at once get the same, and one number is struck
for each of them (`flag`, `race`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sheets.rules.sheet import Sheet


def place_of(kind: str, key: str) -> str:
    """What tells a track from all others of its level: ``"flag red"``, ``"race 0"``."""
    return f"{kind} {key}"


class NumberTrack(NamedTuple):
    """The track of all flags of a colour, or of one race area.

    ``kind`` is the rule its numbers are got by, ``flag`` or ``race``; ``key`` is the flags' colour
    or, as documents write it, the index of the area, which ``area`` has as a number (-1 for flags).
    ``fields`` is the mask of the flags, or of the area; ``unprinted`` those of them that a player
    can cross. With ``repeat_last`` the last number is never struck.
    """

    kind: str
    key: str
    area: int
    numbers: tuple[int, ...]
    fields: int
    unprinted: int
    repeat_last: bool

    @property
    def place(self) -> str:
        """What tells it from all others of the level, see `place_of`."""
        return place_of(self.kind, self.key)

    @property
    def entry(self) -> str:
        """The entry of a document's sheet that has its number: ``flags`` or ``races``."""
        return f"{self.kind}s"

    def is_reached(self, crosses: int) -> bool:
        """Whether a sheet with these crosses has reached the flag or completed the area.

        What is printed is nobody's doing: nobody reaches printed flags or a wholly printed area.
        """
        if self.kind == "flag":
            return bool(crosses & self.unprinted)
        return bool(self.unprinted) and not self.fields & ~crosses

    def reached_fields(self, crosses: int) -> int:
        """The fields by which a sheet with these crosses has got its number."""
        return crosses & self.unprinted if self.kind == "flag" else self.fields

    def takers(self, sheets: Sequence[Sheet]) -> list[int]:
        """The players who have reached the flag or completed the area, by index."""
        return [i for i, sheet in enumerate(sheets) if self.is_reached(sheet.crosses)]

    def circled(self, sheet: Sheet) -> int | None:
        """The number circled on a sheet, or None."""
        return sheet.flags.get(self.key) if self.kind == "flag" else sheet.races.get(self.area)

    def with_circled(self, sheet: Sheet, number: int) -> Sheet:
        """The sheet with that number circled."""
        if self.kind == "flag":
            return sheet._replace(flags={**sheet.flags, self.key: number})
        return sheet._replace(races={**sheet.races, self.area: number})

    def number_after(self, struck: int) -> int:
        """What those get who come when so many numbers are struck; 0 once all are."""
        if self.repeat_last:
            struck = min(struck, len(self.numbers) - 1)
        return self.numbers[struck] if struck < len(self.numbers) else 0

    def possible_numbers(self, takers: int) -> tuple[int, ...]:
        """The numbers one of so many takers can have got: 0 only when the track can be used up."""
        used_up = takers > len(self.numbers) and not self.repeat_last
        return tuple(dict.fromkeys((*self.numbers[:takers], *((0,) if used_up else ()))))
