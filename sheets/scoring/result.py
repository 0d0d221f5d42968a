"""Parts of the result pages that paper sheets, tallies and tables share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.printing.pictures.sizes import WIDTH, arrange_result
from sheets.rules import Item, Level
from sheets.scoring.ranking import Standing
from sheets.scoring.score_view import ComparisonRow
from sheets.text.player_names import join_names

MOMENT_DRAWINGS: Final = frozenset(
    {"cross-2", "gem-yellow", "gem-red", "gem-green", "gem-blue", "gem-purple"}
)
"""Ids of the drawings around the winner's name."""


def preview_words(standing: Standing, title: str, day: str) -> tuple[str, str]:
    """Return the title and the description of a result's link preview, as messengers show it.

    Args:
        title: name of the level, or of the kind of result.
        day: date of the game in words; may be empty.
    """
    heading = f"{standing.headline or _('Results')} · {title}"
    summary = standing.result or join_names(standing.names)
    return heading, " · ".join(filter(None, (summary, day)))


def picture_size(
    standing: Standing, rows: Sequence[ComparisonRow], level: Level | None = None
) -> tuple[int, int]:
    """Return a result picture's width and height in pixels; with a ``level`` it shows sheets."""
    has_verdict = bool(standing.winner or standing.grade)
    return WIDTH, arrange_result(
        len(standing.ranks), len(rows), level, has_verdict=has_verdict
    ).height


class Cell(NamedTuple):
    """A player's points in one category.

    ``url`` leads to the sheet that explains them; empty if there is none. If the sheet is on the
    same page, ``number`` is the player's index, and ``item`` has the fields to highlight.
    """

    amount: int
    url: str = ""
    number: int = 0
    item: Item | None = None


class ResultRow(NamedTuple):
    """A category's row of the result, with a cell per player; ``sign`` is the id of its drawing."""

    name: str
    sign: str
    cells: list[Cell]
