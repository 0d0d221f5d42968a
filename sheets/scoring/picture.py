"""Pictures to share: one sheet with its score, or the result of a whole game."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from sheets.printing.pictures.result import PlayerResult, draw_result
from sheets.printing.pictures.sheet import ScoreRow, draw_sheet
from sheets.printing.result import CategoryRow
from sheets.rules import Level, Score
from sheets.rules.marks import Marks, crossed_fields
from sheets.rules.sheet import opened_colours
from sheets.scoring.ranking import Standing
from sheets.scoring.score_view import ComparisonRow, category_rows
from sheets.text.symbols import in_language


def draw_picture(level: Level, marks: Marks, player: str, score: Score, day: str = "") -> bytes:
    """Draw a sheet with its score as a PNG.

    Args:
        day: date of the game in words; empty if unknown.
    """
    return draw_sheet(
        level,
        marks,
        title=in_language(level.name),
        player=player,
        rows=[ScoreRow(row.name, row.points, row.sign) for row in category_rows(level, score)],
        total=ScoreRow(_("Total"), score.total),
        footer=day,
        opened=opened_colours(level, crossed_fields(level, marks)),
    )


def draw_result_picture(
    title: str,
    standing: Standing,
    rows: Sequence[ComparisonRow],
    level: Level | None = None,
    sheets: Sequence[Marks] = (),
    day: str = "",
) -> bytes:
    """Draw the results of all players as one PNG, the winner first.

    Args:
        title: name of the level, or of the kind of result.
        rows: the score columns side by side, in the order of the players.
        level: the level of the ``sheets``, if there are any.
        sheets: the marks of each player's sheet, in the order of the players.
        day: date of the game in words; empty if unknown.
    """
    order = sorted(range(len(standing.ranks)), key=lambda i: standing.ranks[i].place)
    players = []
    for i in order:
        rank = standing.ranks[i]
        part = PlayerResult(rank.name, rank.score.total, rank.place, rank.is_winner)
        if level and sheets:
            opened = opened_colours(level, crossed_fields(level, sheets[i]))
            part = part._replace(marks=sheets[i], opened=opened)
        players.append(part)
    return draw_result(
        title,
        verdict_of(standing),
        players,
        [CategoryRow(row.name, row.sign, [row.amounts[i] for i in order]) for row in rows],
        total=_("Total"),
        footer="Dizzle Companion",
        level=level,
        day=day,
    )


def verdict_of(standing: Standing) -> str:
    """Return the winner sentence, or a solo game's grade as a word; empty if there is neither."""
    return standing.winner or (str(standing.grade.title) if standing.grade else "")
