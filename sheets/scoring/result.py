"""What does a page of results show, of paper sheets, tallies and tables alike?"""

from __future__ import annotations

from typing import Final, NamedTuple

MOMENT_DRAWINGS: Final = frozenset(
    {"cross-2", "gem-yellow", "gem-red", "gem-green", "gem-blue", "gem-purple"}
)
"""What stands around the name of who has won."""


class Cell(NamedTuple):
    """An amount, and where it is seen how it comes about."""

    amount: int
    url: str


class ResultRow(NamedTuple):
    """A category with everybody's cells; ``sign`` is the id of a drawing."""

    name: str
    sign: str
    cells: list[Cell]
