"""How does one player's sheet with its score become a picture to share?"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from sheets.artwork.png import ScoreRow, draw_sheet
from sheets.artwork.sheet_svg import opened_locks
from sheets.rules import Level, Score
from sheets.rules.level import SHAPES
from sheets.scoring.scored import category_rows
from sheets.words import in_language


def draw_picture(level: Level, marks: Mapping[str, str], player: str, score: Score) -> bytes:
    """The sheet as the bytes of a PNG; ``marks`` are what stands on it, by field name."""
    shown = {
        at: f"track-{value}" if value in SHAPES else value.removesuffix("-lava")
        for at, value in marks.items()
        if at in level.index
    }
    return draw_sheet(
        level,
        shown,
        title=in_language(level.name),
        player=player,
        rows=[ScoreRow(row.name, row.points, row.sign) for row in category_rows(level, score)],
        total=ScoreRow(_("Total"), score.total),
        opened=opened_locks(level, marks),
    )
