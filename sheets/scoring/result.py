"""Parts of the result pages that paper sheets, tallies and tables share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.art.layout import format_amount
from sheets.printing.pictures.sizes import WIDTH, arrange_result
from sheets.rules import Item, Level
from sheets.scoring.ranking import Standing
from sheets.scoring.score_view import ComparisonRow
from sheets.text.player_names import join_names
from sheets.text.points import format_points

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


def find_deciding_row(standing: Standing, rows: Sequence[ComparisonRow]) -> ComparisonRow | None:
    """Return the category that decided the game: the winner's largest lead over the second.

    None if no single category did: for one player, if the first or second place is shared, if
    points are equal, or if two categories have the largest lead.
    """
    if [len(step.ranks) for step in standing.podium[:2]] != [1, 1]:
        return None
    first, second = (standing.ranks.index(step.ranks[0]) for step in standing.podium[:2])
    if standing.ranks[first].score.total == standing.ranks[second].score.total:
        return None
    leads = [row.amounts[first] - row.amounts[second] for row in rows]
    return rows[leads.index(max(leads))] if leads.count(max(leads)) == 1 else None


def describe_result(standing: Standing, rows: Sequence[ComparisonRow]) -> list[str]:
    """Return what the winner sentence leaves out: points and margin, and the deciding category.

    The last sentence says what decided if further players have equal points. For one player only
    the points; empty unless the result is complete.
    """
    if standing.outcome is None or not standing.is_settled:
        return []
    points = format_points(standing.ranking[0].score.total)
    if not standing.podium:
        return [points]
    others = [rank for rank in standing.ranking if rank.place != 1]
    by_crosses = any(
        one.score.total == following.score.total and one.place != following.place
        for one, following in pairwise(others)
    )
    reason = [_("With equal points, fewer crosses come first.")] if by_crosses else []
    if len(standing.podium[0].ranks) > 1:
        return [_("%(points)s each.") % {"points": points}, *reason]
    (winner,), seconds = standing.podium[0].ranks, standing.podium[1].ranks
    lead = winner.score.total - seconds[0].score.total
    facts = {
        "points": points,
        "lead": format_amount(lead),
        "players": join_names([rank.name for rank in seconds]),
    }
    if not lead:
        return [_("%(points)s, as many as %(players)s.") % facts, *reason]
    sentences = [_("%(points)s, %(lead)s ahead of %(players)s.") % facts]
    if deciding := find_deciding_row(standing, rows):
        sentences.append(_("%(category)s made the difference.") % {"category": deciding.name})
    return [*sentences, *reason]


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
