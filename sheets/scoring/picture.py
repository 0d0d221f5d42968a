"""How does one player's sheet with its score become a picture to share?"""

from __future__ import annotations

from django.utils.translation import gettext as _

from sheets.artwork.png import ScoreRow, draw_sheet
from sheets.rules import Level, Score
from sheets.rules.marks import Marks, crossed_fields
from sheets.rules.sheet import opened_colours
from sheets.scoring.score_view import category_rows
from sheets.texts.symbols import in_language


def draw_picture(level: Level, marks: Marks, player: str, score: Score) -> bytes:
    """The sheet as the bytes of a PNG."""
    return draw_sheet(
        level,
        marks,
        title=in_language(level.name),
        player=player,
        rows=[ScoreRow(row.name, row.points, row.sign) for row in category_rows(level, score)],
        total=ScoreRow(_("Total"), score.total),
        opened=opened_colours(level, crossed_fields(level, marks)),
    )
