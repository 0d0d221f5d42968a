"""Number tracks of flags and race areas: the numbers players circle, and their award by rank.

Flags and races share one mechanism: a track of numbers in descending order. A player who reaches it
circles the first number not struck yet; players who reach it in the same pass get the same number,
and one number is struck for each of them (`flag`, `race`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sheets.rules.sheet import Sheet


def place_of(kind: str, key: str) -> str:
    """Return the identifier of a number track on its level: ``"flag red"``, ``"race 0"``."""
    return f"{kind} {key}"


class NumberTrack(NamedTuple):
    """The number track of all flags of a colour, or of one race area.

    ``kind`` is the rule that awards its numbers, ``flag`` or ``race``; ``key`` is the flags' colour
    or the index of the area as a string, as in documents; ``area`` is that index as a number (-1
    for flags). ``fields`` is the mask of the flags, or of the area; ``unprinted`` is the mask of
    those fields that have no printed cross. With ``repeat_last`` the last number is never struck.
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
        """The identifier on its level, see `place_of`."""
        return place_of(self.kind, self.key)

    @property
    def entry(self) -> str:
        """The key of its numbers in the sheet of a document: ``flags`` or ``races``."""
        return f"{self.kind}s"

    def is_reached(self, crosses: int) -> bool:
        """Return whether a sheet with these crosses has reached the flag or completed the area.

        Printed crosses do not count: printed flags and wholly printed areas are never reached.
        """
        if self.kind == "flag":
            return bool(crosses & self.unprinted)
        return bool(self.unprinted) and not self.fields & ~crosses

    def reached_fields(self, crosses: int) -> int:
        """Return the mask of the fields by which a sheet with these crosses earned its number."""
        return crosses & self.unprinted if self.kind == "flag" else self.fields

    def takers(self, sheets: Sequence[Sheet]) -> list[int]:
        """Return the indexes of the players who have reached the flag or completed the area."""
        return [i for i, sheet in enumerate(sheets) if self.is_reached(sheet.crosses)]

    def circled(self, sheet: Sheet) -> int | None:
        """Return the number circled on a sheet, or None."""
        return sheet.flags.get(self.key) if self.kind == "flag" else sheet.races.get(self.area)

    def with_circled(self, sheet: Sheet, number: int) -> Sheet:
        """Return the sheet with that number circled."""
        if self.kind == "flag":
            return sheet._replace(flags={**sheet.flags, self.key: number})
        return sheet._replace(races={**sheet.races, self.area: number})

    def number_after(self, struck: int) -> int:
        """Return the next number to award when ``struck`` numbers are struck; 0 once all are."""
        if self.repeat_last:
            struck = min(struck, len(self.numbers) - 1)
        return self.numbers[struck] if struck < len(self.numbers) else 0

    def possible_numbers(self, takers: int) -> tuple[int, ...]:
        """Return the numbers that a player can have if ``takers`` players have reached the track.

        The numbers include 0 if there are more players than numbers and the last one is not
        repeated.
        """
        used_up = takers > len(self.numbers) and not self.repeat_last
        return tuple(dict.fromkeys((*self.numbers[:takers], *((0,) if used_up else ()))))
