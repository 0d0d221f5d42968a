"""What does a page of results show, of paper sheets, tallies and tables alike?"""

from __future__ import annotations

from typing import Final, NamedTuple

from sheets.rules import Item

MOMENT_DRAWINGS: Final = frozenset(
    {"cross-2", "gem-yellow", "gem-red", "gem-green", "gem-blue", "gem-purple"}
)
"""What stands around the name of who has won."""


class Cell(NamedTuple):
    """An amount, and where it is seen how it comes about; ``url`` is empty where that is not shown.

    Where it is on the same page, ``number`` is the player whose sheet it is and ``item`` says which
    fields light up there.
    """

    amount: int
    url: str = ""
    number: int = 0
    item: Item | None = None


class ResultRow(NamedTuple):
    """A category with everybody's cells; ``sign`` is the id of a drawing."""

    name: str
    sign: str
    cells: list[Cell]
