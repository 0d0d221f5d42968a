"""What does a page of results show, of paper sheets, tallies and tables alike?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.pictures.sizes import WIDTH, arrange_result
from sheets.rules import Item, Level
from sheets.scoring.score_view import ComparisonRow
from sheets.scoring.standing import Standing
from sheets.texts.players import join_names

MOMENT_DRAWINGS: Final = frozenset(
    {"cross-2", "gem-yellow", "gem-red", "gem-green", "gem-blue", "gem-purple"}
)
"""What stands around the name of who has won."""


def preview_words(standing: Standing, title: str, day: str) -> tuple[str, str]:
    """Return title and description of a result for the preview of its link.

    Args:
        title: what was played.
        day: when, in words; may be empty.
    """
    heading = f"{standing.headline or _('Results')} · {title}"
    told = standing.result or join_names(standing.names)
    return heading, " · ".join(filter(None, (told, day)))


def picture_size(
    standing: Standing, rows: Sequence[ComparisonRow], level: Level | None = None
) -> tuple[int, int]:
    """Return width and height of a result's picture in pixels; ``level`` if it has sheets."""
    has_verdict = bool(standing.winner or standing.grade)
    return WIDTH, arrange_result(
        len(standing.ranks), len(rows), level, has_verdict=has_verdict
    ).height


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
